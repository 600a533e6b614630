/** Queues jobs that are due, for kinds whose times are columns of their feature's own tables. */
import type { JobDefinition } from './defineJob.ts';
import type { JobStore } from './store.ts';

/** Queues the jobs of a kind that are due, until there are none. */
export async function queueDueJobs(jobs: JobStore, definition: JobDefinition<unknown>): Promise<void> {
  let queued: number;
  do queued = await queueBatch(jobs, definition);
  while (queued > 0);
}

/** Queues a batch, in the transaction that marks its rows as queued. @returns how many jobs */
function queueBatch(jobs: JobStore, definition: JobDefinition<unknown>): Promise<number> {
  return jobs.database.transaction(async (tx) => {
    const due = (await definition.takeDue?.(tx)) ?? [];
    for (const job of due) await jobs.enqueue(tx, definition, job);
    return due.length;
  });
}
