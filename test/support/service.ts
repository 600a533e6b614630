/** The whole API on the real servers, on a port, a schema, indices and a Redis prefix of a test file's own. */

import { compose, type Service } from '../../src/compose.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import type { LicencePlaces, PlanId } from '../../src/domain/plans.ts';
import { type Serving, serve } from '../../src/http/serve.ts';
import { AccountStore } from '../../src/store/postgres/accounts.ts';
import { KeyStore } from '../../src/store/postgres/keys.ts';
import type { Database } from '../../src/store/postgres/pool.ts';
import { type Clock, setClock, testDatabase } from './database.ts';
import { DeclaredAnswers } from './declaredAnswers.ts';
import { TestIndex } from './index.ts';
import { testRedis } from './redis.ts';

const SECRET = 'a secret for tests, of more than 32 characters';
const NO_LIMIT = '1000000';

export interface TestAnswer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  body: T & Record<string, any>;
}

export interface TestService {
  config: Config;
  /** the settings, as a process of its own takes them */
  env: Record<string, string>;
  index: TestIndex;
  service: Service;
  url: string;
  /** a new team with one user and one key */
  key(plan?: PlanId, licence?: LicencePlaces, team?: { monthlyCredits?: number }): Promise<string>;
  /** GET below the API root; parameters that are objects are sent as JSON, lists by repetition */
  get(
    path: string,
    parameters?: Record<string, unknown>,
    options?: { key?: string; headers?: Record<string, string>; method?: string },
  ): Promise<TestAnswer>;
  /** POST of JSON below the API root */
  post(path: string, body: unknown, options?: { key?: string; signal?: AbortSignal }): Promise<TestAnswer>;
  accounts: AccountStore;
  keys: KeyStore;
  database: Database;
  /** sets the clock of the database, by which credits are granted; it stands where the API's stood at the start */
  databaseClock(clock: Clock): Promise<void>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  /** the day on the service clock, `YYYY-MM-DD`; today unless set */
  today?: string;
  /** the clock of the API's process, instead of noon of that day */
  now?: () => Date;
  /** further settings */
  env?: Record<string, string>;
}

function toQuery(parameters: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) && typeof value[0] !== 'object' ? value : [value])
      query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
  }
  const text = query.toString();
  return text ? `?${text}` : '';
}

/** Noon on the service clock of a day, or the real time. */
const clockOf = (today: string | undefined) => (today ? () => new Date(`${today}T19:00:00Z`) : () => new Date());

export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const now = options.now ?? clockOf(options.today);
  const index = new TestIndex(options.today ?? now().toISOString().slice(0, 10));
  const database = await testDatabase();
  const redis = await testRedis();
  const env = {
    PORT: '0',
    PUBLIC_URL: 'http://landuse.test',
    ELASTICSEARCH_URL: index.url,
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema,
    REDIS_URL: redis.url,
    REDIS_PREFIX: redis.prefix,
    INDEX_PREFIX: index.prefix,
    CURSOR_SECRET: SECRET,
    KEY_PEPPER: SECRET,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PAID: NO_LIMIT,
    RATE_LIMIT_TRIAL: NO_LIMIT,
    RATE_LIMIT_ANONYMOUS: NO_LIMIT,
    RATE_LIMIT_REFUSED: NO_LIMIT,
    RATE_LIMIT_HEALTH: NO_LIMIT,
    ...options.env,
  };
  const config = loadConfig(env);
  const databaseClock = (clock: Clock) => setClock(database.database, clock);
  if (options.today ?? options.now) await databaseClock({ at: now() });
  const answers = new DeclaredAnswers();
  const service = compose(config, now, answers.observe);
  await service.ready();
  const serving: Serving = await serve(service, 0);
  const accounts = new AccountStore(database.database);
  const keys = new KeyStore({ database: database.database, pepper: SECRET, now });
  const url = `http://127.0.0.1:${serving.port}`;
  let teams = 0;
  const key: TestService['key'] = async (plan = 'national', licence, { monthlyCredits } = {}) => {
    teams += 1;
    const team = await accounts.createTeam({ name: `Team ${teams}`, plan, ...(licence ? { licence } : {}) });
    if (monthlyCredits !== undefined) await accounts.setMonthlyCredits(team.id, monthlyCredits);
    const user = await accounts.createUser({ teamId: team.id, name: 'Owner', email: `owner-${team.id}@example.com`, role: 'owner' });
    return (await keys.mint(user.id, 'test')).secret;
  };
  let usual: Promise<string> | undefined;
  const authorization = async (given: string | undefined): Promise<Record<string, string>> => {
    usual ??= key();
    return given === '' ? {} : { Authorization: `Bearer ${given ?? (await usual)}` };
  };
  const answerOf = async (response: Response): Promise<TestAnswer> => {
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
  };
  return {
    config,
    env,
    index,
    service,
    url,
    accounts,
    keys,
    database: database.database,
    databaseClock,
    key,
    get: async (path, parameters = {}, { key: given, headers = {}, method = 'GET' } = {}) => {
      const sent = { ...(await authorization(given)), ...headers };
      return answerOf(await fetch(`${url}/v1${path}${toQuery(parameters)}`, { method, headers: sent }));
    },
    post: async (path, body, { key: given, signal } = {}) => {
      const headers = { ...(await authorization(given)), 'Content-Type': 'application/json' };
      const options = { method: 'POST', headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) };
      return answerOf(await fetch(`${url}/v1${path}`, options));
    },
    stop: async () => {
      await serving.stop();
      await service.close();
      await index.drop();
      await redis.drop();
      await database.drop();
      if (answers.violations.size) throw new Error(`Answers that are not as declared:\n${[...answers.violations].join('\n')}`);
    },
  };
}
