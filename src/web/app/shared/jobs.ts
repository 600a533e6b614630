/** Jobs of the API that spend: made, and polled until they are settled. */
import type { Input } from '../../../clients/client/prepare.ts';
import type { ContactsJob, QueuedExport } from './answers.ts';
import { call, download, spend } from './api.ts';
import { FailedRequest, isUnreachable } from './problems.ts';

const POLL_MS = 2_000;

/** Asks for a job until it is settled; without a network it is asked for again when there is one. @throws FailedRequest; the signal's reason */
async function pollJob<Job>(readJob: () => Promise<{ data: Job }>, isSettled: (job: Job) => boolean, signal: AbortSignal): Promise<Job> {
  for (;;) {
    const job = await readJob().catch((error) => {
      if (navigator.onLine || !isUnreachable(error)) throw error;
    });
    if (job && isSettled(job.data)) return job.data;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

export const isUnfinished = ({ status }: QueuedExport) => status === 'queued' || status === 'building';

export const downloadExport = ({ id }: QueuedExport) => download('downloadExport', { id, bom: true }, 'export.csv');

const GONE = { code: 'page', message: 'No project matches any more.', remedy: 'Nothing was charged.' };

/** Most rows of a file. */
export const EXPORT_ROWS_MAX = 10_000;

/** @throws FailedRequest if the file could not be made */
export async function makeExport(source: Input<'createExport'>['body'], credits: number, signal: AbortSignal): Promise<QueuedExport> {
  const queued = (await call('createExport', { body: source }, spend(credits))).data;
  if (queued.status === 'no_matching_rows') throw new FailedRequest(GONE);
  const { id } = queued;
  const made = await pollJob(
    () => call('getExport', { id }, { signal }),
    (job) => !isUnfinished(job),
    signal,
  );
  if (made.error) throw new FailedRequest({ ...made.error, remedy: 'What was reserved is given back.' });
  return made;
}

/** Looks contacts up. @param credits that it may cost at most @throws FailedRequest if the job failed */
export async function lookUpContacts(projectIds: readonly number[], credits: number, signal: AbortSignal): Promise<ContactsJob> {
  const { id } = (await call('createEnrichment', { body: { projectIds: [...projectIds] } }, spend(credits))).data;
  const job = await pollJob(
    () => call('getEnrichment', { id }, { signal }),
    ({ settledAt }) => settledAt !== null,
    signal,
  );
  if (job.error) throw new FailedRequest({ ...job.error, remedy: 'Nothing was charged. Try again later.' });
  return job;
}
