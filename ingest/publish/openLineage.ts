/** The lineage of the index from the loader's side: it is compared before anything is written, and every commit is recorded before it is served. */
import { compareLineage, type Disagreement, type Lineage } from '../../src/core/domain/lineage.ts';
import { LoadRefused } from '../loadRefused.ts';
import type { GenerationSet, GenerationStore } from '../write/generations.ts';
import { asFound, type Lineages, type OpenLineage } from '../write/recordedCommits.ts';

/** How what is served differs from what is recorded; null where it does not. */
export const compareServed = (served: GenerationSet | undefined, lineage: Lineage | null): Disagreement | null =>
  compareLineage(served ? { lineage: served.lineage, commit: served.committed } : null, lineage);

/**
 * Compares what is served with what is recorded, and completes what a killed load left to be noted. An index that was there before a lineage
 * was kept begins one. Call it under the load lock, before anything is changed.
 * @throws LoadRefused where the two differ: it says how, and which command mends
 */
export async function openLineage(open: Lineages, store: GenerationStore): Promise<OpenLineage> {
  const lineages = await open();
  const { served, sets } = await store.read();
  const lineage = await lineages.current();
  const apart = compareServed(served, lineage);
  if (apart) throw new LoadRefused(`${apart.message}. Nothing was changed`, [], { fault: apart.fault });
  if (!lineage) {
    const id = await lineages.begin(served ? await asFound(store, served) : null, served !== undefined);
    if (served) await store.markLineage(served, id);
    return { id, lineages, forgotten: [] };
  }
  const { id } = lineage;
  if (served) await noteServed(store, { id, lineages }, served);
  return { id, lineages, forgotten: await lineages.forgetUnserved(id, sets) };
}

/** What a killed loader left to be noted, and what one of a version before recorded nothing of. */
async function noteServed(
  store: GenerationStore,
  { id, lineages }: Pick<OpenLineage, 'id' | 'lineages'>,
  served: GenerationSet,
): Promise<void> {
  if (!(await lineages.ofSet(id, served))) await lineages.record(id, await asFound(store, served));
  await lineages.markServed(id, served);
  if (served.lineage === null) await store.markLineage(served, id);
}

/**
 * Takes what is served, whatever Postgres has recorded, as the beginning of a new lineage: every cursor of the one before is refused from then
 * on. Call it under the load lock. @throws LoadRefused where nothing is served
 */
export async function adoptServed(open: Lineages, store: GenerationStore): Promise<{ lineage: string; commit: number }> {
  const lineages = await open();
  const generations = await store.read();
  const { served } = generations;
  if (!served)
    throw new LoadRefused(
      'Nothing is served that could be adopted; load a generation, or build the recorded one again: npm run ingest -- rebuild',
    );
  const lineage = await lineages.begin(await asFound(store, served), false);
  await store.beginLineage(served, generations, lineage);
  return { lineage, commit: served.committed };
}
