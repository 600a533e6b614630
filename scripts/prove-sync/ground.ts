/** What the proof makes on the servers, and removes: a schema with accounts, names of indices, a Redis prefix, a folder for files. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LicencePlaces, PlanId } from '../../src/domain/plans.ts';
import { makeElastic } from '../../src/store/elastic/client.ts';
import { AccountStore } from '../../src/store/postgres/accounts.ts';
import { KeyStore } from '../../src/store/postgres/keys.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { Database } from '../../src/store/postgres/pool.ts';
import { makeRedis, redisReady } from '../../src/store/redis/client.ts';
import type { Environment } from './apis.ts';

const SECRET = 'a secret for the proof, of more than 32 characters';
const MANY_CREDITS = 1_000_000_000;
const ELASTIC_TIMEOUT_MS = 60_000;
const STATEMENT_TIMEOUT_MS = 120_000;
const REDIS_READY_MS = 5_000;

export interface Account {
  teamId: number;
  key: string;
}

export class Ground {
  readonly name = randomBytes(5).toString('hex');
  readonly indexPrefix = `prove-${this.name}`;
  readonly schema = `prove_${this.name}`;
  readonly redisPrefix = `prove_${this.name}:`;
  readonly database: Database;
  readonly folder: string;
  readonly #urls: { databaseUrl: string; redisUrl: string };

  private constructor(urls: { databaseUrl: string; redisUrl: string }, folder: string) {
    this.#urls = urls;
    this.folder = folder;
    this.database = new Database({
      url: urls.databaseUrl,
      schema: this.schema,
      connections: 2,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
  }

  static async make(urls: { databaseUrl: string; redisUrl: string }): Promise<Ground> {
    const ground = new Ground(urls, await mkdtemp(path.join(tmpdir(), 'prove-sync-')));
    await migrate(urls.databaseUrl, ground.schema);
    return ground;
  }

  /** Settings of an API process or a loader. */
  environment(elasticsearchUrl: string): Environment {
    return {
      ELASTICSEARCH_URL: elasticsearchUrl,
      DATABASE_URL: this.#urls.databaseUrl,
      DATABASE_SCHEMA: this.schema,
      REDIS_URL: this.#urls.redisUrl,
      REDIS_PREFIX: this.redisPrefix,
      INDEX_PREFIX: this.indexPrefix,
      CURSOR_SECRET: SECRET,
      KEY_PEPPER: SECRET,
    };
  }

  /** A new team with a key; one that is metered never runs out. */
  async account(plan: PlanId, licence?: LicencePlaces): Promise<Account> {
    const accounts = new AccountStore(this.database);
    const metered = plan === 'api_only' ? { monthlyCredits: MANY_CREDITS } : {};
    const team = await accounts.createTeam({ name: 'Proof', plan, ...(licence ? { licence } : {}), ...metered });
    const email = `owner-${team.id}@example.com`;
    const user = await accounts.createUser({ teamId: team.id, name: 'Owner', email, role: 'owner' });
    const { secret } = await new KeyStore({ database: this.database, pepper: SECRET }).mint(user.id, 'proof');
    return { teamId: team.id, key: secret };
  }

  /** @param elasticsearchUrl null where the whole cluster is thrown away */
  async remove(elasticsearchUrl: string | null): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    if (elasticsearchUrl) await this.#dropIndices(elasticsearchUrl);
    await this.#dropKeys();
    await this.database.query(`drop schema if exists "${this.schema}" cascade`);
    await this.database.close();
  }

  async #dropIndices(url: string): Promise<void> {
    const client = makeElastic({ url, timeoutMs: ELASTIC_TIMEOUT_MS, retries: 2 });
    const indices = await client.indices.get({ index: `${this.indexPrefix}-*`, expand_wildcards: 'all', features: 'aliases' });
    if (Object.keys(indices).length) await client.indices.delete({ index: Object.keys(indices) });
    await client.close();
  }

  async #dropKeys(): Promise<void> {
    const redis = makeRedis({ url: this.#urls.redisUrl });
    if (await redisReady(redis, REDIS_READY_MS))
      for await (const keys of redis.scanStream({ match: `${this.redisPrefix}*`, count: 500 }))
        if (keys.length) await redis.del(...(keys as string[]));
    redis.disconnect();
  }
}
