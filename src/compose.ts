/** The only place that makes clients and wires them together. */
import type Koa from 'koa';
import type { Logger } from 'pino';
import { API_ROOT, KEYS_ROOT, makeApp } from './api.ts';
import type { Config } from './config.ts';
import { lazily } from './domain/lazily.ts';
import type { Disagreement } from './domain/lineage.ts';
import { SecretBox } from './domain/webhooks.ts';
import type { Route } from './http/declaration.ts';
import type { AnswerMcp } from './http/mcpEndpoint.ts';
import { openApiDocument, type RoutesBelow } from './http/openapi.ts';
import type { OpenRoute } from './http/openRoutes.ts';
import type { AnswerObserver } from './http/serveRoutes.ts';
import { SCHEMA_VERSION } from './http/versioning.ts';
import { makeLogger } from './logging.ts';
import type { Observers } from './metrics/observers.ts';
import type { Screener } from './operations/aiSearch/screener.ts';
import { ScreenerPool } from './operations/aiSearch/screenerPool.ts';
import { alertStores } from './operations/alerts/stores.ts';
import { VisibilityPool } from './operations/analytics/visibilityPool.ts';
import { addFieldsAtStart } from './operations/indices/fieldsAtStart.ts';
import { ReadAhead } from './operations/sync/readAhead.ts';
import { accountRoutes } from './routes/account.ts';
import { aiSearchRoutes } from './routes/aiSearch.ts';
import { alertRoutes } from './routes/alerts.ts';
import { analyticsRoutes } from './routes/analytics.ts';
import { apiKeyRoutes } from './routes/apiKeys.ts';
import { coverageRoutes } from './routes/coverage.ts';
import { docsRoutes } from './routes/docs.ts';
import { documentRoutes } from './routes/documents.ts';
import { enrichmentRoutes } from './routes/enrichments.ts';
import { exportRoutes } from './routes/exports.ts';
import { feedRoutes } from './routes/feeds.ts';
import { greetingRoutes } from './routes/greeting.ts';
import { listRoutes } from './routes/lists.ts';
import { locationRoutes } from './routes/locations.ts';
import { type MailLink, mailLinkRoutes } from './routes/mailLinks.ts';
import { mapRoutes } from './routes/map.ts';
import { probeRoutes } from './routes/probes.ts';
import { projectMapRoutes } from './routes/projectMap.ts';
import { projectRoutes } from './routes/projects.ts';
import { tileRoutes } from './routes/tiles.ts';
import { vocabularyRoutes } from './routes/vocabularies.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { screenerOf } from './screenerOf.ts';
import { allAnswer } from './startChecks.ts';
import { AggregationStore } from './store/elastic/aggregations.ts';
import { ChangeFeed } from './store/elastic/changeFeed.ts';
import { makeElastic } from './store/elastic/client.ts';
import { MeetingDocumentStore } from './store/elastic/documents.ts';
import { IndexNames } from './store/elastic/indices.ts';
import { FieldStore } from './store/elastic/mappedFields.ts';
import { ProjectSets } from './store/elastic/projectSets.ts';
import { ProjectStore } from './store/elastic/projects.ts';
import { RelevanceStore } from './store/elastic/relevance.ts';
import { ServedVersion } from './store/elastic/servedVersion.ts';
import { SyncedNames } from './store/elastic/syncedNames.ts';
import { exportFilesOf } from './store/files/exportFiles.ts';
import { loadPlaces } from './store/files/places.ts';
import { adoptAtStart } from './store/lineageAtStart.ts';
import { LineageWatch } from './store/lineageWatch.ts';
import { type Look, lookAt } from './store/look.ts';
import { AccountStore } from './store/postgres/accounts.ts';
import { AiSearchStore } from './store/postgres/aiSearches.ts';
import { AlertFeedStore } from './store/postgres/alertFeeds.ts';
import { AlertStore } from './store/postgres/alerts.ts';
import { clockProblem } from './store/postgres/clock.ts';
import { EnrichmentStore } from './store/postgres/enrichments.ts';
import { ExportStore } from './store/postgres/exports.ts';
import { HoldingStore } from './store/postgres/holdings.ts';
import { IdempotencyStore } from './store/postgres/idempotency.ts';
import { JobQueue } from './store/postgres/jobQueue.ts';
import { JobStore } from './store/postgres/jobs.ts';
import { KeyStore } from './store/postgres/keys.ts';
import { Ledger } from './store/postgres/ledger.ts';
import { LineageStore } from './store/postgres/lineage.ts';
import { ListStore } from './store/postgres/lists.ts';
import { OutboxStore } from './store/postgres/outbox.ts';
import { OwnedPages } from './store/postgres/ownedPages.ts';
import { Database, oneAtATime } from './store/postgres/pool.ts';
import { PreferenceStore } from './store/postgres/preferences.ts';
import { Suppressions } from './store/postgres/suppressions.ts';
import { UnlockStore } from './store/postgres/unlocks.ts';
import { WebhookStore } from './store/postgres/webhooks.ts';
import { elasticsearchProblem, postgresProblem, redisProblem } from './store/readiness.ts';
import { makeRedis } from './store/redis/client.ts';
import { RateLimiter } from './store/redis/rateLimiter.ts';
import { ReportedChanges } from './store/redis/reportedChanges.ts';
import { WorkingKeys } from './store/redis/workingKeys.ts';

const REDIS_READY_MS = 5000;
/** Of their own for what is looked up while a transaction holds a connection: where all others wait for that transaction, it would never end. */
const CONTROL_CONNECTIONS = 2;
/** What Elasticsearch may take of the time in which an answer is promised; the rest is for the answer itself, on a busy machine too. */
const ELASTIC_SHARE = 0.95;
/** What a manual run of an alert may judge of the time in which an answer is promised; the rest is for finding and delivering. */
const JUDGING_SHARE = 0.5;
/** Of that time, for one answer of a language model. */
const MODEL_SHARE = 0.5;
const requestModelMs = ({ searchTimeoutMs, languageModelTimeoutMs }: Config) =>
  Math.min(languageModelTimeoutMs, Math.ceil(searchTimeoutMs * JUDGING_SHARE * MODEL_SHARE));

const elasticTimeoutMs = (config: Config) => Math.ceil(config.searchTimeoutMs * ELASTIC_SHARE);

export interface Service {
  app: Koa;
  log: Logger;
  /** the document that describes every route */
  openApi(): object;
  /** resolves when every server answers and the clocks agree; throws an error that names what does not */
  ready(): Promise<void>;
  /** how metrics ask the servers; to be closed by whoever asks for it */
  look(): Look;
  /** from now on `/ready` fails, so that no new requests are sent here */
  announceStop(): void;
  close(): Promise<void>;
}

export interface ComposeOptions {
  observers?: Observers;
  /** the clock, for tests */
  now?: () => Date;
  /** hears of every answer, for tests */
  observe?: AnswerObserver;
  /** in place of the built-in one, for tests */
  screener?: Screener | undefined;
}

export function compose(config: Config, { now = () => new Date(), observe, screener, observers = {} }: ComposeOptions = {}): Service {
  const log = makeLogger(config.logLevel);
  const clients = connect(config, log, observers);
  const { elastic, database, redis } = clients;
  const onLost = (error: Error) => log.warn({ err: error }, 'A change of a key was not reported: processes cut off from Postgres miss it');
  const changes = new ReportedChanges({ redis, prefix: config.redisPrefix, patience: config.serverPatience, onLost });
  const keys = new KeyStore({ database, pepper: config.keyPepper, now, changes });
  const store = new ProjectStore(elastic, new IndexNames(config.indexPrefix), elasticTimeoutMs(config));
  const ofRequests = screenerOf(config, { builtin: clients.screens, database, log }, { timeoutMs: requestModelMs(config), retries: 0 });
  const api = apiRoutes(config, clients, { store, screener: screener ?? ofRequests, now, observers });
  const routes: RoutesBelow = {
    [API_ROOT]: api.routes,
    [KEYS_ROOT]: apiKeyRoutes({ keys, idempotency: new IdempotencyStore(database), now }),
  };
  let stopping = false;
  const limits = { paid: config.rateLimitPaid, trial: config.rateLimitTrial, health: config.rateLimitHealth, file: config.rateLimitFile };
  let described: object | undefined;
  const openApi = () => {
    described ??= openApiDocument({ publicUrl: config.publicUrl, routes, openRoutes, limits });
    return described;
  };
  const openRoutes: OpenRoute[] = [
    ...probeRoutes(
      API_ROOT,
      {
        servers: {
          elasticsearch: () => elasticsearchProblem(elastic, new IndexNames(config.indexPrefix), config.searchTimeoutMs),
          postgres: () => postgresProblem(database),
          redis: () => redisProblem(redis, config.redisPrefix),
        },
        clock: () => clockProblem(database, now).catch(() => null), // Postgres that does not answer has been named
        index: async () => (await clients.lineage.disagreement())?.message ?? null,
      },
      () => stopping,
    ),
    ...docsRoutes(API_ROOT, config.publicUrl, openApi),
    ...mapRoutes({ apiRoot: API_ROOT, keysRoot: KEYS_ROOT, publicUrl: config.publicUrl }, loadPlaces()),
    ...mailLinkRoutes(...mailLinks(clients)),
    ...api.open,
  ];
  openRoutes.push(...greetingRoutes(config.publicUrl, API_ROOT, openRoutes));
  const app = makeApp({
    publicUrl: config.publicUrl,
    environment: config.serviceEnvironment,
    corsOrigins: config.corsOrigins,
    searchTimeoutMs: elasticTimeoutMs(config),
    log,
    rateLimit: {
      keys,
      working: new WorkingKeys({ redis, prefix: config.redisPrefix, patience: config.serverPatience }),
      limiter: new RateLimiter({ redis, prefix: config.redisPrefix, patience: config.serverPatience }),
      limits: {
        paid: config.rateLimitPaid,
        trial: config.rateLimitTrial,
        anonymous: config.rateLimitAnonymous,
        refused: config.rateLimitRefused,
        health: config.rateLimitHealth,
        file: config.rateLimitFile,
      },
      trustProxy: config.trustProxy,
    },
    openRoutes,
    routes,
    mcp: mcpFor(config, routes, log),
    observe,
    observers: { ended: observers.request, begin: observers.begin },
  });
  return {
    app,
    log,
    openApi,
    ready: async () => {
      await allAnswer(clients, now);
      await addFields(config, clients, log);
      await adoptAtStart(clients.elastic, new IndexNames(config.indexPrefix), clients.lineages);
      await clients.lineage.start();
    },
    look: () =>
      lookAt({ ...clients.lookedAt, elastic, lineage: clients.lineage, redis: { client: redis, prefix: config.redisPrefix }, now }),
    announceStop: () => {
      stopping = true;
    },
    close: async () => {
      redis.disconnect();
      clients.lineage.stop();
      await clients.queue.stop();
      await clients.owned.note().catch(() => undefined); // when a record was read again is all that is lost
      await Promise.all([
        elastic.close(),
        database.close(),
        clients.control.close(),
        clients.visibilities.close(),
        clients.screens.close(),
      ]);
    },
  };
}

/** The MCP server, loaded when an agent calls it for the first time: it is a sixth of what a process would load at its start. */
function mcpFor(config: Config, routes: RoutesBelow, log: Logger): AnswerMcp {
  const load = lazily(async (): Promise<AnswerMcp> => {
    const { mcpOverHttp } = await import('./mcp/http.ts');
    const onDefect = (error: unknown) => log.error({ err: error }, 'A tool failed');
    return mcpOverHttp({ routes, secret: config.cursorSecret, version: SCHEMA_VERSION, onDefect });
  });
  return async (...call) => (await load())(...call);
}

type Clients = ReturnType<typeof connect>;

/** What the links of mails do: unsubscribe, and confirm an address. */
function mailLinks({ database, queue }: Clients): [subscriptions: OutboxStore, confirm: MailLink] {
  const outbox = new OutboxStore(new JobStore(database, queue));
  const alerts = new AlertStore(database, new IdempotencyStore(database), outbox);
  return [outbox, { knows: (token) => alerts.asked(token), act: (token) => alerts.confirm(token) }];
}

function connect(config: Config, log: Logger, { watch, pool }: Observers) {
  const elastic = makeElastic({
    url: config.elasticsearchUrl,
    apiKey: config.elasticsearchApiKey ?? undefined,
    ca: config.elasticsearchCa ?? undefined,
    timeoutMs: elasticTimeoutMs(config),
    retries: 1,
    watch: watch?.elasticsearch,
  });
  const onError = (error: Error) => log.warn({ err: error }, 'A Postgres connection broke');
  const patience = config.serverPatience;
  const shared = { url: config.databaseUrl, schema: config.databaseSchema };
  const database = new Database({ ...shared, connections: config.databaseConnections, patience, onError, watch: watch?.postgres });
  const control = new Database({ ...shared, connections: CONTROL_CONNECTIONS, patience, onError, watch: watch?.postgres });
  pool?.('requests', () => database.use);
  pool?.('control', () => control.use);
  const queue = new JobQueue({ ...shared, onError });
  const redis = makeRedis({
    ...{ url: config.redisUrl, patience, watch: watch?.redis },
    onError: (error) => log.warn({ err: error }, 'The Redis connection broke'),
  });
  const suppressions = new Suppressions(control, config.keyPepper);
  const redisReadyMs = REDIS_READY_MS * patience;
  const lineages = new LineageStore(control, config.indexPrefix);
  const lineage = new LineageWatch({
    ...{ elastic, lineages, names: new IndexNames(config.indexPrefix), timeoutMs: elasticTimeoutMs(config) },
    onChange: (found) => logLineage(log, found),
  });
  const lookedAt = { prefix: config.indexPrefix, searchTimeoutMs: config.searchTimeoutMs, postgres: { ...shared, patience, onError } };
  const pools = { visibilities: new VisibilityPool(), screens: new ScreenerPool() };
  const owned = new OwnedPages(database);
  return { elastic, database, control, queue, redis, redisReadyMs, lookedAt, suppressions, lineages, lineage, owned, ...pools };
}

function apiRoutes(
  config: Config,
  { elastic, database, queue, suppressions, visibilities, lineage, owned }: Clients,
  { store, screener, now, observers }: { store: ProjectStore; screener: Screener; now: () => Date; observers: Observers },
): { routes: Route[]; open: OpenRoute[] } {
  const names = new IndexNames(config.indexPrefix);
  const documents = new MeetingDocumentStore(elastic, names, elasticTimeoutMs(config));
  const synced = new SyncedNames(config.indexPrefix);
  const changes = new ChangeFeed(elastic, synced, elasticTimeoutMs(config));
  const ledger = new Ledger(database, { guard: lineage, charged: observers.charged, owned });
  const idempotency = new IdempotencyStore(database);
  const jobs = new JobStore(database, queue, config.teamJobsWaiting);
  const unlocks = new UnlockStore(database);
  const enrichments = new EnrichmentStore(jobs, { idempotency, suppressions, unlocks });
  const places = loadPlaces();
  const accounts = new AccountStore(database);
  const ofAlerts = alertStores({ database, jobs, ledger, idempotency });
  const services = {
    ...{ store, ledger, idempotency, places, now, publicUrl: config.publicUrl },
    holdings: new HoldingStore(database),
    suppressions,
    sets: new ProjectSets(elastic, names, elasticTimeoutMs(config)),
    unlocks,
    enrichments,
    findsContacts: config.contactProviderUrl !== 'off',
    lineage,
    exports: new ExportStore(jobs, idempotency, enrichments),
    files: exportFilesOf(config),
    exportRowsMax: config.exportRowsMax,
    teamExportBytes: config.teamExportBytes,
    lists: new ListStore(database, idempotency, ofAlerts.outbox),
    alerts: ofAlerts.alerts,
  };
  const ofFeeds = {
    ...{ ...services, ...ofAlerts, accounts, changes, screener },
    sets: new ProjectSets(elastic, synced, elasticTimeoutMs(config)),
    relevance: new RelevanceStore(elastic, synced, elasticTimeoutMs(config)),
    judgingMs: config.searchTimeoutMs * JUDGING_SHARE,
    feeds: new AlertFeedStore(database, config.keyPepper),
    counted: observers.counted,
  };
  const aggregations = () => new AggregationStore(elastic, names, elasticTimeoutMs(config));
  const ofAnalytics = { ...services, visibilities, aggregations: aggregations() };
  const ofMaps = {
    ...services,
    aggregations: aggregations(),
    served: new ServedVersion(elastic, names, elasticTimeoutMs(config)),
    counted: observers.counted,
  };
  const routes = [
    ...projectMapRoutes(ofMaps),
    ...tileRoutes(ofMaps),
    ...projectRoutes({
      ...services,
      cursorSecret: config.cursorSecret,
      counted: observers.counted,
      ...{ changes, documents, syncStore: new ProjectStore(elastic, synced, elasticTimeoutMs(config)) },
      ahead: new ReadAhead(changes),
      tieLimit: config.syncTieLimit,
    }),
    ...aiSearchRoutes({
      ...services,
      accounts,
      searches: new AiSearchStore(jobs, idempotency, enrichments),
      outbox: new OutboxStore(jobs),
    }),
    ...exportRoutes(services),
    ...listRoutes({ ...services, accounts }),
    ...alertRoutes(ofFeeds),
    ...webhookRoutes({
      ...{ idempotency, now },
      targets: { allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts },
      webhooks: new WebhookStore(database, idempotency, new SecretBox(config.keyPepper)),
    }),
    ...enrichmentRoutes(services),
    ...analyticsRoutes(ofAnalytics),
    ...coverageRoutes(ofAnalytics),
    ...documentRoutes({ documents, ledger, idempotency }),
    ...locationRoutes(places),
    ...vocabularyRoutes(),
    ...accountRoutes({
      ledger,
      unlocks: services.unlocks,
      preferences: new PreferenceStore(database),
      places,
      rateLimits: { paid: config.rateLimitPaid, trial: config.rateLimitTrial },
      now,
    }),
  ];
  return { routes, open: feedRoutes(ofFeeds) };
}

/** One process at a time; the others then find nothing to add. */
async function addFields({ indexPrefix }: Config, { elastic, database }: Clients, log: Logger): Promise<void> {
  const fields = new FieldStore(elastic, new IndexNames(indexPrefix));
  const { added, warnings } = await oneAtATime(database, `fields:${indexPrefix}`, () => addFieldsAtStart(fields));
  if (added.length) log.info(`Added fields of this version to what is served: ${added.join(', ')}`);
  for (const warning of warnings) log.warn(warning);
}

function logLineage(log: Logger, found: Disagreement | null): void {
  if (found) log.error({ fault: found.fault }, found.message);
  else log.info('Elasticsearch serves what Postgres has recorded again');
}
