/** What a script creates on the servers and removes at its end: a Postgres schema with accounts, an index prefix, Redis keys, a folder for files. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { LicencePlaces, PlanId } from '../../src/core/domain/plans.ts';
import { AccountStore } from '../../src/core/identity/accounts.ts';
import { KeyStore } from '../../src/core/identity/keys.ts';
import { makeElastic } from '../../src/core/store/elastic/client.ts';
import { migrate } from '../../src/core/store/postgres/migrate.ts';
import { Database } from '../../src/core/store/postgres/pool.ts';
import { makeRedis, waitForRedis } from '../../src/core/store/redis/client.ts';
import type { ServerUrls } from '../stack/index.ts';

export const root = path.resolve(import.meta.dirname, '../..');
const SECRET = 'a secret for scripts, of more than 32 characters';
const MANY_CREDITS = 1_000_000_000;
const ELASTIC_TIMEOUT_MS = 120_000;
const STATEMENT_TIMEOUT_MS = 120_000;
const REDIS_READY_MS = 20_000;
/** A busy machine connects late. */
const PATIENCE = 20;

/** Settings of a program of the project, as environment variables. */
export type SandboxEnvironment = Record<string, string>;

export interface Account {
  teamId: number;
  userId: number;
  key: string;
}

/** The product's Elasticsearch client with longer timeouts. */
export const makePatientElastic = (url: string) => makeElastic({ url, timeoutMs: ELASTIC_TIMEOUT_MS, retries: 2 });
export type Elastic = ReturnType<typeof makePatientElastic>;

/** Runs `work` with a client, which is closed afterwards. */
export async function withElastic<T>(url: string, work: (client: Elastic) => Promise<T>): Promise<T> {
  const client = makePatientElastic(url);
  return work(client).finally(() => client.close());
}

/** Removes every index below a prefix. */
export async function removeIndices(client: Elastic, prefix: string): Promise<void> {
  const found = Object.keys(await client.indices.get({ index: `${prefix}-*`, expand_wildcards: 'all', features: 'aliases' }));
  if (found.length) await client.indices.delete({ index: found });
}

export class Sandbox {
  readonly indexPrefix: string;
  readonly schema: string;
  readonly database: Database;
  readonly folder: string;
  readonly #servers: ServerUrls;

  private constructor(servers: ServerUrls, name: string) {
    this.#servers = servers;
    this.indexPrefix = name.replace('_', '-');
    this.schema = name;
    this.folder = path.join(root, '.stack', 'sandbox', name);
    mkdirSync(this.folder, { recursive: true });
    this.database = new Database({
      url: servers.databaseUrl,
      schema: name,
      connections: 2,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      patience: PATIENCE,
    });
  }

  /** @param purpose lower-case letters with which every name begins */
  static async make(servers: ServerUrls, purpose: string): Promise<Sandbox> {
    const sandbox = new Sandbox(servers, `${purpose}_${randomBytes(5).toString('hex')}`);
    try {
      await migrate(servers.databaseUrl, sandbox.schema);
      return sandbox;
    } catch (error) {
      await sandbox.remove();
      throw error;
    }
  }

  /** Settings of an API process or a loader. */
  environment(elasticsearchUrl = this.#servers.elasticsearchUrl, indexPrefix = this.indexPrefix): SandboxEnvironment {
    return {
      ELASTICSEARCH_URL: elasticsearchUrl,
      DATABASE_URL: this.#servers.databaseUrl,
      DATABASE_SCHEMA: this.schema,
      REDIS_URL: this.#servers.redisUrl,
      INDEX_PREFIX: indexPrefix,
      CURSOR_SECRET: SECRET,
      KEY_PEPPER: SECRET,
      TEAM_JOBS_WAITING: '1000000',
      EXPORT_DIR: path.join(this.folder, 'exports'),
      GENERATIONS_DIR: path.join(this.folder, 'generations'),
    };
  }

  /** Creates a team with a user and a key; a metered team has practically unlimited credits. */
  async account(plan: PlanId, licence?: LicencePlaces): Promise<Account> {
    const accounts = new AccountStore(this.database, []);
    const metered = plan === 'api_only' ? { monthlyCredits: MANY_CREDITS } : {};
    const team = await accounts.createTeam({ name: 'Script', plan, ...(licence ? { licence } : {}), ...metered });
    const email = `owner-${team.id}@example.com`;
    const user = await accounts.createUser({ teamId: team.id, name: 'Owner', email, role: 'owner' });
    const { secret } = await new KeyStore({ database: this.database, pepper: SECRET }).mint(user.id, 'script');
    return { teamId: team.id, userId: user.id, key: secret };
  }

  [Symbol.asyncDispose] = () => this.remove();

  /** @param elasticsearchUrl null if the whole cluster is thrown away */
  async remove(elasticsearchUrl: string | null = this.#servers.elasticsearchUrl): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true });
    if (elasticsearchUrl) {
      const client = makePatientElastic(elasticsearchUrl);
      await removeIndices(client, this.indexPrefix).finally(() => client.close());
    }
    await this.#dropKeys();
    await this.database.query(`drop schema if exists "${this.schema}" cascade`);
    await this.database.close();
  }

  async #dropKeys(): Promise<void> {
    const redis = makeRedis({ url: this.#servers.redisUrl });
    if (await waitForRedis(redis, REDIS_READY_MS))
      for await (const keys of redis.scanStream({ match: `${this.indexPrefix}:*`, count: 500 }))
        if (keys.length) await redis.del(...(keys as string[]));
    redis.disconnect();
  }
}
