/** Several addresses of one Elasticsearch: which of them gets a request, and when one that failed is tried again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { BaseConnection, ClusterConnectionPool } from '@elastic/elasticsearch';
import { AnswerSerializer } from './answerBytes.ts';
import { AnswerConnection } from './answerConnection.ts';

type PoolRequest = Parameters<ClusterConnectionPool['getConnection']>[0];
type Connection = NonNullable<ReturnType<ClusterConnectionPool['getConnection']>>;

const { ALIVE } = BaseConnection.statuses;

/** The weight of the newest answer in the mean of a node's answer times. */
const NEWEST_WEIGHT = 0.2;
/** Time constant with which a node's mean answer time decays without answers, so that a slow node is tried again eventually. */
const FORGET_MS = 10_000;
/** First pause before a failed node is pinged; it doubles up to 32 times as long. */
const FIRST_PING_MS = 1_000;
/** Added to every mean, so that differences below a millisecond do not matter. */
const LEAST_MS = 1;
/** A node is slow if its probe takes at least this long, and so many times as long as that of the fastest node. */
const SLOW_LEAST_MS = 100;
const SLOW_TIMES = 3;
/** A timer may fire this much too early. */
const CLOCK_MS = 2;
/** Shortest time between the starts of two probes of a node. */
const PROBE_MS = 250;
/** A minimal request, whose answer contains the node's id. */
const PROBE = { method: 'GET', path: '/_nodes/_local/_none', querystring: 'filter_path=nodes.*.name', body: '' } as const;

const serializer = new AnswerSerializer();

/** A connection that keeps the mean time of its answers. A failed or cancelled request counts in full: it would have taken longer. */
export class NodeConnection extends AnswerConnection {
  #meanMs = 0;
  #lastAt = 0;
  #open = 0;
  #probing: Promise<void> | undefined;
  #probedAt = Number.NEGATIVE_INFINITY;
  #probeMs = 0;
  /** the node's id in Elasticsearch; undefined before the first answered probe */
  nodeId: string | undefined;

  /** Grows with the node's answer times and with the requests that it has not answered yet. */
  costAt(now: number): number {
    return (this.#meanMs * Math.exp((this.#lastAt - now) / FORGET_MS) + LEAST_MS) * (this.#open + 1);
  }

  /** Duration of its last probe, or of the current one so far if that is longer. */
  probeMsAt(now: number): number {
    return this.#probing ? Math.max(this.#probeMs, now - this.#probedAt) : this.#probeMs;
  }

  /** Probes the node, unless a probe is running or has just ended. @returns the end of the current probe; undefined if there is none, or the node is known to be slow */
  probe(now: number, timeoutMs: number): Promise<void> | undefined {
    if (!this.#probing && now - this.#probedAt >= PROBE_MS) {
      this.#probedAt = now;
      this.#probing = this.#askForId(timeoutMs).finally(() => this.#noteProbe(performance.now() - now));
    }
    return this.#probeMs > SLOW_LEAST_MS ? undefined : this.#probing;
  }

  #noteProbe(ms: number): void {
    const recovered = this.#probeMs > SLOW_LEAST_MS && ms <= SLOW_LEAST_MS;
    if (recovered) this.#meanMs = ms;
    this.#probeMs = ms;
    this.#probing = undefined;
  }

  async #askForId(timeoutMs: number): Promise<void> {
    const options = { timeout: timeoutMs, requestId: 'probe', name: 'probe', context: undefined };
    try {
      const { statusCode, body } = await super.request(PROBE, options);
      const { nodes = {} }: { nodes?: object } = statusCode === 200 ? serializer.deserialize(body) : {};
      [this.nodeId] = Object.keys(nodes);
    } catch {
      // A node that refuses connections is not slow: the pool excludes it.
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the class differ in what they return alone
  override async request(params: Parameters<AnswerConnection['request']>[0], options: any): Promise<any> {
    const began = performance.now();
    this.#open += 1;
    try {
      const answer = await super.request(params, options);
      this.#note(began, (mean, ms) => mean + (ms - mean) * NEWEST_WEIGHT);
      return answer;
    } catch (error) {
      this.#note(began, Math.max);
      throw error;
    } finally {
      this.#open -= 1;
    }
  }

  #note(began: number, meanOf: (mean: number, ms: number) => number): void {
    const now = performance.now();
    this.#meanMs = meanOf(this.#meanMs, now - began);
    this.#lastAt = now;
  }
}

/** The context of one request: the nodes to which it, or a repetition of it, has gone. */
export const newRequestContext = () => ({ triedNodes: new Set<Connection>() });

/**
 * Sends a request to the node that will probably answer first, among those that have not had it yet. Failed nodes are excluded until a ping
 * succeeds, slow ones until a probe is answered in time.
 */
export class NodePool extends ClusterConnectionPool {
  constructor(options: ConstructorParameters<typeof ClusterConnectionPool>[0]) {
    super(options);
    this.resurrectTimeout = FIRST_PING_MS;
  }

  override getConnection(request: PoolRequest): Connection | null {
    const { triedNodes }: ReturnType<typeof newRequestContext> = request.context ?? newRequestContext();
    const selector = (alive: Connection[]) => {
      const fresh = [this.#selectFast(alive), alive].map((some) => some.filter((connection) => !triedNodes.has(connection)));
      return findCheapest(fresh.find(({ length }) => length) ?? alive);
    };
    const connection = super.getConnection({ ...request, selector });
    if (connection) triedNodes.add(connection);
    return connection;
  }

  /**
   * Probes all nodes when an answer is late: the slow node may be the one that was asked, or one whose shard copy that node queries.
   * @returns when it is known which nodes are slow
   */
  async probe(): Promise<void> {
    const probes = this.#beginProbes().filter((probe) => probe !== undefined);
    if (probes.length) await Promise.race([Promise.all(probes), sleep(SLOW_LEAST_MS + CLOCK_MS)]);
  }

  #beginProbes(): (Promise<void> | undefined)[] {
    const now = performance.now();
    return (this.connections as NodeConnection[]).map((connection) => connection.probe(now, this.pingTimeout));
  }

  /**
   * The search parameter `preference` that selects shard copies on nodes that are not slow; undefined while none is slow. Without it the node that
   * gets a search would choose copies by its own measurements, and try slow ones again and again.
   */
  get preference(): string | undefined {
    const alive = this.connections.filter(({ status }) => status === ALIVE);
    const fast = this.#selectFast(alive);
    if (fast.length === alive.length) return undefined;
    const ids = fast.flatMap(({ nodeId }) => nodeId ?? []);
    return ids.length ? `_prefer_nodes:${ids.join()}` : undefined;
  }

  /** The nodes that are not slow; while one is slow, all are probed regularly. */
  #selectFast(connections: readonly Connection[]): NodeConnection[] {
    const nodes = connections as NodeConnection[];
    const now = performance.now();
    const most = Math.max(SLOW_LEAST_MS, SLOW_TIMES * Math.min(...nodes.map((node) => node.probeMsAt(now))));
    const fast = nodes.filter((node) => node.probeMsAt(now) <= most);
    if (fast.length < nodes.length) this.#beginProbes();
    return fast;
  }

  /** As in the client, but with only one ping at a time. */
  override resurrect(request: PoolRequest): void {
    super.resurrect(request);
    const asked = this.connections.find(({ id }) => id === this.dead[0]);
    if (asked && asked.resurrectTimeout <= request.now) asked.resurrectTimeout = request.now + this.pingTimeout;
  }
}

function findCheapest(connections: readonly Connection[]): Connection {
  const now = performance.now();
  const costs = connections.map((connection) => (connection as NodeConnection).costAt(now));
  return connections[costs.indexOf(Math.min(...costs))] as Connection;
}
