/**
 * Delivers the records of a file that a job has written, paid from what the job reserved, so that they can be taken back while the file is
 * kept: where it is lost, `undoFileDelivery` refunds what no other file of the pool holds, in the month and plan that paid for it.
 */
import { supersededHashes } from '../domain/record/servedItem.ts';
import type { Queryable, QueryOptions } from '../store/postgres/pool.ts';
import type { Cause, Payer } from './ledger.ts';
import type { PageItem } from './pageOutcome.ts';

/** A part of a file, and who pays for it. */
interface FilePart extends Pick<Payer, 'teamId' | 'grant' | 'cause'> {
  /** id of the job that wrote the file */
  jobId: string;
  part: number;
  /** credits for each new or changed record */
  rate: number;
}

export interface PartOutcome {
  /** the transaction has to be rolled back unless `delivered` */
  outcome: 'delivered' | 'insufficient' | 'exhausted';
  cost: number;
}

/** Delivers and charges a part, in the transaction that settles the job. */
export async function deliverPart(
  tx: Queryable,
  { jobId, part, teamId, grant, rate, cause }: FilePart,
  items: readonly PageItem[],
): Promise<PartOutcome> {
  const [row] = await tx.query<PartOutcome>(
    'select outcome, cost from deliver_part($1, $2, $3, $4, $5, $6, $7::bigint[], $8::text[], $9::bigint[], $10::jsonb, $11::text[])',
    [
      ...[jobId, part, teamId, grant.grantedFor, grant.credits, rate],
      ...[`{${items.map((item) => item.id).join()}}`, items.map((item) => item.revision)],
      ...[`{${items.map((item) => item.revisionHash).join()}}`, JSON.stringify(cause), items.map(supersededHashes)],
    ],
  );
  if (!row) throw new Error('deliver_part answered without a row');
  return row;
}

/** Undoes the delivery of a lost file. @param options for large files, which take longer @returns the refunded credits */
export async function undoFileDelivery(
  tx: Queryable,
  { jobId, teamId, cause }: { jobId: string; teamId: number; cause: Cause },
  options?: QueryOptions,
): Promise<number> {
  const [undone] = await tx.query<{ refund: number }>(
    'select undo_export_delivery($1, $2, $3::jsonb) as refund',
    [jobId, teamId, JSON.stringify(cause)],
    options,
  );
  return undone?.refund ?? 0;
}

/** Makes a delivery permanent, once its file has been deleted and can no longer be lost. */
export async function forgetFileDelivery(tx: Queryable, jobId: string): Promise<void> {
  await tx.query('delete from export_delivery where export_id = $1', [jobId]);
}
