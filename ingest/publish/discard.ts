/** Drops generations that wait to be served. */
import { LoadRefused } from '../loadRefused.ts';
import type { GenerationSet, GenerationStore } from '../write/generations.ts';
import { clearDeadLoads, type RepairContext, repairPublication } from './repair.ts';

/**
 * Drops every set of a generation that waits to be served; the next load removes its record and kept files. Call it under the load lock.
 * @throws LoadRefused if none waits
 */
export async function discardGeneration(
  store: GenerationStore,
  generation: number,
  { lineage, today }: RepairContext,
): Promise<{ generation: number; records: number }> {
  await repairPublication(lineage, store);
  const { sets } = await clearDeadLoads(store, today);
  const isWaiting = (set: GenerationSet) => !set.served && !set.previous && set.synced === null;
  const waiting = sets.filter((set) => set.generation === generation && isWaiting(set));
  const [set] = waiting;
  if (!set) {
    const others = sets.filter(isWaiting).map((one) => one.generation);
    throw new LoadRefused(
      `Generation ${generation} does not wait to be served; ${others.length ? `waiting: ${others.join(', ')}` : 'none does'}. Nothing was changed`,
    );
  }
  const records = await store.count('projects', set);
  for (const one of waiting) await store.drop(one);
  return { generation, records };
}
