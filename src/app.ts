/** Composes the API and the worker from the clients of the servers and the list of features. */
import type Koa from 'koa';
import type { Logger } from 'pino';
import { lazyMcp } from './clients/mcp/lazyMcp.ts';
import type { Config } from './config.ts';
import { lazily } from './core/domain/lazily.ts';
import type { Disagreement } from './core/domain/lineage.ts';
import { ConnectionStore } from './core/identity/connections.ts';
import { KeyStore } from './core/identity/keys.ts';
import type { RunnerSettings } from './core/jobs/runnerSettings.ts';
import { JobStore } from './core/jobs/store.ts';
import { composeWorker, type Worker } from './core/jobs/worker.ts';
import { Ledger } from './core/ledger/ledger.ts';
import { OwnedPages } from './core/ledger/ownedPages.ts';
import { sendMailJob } from './core/mail/sendMails.ts';
import { MailServer } from './core/mail/smtp.ts';
import { addMissingFields } from './core/search/fieldsAtStart.ts';
import { makeElastic } from './core/store/elastic/client.ts';
import { IndexNames } from './core/store/elastic/indices.ts';
import { FieldStore } from './core/store/elastic/mappedFields.ts';
import { LineageWatch } from './core/store/lineageWatch.ts';
import { LineageStore } from './core/store/postgres/lineageStore.ts';
import { Database } from './core/store/postgres/pool.ts';
import { RestrictionStore } from './core/store/postgres/restrictions.ts';
import { makeRedis } from './core/store/redis/client.ts';
import { RateLimiter } from './core/store/redis/rateLimiter.ts';
import { ReportedChanges } from './core/store/redis/reportedChanges.ts';
import { WorkingKeys } from './core/store/redis/workingKeys.ts';
import { checkServersAnswer } from './core/store/startChecks.ts';
import type { ServingPlatform } from './features/feature.ts';
import { makePlatform } from './features/platform.ts';
import { PING } from './features/webhooks/index.ts';
import { FEATURE_DECLARATIONS, FEATURE_METRICS, FEATURES, MAIL_AUDIENCES } from './features.ts';
import { openApiDocument, type RoutesBelow } from './http/openapi.ts';
import { readExamples, withExamples } from './http/openapiExamples.ts';
import type { OpenRoute } from './http/openRoutes.ts';
import { makeApp } from './http/pipeline.ts';
import { lookUpKeyOfForm } from './http/rateLimit.ts';
import { API_ROOT, KEYS_ROOT, SERVICE_ROOT } from './http/roots.ts';
import type { AnswerObserver } from './http/serveRoutes.ts';
import { makeLogger } from './logging.ts';
import type { Observers } from './operate/metrics/observers.ts';
import { makeServerQueries, type ServerQueries } from './operate/metrics/serverQueries.ts';

const REDIS_READY_MS = 5000;
/**
 * A pool of its own for look-ups made during a transaction: if they shared the pool of transactions, and each of its connections waited for such
 * a look-up, none would ever end.
 */
const CONTROL_CONNECTIONS = 2;
/** Share of a request's deadline that its Elasticsearch queries may take; the rest is for writing the answer. */
const ELASTIC_SHARE = 0.95;
/** Longer than for requests, since no client waits for a search of a job. */
const JOB_SEARCH_TIMEOUT_MS = 30_000;

export interface Service {
  app: Koa;
  log: Logger;
  /** how long a request may take, in milliseconds, for whoever waits for those in flight */
  longestRequestMs: number;
  /** the document that describes every route */
  openApi(): object;
  /** resolves when every server answers and the clocks agree; rejects with an error that names the server or clock at fault */
  ready(): Promise<void>;
  /** how metrics ask the servers; to be closed by whoever asks for it */
  openQueries(): ServerQueries;
  /** from now on `/ready` fails, so that no new requests are sent here */
  announceStop(): void;
  close(): Promise<void>;
}

interface ComposeOptions {
  observers?: Observers;
  /** the clock, for tests */
  now?: () => Date;
  /** called with every answer, for tests */
  observe?: AnswerObserver;
  /** results that `Platform.once` returns instead of making them, for tests */
  instead?: Iterable<readonly [unknown, unknown]> | undefined;
}

/** Composes the API of this process, with its own clients. */
export function composeService(config: Config, { now = () => new Date(), observe, instead, observers = {} }: ComposeOptions = {}): Service {
  const log = makeLogger(config.logLevel);
  const { publicUrl, searchTimeoutMs, serverPatience: patience, redisPrefix: prefix } = config;
  const { counted } = observers;
  const timeoutMs = Math.ceil(searchTimeoutMs * ELASTIC_SHARE);
  const { shared, openQueries } = makeShared({ config, log, now, timeoutMs }, observers, () => restrictions);
  const { elastic, names } = shared;
  const onError = (error: Error) => log.warn({ err: error }, 'A Postgres connection broke');
  const ofDatabase = { url: config.databaseUrl, schema: config.databaseSchema };
  const pool = { ...ofDatabase, patience, onError, watch: observers.watch?.postgres };
  const database = new Database({ ...pool, connections: config.databaseConnections });
  const control = new Database({ ...pool, connections: CONTROL_CONNECTIONS });
  const restrictions = new RestrictionStore(control, config.indexPrefix);
  observers.pool?.('requests', () => database.use);
  observers.pool?.('control', () => control.use);
  const redis = makeRedis({
    url: config.redisUrl,
    patience,
    watch: observers.watch?.redis,
    onError: (error) => log.warn({ err: error }, 'The Redis connection broke'),
  });
  const lineages = new LineageStore(control, config.indexPrefix);
  const onChange = (found: Disagreement | null) =>
    found ? log.error({ fault: found.fault }, found.message) : log.info('Elasticsearch serves what Postgres has recorded again');
  const lineage = new LineageWatch({ elastic, lineages, names, timeoutMs, onChange });
  const owned = new OwnedPages(database);
  const ledger = new Ledger(database, { guard: lineage, charged: observers.charged, owned });
  const onLost = (error: Error) => log.warn({ err: error }, 'A change of a key was not reported: processes cut off from Postgres miss it');
  const changes = new ReportedChanges({ redis, prefix, patience, onLost });
  const keys = new KeyStore({ database, pepper: config.keyPepper, now, changes });
  const jobs = new JobStore(database, config.teamJobsWaiting);
  const { platform, close } = makePlatform({ ...shared, database, control, jobs, lineage, restrictions, ledger, owned, counted }, instead);
  let stopping = false;
  const openRoutes: OpenRoute[] = [];
  const openApi = lazily(() =>
    withExamples(
      openApiDocument({ publicUrl, routes, openRoutes, events: [...FEATURE_DECLARATIONS.events, PING], limits }),
      readExamples(publicUrl),
    ),
  );
  const limits = {
    paid: config.rateLimitPaid,
    trial: config.rateLimitTrial,
    anonymous: config.rateLimitAnonymous,
    refused: config.refusedCredentialsPerMinute,
    health: config.rateLimitHealth,
    file: config.filesPerMinute,
  };
  const working = new WorkingKeys({ redis, prefix, patience });
  const limiter = new RateLimiter({ redis, prefix, patience });
  const rateLimit = { keys, working, limiter, limits, trustProxy: config.trustProxy };
  const lookUpKey: ServingPlatform['lookUpKey'] = (request, key) => lookUpKeyOfForm(rateLimit, request, key);
  const serving = { ...platform, keys, redis, openRoutes, openApi, lookUpKey, isStopping: () => stopping };
  const routes: RoutesBelow = {
    [API_ROOT]: FEATURES.flatMap((feature) => feature.routes?.(serving) ?? []),
    [KEYS_ROOT]: FEATURES.flatMap((feature) => feature.keyRoutes?.(serving) ?? []),
    [SERVICE_ROOT]: FEATURES.flatMap((feature) => feature.rootRoutes?.(serving) ?? []),
  };
  for (const feature of FEATURES) openRoutes.push(...(feature.openRoutes?.(serving) ?? []));
  const connections = new ConnectionStore(database, now);
  const app = makeApp({
    publicUrl,
    environment: config.serviceEnvironment,
    corsOrigins: config.corsOrigins,
    searchTimeoutMs: timeoutMs,
    log,
    rateLimit,
    openRoutes,
    routes,
    mcp: lazyMcp({ routes, secret: config.cursorSecret, log, spend: (spending, work) => connections.spend(spending, work) }),
    observe,
    observers: { ended: observers.request, begin: observers.begin },
  });
  const redisReadyMs = REDIS_READY_MS * patience;
  return {
    app,
    log,
    longestRequestMs: searchTimeoutMs,
    openApi,
    ready: async () => {
      await checkServersAnswer({ elastic, database, redis, redisReadyMs, suppressions: platform.suppressions }, now);
      await addMissingFields(new FieldStore(elastic, names), { database, prefix: config.indexPrefix, log });
      await lineage.start();
    },
    openQueries: () => openQueries({ ...ofDatabase, patience, onError }, { lineage, redis: { client: redis, prefix } }),
    announceStop: () => {
      stopping = true;
    },
    close: async () => {
      redis.disconnect();
      lineage.stop();
      await owned.writeReadTimes().catch(() => undefined); // loses only the last times at which records were read
      await Promise.all([elastic.close(), database.close(), control.close(), close()]);
    },
  };
}

interface ServiceWorker extends Worker {
  /** how metrics ask the servers; to be closed by whoever asks for it */
  openQueries(): ServerQueries;
}

/** Composes a worker for every kind of job. @param now the clock, for tests @param settings for tests */
export function composeServiceWorker(
  config: Config,
  log: Logger,
  now = () => new Date(),
  settings: Partial<RunnerSettings> = {},
  observers: Observers = {},
): ServiceWorker {
  const { databaseUrl, databaseSchema, serverPatience: patience, publicUrl, mailFrom: from } = config;
  const { watch, attempt, charged, pool } = observers;
  const timeoutMs = JOB_SEARCH_TIMEOUT_MS;
  let restrictions: RestrictionStore;
  const { shared, openQueries } = makeShared({ config, log, now, timeoutMs }, observers, () => restrictions);
  const { elastic, names } = shared;
  const mailServer = config.smtpUrl === null ? null : new MailServer({ url: config.smtpUrl });
  const closing: (() => Promise<unknown>)[] = [];
  const worker = composeWorker({
    databaseUrl,
    databaseSchema,
    patience,
    log,
    settings,
    watch: watch?.postgres,
    observe: attempt,
    pool,
    connections: config.databaseConnections,
    definitions: (database, jobs, control) => {
      const lineage = new LineageWatch({ elastic, names, lineages: new LineageStore(control, config.indexPrefix), timeoutMs });
      const ledger = new Ledger(database, { guard: lineage, charged });
      restrictions = new RestrictionStore(control, config.indexPrefix);
      const made = makePlatform({ ...shared, database, control, jobs, lineage, restrictions, ledger, charged });
      closing.push(made.close);
      return [
        ...FEATURES.flatMap((feature) => feature.jobs?.(made.platform) ?? []),
        // Without a mail server, mails stay in the outbox.
        ...(mailServer
          ? [sendMailJob.with({ outbox: made.platform.outbox, server: mailServer, from, publicUrl, database, audiences: MAIL_AUDIENCES })]
          : []),
      ];
    },
    close: async () => {
      mailServer?.close();
      await Promise.all([elastic.close(), ...closing.map((close) => close())]);
    },
  });
  const onError = (error: Error) => log.warn({ err: error }, 'A Postgres connection of the metrics broke');
  return { ...worker, openQueries: () => openQueries({ url: databaseUrl, schema: databaseSchema, patience, onError }) };
}

/** What the platforms of the API and of the worker have alike. */
function makeShared(
  { config, now, timeoutMs, log }: { config: Config; log: Logger; now: () => Date; timeoutMs: number },
  { watch, measure }: Observers,
  readRestrictions: () => Pick<RestrictionStore, 'makeClause'>,
) {
  const elastic = makeElastic({
    url: config.elasticsearchUrls,
    apiKey: config.elasticsearchApiKey ?? undefined,
    ca: config.elasticsearchCa ?? undefined,
    timeoutMs,
    retries: 1,
    watch: watch?.elasticsearch,
    expand: (asked) => readRestrictions().makeClause(asked),
  });
  const { indexPrefix: prefix, searchTimeoutMs } = config;
  const openQueries = (
    postgres: Parameters<typeof makeServerQueries>[0]['postgres'],
    also: Pick<Parameters<typeof makeServerQueries>[0], 'redis' | 'lineage'> = {},
  ) => makeServerQueries({ elastic, prefix, searchTimeoutMs, postgres, metrics: FEATURE_METRICS, now, ...also });
  const names = new IndexNames(prefix);
  return { shared: { config, log, now, timeoutMs, elastic, names, measure, ...FEATURE_DECLARATIONS }, openQueries };
}
