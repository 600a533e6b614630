/** Documents made by worker threads equal those made in the load's own thread. */
import assert from 'node:assert/strict';
import type { Client } from '@elastic/elasticsearch';
import { normaliseProject, withIdentity } from '../../ingest/read/normalise.ts';
import type { ProjectLine } from '../../ingest/read/parseLine.ts';
import { bulkWrite, type Write } from '../../ingest/write/bulkWrite.ts';
import { DocumentThreads } from '../../ingest/write/documentThreads.ts';
import { makeDocument, toIndexedFields } from '../../ingest/write/indexedFields.ts';
import { toStatement } from '../../ingest/write/projectContent.ts';
import { makeRecordVersion } from '../../ingest/write/projectDocument.ts';
import { sampleLines } from '../../scripts/sample/generate.ts';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';

const TODAY = '2026-11-20';
const places = loadPlaces();
const stamp = () => `${TODAY}T00:00:00.000Z`;

/** The projects of two generations, the second with what the first stated; and documents. */
function sampleWrites(): Write[] {
  const writes: Write[] = [];
  const before = new Map<number, StoredProject>();
  for (const generation of [1, 2] as const)
    for (const line of sampleLines({ seed: 5, projects: 60, today: TODAY, texts: 'long', places, generation })) {
      if (line.kind === 'document') {
        const version = { key: String(line.id), loadedIn: generation, content: line };
        writes.push({ operation: 'create', index: 'documents', version, indexed: toIndexedFields('documents', version, TODAY) });
      }
      if (line.kind !== 'project' || 'deleted' in line) continue;
      const { id, evidence: quotes } = line as ProjectLine;
      const previous = before.get(id);
      const statement = withIdentity(normaliseProject(line as ProjectLine, places), previous && toStatement(previous));
      const context = { loadedIn: generation, today: TODAY, stamp, generation };
      const { version, indexed } = makeRecordVersion(statement, { before: previous, quotes }, context);
      before.set(id, version);
      writes.push({ operation: 'create', index: 'projects', version, indexed: toIndexedFields('projects', version, TODAY, indexed) });
    }
  writes.push({ operation: 'delete', index: 'projects', version: { key: '1', loadedIn: 1 } });
  return writes;
}

/** The lines of all requests that are sent for writes. */
async function sentFor(writes: readonly Write[], threads?: DocumentThreads): Promise<string[]> {
  const sent: string[] = [];
  const bulk = async ({ operations }: { operations: string[] }) => {
    sent.push(...operations);
    return { errors: false };
  };
  const all = async function* () {
    yield* writes;
  };
  await bulkWrite({ bulk } as unknown as Client, all(), threads ? { threads } : {});
  return sent;
}

/** A value that is null is not indexed, whether it is named or not. */
const withoutNulls = (line: string) =>
  JSON.stringify(JSON.parse(line), (key, value) => (key === 'derived' ? dropNulls(value as Record<string, unknown>) : value));
const dropNulls = (derived: Record<string, unknown>) => Object.fromEntries(Object.entries(derived).filter(([, value]) => value !== null));

describe('Threads that make documents', () => {
  it('make what a load makes itself, whatever the number of threads', async () => {
    const writes = sampleWrites();
    const here = await sentFor(writes);
    assert(here.length > 300);
    for (const count of [1, 2]) {
      const threads = new DocumentThreads(count);
      try {
        const there = await sentFor(writes, threads);
        assert.equal(there.length, here.length);
        for (const [at, line] of there.entries()) assert.equal(withoutNulls(line), withoutNulls(here[at] as string));
      } finally {
        await threads.close();
      }
    }
  });

  it('leave what they cannot make to the load, which sees why', async () => {
    const threads = new DocumentThreads(1);
    const version = { key: '7', loadedIn: 1, id: 7, compact: { id: 7 }, standard: {}, full: {}, absorbed: [null] };
    const write: Write = { operation: 'create', index: 'projects', version, indexed: toIndexedFields('projects', version, TODAY) };
    try {
      assert.equal(await threads.run([{ text: JSON.stringify(version), kind: 'projects', today: TODAY }]), null);
      await assert.rejects(sentFor([write], threads), TypeError);
      const text = JSON.stringify({ ...version, absorbed: undefined });
      assert.deepEqual(await threads.run([{ text, kind: 'projects', today: TODAY }]), [makeDocument(text, 'projects', TODAY)]);
    } finally {
      await threads.close();
    }
  });

  it('fail what waits for them when they end', async () => {
    const threads = new DocumentThreads(1);
    const made = threads.run([{ text: '{}', kind: 'removals', today: TODAY }]);
    const refused = assert.rejects(made, /[Tt]erminat|destroyed/);
    await threads.close();
    await refused;
  });
});
