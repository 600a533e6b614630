/** The ledger of credits and deliveries. Every call is one statement, and thus one transaction. */
import { type Grant, throwIfAboveMax } from '../domain/credits.ts';
import { ApiError } from '../domain/errors.ts';
import { revisionHash } from '../domain/record/revisionHash.ts';
import { type ServedItem, supersededHashes } from '../domain/record/servedItem.ts';
import type { ChargeObserver } from '../store/callWatch.ts';
import { type Database, type Queryable, sqlState } from '../store/postgres/pool.ts';
import type { DeliveryStep, OwnedPages, Standing } from './ownedPages.ts';
import type { PageOutcome, PageTerms } from './pageOutcome.ts';
import { makeVersionSql } from './poolMemory.ts';

/** A balance below zero, or a number that the column cannot hold. */
const OUT_OF_BOUNDS: ReadonlySet<string | undefined> = new Set(['23514', '22003']);

/** Why a balance changes; stored with the entry. */
export interface Cause {
  requestId?: string;
  route?: string;
  keyId?: string;
  userId?: number;
  jobId?: string;
  /** alert of a run, with the run's delivery */
  alertId?: string;
  deliveryId?: string;
  idempotencyKey?: string;
}

/** Who pays, and the current grant. The database determines the time. */
export interface Payer {
  teamId: number;
  grant: Grant;
  cause: Cause;
  /** settled in the transaction that charges */
  claim?: Claim | undefined;
  /** most credits that the whole request may cost; enforced in the transaction that charges */
  maxCredits?: number | undefined;
  /** how the pool stands, asked since the request began; undefined if it could not be read */
  standing?: Promise<Standing | undefined> | undefined;
}

/** The claim of a request on its idempotency key. */
export interface Claim {
  route: string;
  key: string;
  owner: string;
  /** data needed to repeat the answer, apart from its records; committed with them */
  keep?: unknown;
}

const claimJson = ({ claim }: Payer) => (claim ? JSON.stringify(claim) : null);

/** A page's outcome with its lists as `deliver_page` returns them. */
type PageRow = Omit<PageOutcome, Lists> & Record<Lists, string | null> & DeliveryStep;
type Lists = 'knownRevisions' | 'lastDeliveries' | 'costs';

/** Splits a list that `deliver_page` returns. */
const splitList = (list: string | null) => (list ? list.split(' ').map((entry) => (entry === '-' ? null : entry)) : []);

interface DocumentOutcome {
  outcome: 'delivered' | 'exhausted';
  balance: number;
  cost: number;
}

/** An entry of the ledger. */
export interface Receipt {
  id: string;
  at: Date;
  kind: 'grant' | 'charge' | 'reservation' | 'refund' | 'adjustment';
  subject: 'plan' | 'records' | 'documents' | 'contacts';
  /** credits, signed */
  amount: number;
  /** the balance after the entry */
  balance: number;
  /** number of records, documents or projects charged */
  items: number;
  requestId: string | null;
  route: string | null;
  keyId: string | null;
  jobId: string | null;
  alertId: string | null;
  deliveryId: string | null;
  idempotencyKey: string | null;
  note: string | null;
}

/** Called before anything is billed. */
export interface ChargeGuard {
  /** @throws ApiError when nothing may be billed now */
  throwUnlessRight(): Promise<void>;
}

interface LedgerOptions {
  /** required for records, since an index can be out of date; unset for charges of anything else */
  guard?: ChargeGuard | undefined;
  /** called with what was charged */
  charged?: ChargeObserver | undefined;
  /** reads pages that a pool holds unchanged without a lock; when unset, they are delivered like any other */
  owned?: OwnedPages | undefined;
}

export class Ledger {
  readonly #database: Database;
  readonly #guard: ChargeGuard | undefined;
  readonly #charged: ChargeObserver | undefined;
  readonly #owned: OwnedPages | undefined;

  constructor(database: Database, { guard, charged, owned }: LedgerOptions = {}) {
    this.#database = database;
    this.#owned = owned;
    this.#guard = guard;
    this.#charged = charged;
  }

  /**
   * Delivers a page.
   * @param on a transaction that also contains the charge
   * @throws ApiError `service_unavailable` when the ledger cannot be read, `invalid_request` when the page costs more than the payer allows
   */
  async deliverPage(payer: Payer, items: readonly ServedItem[], terms: PageTerms, on: Queryable = this.#database): Promise<PageOutcome> {
    if (terms.rate > 0) await this.#guard?.throwUnlessRight();
    // Deliveries of jobs and of claims are committed with other work, so they take the locking path.
    const owned = on === this.#database && !payer.claim ? await this.#readOwned(payer, items) : undefined;
    return owned ?? this.#chargeWithinBound(payer, items.length * terms.rate, on, (tx) => this.#deliverPage(payer, items, terms, tx));
  }

  async #readOwned({ teamId, grant, standing }: Payer, items: readonly ServedItem[]): Promise<PageOutcome | undefined> {
    return this.#owned?.read(teamId, grant.grantedFor, items, await standing);
  }

  /**
   * How a pool stands to a record, or to all that it holds, for a delivery whose payer has it. Undefined if that would spare the delivery nothing.
   * @throws ApiError `service_unavailable`
   */
  askStanding({ teamId, grant: { grantedFor } }: Omit<Payer, 'cause'>, id: number | null): Promise<Standing | undefined> | undefined {
    return this.#owned?.readStanding({ teamId, grantedFor, id });
  }

  /**
   * Charges in a transaction, which is rolled back when the charge exceeds `maxCredits`; without one if it cannot.
   * @param mostPossible most credits that the charge can cost
   */
  #chargeWithinBound<T>({ maxCredits }: Payer, mostPossible: number, on: Queryable, charge: (on: Queryable) => Promise<T>): Promise<T> {
    const isSafe = maxCredits === undefined || mostPossible <= maxCredits;
    return isSafe || on !== this.#database ? charge(on) : this.#database.transaction(charge);
  }

  async #deliverPage(payer: Payer, items: readonly ServedItem[], terms: PageTerms, on: Queryable): Promise<PageOutcome> {
    const [row] = await this.#ask<PageRow>(
      'deliver page',
      `select outcome, balance, cost, served, affordable, known_revisions as "knownRevisions", last_deliveries as "lastDeliveries", costs,
         at, ${makeVersionSql('version_before')} as before, ${makeVersionSql('version_after')} as after
       from deliver_page($1, $2, $3, $4, $5, $6::bigint[], $7::text[], $8::bigint[], $9::jsonb, $10::jsonb, $11::text[])`,
      [
        payer.teamId,
        payer.grant.grantedFor,
        payer.grant.credits,
        terms.rate,
        terms.truncate,
        `{${items.map((item) => item.id).join()}}`,
        items.map((item) => item.revision),
        `{${items.map(({ id, revision }) => revisionHash(id, revision)).join()}}`,
        JSON.stringify(payer.cause),
        claimJson(payer),
        items.map(supersededHashes),
      ],
      on,
    );
    if (!row) throw new Error('deliver_page answered without a row');
    if (row.outcome === 'delivered') {
      throwIfAboveMax(row.cost, payer.maxCredits);
      this.#charged?.('records', row.cost);
    }
    const { at, before, after, ...outcome } = row;
    const knownRevisions = splitList(outcome.knownRevisions);
    this.#owned?.noteOutcome(payer.teamId, items, { knownRevisions });
    if (on === this.#database) this.#owned?.noteDelivery(payer.teamId, items.slice(0, outcome.served), { at, before, after });
    const times = splitList(outcome.lastDeliveries).map((ms) => (ms === null ? null : Number(ms)));
    const lastDeliveries =
      this.#owned?.listLastReadTimes(payer.teamId, items, times) ?? times.map((ms) => (ms === null ? null : new Date(ms)));
    return { ...outcome, knownRevisions, lastDeliveries, costs: splitList(outcome.costs).map(Number) };
  }

  /**
   * Charges a document the first time.
   * @throws ApiError `service_unavailable` when the ledger cannot be read, `invalid_request` when it costs more than the payer allows
   */
  async deliverDocument(payer: Payer, documentId: number, rate: number): Promise<DocumentOutcome> {
    if (rate > 0) await this.#guard?.throwUnlessRight();
    return this.#chargeWithinBound(payer, rate, this.#database, (on) => this.#deliverDocument(payer, documentId, rate, on));
  }

  async #deliverDocument(payer: Payer, documentId: number, rate: number, on: Queryable): Promise<DocumentOutcome> {
    const [row] = await this.#ask<DocumentOutcome>(
      'deliver document',
      'select outcome, balance, cost from deliver_document($1, $2, $3, $4, $5, $6::jsonb, $7::jsonb)',
      [payer.teamId, payer.grant.grantedFor, payer.grant.credits, rate, documentId, JSON.stringify(payer.cause), claimJson(payer)],
      on,
    );
    if (!row) throw new Error('deliver_document answered without a row');
    if (row.outcome === 'delivered') {
      throwIfAboveMax(row.cost, payer.maxCredits);
      this.#charged?.('documents', row.cost);
    }
    return row;
  }

  /** The pool's balance after any due grant. @throws ApiError `service_unavailable` */
  async balance(payer: Omit<Payer, 'cause'>): Promise<number> {
    return (await this.readStanding(payer)).balance;
  }

  /**
   * The balance after any due grant, and the database's time at which it was read.
   * @throws ApiError `service_unavailable`
   */
  async readStanding({ teamId, grant }: Omit<Payer, 'cause'>): Promise<{ balance: number; at: Date }> {
    const [row] = await this.#ask<{ balance: number; at: Date }>(
      'balance',
      'select pool_balance($1, $2, $3) as balance, service_now() as at',
      [teamId, grant.grantedFor, grant.credits],
    );
    if (!row) throw new Error('pool_balance answered without a row');
    return row;
  }

  /**
   * Takes back a grant for a month ahead of the database's clock.
   * @returns the balance; null when there was no such grant
   */
  async undoGrantAhead({ teamId, grant }: Omit<Payer, 'cause'>): Promise<number | null> {
    const [row] = await this.#database.query<{ balance: number | null }>('select mend_pool($1, $2, $3) as balance', [
      teamId,
      grant.grantedFor,
      grant.credits,
    ]);
    return row?.balance ?? null;
  }

  /** Adds or removes credits by hand. @throws ApiError `forbidden` when the balance would fall below zero */
  async adjust(payer: Omit<Payer, 'cause'>, amount: number, note: string): Promise<number> {
    try {
      return await this.#database.transaction(async (tx) => {
        await tx.query('select open_pool($1, $2, $3)', [payer.teamId, payer.grant.grantedFor, payer.grant.credits]);
        const [row] = await tx.query<{ balance: number }>(
          `select enter_credits($1, 'adjustment', 'plan', $2, 0, jsonb_build_object('note', $3::text)) as balance`,
          [payer.teamId, amount, note],
        );
        return row?.balance ?? 0;
      });
    } catch (error) {
      if (!OUT_OF_BOUNDS.has(sqlState(error))) throw error;
      throw new ApiError('forbidden', 'The balance would fall below zero, or grow beyond what it can be', { cause: error });
    }
  }

  #ask<Row>(name: string, text: string, values: readonly unknown[], on: Queryable = this.#database): Promise<Row[]> {
    return on.query<Row>(text, values, { name });
  }

  /** Entries of a pool, newest first. @param before upper bound of ids, exclusive; null for none */
  async listReceipts(teamId: number, limit: number, before: number | null): Promise<Receipt[]> {
    return this.#database.query<Receipt>(
      `select id, at, kind, subject, amount, balance, items, request_id as "requestId", route, key_id as "keyId", job_id as "jobId", alert_id as "alertId", delivery_id as "deliveryId",
                idempotency_key as "idempotencyKey", note
         from ledger_entry where team_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
      [teamId, before, limit],
    );
  }

  /**
   * Entries for bookkeeping, oldest first.
   * @param of id of a team; null for every team. Times are from inclusive to exclusive.
   */
  async listEntries(
    { teamId, from, to }: { teamId: number | null; from: Date | null; to: Date | null },
    after: string,
    limit: number,
  ): Promise<(Receipt & { teamId: number })[]> {
    return this.#database.query<Receipt & { teamId: number }>(
      `select id, team_id as "teamId", at, kind, subject, amount, balance, items, request_id as "requestId", route, key_id as "keyId",
                job_id as "jobId", alert_id as "alertId", delivery_id as "deliveryId", idempotency_key as "idempotencyKey", note
         from ledger_entry
         where ($1::integer is null or team_id = $1) and ($2::timestamptz is null or at >= $2) and ($3::timestamptz is null or at < $3) and id > $4
         order by id limit $5`,
      [teamId, from, to, after, limit],
    );
  }
}
