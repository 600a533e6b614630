/** When the API starts, it begins a lineage for an index that was loaded by a version without lineages. */
import type { Client } from '@elastic/elasticsearch';
import type { IndexNames } from './elastic/indices.ts';
import { readNewestServedStamp, readServedSet } from './elastic/servedCommit.ts';
import { type LineageStore, UNRECORDED } from './postgres/lineageStore.ts';

/**
 * Begins the lineage of a served index that has none. The index does not change: the next load marks it, and existing cursors stay valid.
 */
export async function adoptIndexAtStart(elastic: Client, names: IndexNames, lineages: LineageStore): Promise<void> {
  const served = await readServedSet(elastic, names);
  if (!served || served.lineage !== null || (await lineages.readCurrent())) return;
  const newestStamp = await readNewestServedStamp(elastic, names);
  const still = await readServedSet(elastic, names);
  if (still?.commit !== served.commit) return; // a load was committed meanwhile: the next start, or load, begins it
  await lineages.beginUnlessBegun({
    ...UNRECORDED,
    commit: served.commit,
    kind: 'adopted',
    generation: served.generation,
    setLoad: served.load,
    newestStamp,
  });
}
