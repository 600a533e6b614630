/** Processes that remember what a pool holds, and everything that may change beside them what they would answer. */
import { revisionHash } from '../../src/core/domain/record/revisionHash.ts';
import { deliverPart, undoFileDelivery } from '../../src/core/ledger/fileDeliveries.ts';
import { Ledger, type Payer } from '../../src/core/ledger/ledger.ts';
import { OwnedPages, type Standing } from '../../src/core/ledger/ownedPages.ts';
import type { PageOutcome } from '../../src/core/ledger/pageOutcome.ts';
import { Database } from '../../src/core/store/postgres/pool.ts';
import type { TestDatabase } from './database.ts';

export const TERMS = { rate: 1, truncate: false };
/** Nothing is written by itself. */
const WRITTEN_AFTER_MS = 1e9;

export interface Item {
  id: number;
  revision: string;
}

/** A page whose standing was asked when its request began, and what was true then. */
export interface BegunPage {
  items: Item[];
  standing: Standing | undefined;
  truth: PageOutcome | undefined;
}

/** A process with its own memory and connections. */
export class KnownPages {
  readonly owned: OwnedPages;
  readonly ledger: Ledger;
  readonly #database: Database;
  /** number of pages that were read from Postgres */
  pagesRead = 0;
  /** number of statements that read how a pool stands */
  poolsRead = 0;

  constructor({ url, schema }: TestDatabase) {
    const watch = (name: string) => {
      if (name === 'read owned') this.pagesRead += 1;
      if (name === 'read pool') this.poolsRead += 1;
      return () => {};
    };
    this.#database = new Database({ url, schema, watch, patience: 10, connections: 4 });
    this.owned = new OwnedPages(this.#database, WRITTEN_AFTER_MS);
    this.ledger = new Ledger(this.#database, { owned: this.owned });
  }

  async begin({ teamId, grant }: Payer, items: Item[]): Promise<BegunPage> {
    const truth = await this.#readTruth(teamId, grant.grantedFor, items);
    return { items, standing: await this.owned.readStanding({ teamId, ...grant, id: null }), truth };
  }

  /** Ends a page, and what it may say: what was true when it began, or what is now. Read times that are not written yet are part of both. */
  async end({ teamId, grant }: Payer, { items, standing, truth }: BegunPage): Promise<{ said: PageOutcome | undefined; may: unknown[] }> {
    const now = await this.#readTruth(teamId, grant.grantedFor, items);
    const may = [truth, now].map((one) => one && { ...one, lastDeliveries: this.#withUnwritten(teamId, items, one) });
    return { said: await this.owned.read(teamId, grant.grantedFor, items, standing), may };
  }

  /** What is read without a memory. */
  #readTruth(teamId: number, grantedFor: string, items: Item[]): Promise<PageOutcome | undefined> {
    return new OwnedPages(this.#database, WRITTEN_AFTER_MS).read(teamId, grantedFor, items).finally(() => {
      this.pagesRead -= 1;
    });
  }

  #withUnwritten = (teamId: number, items: Item[], { lastDeliveries }: PageOutcome) =>
    lastDeliveries.map((at, i) => new Date(this.owned.findLastRead(teamId, items[i]?.id ?? 0, at?.getTime() ?? 0)));

  close(): Promise<void> {
    return this.#database.close();
  }
}

let files = 0;

/** Delivers a file that can be taken back. @returns the id of its job */
export async function deliverFile(database: Database, { teamId, grant, cause }: Payer, items: readonly Item[]): Promise<string> {
  files += 1;
  const jobId = `file-${teamId}-${files}`;
  await database.query(
    `insert into job (id, kind, team_id, max_attempts, deadline_ms, payload, retriable, kept) values ($1, 'export', $2, 1, 1, '{}', false, '1 day')`,
    [jobId, teamId],
  );
  const page = items.map((item) => ({ ...item, revisionHash: revisionHash(item.id, item.revision) }));
  await database.transaction((tx) => deliverPart(tx, { jobId, part: 0, teamId, grant, cause, rate: 1 }, page));
  return jobId;
}

export const loseFile = (database: Database, { teamId, cause }: Payer, jobId: string): Promise<number> =>
  database.transaction((tx) => undoFileDelivery(tx, { jobId, teamId, cause }));

/** What a backup has of a pool, as JSON. */
export interface PoolBackup {
  pool: string;
  deliveries: string;
}

export async function backUpPool(database: Database, { teamId }: Payer): Promise<PoolBackup> {
  const [backup] = await database.query<PoolBackup>(
    `select (select to_jsonb(p)::text from credit_pool p where team_id = $1) as pool,
            (select coalesce(jsonb_agg(to_jsonb(d)), '[]')::text from delivery d where team_id = $1) as deliveries`,
    [teamId],
  );
  return backup as PoolBackup;
}

/** Puts a pool back, in a database of another epoch. */
export async function restorePool(database: Database, { teamId }: Payer, { pool, deliveries }: PoolBackup): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('delete from delivery where team_id = $1', [teamId]);
    await tx.query('delete from credit_pool where team_id = $1', [teamId]);
    await tx.query('insert into credit_pool select * from jsonb_populate_record(null::credit_pool, $1::jsonb)', [pool]);
    await tx.query('insert into delivery select * from jsonb_populate_recordset(null::delivery, $1::jsonb)', [deliveries]);
    await tx.query('update database_epoch set id = gen_random_uuid()');
  });
}
