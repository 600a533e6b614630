/** Drops generations that wait to be served. */
import { LoadRefused } from '../loadRefused.ts';
import type { GenerationStore } from '../write/generationSets.ts';
import { clearDeadLoads, isUnshown, type RepairContext, repairPublication } from './repair.ts';

/**
 * Drops a generation that waits to be served; the next load removes its record and kept files. Call it under the load lock.
 * @throws LoadRefused if none waits
 */
export async function discardGeneration(
  store: GenerationStore,
  generation: number,
  { lineage, today }: RepairContext,
): Promise<{ generation: number; records: number }> {
  const { generations } = await repairPublication(lineage, store);
  const waiting = (await clearDeadLoads(store, today, generations)).sets.filter(isUnshown); // of each generation the newest
  const set = waiting.find((one) => one.generation === generation);
  if (!set) {
    const others = waiting.map((one) => one.generation);
    throw new LoadRefused(
      `Generation ${generation} does not wait to be served; ${others.length ? `waiting: ${others.join(', ')}` : 'none does'}. Nothing was changed`,
    );
  }
  const records = await store.countRecords('projects', set);
  await store.drop(set);
  return { generation, records };
}
