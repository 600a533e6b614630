/**
 * What stamping for sync writes: every record that differs from what sync shows is written again, and those that the set lacks leave a trace, so that a
 * copy kept by sync sees them again. One that only filters tell apart keeps its time of change: alerts follow what was written.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { findByKey, keyPages, keysWithout, pages, type StoredVersion } from '../read/versions.ts';
import type { Write } from '../write/bulkWrite.ts';
import type { GenerationSet, GenerationStore } from '../write/generations.ts';
import type { WriteTarget } from '../write/loadContext.ts';
import { toStatement } from '../write/projectContent.ts';
import { searchedOf } from '../write/projectDocument.ts';
import { earlierRevisions, renamedRevision } from '../write/revise.ts';
import { hideVersion, removalTrace, supersedeVersion, type Trace } from '../write/versionWrites.ts';

export interface StampProgress {
  /** records that were compared */
  compared: number;
  of: number;
  /** those of them that differ */
  stamped: number;
}

/** What makes a set follow the one that sync shows, one part after the other. */
export function* stampWrites(
  store: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  onStamping?: (progress: StampProgress) => void,
): Generator<AsyncGenerator<Write>> {
  yield changedRecords(store, next, target, onStamping);
  yield lostRecords(store, next, target);
  yield laterRemovals(store, next, target);
}

async function* changedRecords(
  store: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  onStamping?: (progress: StampProgress) => void,
): AsyncGenerator<Write> {
  const { client, names } = store;
  const progress = { compared: 0, of: await store.count('projects', next), stamped: 0 };
  for await (const page of pages<StoredProject>(client, { index: names.whole('projects', next), by: 'id' })) {
    const keys = page.map(({ version }) => version.key);
    const known = await findByKey<StoredProject>(client, names.synced('projects'), keys, [], COMPARED);
    const rewritten = page.filter(({ version }) => known.get(version.key)?.version.loadedIn !== version.loadedIn);
    const before = await findByKey<StoredProject>(
      client,
      names.synced('projects'),
      rewritten.map(({ version }) => version.key),
    );
    const changed = rewritten.filter(({ version }) => !isAsServed(version, before.get(version.key)?.version, target.today));
    for (const found of changed) {
      const stamped = stampedAgain(found.version, before.get(found.version.key)?.version, target);
      yield { operation: 'create', index: target.writing('projects'), version: stamped, indexed: searchedOf(stamped, target.today) };
      yield supersedeVersion(target, found);
    }
    progress.compared += page.length;
    progress.stamped += changed.length;
    onStamping?.({ ...progress });
  }
}

/** A version has the number of its load wherever it was copied to. */
const COMPARED = ['key', 'loadedIn'];

/** True where a copy and an alert have nothing to learn: equal content, reported at the same time and found by the same filters. */
const isAsServed = (version: StoredProject, now: StoredProject | undefined, today: string) =>
  now?.contentRevision === version.contentRevision &&
  now.lastUpdated === version.lastUpdated &&
  isDeepStrictEqual(searchedOf(now, today), searchedOf(version, today));

/**
 * A version that is served again in place of `now`. Equal content keeps the time at which it was reported: a copy that has not read that far
 * yet still has to see it. Its evidence is that of its own generation and of those before; what a later one stated is none.
 */
function stampedAgain(version: StoredProject, now: StoredProject | undefined, target: WriteTarget): StoredProject {
  const { contentHash: _, earlierRevisions: __, ...rest } = version;
  const { unchanged, ...revision } = renamedRevision(now, version);
  const lastUpdated = now && unchanged ? now.lastUpdated : target.stamps.next();
  const earlier = earlierRevisions(now, toStatement(version), revision, lastUpdated);
  return { ...rest, ...revision, loadedIn: target.number, lastUpdated, ...(earlier.length ? { earlierRevisions: earlier } : {}) };
}

/** Records that only sync shows leave a trace of their removal. */
async function* lostRecords(store: GenerationStore, next: GenerationSet, target: WriteTarget): AsyncGenerator<Write> {
  const { client, names } = store;
  const walk = { index: names.synced('projects'), by: 'id' } as const;
  const kept = keyPages<number>(client, { index: names.whole('projects', next), by: 'id' });
  for await (const keys of keysWithout(client, walk, [kept])) {
    const removed = await findByKey<StoredProject>(client, walk.index, keys);
    const traces = await findByKey<Trace>(client, names.whole('removals', next), keys);
    for (const { version } of removed.values()) {
      const earlier = traces.get(version.key);
      yield removalTrace(target, version, {
        mergedInto: earlier?.version.mergedInto,
        absorbed: earlier?.version.absorbed,
      });
      if (earlier) yield hideVersion(target, 'removals', earlier);
    }
  }
}

/** Traces that only sync shows, or shows of a later time, go along, for a copy that has not read them yet. */
async function* laterRemovals(store: GenerationStore, next: GenerationSet, target: WriteTarget): AsyncGenerator<Write> {
  const { client, names } = store;
  for await (const page of pages<Trace>(client, { index: names.synced('removals'), by: 'id' })) {
    const keys = page.map(({ version }) => version.key);
    const back = await findByKey<StoredVersion>(client, names.whole('projects', next), keys, [], ['key']);
    const traces = await findByKey<Trace>(client, names.whole('removals', next), keys);
    for (const { version } of page) {
      const earlier = traces.get(version.key);
      if (back.has(version.key) || (earlier && earlier.version.at >= version.at)) continue;
      const { absorbed: _, ...removed } = version;
      const absorbed = earlier?.version.absorbed;
      const trace = { ...removed, loadedIn: target.number, ...(absorbed ? { absorbed } : {}) };
      yield { operation: 'create', index: target.writing('removals'), version: trace };
      if (earlier) yield hideVersion(target, 'removals', earlier);
    }
  }
}
