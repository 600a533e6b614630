/** The whole API on real servers, with its own port, schema, indices and Redis prefix for a test file. */

import assert from 'node:assert/strict';
import { type Logger, pino } from 'pino';
import { composeService, type Service } from '../../src/app.ts';
import { type Config, type LIMITS, loadConfig } from '../../src/config.ts';
import { ERRORS, type ErrorCode } from '../../src/core/domain/errorTable.ts';
import type { LicencePlaces, PlanId } from '../../src/core/domain/plans.ts';
import { AccountStore } from '../../src/core/identity/accounts.ts';
import { KeyStore } from '../../src/core/identity/keys.ts';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import type { Database } from '../../src/core/store/postgres/pool.ts';
import { requestScreener } from '../../src/features/aiSearch/index.ts';
import type { Screener } from '../../src/features/aiSearch/screener.ts';
import { TEAM_SUBSCRIBERS } from '../../src/features.ts';
import { serve } from '../../src/http/serve.ts';
import { prepareMetrics } from '../../src/operate/metrics/prepareMetrics.ts';
import { prepareTracing } from '../../src/operate/tracing/prepareTracing.ts';
import { type Clock, inDatabase, requireClock, setClock, testDatabase } from './database.ts';
import { DeclaredAnswers } from './declaredAnswers.ts';
import { TestIndex } from './index.ts';
import type { Json } from './json.ts';
import { provide } from './provide.ts';
import { recordAnswers } from './recordedAnswers.ts';
import { testRedis } from './redis.ts';
import { serverUrl } from './servers.ts';

const SECRET = 'a secret for tests, of more than 32 characters';
/** Multiplies timeouts, since a busy machine answers late; tests of outages set the usual ones (USUAL_WAITS). */
const PATIENCE = '10';
export const USUAL_WAITS = { SERVER_PATIENCE: '1' };
const TRACES_EVERY_MS = 50;
const NO_LIMIT = '1000000';
const NO_LIMITS = { refusedCredentialsPerMinute: 1_000_000, filesPerMinute: 1_000_000 };

export interface TestAnswer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T & Record<string, Json>;
}

/** A process of the API, as clients see it. */
export interface TestProcess extends AsyncDisposable {
  url: string;
  /** URL of the metrics, if METRICS_PORT is set */
  metricsUrl: string | null;
  /** GET below the API root; parameters that are objects are sent as JSON, lists by repetition */
  get(
    path: string,
    parameters?: Record<string, unknown>,
    options?: { key?: string; headers?: Record<string, string>; method?: string },
  ): Promise<TestAnswer>;
  /** POST of JSON below the API root */
  post(path: string, body: unknown, options?: { key?: string; signal?: AbortSignal }): Promise<TestAnswer>;
  /** credits of the pool of a key */
  balance(key: string): Promise<number>;
  stop(): Promise<void>;
}

export interface TestService extends TestProcess {
  config: Config;
  /** the settings, as the environment of a further process */
  env: Record<string, string> & { DATABASE_URL: string };
  index: TestIndex;
  service: Service;
  /** starts a second process on the same data @param env settings that differ from the first, and its limits */
  another(env?: Record<string, string>, limits?: Partial<typeof LIMITS>): Promise<TestProcess>;
  /** a new team with one user and one key */
  key(plan?: PlanId, licence?: LicencePlaces, team?: { monthlyCredits?: number }): Promise<string>;
  /** the key of requests without another one */
  usualKey(): Promise<string>;
  /** @throws AssertionError where balances, charges and reservations do not follow from one another */
  checkLedger(): Promise<void>;
  accounts: AccountStore;
  keys: KeyStore;
  database: Database;
  /** sets the clock of the database, by which credits are granted; it stands where the API's stood at the start @param clock as it was set last */
  databaseClock(clock?: Clock): Promise<void>;
}

export interface TestServiceOptions {
  /** the day on the service clock, `YYYY-MM-DD`; today unless set */
  today?: string;
  /** the clock of the API's process; by default noon of that day */
  now?: () => Date;
  /** replaces the built-in one */
  screener?: Screener;
  /** what else is not made as the configuration says, by the function that makes it */
  instead?: Iterable<readonly [unknown, unknown]>;
  /** plan of the usual key's team */
  plan?: PlanId;
  /** further settings */
  env?: Record<string, string>;
  /** limits that differ from those of an installation */
  limits?: Partial<typeof LIMITS>;
  /** of the metrics */
  log?: Logger;
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

export async function answerOf(response: Response): Promise<TestAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
}

/** The body of an answer. @throws AssertionError for another status, with the answer */
export function bodyOf({ status, body }: TestAnswer, expected = 200): Json {
  assert.equal(status, expected, JSON.stringify(body));
  return body;
}

/** @throws AssertionError unless the answer is that refusal with its status, of that parameter where one is given */
export function assertRefused({ status, body }: TestAnswer, code: string, param?: string | null): void {
  const { error } = body;
  const expected = [ERRORS[code as ErrorCode].status, code, param];
  assert.deepEqual([status, error?.code, param === undefined ? param : error?.param], expected, JSON.stringify(body));
}

/** @param authorization the header for a key; for the usual one where none is given, and none for '' */
function client(
  url: string,
  authorization: (key: string | undefined) => Promise<Record<string, string>>,
): Omit<TestProcess, 'stop' | 'metricsUrl' | typeof Symbol.asyncDispose> {
  const get: TestProcess['get'] = async (path, parameters = {}, { key, headers = {}, method = 'GET' } = {}) => {
    const sent = { ...(await authorization(key)), ...headers };
    return answerOf(await fetch(`${url}/v1${path}${toQuery(parameters)}`, { method, headers: sent }));
  };
  return {
    url,
    get,
    balance: async (key) => bodyOf(await get('/account/credits', {}, { key })).data.balance,
    post: async (path, body, { key, signal } = {}) => {
      const headers = { ...(await authorization(key)), 'Content-Type': 'application/json' };
      const options = { method: 'POST', headers, body: JSON.stringify(body), ...(signal ? { signal } : {}) };
      return answerOf(await fetch(`${url}/v1${path}`, options));
    },
  };
}

/** A clock that stands at noon of a service day; the real time without one. */
const clockOf = (today: string | undefined) => (today ? () => new Date(`${today}T19:00:00Z`) : () => new Date());

export async function testService(options: TestServiceOptions = {}): Promise<TestService> {
  const now = options.now ?? clockOf(options.today);
  const index = new TestIndex(options.today ?? now().toISOString().slice(0, 10));
  const database = await testDatabase();
  index.database = database;
  const redis = await testRedis(`${index.prefix}:`);
  const { pathname } = new URL(database.url);
  const ofServer = new URL(serverUrl('DATABASE_URL')).pathname;
  /** a proxy before the server leads to the same database; another test database stays another */
  const databaseAt = (url: string) => (new URL(url).pathname === ofServer ? inDatabase(url, pathname.slice(1)) : url);
  const env = {
    PORT: '0',
    PUBLIC_URL: 'http://landuse.test',
    ELASTICSEARCH_URL: index.url,
    DATABASE_URL: database.url,
    DATABASE_SCHEMA: database.schema,
    REDIS_URL: redis.url,
    INDEX_PREFIX: index.prefix,
    CURSOR_SECRET: SECRET,
    KEY_PEPPER: SECRET,
    LOG_LEVEL: 'silent',
    SERVER_PATIENCE: PATIENCE,
    RATE_LIMIT_PAID: NO_LIMIT,
    RATE_LIMIT_TRIAL: NO_LIMIT,
    RATE_LIMIT_ANONYMOUS: NO_LIMIT,
    RATE_LIMIT_HEALTH: NO_LIMIT,
    ...options.env,
  };
  env.DATABASE_URL = databaseAt(env.DATABASE_URL);
  let standing: Clock | undefined;
  const databaseClock = async (clock = standing) => {
    standing = clock;
    if (clock) await setClock(database.database, clock);
  };
  if (options.today ?? options.now) await databaseClock({ at: now() });
  const answers = new DeclaredAnswers();
  const accounts = new AccountStore(database.database, TEAM_SUBSCRIBERS);
  const keys = new KeyStore({ database: database.database, pepper: SECRET, now });
  let teams = 0;
  const key: TestService['key'] = async (plan = 'national', licence, { monthlyCredits } = {}) => {
    teams += 1;
    const team = await accounts.createTeam({ name: `Team ${teams}`, plan, ...(licence ? { licence } : {}) });
    if (monthlyCredits !== undefined) await accounts.setMonthlyCredits(team.id, monthlyCredits);
    const user = await accounts.createUser({ teamId: team.id, name: 'Owner', email: `owner-${team.id}@example.com`, role: 'owner' });
    return (await keys.mint(user.id, 'test')).secret;
  };
  let usual: Promise<string> | undefined;
  const usualKey = () => {
    usual ??= key(options.plan);
    return usual;
  };
  const authorization = async (given: string | undefined): Promise<Record<string, string>> => {
    const usual = usualKey(); // its team is there, too, where requests name other keys
    return given === '' ? {} : { Authorization: `Bearer ${given ?? (await usual)}` };
  };
  const start = async (more: Record<string, string> = {}, limits = options.limits) => {
    const config = loadConfig(
      { ...env, ...more, DATABASE_URL: databaseAt(more.DATABASE_URL ?? env.DATABASE_URL) },
      { ...NO_LIMITS, ...limits },
    );
    const metrics = await prepareMetrics(config, options.log ?? pino({ level: 'silent' }), 0);
    const tracing = await prepareTracing(config, options.log ?? pino({ level: 'silent' }), TRACES_EVERY_MS);
    const service = composeService(config, {
      now,
      observe: answers.observe,
      instead: [...(options.screener ? [[requestScreener, options.screener] as const] : []), ...(options.instead ?? [])],
      observers: tracing.observers(metrics.observers),
    });
    recordAnswers(service);
    await service.ready();
    const metricsPort = await metrics.serve(service.openQueries);
    const metricsUrl = metricsPort === null ? null : `http://127.0.0.1:${metricsPort}/metrics`;
    const serving = await serve(service, 0);
    const url = `http://127.0.0.1:${serving.port}`;
    const stop = async () => {
      await serving.stop();
      await Promise.all([service.close(), metrics.close(), tracing.close()]);
    };
    return { config, service, stop, [Symbol.asyncDispose]: stop, metricsUrl, ...client(url, authorization) };
  };
  const first = await start();
  const stop = async () => {
    await first.stop();
    if (standing) await requireClock(database.database, standing);
    await index.drop();
    await redis.drop();
    await database.drop();
    if (answers.violations.size) throw new Error(`Answers that are not as declared:\n${[...answers.violations].join('\n')}`);
  };
  return {
    ...first,
    another: start,
    env,
    index,
    accounts,
    keys,
    database: database.database,
    databaseClock,
    key,
    usualKey,
    checkLedger: async () => assert.deepEqual((await auditLedger(database.database)).differences, []),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A service for the tests of a suite, started before them and stopped after them. @param lines that it serves */
export function provideService(options: TestServiceOptions = {}, lines?: readonly object[]): TestService {
  const api = provide(() => testService(options));
  if (lines) before(() => api.index.load(lines));
  return api;
}
