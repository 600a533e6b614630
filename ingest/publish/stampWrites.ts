/**
 * What stamping for sync writes: every record that differs from what sync shows is written again, and those that the set lacks leave a trace, so that a
 * copy kept by sync sees them again. One that only filters tell apart keeps its time of change: alerts follow what was written.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { differences, identityPages } from '../read/identities.ts';
import { findByKey, type StoredVersion } from '../read/versions.ts';
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
export async function* stampWrites(
  store: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  onStamping?: (progress: StampProgress) => void,
): AsyncGenerator<Write> {
  const progress = { compared: 0, of: await store.count('projects', next), stamped: 0 };
  const onCompared = (more: number) => {
    progress.compared += more;
    onStamping?.({ ...progress });
  };
  for await (const { rewritten, lost } of differingKeys(store, next, 'projects', onCompared)) {
    for await (const writes of changedRecords(store, next, target, rewritten)) {
      progress.stamped += 1;
      yield* writes;
    }
    yield* lostRecords(store, next, target, lost);
  }
  onStamping?.({ ...progress });
  for await (const { lost } of differingKeys(store, next, 'removals')) yield* laterRemovals(store, next, target, lost);
}

/** Keys that differ between the two sets, of records whose versions have other numbers: a version keeps the number of its load wherever it is copied to. */
interface DifferingKeys {
  /** those of which `next` has another version, or the only one */
  rewritten: string[];
  /** those that sync alone shows under this version: of projects the ones that `next` lacks, of removals also others of the same record */
  lost: string[];
}

const KEYS_TOGETHER = 250;

/** Every key whose version is not the same in both sets, some at a time. Nothing but keys is read of what is equal. */
async function* differingKeys(
  { client, names }: GenerationStore,
  next: GenerationSet,
  kind: 'projects' | 'removals',
  onCompared?: (more: number) => void,
): AsyncGenerator<DifferingKeys> {
  const walk = differences(
    identityPages(client, names.whole(kind, next), kind, onCompared),
    identityPages(client, names.synced(kind), kind),
  );
  const empty = (): Map<string, { inNext: boolean; inSynced: boolean }> => new Map();
  const settled = (keys: ReturnType<typeof empty>): DifferingKeys => ({
    rewritten: [...keys].filter(([, { inNext }]) => inNext).map(([key]) => key),
    lost: [...keys].filter(([, { inNext, inSynced }]) => inSynced && (kind === 'removals' || !inNext)).map(([key]) => key),
  });
  let keys = empty();
  for await (const { version, isIn } of walk) {
    const known = keys.get(version.key);
    // Versions of one record follow one another: a batch ends between two records.
    if (!known && keys.size === KEYS_TOGETHER) {
      yield settled(keys);
      keys = empty();
    }
    keys.set(version.key, { inNext: known?.inNext || isIn === 'first', inSynced: known?.inSynced || isIn === 'second' });
  }
  if (keys.size) yield settled(keys);
}

/** The writes of each record that a copy or an alert has to see again. */
async function* changedRecords(
  { client, names }: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  keys: readonly string[],
): AsyncGenerator<Write[]> {
  const [versions, before] = await Promise.all([
    findByKey<StoredProject>(client, names.whole('projects', next), keys),
    findByKey<StoredProject>(client, names.synced('projects'), keys),
  ]);
  for (const found of versions.values()) {
    const now = before.get(found.version.key)?.version;
    if (isAsServed(found.version, now, target.today)) continue;
    const stamped = stampedAgain(found.version, now, target);
    yield [
      { operation: 'create', index: target.writing('projects'), version: stamped, indexed: searchedOf(stamped, target.today) },
      supersedeVersion(target, found),
    ];
  }
}

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
async function* lostRecords(
  { client, names }: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  keys: readonly string[],
): AsyncGenerator<Write> {
  const removed = await findByKey<StoredProject>(client, names.synced('projects'), keys);
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

/** Traces that only sync shows, or shows of a later time, go along, for a copy that has not read them yet. */
async function* laterRemovals(
  { client, names }: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  keys: readonly string[],
): AsyncGenerator<Write> {
  const shown = await findByKey<Trace>(client, names.synced('removals'), keys);
  const back = await findByKey<StoredVersion>(client, names.whole('projects', next), keys, [], ['key']);
  const traces = await findByKey<Trace>(client, names.whole('removals', next), keys);
  for (const { version } of shown.values()) {
    const earlier = traces.get(version.key);
    if (back.has(version.key) || (earlier && earlier.version.at >= version.at)) continue;
    const { absorbed: _, ...removed } = version;
    const absorbed = earlier?.version.absorbed;
    const trace = { ...removed, loadedIn: target.number, ...(absorbed ? { absorbed } : {}) };
    yield { operation: 'create', index: target.writing('removals'), version: trace };
    if (earlier) yield hideVersion(target, 'removals', earlier);
  }
}
