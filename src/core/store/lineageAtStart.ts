/** At its start a version that keeps the lineage of the index takes what a version before it loaded as the beginning of one. */
import type { Client } from '@elastic/elasticsearch';
import type { IndexNames } from './elastic/indices.ts';
import { newestServedStamp, servedSet } from './elastic/servedCommit.ts';
import { type LineageStore, unkept } from './postgres/lineage.ts';

/**
 * Begins the lineage of an index that is served and that none was kept of. The index itself stays as it is: the next load marks it, and
 * cursors of the version before stay valid.
 */
export async function adoptAtStart(elastic: Client, names: IndexNames, lineages: LineageStore): Promise<void> {
  const served = await servedSet(elastic, names);
  if (!served || served.lineage !== null || (await lineages.current())) return;
  const newestStamp = await newestServedStamp(elastic, names);
  const still = await servedSet(elastic, names);
  if (still?.commit !== served.commit) return; // a load was committed meanwhile: the next start, or load, does it
  await lineages.beginUnlessBegun({
    ...unkept,
    commit: served.commit,
    kind: 'adopted',
    generation: served.generation,
    setLoad: served.load,
    newestStamp,
  });
}
