/**
 * The list of suppressed people: hashes in Postgres, polled by every process. An added entry takes effect everywhere within seconds; a
 * process that could not poll for too long shows nobody, rather than a suppressed person.
 */

import { ApiError } from '../domain/errors.ts';
import { hashIdentity, type Identified, type Identity, listIdentities, type SuppressionKind } from '../domain/suppression.ts';
import { EPOCH_SQL } from '../store/postgres/epoch.ts';
import { lockInSchema, shareLockInSchema } from '../store/postgres/locks.ts';
import type { Database, Queryable } from '../store/postgres/pool.ts';
import { forgetPeople } from './unlocks.ts';

const REFRESH_MS = 2_000;
/** Below the minute within which a suppression must take effect. */
const STALE_MAX_MS = 45_000;
const VERDICTS_MAX = 100_000;
const RETRY_AFTER_SECONDS = 5;
/** Every entry stores this text's hash, which reveals entries that were made with another secret. */
const CHECK = { kind: 'person', text: 'check of the secret' } as const;

const LOCK = 'suppressions of ';

/** The list in the memory of a process. */
export interface SuppressedPeople {
  /** @param person what is known about them: their identity, or its hashes */
  covers(person: Identified & { hashes?: readonly string[] }): boolean;
}

export interface NewSuppression extends Identity {
  note?: string | undefined;
}

export interface Suppression {
  id: string;
  kind: SuppressionKind;
  note: string | null;
  addedAt: Date;
}

/**
 * Counts of new and of existing entries, and of what was withdrawn for containing a suppressed person: by feature, and unlocked projects as
 * `clearedUnlocks`.
 */
export type Added = Readonly<Record<string, number> & Record<'added' | 'already' | 'clearedUnlocks', number>>;

/** Hooks by which features change their own tables when people are suppressed. */
export interface SuppressionHooks {
  /** Withdraws what contains one of them, in the transaction that adds them. @returns counts by kind */
  hidePeople?(tx: Queryable, hashes: readonly string[]): Promise<Record<string, number>>;
}

interface Row {
  id: string;
  hash: string;
  check: string;
}

interface Look extends Omit<Row, 'id'> {
  epoch: string;
  /** null in the one row of a query that finds none */
  id: string | null;
}

/** Entries after the last one read; all entries if the database was replaced since. */
const LOOK = `
  select life.epoch, s.id, s.hash, s.key_check as check
  from (select ${EPOCH_SQL} as epoch) as life left join suppression s on s.id > case when life.epoch = $2 then $1::bigint else 0 end
  order by s.id`;

export class Suppressions implements SuppressedPeople {
  readonly #database: Database;
  readonly #pepper: string;
  readonly #check: string;
  readonly #hashes = new Set<string>();
  /** cached results by the person's spelling; computing canonical forms and hashes would cost a page of records milliseconds */
  readonly #verdicts = new Map<string, boolean>();
  #last = '0';
  #epoch = '';
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  /** @param pepper secret key of the hashes */
  constructor(database: Database, pepper: string) {
    this.#database = database;
    this.#pepper = pepper;
    this.#check = hashIdentity(pepper, CHECK);
  }

  /**
   * The list, a few seconds old at most; when Postgres does not answer, below a minute.
   * @throws ApiError `service_unavailable`
   */
  async current(): Promise<SuppressedPeople> {
    return performance.now() - this.#lookedAt < REFRESH_MS ? this : this.fresh();
  }

  /** The list, polled now. @throws ApiError `service_unavailable` */
  async fresh(): Promise<SuppressedPeople> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    try {
      await this.#looking;
    } catch (cause) {
      if (performance.now() - this.#lookedAt > STALE_MAX_MS)
        throw new ApiError(
          'service_unavailable',
          'It cannot be checked which people must not be shown; nothing was charged. Retry shortly.',
          {
            headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
            details: { subsystem: 'database' },
            cause,
          },
        );
    }
    return this;
  }

  covers(person: Identified & { hashes?: readonly string[] }): boolean {
    if (!this.#hashes.size) return false;
    return person.hashes?.some((hash) => this.#hashes.has(hash)) || this.#covers(person);
  }

  /** Hashes of everything that identifies a person, for storage. */
  hashesOf = (person: Identified): string[] => listIdentities(person).map((identity) => hashIdentity(this.#pepper, identity));

  #covers(person: Identified): boolean {
    const name = JSON.stringify([person.name, person.company, person.email, person.phone]);
    const known = this.#verdicts.get(name);
    if (known !== undefined) return known;
    const verdict = this.hashesOf(person).some((hash) => this.#hashes.has(hash));
    if (this.#verdicts.size >= VERDICTS_MAX) this.#verdicts.clear();
    this.#verdicts.set(name, verdict);
    return verdict;
  }

  /** Polls the list. Entries are numbered under a lock, so that none appears with a lower number than one that was read. */
  async #look(): Promise<void> {
    const asked = performance.now();
    const found = await this.#database.query<Look>(LOOK, [this.#last, this.#epoch], { name: 'suppressions' });
    const rows = found.flatMap(({ id, ...row }) => (id === null ? [] : { ...row, id }));
    this.#refuseForeign(rows);
    const epoch = found[0]?.epoch ?? '';
    if (epoch !== this.#epoch) this.#forget(epoch);
    for (const { id, hash } of rows) {
      this.#hashes.add(hash);
      this.#last = id;
    }
    if (rows.length) this.#verdicts.clear();
    this.#lookedAt = asked;
  }

  #forget(epoch: string): void {
    this.#epoch = epoch;
    this.#hashes.clear();
    this.#verdicts.clear();
    this.#last = '0';
  }

  #refuseForeign(rows: readonly Row[]): void {
    if (rows.some(({ check }) => check !== this.#check))
      throw new RangeError(
        'KEY_PEPPER is not the secret under which suppressed people were kept: set it as it was, or nobody of them is known',
      );
  }

  /** Adds people to the list, and withdraws everything that contains one of them, in one transaction. */
  async add(entries: readonly NewSuppression[], features: readonly SuppressionHooks[]): Promise<Added> {
    return this.#database.transaction(async (tx) => {
      await lockInSchema(tx, LOCK);
      this.#refuseForeign(await tx.query<Row>('select id, hash, key_check as check from suppression order by id desc limit 1'));
      const hashes = entries.map((entry) => hashIdentity(this.#pepper, entry));
      const added = await tx.query(
        `insert into suppression (kind, hash, key_check, note)
         select distinct on (hash) kind, hash, $4::bigint, note from unnest($1::text[], $2::bigint[], $3::text[]) as new (kind, hash, note)
         on conflict do nothing returning 1`,
        [entries.map(({ kind }) => kind), hashes, entries.map(({ note }) => note ?? null), this.#check],
      );
      const these = new Set(hashes);
      const hides = ({ hashes: kept = [], ...person }: Identified & { hashes?: readonly string[] }) =>
        [...kept, ...this.hashesOf(person)].some((hash) => these.has(hash));
      const withdrawn: Record<string, number> = {};
      for (const feature of features) Object.assign(withdrawn, await feature.hidePeople?.(tx, hashes));
      return {
        added: added.length,
        already: entries.length - added.length,
        ...withdrawn,
        clearedUnlocks: await forgetPeople(tx, hashes, hides),
      };
    });
  }

  /** Newest first. */
  list(limit: number): Promise<Suppression[]> {
    return this.#database.query('select id, kind, note, added_at as "addedAt" from suppression order by id desc limit $1', [limit]);
  }

  /** The entries that cover a person, oldest first. */
  findCovering(person: Identified): Promise<Suppression[]> {
    return this.#database.query(
      'select id, kind, note, added_at as "addedAt" from suppression where hash = any($1::bigint[]) order by id',
      [this.hashesOf(person)],
    );
  }

  async countEntries(): Promise<{ kind: SuppressionKind; entries: number; newest: Date }[]> {
    return this.#database.query(
      'select kind, count(*)::integer as entries, max(added_at) as newest from suppression group by kind order by kind',
    );
  }
}

/**
 * Whether one of these hashes is suppressed. Blocks additions until `tx` ends, so that what it commits contains no suppressed person.
 * @param hashes as made by `hashesOf`
 */
export async function isAnySuppressed(tx: Queryable, hashes: readonly string[]): Promise<boolean> {
  await shareLockInSchema(tx, LOCK);
  return (await tx.query('select from suppression where hash = any($1::bigint[]) limit 1', [hashes])).length > 0;
}
