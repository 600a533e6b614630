/**
 * Undoes wrong merges: the records that a survivor names in `unmerge` are served on their own again. Each is restored from its trace, with its
 * revision, so that nobody who holds it pays for it again (src/docs/loading-data.md).
 */
import { type Found, findByKey, findPresentKeys, splitIntoSlices } from '../read/versions.ts';
import { toStandaloneProject } from './absorbed.ts';
import type { Write } from './bulkWrite.ts';
import type { Load } from './loadContext.ts';
import { reduceToIdentity, toStatement } from './projectContent.ts';
import { makeRecordVersion } from './projectDocument.ts';
import { hideVersion, makeRemovalTrace, replaceRecord, type Trace, toWriteContext } from './versionWrites.ts';

const RECORDS_AT_ONCE = 250;

/** Restores unmerged members without a line of their own in the file; call it after the file's lines are written. */
export async function* makeUnmergedWrites(load: Load): AsyncGenerator<Write> {
  const { client, names, source, base } = load;
  const { unmerged } = source;
  if (!unmerged.size || !base.set) return;
  await load.target.refresh();
  for (const ids of splitIntoSlices([...unmerged.keys()], RECORDS_AT_ONCE)) {
    const keys = ids.map(String);
    const stated = await findPresentKeys(client, names.indexName('projects', load.target.set), keys, [load.target.visible]);
    const removed = await findByKey<Trace>(client, names.completeAlias('removals', base.set), keys);
    // For other ids that the family named there is no record to restore.
    const traces = new Map([...removed].filter(([, { version }]) => version.mergedInto !== undefined));
    for (const [key, trace] of traces) {
      if (stated.has(key)) continue;
      yield* load.source.deletedMembers.has(Number(key)) ? makeDeletedMemberWrites(load, trace) : unmergeWrites(load, trace);
      if (load.base.isHeld) yield hideVersion(load.target, 'removals', trace);
    }
  }
}

function* unmergeWrites(load: Load, { version: { absorbed } }: Found<Trace>): Generator<Write> {
  if (!absorbed) return;
  const before = toStandaloneProject(absorbed);
  const isCovered = load.source.header.mode === 'increment' && absorbed.generation === load.source.header.generation && !before.uncovered;
  const statement = isCovered ? toStatement(before) : reduceToIdentity(toStatement(before));
  const replaced = {
    before,
    returns: true,
    ...(isCovered ? { quotes: before.quotes } : { uncovered: true as const }),
  };
  load.counts.unmerged += 1;
  yield* replaceRecord(load.target, undefined, makeRecordVersion(statement, replaced, toWriteContext(load)));
}

/** Writes for a record that one file unmerges and deletes: its trace no longer names a survivor. */
function* makeDeletedMemberWrites(load: Load, { version: { absorbed } }: Found<Trace>): Generator<Write> {
  if (absorbed) yield makeRemovalTrace(load.target, absorbed.project);
}
