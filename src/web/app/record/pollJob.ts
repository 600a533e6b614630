/** Waits for a job of the API. */
import { ask } from '../api.ts';

const POLL_MS = 2_000;

/**
 * Asks for a job until it is settled.
 * @param path of the job, below the root of the API
 * @throws FailedRequest; the signal's reason once it is aborted
 */
export async function pollJob<Job>(path: string, isSettled: (job: Job) => boolean, signal: AbortSignal): Promise<Job> {
  for (;;) {
    const job = (await ask(path, { signal })).data as Job;
    if (isSettled(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}
