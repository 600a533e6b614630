/**
 * Which revision a record has once it takes the place of another version. A revision is a name of a content: as long as the content is the
 * same it stays, also one that an older scheme gave, and a record that goes back to an earlier content gets the name which that had.
 * Pools that paid for a content so never pay for it again, whichever scheme named it.
 */

import { changedFields, contentHash, isContentHash, olderRevision } from '../../src/core/domain/record/revision.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import type { EarlierRevision, StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { toStatement } from './projectContent.ts';

export type RevisionName = Pick<StoredProject, 'contentRevision' | 'contentHash'>;

interface Revised extends RevisionName {
  /** true if no answer can tell the statement from the version before */
  unchanged: boolean;
}

export function reviseRecord(before: StoredProject | undefined, statement: ProjectStatement): Revised {
  const hash = contentHash(statement);
  if (!before) return { contentRevision: hash, unchanged: false };
  if (hashOf(before) === hash) return { ...toRevisionName(before.contentRevision, hash), unchanged: true };
  return { ...toRevisionName(earlierName(before.earlierRevisions ?? [], hash, statement) ?? hash, hash), unchanged: false };
}

/** The name of a version that is served again in place of `now`: that of equal content stays. */
export function revisionServedAgain(now: StoredProject | undefined, version: StoredProject): Revised {
  const hash = hashOf(version);
  const unchanged = now !== undefined && hashOf(now) === hash;
  return { ...toRevisionName(unchanged ? now.contentRevision : version.contentRevision, hash), unchanged };
}

const toRevisionName = (contentRevision: string, hash: string): RevisionName => ({
  contentRevision,
  ...(contentRevision === hash ? {} : { contentHash: hash }),
});

/** Only for a version that an older scheme named it has to be computed. */
function hashOf({ contentRevision, contentHash: kept, ...content }: StoredProject): string {
  return kept ?? (isContentHash(contentRevision) ? contentRevision : contentHash(toStatement(content)));
}

function earlierName(known: readonly EarlierRevision[], hash: string, statement: ProjectStatement): string | undefined {
  const same = known.findLast((earlier) => (earlier.contentHash ?? earlier.revision) === hash);
  if (same || known.every((earlier) => earlier.contentHash || isContentHash(earlier.revision))) return same?.revision;
  const older = olderRevision(statement);
  return known.findLast(({ revision }) => revision === older)?.revision;
}

/** Replaced revisions that a record remembers; the oldest go first. */
const EARLIER_REVISIONS_MAX = 20;
/** Characters of JSON that a record keeps of what they stated; the oldest go first. */
const EARLIER_VALUES_MAX = 100_000;

/** What a record remembers of the revisions before it once it takes the place of `before`. @param after asked for where needed @param at time of the change */
export function earlierRevisions(
  before: StoredProject | undefined,
  after: () => ProjectStatement,
  { contentRevision }: RevisionName,
  at: string,
): EarlierRevision[] {
  if (!before) return [];
  const known = before.earlierRevisions ?? [];
  if (before.contentRevision === contentRevision) return known;
  const hash = hashOf(before);
  const statement = toStatement(before);
  const replaced = known.at(-1);
  // What `before` changed, a return to the content before it changes back.
  const changed = replaced?.revision === contentRevision ? replaced.changed : changedFields(statement, after());
  const { contentRevision: revision, contentHash } = toRevisionName(before.contentRevision, hash);
  const stated = statedOf(statement, changed);
  const last = { revision, ...(contentHash ? { contentHash } : {}), replacedAt: at, changed, stated };
  return limitValues([...known, last].slice(-EARLIER_REVISIONS_MAX));
}

/** What a statement says of fields; null is left out like what is not stated. */
const statedOf = (statement: ProjectStatement, names: readonly string[]) =>
  Object.fromEntries(Object.entries(statement).filter(([name, value]) => names.includes(name) && value !== null && value !== undefined));

/** The same revisions, the older ones without their values where all together would take too much room. */
function limitValues(revisions: readonly EarlierRevision[]): EarlierRevision[] {
  let room = EARLIER_VALUES_MAX;
  return revisions
    .toReversed()
    .map(({ stated, ...revision }) => {
      room -= stated ? JSON.stringify(stated).length : 0;
      return stated && room >= 0 ? { ...revision, stated } : revision;
    })
    .reverse();
}
