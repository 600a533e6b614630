/** Reports what is loaded and served, for `npm run ingest -- status`. */
import { ApiError } from '../../src/core/domain/errors.ts';
import { compareSynced, compareWithLineage } from '../../src/core/domain/lineage.ts';
import { readServedSet } from '../../src/core/store/elastic/servedCommit.ts';
import type { LineageStore } from '../../src/core/store/postgres/lineageStore.ts';
import { isUnreadable } from '../../src/core/store/postgres/pool.ts';
import { readGreatestValue } from '../read/versions.ts';
import type { GenerationSet, GenerationStore } from '../write/generationSets.ts';
import { isObsolete } from './repair.ts';
import { needsStamping } from './stamping.ts';

interface LoadedSet {
  generation: number;
  load: number;
  committed: number;
  records: number;
  served: boolean;
  rollbackTarget: boolean;
  /** true if nothing can serve it any more, so that the next load deletes it */
  obsolete: boolean;
}

interface GenerationStatus {
  /** number of the served generation; null before the first activation */
  generation: number | null;
  /** generation that sync shows while the served one is being stamped; null if it shows the served one */
  syncShows: number | null;
  /** visible projects of the served generation */
  records: number;
  /** newest committed lastUpdated, ISO 8601; null when there is none */
  highWater: string | null;
  loaded: LoadedSet[];
  /** number of interrupted loads, which the next load removes */
  unfinished: number;
  /** true while the served set is being renewed, or if a renewal was interrupted */
  renewing: boolean;
  /** searched fields that were added to the served set later: its older records lack a value until a load writes them */
  unfilledFields: string[];
}

/** How the index differs from what Postgres has recorded, with the remedy, for `/ready`; null if it does not. */
export async function findIndexProblem(store: GenerationStore, lineages: LineageStore): Promise<string | null> {
  const served = await readServedSet(store.client, store.names);
  try {
    const lineage = await lineages.readCurrent();
    return (compareWithLineage(served, lineage) ?? compareSynced(served, lineage))?.message ?? null;
  } catch (error) {
    if (isUnreadable(error)) return null; // nothing was recorded yet
    if (error instanceof ApiError) return `It is not known whether this is what was recorded: ${error.message}`;
    throw error;
  }
}

/** What is loaded and served. */
export async function readGenerationStatus(store: GenerationStore): Promise<GenerationStatus> {
  const generations = await store.read();
  const { served, sets, unfinished, renewals } = generations;
  const describe = async (set: GenerationSet): Promise<LoadedSet> => ({
    generation: set.generation,
    load: set.load,
    committed: set.committed,
    records: await store.countRecords('projects', set),
    served: set.served,
    rollbackTarget: set.previous,
    obsolete: isObsolete(set, generations),
  });
  const loaded = await Promise.all(sets.map(describe));
  const highWater = served ? await readGreatestValue(store.client, store.names.completeAlias('projects', served), 'lastUpdated') : null;
  return {
    generation: served?.generation ?? null,
    syncShows: needsStamping(generations) ? generations.synced.generation : null,
    records: loaded.find((set) => set.served)?.records ?? 0,
    highWater: highWater === null ? null : new Date(highWater).toISOString(),
    loaded,
    unfinished: unfinished.length,
    renewing: renewals.length > 0,
    unfilledFields: served ? await store.findUnfilledFields(served) : [],
  };
}

export function describeStatus(status: GenerationStatus, problem: string | null = null): string {
  if (!status.loaded.length) return problem ?? 'Nothing is loaded yet. Load a file: npm run ingest -- load FILE --activate';
  const rows = status.loaded.map((set) => `  generation ${set.generation}  ${String(set.records).padStart(9)} projects  ${noteOf(set)}`);
  const head =
    status.generation === null
      ? 'No generation is served.'
      : `Generation ${status.generation} is served, newest change ${status.highWater}.`;
  return [
    head,
    ...(status.syncShows === null ? [] : [describeStamping(status.syncShows)]),
    ...rows,
    ...(problem ? [problem] : []),
    ...(status.unfinished ? [`  ${status.unfinished} unfinished, cleared by the next load`] : []),
    ...(status.renewing ? ['  what is served is being made again; where no such command runs, begin again: npm run ingest -- renew'] : []),
    ...(status.unfilledFields.length ? [describeUnfilledFields(status.unfilledFields)] : []),
  ].join('\n');
}

function noteOf({ served, rollbackTarget, obsolete }: LoadedSet): string {
  if (served) return 'served';
  if (rollbackTarget) return 'rollback returns to it';
  return obsolete ? 'goes with the next load' : 'waits for activation';
}

const describeStamping = (generation: number): string =>
  `Sync still shows generation ${generation}: the records that are served now are being stamped for it. Where no rollback runs, finish it: npm run ingest -- rollback`;

/** Explains what to do about fields that were added later. */
export const describeUnfilledFields = (fields: readonly string[]): string =>
  `Filters on ${fields.join(', ')} do not find records that an older version loaded. Make what is served again, while loads and searches go on: npm run ingest -- renew`;
