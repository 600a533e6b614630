import assert from 'node:assert/strict';
import fc from 'fast-check';
import { toContent } from '../../../ingest/write/projectContent.ts';
import { listEarlierRevisions } from '../../../ingest/write/revisions.ts';
import { hashContent } from '../../../src/core/domain/record/revision.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
import type { StoredProject } from '../../../src/core/domain/record/storedProject.ts';

const statements = fc.record(
  {
    projectName: fc.constantFrom('Mill', 'Creek', null),
    acreage: fc.constantFrom(1, 2, null),
    status: fc.constantFrom('approved', 'unknown', null),
    caseNumbers: fc.constantFrom(['A 1'], ['A 1', 'B 2'], []),
    meetingDate: fc.constantFrom('2026-01-05', '2026-02-05'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<ProjectStatement>>;

const AT = '2026-03-01T00:00:00.000Z';

/** A version with the revisions that are known of it. */
function versionOf(stated: Partial<ProjectStatement>, known: StoredProject['earlierRevisions'] = []): StoredProject {
  const statement = { id: 1, ...stated } as ProjectStatement;
  return {
    key: '1',
    id: 1,
    loadedIn: 1,
    statedSince: 1,
    lastUpdated: AT,
    contentRevision: hashContent(statement),
    earlierRevisions: known,
    ...toContent(statement),
  };
}

describe('What a record remembers of its earlier revisions', () => {
  it('is the same for a content that comes back, whether what changed is looked up or compared', () => {
    fc.assert(
      fc.property(statements, statements, (first, second) => {
        const [before, after] = [versionOf(first), { id: 1, ...second } as ProjectStatement];
        const revision = { contentRevision: hashContent(after) };
        const known = listEarlierRevisions(before, () => after, revision, AT);
        const replaced = versionOf(second, known);
        const back = (version: StoredProject) =>
          listEarlierRevisions(version, () => ({ id: 1, ...first }) as ProjectStatement, { contentRevision: before.contentRevision }, AT);
        const compared = back({ ...replaced, earlierRevisions: [] });
        assert.deepEqual(back(replaced), [...known, ...compared]);
      }),
    );
  });
});
