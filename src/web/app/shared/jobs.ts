/** Waits for a job of the API. */
import { ask, isUnreachable } from './api.ts';

const POLL_MS = 2_000;

/**
 * Asks for a job until it is settled.
 * @param path of the job, below the root of the API
 * @throws FailedRequest; the signal's reason once it is aborted
 */
export async function pollJob<Job>(path: string, isSettled: (job: Job) => boolean, signal: AbortSignal): Promise<Job> {
  for (;;) {
    const job = await readJob<Job>(path, signal);
    if (job && isSettled(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

/** @returns undefined without a network: it is asked for again when there is one */
async function readJob<Job>(path: string, signal: AbortSignal): Promise<Job | undefined> {
  try {
    return (await ask(path, { signal })).data as Job;
  } catch (error) {
    if (navigator.onLine || !isUnreachable(error)) throw error;
    return undefined;
  }
}
