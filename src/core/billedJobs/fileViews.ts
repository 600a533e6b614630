/** Jobs with files, as answers show them: their status, pages of them, and why files cannot be read. */
import { ApiError } from '../domain/errors.ts';
import { COLLECTION_LIMIT_MAX } from '../filter/controls.ts';
import { type JobError, toJobError } from '../jobs/kind.ts';
import type { Actor } from '../search/actor.ts';
import { clampLimit, makeCollectionMeta } from '../search/collection.ts';
import type { OperationAnswer } from '../search/services.ts';
import type { FileJobs, FileKind, FileRow } from './fileJobs.ts';

export const FILE_STATUSES = ['queued', 'building', 'ready', 'failed', 'cancelled', 'expired'] as const;
type FileStatus = (typeof FILE_STATUSES)[number];

/** The status of a job that its client cancelled. */
export const CANCELLED = 'cancelled';

export function statusOf({ jobStatus, startedAt, lostAt, expired }: FileRow): FileStatus {
  if (jobStatus === CANCELLED) return 'cancelled';
  if (jobStatus === 'failed' || lostAt) return 'failed';
  if (jobStatus === 'ready') return expired ? 'expired' : 'ready';
  return startedAt ? 'building' : 'queued';
}

/** @param recordCount records in the files; null until they are ready */
export const viewProgress = ({ createdAt, startedAt, readyAt, expiresAt, progress, matchCount }: FileRow, recordCount: number | null) => ({
  createdAt: createdAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
  readyAt: readyAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  progress: {
    processed: recordCount ?? progress.processed ?? 0,
    total: recordCount ?? progress.total ?? matchCount,
  },
  matchCount,
});

/** The refusal of files that are lost, with what came back for them. */
export function unavailableError({ isMissing }: FileKind, { creditsLost, creditsRefunded }: FileRow): ApiError {
  const refund = creditsLost ?? creditsRefunded ?? 0;
  const outcome = refund ? 'its credits were refunded' : 'there was nothing to refund';
  return new ApiError('export_unavailable', `${isMissing}; ${outcome}. Queue it again.`, { details: { creditsRefunded: refund } });
}

export const viewError = (kind: FileKind, row: FileRow): JobError | null =>
  row.lostAt ? toJobError(unavailableError(kind, row)) : row.error;

export const notReadyError = ({ noun }: FileKind, row: FileRow, pollUrl: string): ApiError => {
  const status = statusOf(row);
  return new ApiError('export_not_ready', `The ${noun} is ${status}; poll until its status is ready.`, { details: { status, pollUrl } });
};

/** @throws ApiError 409 unless the job is ready */
export function throwUnlessReady(kind: FileKind, row: FileRow, pollUrl: string): void {
  const status = statusOf(row);
  if (status === 'expired' || status === 'cancelled') throw new ApiError('export_expired', kind.gone);
  if (status === 'failed') throw unavailableError(kind, row);
  if (status !== 'ready') throw notReadyError(kind, row, pollUrl);
}

/** Jobs that a key's user may see, newest first. @param view an entry as the answer shows it */
export async function listJobs<Row extends FileRow, View>(
  jobs: FileJobs<Row>,
  { principal }: Pick<Actor, 'principal'>,
  { limit: asked = COLLECTION_LIMIT_MAX, offset = 0 }: { limit?: number; offset?: number },
  view: (row: Row) => View,
): Promise<OperationAnswer<View[]>> {
  const { rows, total } = await jobs.list(principal, clampLimit(asked).limit, offset);
  return { data: rows.map(view), meta: makeCollectionMeta({ limit: asked, offset }, rows.length, total) };
}

/** What a download needs where its file cannot be read: it records this, refunds the job, and returns the error to answer. */
export const makeLostReport =
  (jobs: FileJobs<FileRow>, { principal }: Pick<Actor, 'principal'>, id: string) =>
  async (): Promise<ApiError> => {
    await jobs.markLost(principal.teamId, id);
    return unavailableError(jobs.kind, await jobs.read(principal, id));
  };
