import { readFileSync } from 'node:fs';
import { Client, errors, type estypes, Transport, type TransportOptions } from '@elastic/elasticsearch';
import { ApiError } from '../../domain/errors.ts';
import { type CallOutcome, type Watch, watchCall } from '../callWatch.ts';
import { runAfterReading } from '../serverSilence.ts';
import { AnswerSerializer } from './answerBytes.ts';
import { AnswerConnection } from './answerConnection.ts';
import { Hedge } from './hedge.ts';
import { NodeConnection, NodePool, newRequestContext } from './nodes.ts';
import { type ExpandClause, expandBody } from './ownClauses.ts';

interface ElasticOptions {
  /** of the server, or of several nodes of one cluster */
  url: string | readonly string[];
  apiKey?: string | undefined;
  /** path of a certificate authority's PEM file */
  ca?: string | undefined;
  /** longest time of one attempt of a request */
  timeoutMs: number;
  /** attempts after the first */
  retries: number;
  watch?: Watch | undefined;
  /** makes clauses that only this product knows; without it Elasticsearch refuses them */
  expand?: ExpandClause | undefined;
}

/** Makes the Elasticsearch client of this product; called by the app and by command-line programs only. */
export function makeElastic(options: ElasticOptions): Client {
  const nodes = [options.url].flat();
  const severalNodes = nodes.length > 1;
  return new Client({
    nodes,
    ...(options.apiKey ? { auth: { apiKey: options.apiKey } } : {}),
    ...(options.ca ? { tls: { ca: readFileSync(options.ca) } } : {}),
    requestTimeout: options.timeoutMs,
    maxRetries: Math.max(options.retries, options.retries && nodes.length - 1),
    compression: false,
    Serializer: AnswerSerializer,
    Transport: transportWith(options, nodes.length),
    ...(severalNodes ? { ConnectionPool: NodePool, Connection: NodeConnection } : { Connection: AnswerConnection }),
  });
}

type Sent = Parameters<Transport['request']>;

function outcomeOf(error: unknown, signal: AbortSignal | undefined): CallOutcome {
  if (error instanceof errors.ResponseError) return OUTAGE_STATUSES.has(error.statusCode ?? 0) ? 'failed' : 'refused';
  // The reason of a deadline is the error that the request is answered with.
  const isCancelled = error instanceof errors.RequestAbortedError && signal?.aborted && !(signal.reason instanceof ApiError);
  return isCancelled ? 'cancelled' : 'failed';
}

/** APIs that only read, and keep nothing open: sent twice, they do no harm. */
const HEDGED: ReadonlySet<string> = new Set(['search', 'msearch', 'mget', 'get', 'count']);
/** A search in a point in time names no copies of shards: those are chosen when it is opened. */
const IN_POINT_IN_TIME = '/_search';

/** What the client's transport does at this product. Spans are made by src/operate/tracing alone. */
function transportWith({ watch, expand }: ElasticOptions, nodeCount: number): typeof Transport {
  const send = nodeCount > 1 ? new SeveralNodes(nodeCount) : undefined;
  return class extends Transport {
    constructor(options: TransportOptions) {
      super({ ...options, openTelemetry: { enabled: false } });
    }

    /** Reports each call to the watch under the name of its API, such as `search`; retries count as one call. */
    // biome-ignore lint/suspicious/noExplicitAny: the overloads of the class differ in what they return alone
    override async request(given: Sent[0], options?: Sent[1]): Promise<any> {
      const params = expand && QUERYING.has(given.meta?.name ?? '') ? await expandParams(given, expand) : given;
      const name = params.meta?.name ?? 'other';
      const outcome = (error: unknown) => outcomeOf(error, options?.signal);
      if (!send) return watchCall(watch, name, () => super.request(params, options), outcome);
      const pool = this.connectionPool as NodePool;
      const request = (changed: Sent[1]) => super.request(withPreference(params, pool), changed);
      return watchCall(watch, name, () => send.request(name, request, pool, options), outcome);
    }
  };
}

/** APIs whose bodies have queries of clients. */
const QUERYING: ReadonlySet<string> = new Set(['search', 'msearch', 'count']);

async function expandParams(params: Sent[0], expand: ExpandClause): Promise<Sent[0]> {
  const [body, bulkBody] = await Promise.all([expandBody(params.body, expand), expandBody(params.bulkBody, expand)]);
  return { ...params, ...(body === undefined ? {} : { body }), ...(bulkBody === undefined ? {} : { bulkBody }) };
}

/** The same request, of copies of shards on nodes that are not slow, where it chooses any. */
function withPreference(params: Sent[0], { preference }: NodePool): Sent[0] {
  const { meta, path, bulkBody, querystring } = params;
  const isRead = HEDGED.has(meta?.name ?? '') || meta?.name === 'open_point_in_time';
  if (!preference || !isRead || path === IN_POINT_IN_TIME) return params;
  if (!Array.isArray(bulkBody)) return { ...params, querystring: { ...asObject(querystring), preference } };
  return { ...params, bulkBody: bulkBody.map((line, at) => (at % 2 ? line : { ...(line as object), preference })) as object[] };
}

const asObject = (querystring: Sent[0]['querystring']): Record<string, unknown> =>
  typeof querystring === 'string' ? Object.fromEntries(new URLSearchParams(querystring)) : { ...querystring };

/** How requests are sent where several nodes can answer. */
class SeveralNodes {
  readonly #hedge = new Hedge();
  readonly #retriesLeast: number;

  constructor(nodeCount: number) {
    this.#retriesLeast = nodeCount - 1;
  }

  /** Tries every node before it gives up, and a slow search at a second node as well. */
  request<T>(name: string, send: (options: Sent[1]) => Promise<T>, pool: NodePool, given: Sent[1] = {}): Promise<T> {
    const options = {
      ...given,
      context: newRequestContext(),
      ...(given.maxRetries ? { maxRetries: Math.max(given.maxRetries, this.#retriesLeast) } : {}),
    };
    if (!HEDGED.has(name)) return send(options);
    return this.#hedge.send(
      name,
      (signal) => send({ ...options, signal }),
      given.signal,
      () => pool.probe(),
    );
  }
}

const RETRY_AFTER_SECONDS = 2;

/** The error for a search backend that is unreachable, late or incomplete. */
export function searchUnavailable(cause: unknown): ApiError {
  return new ApiError('search_unavailable', 'The search backend cannot answer right now; nothing was charged. Retry shortly.', {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    cause,
  });
}

/** Statuses that mean an outage: missing privileges, no alias before the first load, overload, failed shards. */
const OUTAGE_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 408, 429, 500, 502, 503, 504]);
/** An outage that Elasticsearch reports with status 400. */
const CLOSED_INDEX = 'index_closed_exception';

function isOutage(error: errors.ResponseError): boolean {
  return OUTAGE_STATUSES.has(error.statusCode ?? 0) || error.body?.error?.type === CLOSED_INDEX;
}

/** The error as ApiError if it is an outage; any other error unchanged. */
export function asSearchError(error: unknown): unknown {
  if (error instanceof errors.ResponseError) return isOutage(error) ? searchUnavailable(error) : error;
  return error instanceof errors.ElasticsearchClientError ? searchUnavailable(error) : error;
}

/**
 * Awaits an answer that several requests share, until this request's signal aborts.
 * @throws ApiError `search_unavailable` when `signal` aborts first
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const late = () => reject(searchUnavailable(signal.reason));
    if (signal.aborted) late();
    signal.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}

interface Answered {
  timed_out: boolean;
  _shards: { total: number; successful: number; failed: number };
}

/** One immediate retry for a broken kept-alive connection; the client's default pause of a second or two would exceed the deadline. */
export const ONE_RETRY = { maxRetries: 1, retryBackoff: () => 0 };

type Send<T> = (options: { signal: AbortSignal; maxRetries: number; retryBackoff: () => number }) => Promise<T>;

/**
 * Sends a request, and cancels it after `timeoutMs` or when `signal` aborts.
 * @throws ApiError `search_unavailable`
 */
export async function limitToDeadline<T>(send: Send<T>, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  // Not AbortSignal.timeout: the client would retry its TimeoutError like a broken connection.
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  const giveUp = () => stop.abort(searchUnavailable(`No answer within ${timeoutMs} ms`));
  const deadline = setTimeout(() => runAfterReading(giveUp), timeoutMs);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await send({ signal: stop.signal, ...ONE_RETRY });
  } catch (error) {
    throw asSearchError(error);
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Sends one search with a deadline.
 * @throws ApiError `search_unavailable`
 */
export async function askElastic<T extends Answered>(send: Send<T>, timeoutMs: number, signal?: AbortSignal): Promise<T> {
  return throwIfPartial(await limitToDeadline(send, timeoutMs, signal));
}

/** One search, whose answer is whole or refused. @throws ApiError `search_unavailable` */
export const searchElastic = <T = unknown, A = Record<string, estypes.AggregationsAggregate>>(
  { client, timeoutMs, signal }: { client: Client; timeoutMs: number; signal?: AbortSignal | undefined },
  search: estypes.SearchRequest,
) =>
  askElastic(
    (options) => client.search<T, A>({ allow_partial_search_results: false, timeout: `${timeoutMs}ms`, ...search }, options),
    timeoutMs,
    signal,
  );

/**
 * The answer, if it is whole. A late one, or one without all shards, is an outage: a search never shows fewer matches.
 * @throws ApiError `search_unavailable`
 */
export function throwIfPartial<T extends Answered>(result: T): T {
  if (result.timed_out || result._shards.failed > 0 || result._shards.successful < result._shards.total)
    throw searchUnavailable(`timed_out ${result.timed_out}, shards ${JSON.stringify(result._shards)}`);
  return result;
}

/**
 * Combines several answers into one.
 * @throws ResponseError of the first that failed
 */
export function combineAnswers<T>(responses: estypes.MsearchResponseItem<T>[]) {
  const answers = responses.map((response) => {
    if ('error' in response)
      throw new errors.ResponseError({ statusCode: response.status, body: response, headers: {}, warnings: [], meta: {} as never });
    return response;
  });
  const sum = (pick: (shards: estypes.ShardStatistics) => number) => answers.reduce((total, { _shards }) => total + pick(_shards), 0);
  return {
    timed_out: answers.some((answer) => answer.timed_out),
    _shards: { total: sum((s) => s.total), successful: sum((s) => s.successful), failed: sum((s) => s.failed) },
    answers,
  };
}
