/**
 * Jobs that reserve what they may cost. Each kind has a table of its own beside `job`, whose rows have the ids of their jobs: here they are
 * accepted, repeated under an Idempotency-Key, found and listed.
 */
import { ApiError } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import type { JobError } from '../jobs/kind.ts';
import type { JobStore, NewJob } from '../jobs/store.ts';
import { type RefusedAcceptance, toRefusedAcceptance } from '../ledger/acceptance.ts';
import type { IdempotencyStore } from '../ledger/idempotencyStore.ts';
import type { Payer } from '../ledger/ledger.ts';
import type { Queryable } from '../store/postgres/pool.ts';

export type JobReader = Pick<Principal, 'teamId' | 'userId'>;

/** A kind of billed job. In its SQL, `x` is a row of its table and `j` the row's job. */
export interface BilledKind {
  /** in messages, such as 'export' */
  noun: string;
  table: string;
  /** property under which the outcome of an Idempotency-Key keeps the id */
  keptAs: string;
  /** SQL: columns that are read besides `COLUMNS` */
  columns: string;
  /** SQL: whether a reader may see the row */
  isVisible: string;
  /** parameters of `isVisible`, from $1 */
  readerValues(reader: JobReader): unknown[];
}

/** What is read of every billed job. */
export interface BilledRow {
  id: string;
  jobStatus: string;
  createdAt: Date;
  startedAt: Date | null;
  settledAt: Date | null;
  creditsReserved: number;
  creditsCharged: number | null;
  creditsRefunded: number | null;
  error: JobError | null;
}

const COLUMNS = `x.id, j.status as "jobStatus", j.created_at as "createdAt", j.started_at as "startedAt", j.settled_at as "settledAt",
  x.credits_reserved as "creditsReserved", x.credits_charged as "creditsCharged", x.credits_refunded as "creditsRefunded", j.error`;

/** Whose a new job is, and the request that it comes from. */
export type JobOrigin = Pick<NewJob<unknown>, 'userId' | 'cause'> & { teamId: number };

type Acceptance<Row> = { outcome: 'accepted'; row: Row } | RefusedAcceptance;

export class BilledJobs<Row extends BilledRow> {
  protected readonly jobs: JobStore;
  readonly #idempotency: IdempotencyStore;
  readonly #kind: BilledKind;
  protected readonly from: string;
  protected readonly columns: string;
  protected readonly select: string;

  constructor(jobs: JobStore, idempotency: IdempotencyStore, kind: BilledKind) {
    this.jobs = jobs;
    this.#idempotency = idempotency;
    this.#kind = kind;
    this.from = `${kind.table} x join job j on j.id = x.id`;
    this.columns = `${COLUMNS}, ${kind.columns}`;
    this.select = `select ${this.columns} from ${this.from}`;
  }

  /**
   * Accepts a job with its reservation, and settles the idempotency key, in one transaction.
   * @param cost credits that the outcome of the key states
   * @param queue queues the job, writes its row and reserves; returns its id
   * @throws ApiError `service_unavailable`, and what `queue` throws unless it is a refusal of the reservation
   */
  protected async acceptJob(
    payer: Payer,
    cost: number,
    queue: (tx: Queryable, origin: JobOrigin) => Promise<string>,
  ): Promise<Acceptance<Row>> {
    const { teamId, cause } = payer;
    const { userId, jobId: _, ...ofRequest } = cause;
    try {
      const row = await this.jobs.acceptForTeam(teamId, async (tx) => {
        const id = await queue(tx, { teamId, userId, cause: ofRequest });
        await this.settleKey(tx, payer, id, cost);
        // Read before the commit: a worker may start at once, but the answer shows the job as it was accepted.
        return this.readInTransaction(tx, id);
      });
      return { outcome: 'accepted', row };
    } catch (error) {
      return toRefusedAcceptance(error);
    }
  }

  /** @param id null if nothing was queued because nothing matched */
  protected settleKey(tx: Queryable, { teamId, claim }: Payer, id: string | null, cost: number): Promise<void> {
    return this.#idempotency.keep(tx, teamId, claim, { [this.#kind.keptAs]: id }, { cost });
  }

  /** The job that a request with the same Idempotency-Key queued. @throws ApiError as `read` */
  readKept(reader: JobReader, kept: unknown): Promise<Row> {
    return this.read(reader, this.keptId(kept) ?? '');
  }

  protected keptId(kept: unknown): string | null | undefined {
    return (kept as Record<string, string | null>)[this.#kind.keptAs];
  }

  /** Undefined if there is none that the reader may see. @throws ApiError `service_unavailable` */
  async find(reader: JobReader, id: string): Promise<Row | undefined> {
    const { isVisible, readerValues } = this.#kind;
    const values = [...readerValues(reader), id];
    const [row] = await this.jobs.database.query<Row>(`${this.select} where ${isVisible} and x.id = $${values.length}`, values);
    return row;
  }

  /** @throws ApiError `resource_not_found`, `service_unavailable` */
  async read(reader: JobReader, id: string): Promise<Row> {
    const found = await this.find(reader, id);
    if (!found) throw new ApiError('resource_not_found', `There is no ${this.#kind.noun} '${id.slice(0, 80)}'`, { param: 'id' });
    return found;
  }

  /** The row as a transaction sees it. @throws Error if there is none */
  async readInTransaction(tx: Queryable, id: string): Promise<Row> {
    const [row] = await tx.query<Row>(`${this.select} where x.id = $1`, [id]);
    if (!row) throw new Error(`The ${this.#kind.noun} ${id} is not there`);
    return row;
  }
}
