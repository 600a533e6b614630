/** Makes jobs of what has fallen due, for every kind that keeps its times in rows of its feature. */
import type { JobDefinition } from './registry.ts';
import type { JobStore } from './store.ts';

/** Queues the jobs of a kind that are due, until there are none. */
export async function queueDueJobs(jobs: JobStore, definition: JobDefinition<unknown>): Promise<void> {
  let queued: number;
  do queued = await queueSome(jobs, definition);
  while (queued > 0);
}

/** @returns how many; what notes them commits with their rows */
function queueSome(jobs: JobStore, definition: JobDefinition<unknown>): Promise<number> {
  return jobs.database.transaction(async (tx) => {
    const due = (await definition.takeDue?.(tx)) ?? [];
    for (const job of due) await jobs.enqueue(tx, definition, job);
    return due.length;
  });
}
