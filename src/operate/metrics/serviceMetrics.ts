/** The metrics of a process: from its observers and from queries of the servers, with the port where Prometheus reads them. */
import type { Logger } from 'pino';
import { collectDefaultMetrics, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { CallOutcome, Watch } from '../../core/store/callWatch.ts';
import type { PoolUse } from '../../core/store/postgres/pool.ts';
import type { EndedRequest } from '../../http/requestLog.ts';
import { Collector, type Source } from './collect.ts';
import { METRICS } from './definitions.ts';
import { MetricValues } from './metricValues.ts';
import type { Observers } from './observers.ts';
import { CountsOfOne } from './probing.ts';
import { makeServerSources } from './serverMetrics.ts';
import type { ServerQueries } from './serverQueries.ts';

/** Gauges whose names end like those of counters. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];
/** Error codes that refuse a credential. */
const REFUSED_LOGINS: ReadonlySet<string> = new Set([
  'missing_api_key',
  'unauthorized',
  'key_expired',
  'account_disabled',
  'subscription_required',
]);

/** What one process counted and measured, to be added to that of others. */
export type ProcessValues = MetricObjectWithValues<MetricValue<string>>[];

export class ServiceMetrics {
  readonly #measures = new MetricValues();
  readonly #measure = this.#measures.measure;
  readonly #pools = new Map<string, () => PoolUse>();
  readonly #probing: CountsOfOne;
  readonly #keptMs: number | undefined;
  #sources: readonly Source[] = [];
  #collector = new Collector([]);

  /** @param keptMs how long results of queries are cached; for tests */
  constructor(log: Logger, keptMs?: number) {
    this.#keptMs = keptMs;
    for (const metric of Object.values(METRICS)) this.#measures.add(metric);
    const register = this.#measures.registry;
    collectDefaultMetrics({ register });
    for (const name of MISNAMED) register.removeSingleMetric(name);
    this.#probing = new CountsOfOne((team, counts) => log.warn({ team, counts }, 'A pool sends many counts of a single record'));
  }

  /** The observers for the parts of the process. */
  readonly observers: Required<Omit<Observers, 'begin'>> = {
    watch: {
      elasticsearch: watchWith((operation, outcome, seconds) => this.#measure(METRICS.elasticCalls, { operation, outcome }, seconds)),
      postgres: watchWith((statement, outcome, seconds) => this.#measure(METRICS.statements, { statement, outcome }, seconds)),
      redis: watchWith((command, outcome, seconds) => this.#measure(METRICS.commands, { command, outcome }, seconds)),
    },
    request: (request) => this.#noteRequest(request),
    attempt: ({ kind, outcome, seconds }) => this.#measure(METRICS.attempts, { kind, outcome }, seconds),
    charged: (subject, credits) => this.#measure(METRICS.charged, { subject }, credits),
    counted: (teamId, matches) => this.#probing.note(teamId, matches),
    pool: (name, use) => this.#pools.set(name, use),
    measure: this.#measure,
  };

  #noteRequest({ method, route, status, gone, seconds, code, notLookedUp }: EndedRequest): void {
    this.#measure(METRICS.requests, { method, route, status: gone ? 'gone' : `${Math.floor(status / 100)}xx` }, seconds);
    if (code) this.#measure(METRICS.refusals, { code }, 1);
    if (notLookedUp) this.#measure(METRICS.refusedLogins, { reason: 'too_many_tries' }, 1);
    else if (code && REFUSED_LOGINS.has(code)) this.#measure(METRICS.refusedLogins, { reason: code }, 1);
  }

  /** All metrics in the text format of Prometheus. Takes little over a second at most. */
  async text(): Promise<string> {
    await this.#collect(true);
    return this.#measures.registry.metrics();
  }

  /** The same as values. @param ofServers whether what the servers say is among them; of several processes one has to say it */
  async values(ofServers: boolean): Promise<ProcessValues> {
    await this.#collect(ofServers);
    return this.#measures.registry.getMetricsAsJSON();
  }

  async #collect(ofServers: boolean): Promise<void> {
    if (ofServers) await this.#collector.collect();
    else for (const source of this.#sources) source.forget();
    this.#measure(METRICS.poolsProbing, {}, this.#probing.poolsAbove);
    for (const [pool, use] of this.#pools) {
      const { busy, idle, waiting, max } = use();
      for (const [state, count] of Object.entries({ busy, idle, waiting })) this.#measure(METRICS.connections, { pool, state }, count);
      this.#measure(METRICS.connectionsMax, { pool }, max);
    }
  }

  /** From now on the servers are asked, too. */
  watchServers(queries: ServerQueries): void {
    for (const metric of queries.metrics) this.#measures.add(metric);
    this.#sources = makeServerSources(this.#measures, queries);
    for (const source of this.#sources) source.forget();
    this.#collector = new Collector(this.#sources, this.#keptMs);
  }

  close(): void {
    this.#measures.registry.clear();
  }
}

function watchWith(observe: (operation: string, outcome: CallOutcome, seconds: number) => void): Watch {
  return (operation) => {
    const begun = performance.now();
    return (outcome) => observe(operation, outcome, (performance.now() - begun) / 1000);
  };
}
