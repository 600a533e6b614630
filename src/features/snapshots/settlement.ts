/** What the settlement of a snapshot checks and writes in one transaction: that its lines are still right, the deliveries, and the people. */
import { FinalJobError } from '../../core/jobs/kind.ts';
import type { Job, Lease } from '../../core/jobs/store.ts';
import type { PartOutcome } from '../../core/ledger/fileDeliveries.ts';
import { type HeldMoment, HOLDINGS_LIFE_SQL } from '../../core/ledger/holdings.ts';
import type { Payer } from '../../core/ledger/ledger.ts';
import { isAnySuppressed } from '../../core/people/suppressions.ts';
import type { Queryable } from '../../core/store/postgres/pool.ts';
import type { SnapshotMoment, SnapshotPayload } from './types.ts';

/** Timeout for settling a file of 100,000 records, far longer than that of a request. */
export const SETTLE_FILE_MS = 120_000;

/** The result of a build, to be settled. */
export interface BuiltSnapshot {
  moment: SnapshotMoment;
  /** number of matches at that moment */
  matchCount: number;
  /** what the lines state and the settlement checks: the credits for a new record, and what the pool held when each file was begun */
  written: { rate: number; files: readonly { number: number; held: HeldMoment }[] } | undefined;
}

/** The lines of some files state an outdated `delivery`: holdings or the price have changed since. Nothing was settled. */
export class OutdatedFiles extends Error {
  readonly numbers: readonly number[];
  /** present credits for a new record */
  readonly rate: number;

  constructor(numbers: readonly number[], rate: number) {
    super('The pool was delivered records of the files meanwhile');
    this.numbers = numbers;
    this.rate = rate;
  }
}

/** Checks that the files are up to date. The pool must be locked. @throws OutdatedFiles */
export async function throwIfOutdated(
  tx: Queryable,
  { id, attempt, teamId }: Job,
  { rate: writtenRate, files }: NonNullable<BuiltSnapshot['written']>,
  rate: number,
): Promise<void> {
  const values = [
    id,
    attempt,
    teamId,
    files.map(({ number }) => number),
    files.map(({ held }) => held.seq),
    files.map(({ held }) => held.life),
  ];
  const outdated = await tx.query<{ number: number }>(
    `with begun as (select * from unnest($4::integer[], $5::bigint[], $6::text[]) as begun (number, seq, life)),
       changed as materialized (select project_id, seq from delivery where team_id = $3 and seq > (select min(seq) from begun))
     select number from begun where life <> (select ${HOLDINGS_LIFE_SQL} from credit_pool where team_id = $3) or number in (
       select noted.file from changed
       join (select file, unnest(project_ids) as id from snapshot_page where snapshot_id = $1 and attempt = $2) as noted on noted.id = changed.project_id
       join begun on begun.number = noted.file and changed.seq > begun.seq
     ) order by number`,
    values,
  );
  const numbers = (rate === writtenRate ? outdated : files).map(({ number }) => number);
  if (numbers.length) throw new OutdatedFiles(numbers, rate);
}

/** Delivers the records that this attempt has recorded, file by file. @returns the credits charged */
export async function deliverFiles(
  tx: Queryable,
  { id, attempt, payload }: Job<SnapshotPayload>,
  { teamId, grant, cause }: Pick<Payer, 'teamId' | 'grant' | 'cause'>,
  rate: number,
): Promise<number> {
  const files = await tx.query<{ file: number }>(
    'select distinct file from snapshot_page where snapshot_id = $1 and attempt = $2 order by 1',
    [id, attempt],
  );
  let charged = 0;
  for (const { file } of files) {
    const [row] = await tx.query<PartOutcome>(
      `select delivered.outcome, delivered.cost from (
         select array_agg(held.id order by p.page, held.n) as ids, array_agg(held.revision order by p.page, held.n) as revisions,
           array_agg(held.hash order by p.page, held.n) as hashes, array_agg(held.superseded order by p.page, held.n) as superseded
         from snapshot_page p, unnest(p.project_ids, p.revisions, p.hashes, p.superseded) with ordinality
           as held (id, revision, hash, superseded, n)
         where p.snapshot_id = $1 and p.attempt = $2 and p.file = $3
       ) as part, deliver_part($1, $3, $4, $5, $6, $7, part.ids, part.revisions, part.hashes, $8::jsonb, part.superseded) as delivered`,
      [id, attempt, file, teamId, grant.grantedFor, grant.credits, rate, JSON.stringify(cause)],
      { timeoutMs: SETTLE_FILE_MS },
    );
    if (!row) throw new Error('deliver_part answered without a row');
    charged += row.cost;
    if (row.outcome !== 'delivered' || charged > (payload.maxCredits ?? charged))
      throw new FinalJobError(
        'insufficient_credits',
        'By the time the files were built their new and changed records cost more credits than could be paid; nothing was charged. Queue the snapshot again.',
      );
  }
  return charged;
}

/**
 * Stores the people of the files.
 * @throws Error when one of them was suppressed during the build, which is then repeated
 */
export async function keepPeople(tx: Queryable, { id, attempt }: Lease): Promise<void> {
  const pages = await tx.query<{ file: number; page: number }>(
    `select file, page from snapshot_page where snapshot_id = $1 and attempt = $2 and people <> '{}'`,
    [id, attempt],
  );
  for (const { file, page } of pages) {
    const [kept] = await tx.query<{ hashes: string[] }>(
      `insert into snapshot_person (snapshot_id, file, page, hashes)
       select snapshot_id, file, page, people from snapshot_page where snapshot_id = $1 and attempt = $2 and file = $3 and page = $4
       returning hashes`,
      [id, attempt, file, page],
    );
    if (await isAnySuppressed(tx, kept?.hashes ?? [])) throw new Error('Somebody was suppressed while the files were built');
  }
}
