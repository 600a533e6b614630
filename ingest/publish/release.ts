/** Records the figures of each change of what sync shows, for `GET /releases` (src/docs/releases.md). */
import { changesNothingSql, type LineageStore, type Publication } from '../../src/core/store/postgres/lineageStore.ts';
import type { ReleaseFigures } from '../../src/core/store/postgres/releases.ts';
import type { GenerationStore } from '../write/generationSets.ts';

const STATE_FIELD = 'derived.stateId';
/** More than there are states. */
const STATES_MAX = 100;

interface StateBuckets {
  buckets: { key: string; doc_count: number }[];
}

/**
 * Records what sync shows as a release, if it is a new one. A rollback becomes one when its records are stamped, since only then sync shows it. Call
 * it under the load lock after showing the publication; if it fails, the next command records the release (`repairPublication`).
 */
export async function recordRelease(
  store: Pick<GenerationStore, 'client' | 'names'>,
  { id, lineages: { releases } }: { id: string; lineages: Pick<LineageStore, 'releases'> },
  { synced }: Publication,
): Promise<void> {
  if (!synced) return;
  const found = await releases.findUnrecorded(id, synced.commit, changesNothingSql('c'));
  if (!found) return;
  const { isFirst, before } = found;
  const { recordCount, stamped, removals, states } = await readFigures(store, before?.newestStamp ?? null);
  if (!before) {
    const brought = isFirst ? { added: recordCount, changed: 0, removed: 0 } : { added: null, changed: null, removed: null };
    return releases.add(id, synced.commit, { recordCount, ...brought, states });
  }
  const added = Math.max(0, recordCount - before.recordCount + removals);
  const changed = Math.max(0, stamped - added);
  return releases.add(id, synced.commit, { recordCount, added, changed, removed: removals, states });
}

interface Figures extends Pick<ReleaseFigures, 'recordCount' | 'states'> {
  /** records and removals that are newer than what was shown before */
  stamped: number;
  removals: number;
}

/** @param since milliseconds since 1970; null compares with nothing */
async function readFigures({ client, names }: Pick<GenerationStore, 'client' | 'names'>, since: number | null): Promise<Figures> {
  const newerIn = (field: string) => ({ range: { [field]: { gt: since ?? 0, format: 'epoch_millis' } } });
  const [records, { count: removals }] = await Promise.all([
    client.search<unknown, { states: StateBuckets; stamped: { doc_count: number } }>({
      index: names.syncedAlias('projects'),
      size: 0,
      track_total_hits: true,
      aggs: { states: { terms: { field: STATE_FIELD, size: STATES_MAX } }, stamped: { filter: newerIn('lastUpdated') } },
    }),
    client.count({ index: names.syncedAlias('removals'), query: newerIn('at') }),
  ]);
  const { hits, aggregations } = records;
  return {
    recordCount: typeof hits.total === 'object' ? hits.total.value : 0,
    states: (aggregations?.states.buckets ?? []).map(({ key, doc_count }) => [Number(key), doc_count]),
    stamped: aggregations?.stamped.doc_count ?? 0,
    removals,
  };
}
