/** The ledger of credits and deliveries. Every call is one statement, and so one transaction: it happens whole or not at all. */
import type { Grant } from '../domain/credits.ts';
import type { Database } from './postgres.ts';

/** Why a balance changes; kept with the entry. */
export interface Cause {
  requestId?: string;
  route?: string;
  keyId?: string;
  userId?: number;
  jobId?: string;
  idempotencyKey?: string;
}

/** Who pays, with what grant, at what moment. */
export interface Payer {
  teamId: number;
  grant: Grant;
  now: Date;
  cause: Cause;
}

export interface PageItem {
  id: number;
  revision: string;
  /** signed 64-bit number of (id, revision), as decimal text */
  revisionHash: string;
}

export interface PageTerms {
  /** credits for a new or changed record */
  rate: number;
  /** cut the page to what the balance pays for, in place of refusing it */
  truncate: boolean;
}

export interface PageOutcome {
  outcome: 'delivered' | 'insufficient' | 'exhausted';
  /** after the page */
  balance: number;
  /** credits of the page, or of its delivered beginning */
  cost: number;
  /** records of the page's beginning that were delivered */
  served: number;
  /** records of the page's beginning that the balance can pay for */
  affordable: number;
  /** what the pool held before, a record each: the revision, and when it was last delivered */
  knownRevisions: (string | null)[];
  lastDeliveries: (Date | null)[];
}

export class Ledger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws ApiError `service_unavailable` when the ledger cannot be read */
  async deliverPage(payer: Payer, items: readonly PageItem[], terms: PageTerms): Promise<PageOutcome> {
    const [row] = await this.#database.query<PageOutcome>(
      `select outcome, balance, cost, served, affordable, known_revisions as "knownRevisions", last_deliveries as "lastDeliveries"
       from deliver_page($1, $2, $3, $4, $5, $6, $7::bigint[], $8::text[], $9::bigint[], $10::jsonb)`,
      [
        payer.teamId,
        payer.now,
        payer.grant.grantedFor,
        payer.grant.credits,
        terms.rate,
        terms.truncate,
        items.map((item) => item.id),
        items.map((item) => item.revision),
        items.map((item) => item.revisionHash),
        JSON.stringify(payer.cause),
      ],
    );
    if (!row) throw new Error('deliver_page answered without a row');
    return { ...row, knownRevisions: row.knownRevisions ?? [], lastDeliveries: row.lastDeliveries ?? [] };
  }

  /** @throws ApiError `service_unavailable` when the ledger cannot be read */
  async deliverDocument(
    payer: Payer,
    documentId: number,
    rate: number,
  ): Promise<{ outcome: 'delivered' | 'exhausted'; balance: number; cost: number }> {
    const [row] = await this.#database.query<{ outcome: 'delivered' | 'exhausted'; balance: number; cost: number }>(
      'select outcome, balance, cost from deliver_document($1, $2, $3, $4, $5, $6, $7::jsonb)',
      [payer.teamId, payer.now, payer.grant.grantedFor, payer.grant.credits, rate, documentId, JSON.stringify(payer.cause)],
    );
    if (!row) throw new Error('deliver_document answered without a row');
    return row;
  }

  /** The pool's balance, its grant brought up to date. @throws ApiError `service_unavailable` */
  async balance({ teamId, grant, now }: Omit<Payer, 'cause'>): Promise<number> {
    const [row] = await this.#database.query<{ balance: number }>('select open_pool($1, $2, $3, $4) as balance', [
      teamId,
      now,
      grant.grantedFor,
      grant.credits,
    ]);
    if (!row) throw new Error('open_pool answered without a row');
    return row.balance;
  }
}
