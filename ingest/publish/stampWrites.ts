/**
 * The writes of stamping for sync: every record that differs from what sync shows is written with a new stamp, and every record that the set lacks
 * leaves a trace, so that clients' copies follow. A record that differs only for filters keeps its time of change; alerts notice that it was written.
 */
import { isDeepStrictEqual } from 'node:util';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { findDifferingRanges, type IdRange } from '../read/differingRanges.ts';
import { compareVersions, readIdentityPages } from '../read/versionDifferences.ts';
import { type Found, findByKey, type StoredVersion, splitIntoSlices } from '../read/versions.ts';
import type { Write } from '../write/bulkWrite.ts';
import type { GenerationSet, GenerationStore } from '../write/generationSets.ts';
import { workAhead } from '../write/lineBatches.ts';
import type { WriteTarget } from '../write/loadContext.ts';
import { toStatement } from '../write/projectContent.ts';
import { makeSearchedFields } from '../write/projectDocument.ts';
import { listEarlierRevisions, listServedRevisions, restoreRevision } from '../write/revisions.ts';
import { createVersion, hideVersion, makeRemovalTrace, type Trace } from '../write/versionWrites.ts';

export interface StampProgress {
  /** records that were compared */
  compared: number;
  of: number;
  /** those of them that differ */
  stamped: number;
}

type StampedKind = 'projects' | 'removals';

/** Ranges of ids in which a set may differ from the one that sync shows. */
export type RangesToStamp = Readonly<Record<StampedKind, readonly IdRange[]>>;

export async function findRangesToStamp({ client, names }: GenerationStore, next: GenerationSet): Promise<RangesToStamp> {
  const differing = (kind: StampedKind) =>
    findDifferingRanges({ client, kind, indices: [names.completeAlias(kind, next), names.syncedAlias(kind)] });
  return { projects: await differing('projects'), removals: await differing('removals') };
}

/** Yields the writes that make a set follow the one that sync shows, in phases. */
export async function* stampWrites(
  store: GenerationStore,
  { next, ranges }: { next: GenerationSet; ranges: RangesToStamp },
  target: WriteTarget,
  onStamping?: (progress: StampProgress) => void,
): AsyncGenerator<Write> {
  const progress = { compared: 0, of: ranges.projects.reduce((sum, { versions }) => sum + versions, 0), stamped: 0 };
  const batches = workAhead(findDifferingKeys(store, next, 'projects', ranges), (keys) => readChanged(store, next, keys));
  for await (const { versions, before, lost, compared } of batches) {
    for (const writes of makeChangedRecordWrites(versions, before, target)) {
      progress.stamped += 1;
      yield* writes;
    }
    yield* makeLostRecordWrites(store, next, target, lost);
    progress.compared += compared;
    onStamping?.({ ...progress });
  }
  for await (const { lost } of findDifferingKeys(store, next, 'removals', ranges)) yield* makeLaterRemovalWrites(store, next, target, lost);
}

/** Keys whose versions differ between the two sets. Versions are compared by the number of the load that wrote them, which copies keep. */
interface DifferingKeys {
  /** keys of which `next` has a different version, or the only one */
  rewritten: string[];
  /** keys of versions that only sync shows: projects that `next` lacks; removals that it lacks or has in another version */
  lost: string[];
  /** records of `next` that were compared to find them */
  compared: number;
}

const KEYS_TOGETHER = 250;

/** Yields the keys whose versions differ between the sets, in batches. Of equal versions in a range only the keys are read. */
async function* findDifferingKeys(
  store: GenerationStore,
  next: GenerationSet,
  kind: StampedKind,
  ranges: RangesToStamp,
): AsyncGenerator<DifferingKeys> {
  const compared = workAhead(iterate(ranges[kind]), (range) => compareKeys(store, next, kind, range));
  for await (const batches of compared) yield* batches;
}

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function compareKeys(
  { client, names }: GenerationStore,
  next: GenerationSet,
  kind: StampedKind,
  { from, below }: IdRange,
): Promise<DifferingKeys[]> {
  const query = { range: { id: { gte: from, lt: below } } };
  let compared = 0;
  const onRead = (more: number) => {
    compared += more;
  };
  const walk = compareVersions(
    readIdentityPages(client, names.completeAlias(kind, next), kind, { query, onRead }),
    readIdentityPages(client, names.syncedAlias(kind), kind, { query }),
  );
  const keys: Map<string, { inNext: boolean; inSynced: boolean }> = new Map();
  for await (const { version, isIn } of walk) {
    const known = keys.get(version.key);
    keys.set(version.key, { inNext: known?.inNext || isIn === 'first', inSynced: known?.inSynced || isIn === 'second' });
  }
  const batches = [...splitIntoSlices([...keys], KEYS_TOGETHER)].map((batch) => ({
    rewritten: batch.filter(([, { inNext }]) => inNext).map(([key]) => key),
    lost: batch.filter(([, { inNext, inSynced }]) => inSynced && (kind === 'removals' || !inNext)).map(([key]) => key),
    compared: 0,
  }));
  const [first] = batches;
  if (first) first.compared = compared;
  return batches;
}

type FoundProjects = ReadonlyMap<string, Found<StoredProject>>;

async function readChanged(
  { client, names }: GenerationStore,
  next: GenerationSet,
  { rewritten, lost, compared }: DifferingKeys,
): Promise<Pick<DifferingKeys, 'lost' | 'compared'> & { versions: FoundProjects; before: FoundProjects }> {
  const [versions, before] = await Promise.all([
    findByKey<StoredProject>(client, names.completeAlias('projects', next), rewritten),
    findByKey<StoredProject>(client, names.syncedAlias('projects'), rewritten),
  ]);
  return { versions, before, lost, compared };
}

/** The writes of each record that a client's copy or an alert has to see again. */
function* makeChangedRecordWrites(versions: FoundProjects, before: FoundProjects, target: WriteTarget): Generator<Write[]> {
  for (const found of versions.values()) {
    const now = before.get(found.version.key)?.version;
    if (isEqualForReaders(found.version, now, target.today)) continue;
    const stamped = restampVersion(found.version, now, target);
    yield [createVersion(target, 'projects', stamped), hideVersion(target, 'projects', found)];
  }
}

/** Whether neither a client's copy nor an alert can tell two versions apart: equal content, time of change and filter matches. */
const isEqualForReaders = (version: StoredProject, now: StoredProject | undefined, today: string) =>
  now?.contentRevision === version.contentRevision &&
  now.lastUpdated === version.lastUpdated &&
  isDeepStrictEqual(makeSearchedFields(now, today), makeSearchedFields(version, today));

/**
 * Makes the version that is served again in place of `now`. Equal content keeps its time of change, since a copy that has not read that far still has
 * to see it. Its evidence is that of its own and earlier generations, without what later ones stated.
 */
function restampVersion(version: StoredProject, now: StoredProject | undefined, target: WriteTarget): StoredProject {
  const { contentHash: _, earlierRevisions: __, ...rest } = version;
  const { unchanged, ...revision } = restoreRevision(now, version);
  const lastUpdated = now && unchanged ? now.lastUpdated : target.stamps.next();
  const earlier = listEarlierRevisions(now, () => toStatement(version), revision, lastUpdated);
  return {
    ...rest,
    ...revision,
    loadedIn: target.number,
    lastUpdated,
    ...(earlier.length ? { earlierRevisions: earlier } : {}),
    ...(now ? { servedRevisions: listServedRevisions(now, revision) } : {}),
  };
}

/** Yields a trace of removal for each record that only sync shows. */
async function* makeLostRecordWrites(
  { client, names }: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  keys: readonly string[],
): AsyncGenerator<Write> {
  const [removed, traces] = await Promise.all([
    findByKey<StoredProject>(client, names.syncedAlias('projects'), keys),
    findByKey<Trace>(client, names.completeAlias('removals', next), keys),
  ]);
  for (const { version } of removed.values()) {
    const earlier = traces.get(version.key);
    yield makeRemovalTrace(target, version, {
      mergedInto: earlier?.version.mergedInto,
      absorbed: earlier?.version.absorbed,
    });
    if (earlier) yield hideVersion(target, 'removals', earlier);
  }
}

/**
 * Copies traces that only sync shows, or shows with a later time, for clients' copies that have not read them yet. A trace names the survivor that
 * the set has; where sync showed another one, the trace gets a new time, so that every copy reads it.
 */
async function* makeLaterRemovalWrites(
  { client, names }: GenerationStore,
  next: GenerationSet,
  target: WriteTarget,
  keys: readonly string[],
): AsyncGenerator<Write> {
  const [shown, back, traces] = await Promise.all([
    findByKey<Trace>(client, names.syncedAlias('removals'), keys),
    findByKey<StoredVersion>(client, names.completeAlias('projects', next), keys, [], ['key']),
    findByKey<Trace>(client, names.completeAlias('removals', next), keys),
  ]);
  for (const { version } of shown.values()) {
    const earlier = traces.get(version.key);
    const { mergedInto, absorbed, at = '' } = earlier?.version ?? {};
    const isSameSurvivor = mergedInto === version.mergedInto;
    if (back.has(version.key) || (isSameSurvivor && at >= version.at)) continue;
    const { mergedInto: _, absorbed: __, ...removed } = version;
    const trace = {
      ...removed,
      loadedIn: target.number,
      ...(isSameSurvivor ? {} : { at: target.stamps.next() }),
      ...(mergedInto === undefined ? {} : { mergedInto }),
      ...(absorbed ? { absorbed } : {}),
    };
    yield createVersion(target, 'removals', trace);
    if (earlier) yield hideVersion(target, 'removals', earlier);
  }
}
