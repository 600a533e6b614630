/** Several addresses of one Elasticsearch: which of them gets a request, and when one that failed is tried again. */
import { BaseConnection, ClusterConnectionPool } from '@elastic/elasticsearch';
import { AnswerSerializer } from './answerBytes.ts';
import { AnswerConnection } from './answerConnection.ts';

type PoolRequest = Parameters<ClusterConnectionPool['getConnection']>[0];
type Connection = NonNullable<ReturnType<ClusterConnectionPool['getConnection']>>;

const { ALIVE } = BaseConnection.statuses;

/** The weight of the newest answer in the mean of a node's answer times. */
const NEWEST_WEIGHT = 0.2;
/** After so long without an answer a node counts as e times as fast as it was, so that a slow one is tried again some day. */
const FORGET_MS = 10_000;
/** A node that failed is asked whether it is back after this time, then after twice as long, up to 32 times as long. */
const FIRST_PING_MS = 1_000;
/** Added to every mean, so that differences below a millisecond do not decide. */
const LEAST_MS = 1;
/** A node is slow whose answers take so many times as long as those of the fastest, and longer than so much. */
const SLOW_TIMES = 3;
const SLOW_LEAST_MS = 100;
/** A slow node gets no requests but one so often that asks for little, by whose time it is known when it is slow no longer. */
const PROBE_MS = 2_000;
/** Its answer names the node. */
const PROBE = { method: 'GET', path: '/_nodes/_local', querystring: 'filter_path=nodes.*.name', body: '' } as const;

const serializer = new AnswerSerializer();

/** A connection that keeps the mean time of its answers. A failed or cancelled request counts in full: it would have taken longer. */
export class NodeConnection extends AnswerConnection {
  #meanMs = 0;
  #lastAt = 0;
  #open = 0;
  #probing = false;
  #probedAt = Number.NEGATIVE_INFINITY;
  /** of the node, once it has said it; '' where it may not be asked */
  nodeId: string | undefined;

  meanAt(now: number): number {
    return this.#meanMs * Math.exp((this.#lastAt - now) / FORGET_MS) + LEAST_MS;
  }

  /** Grows with the node's answer times and with the requests that it has not answered yet. */
  costAt(now: number): number {
    return this.meanAt(now) * (this.#open + 1);
  }

  /** Asks for little, unless that is under way or was done a moment ago. */
  probe(now: number, timeoutMs: number): void {
    if (this.#probing || now - this.#probedAt < PROBE_MS) return;
    this.#probedAt = now;
    this.#probing = true;
    this.request(PROBE, { timeout: timeoutMs, requestId: 'probe', name: 'probe', context: undefined })
      .then(({ statusCode, body }) => {
        const { nodes = {} }: { nodes?: object } = statusCode === 200 ? serializer.deserialize(body) : {};
        this.nodeId = Object.keys(nodes)[0] ?? '';
      })
      .catch(() => undefined) // a dead node is looked after by the pool
      .finally(() => {
        this.#probing = false;
      });
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
 * Gives a request to the node that answers soonest, of those that have not had it. Nodes that failed are left out until a ping succeeds, slow
 * ones while their probes are slow.
 */
export class NodePool extends ClusterConnectionPool {
  constructor(options: ConstructorParameters<typeof ClusterConnectionPool>[0]) {
    super(options);
    this.resurrectTimeout = FIRST_PING_MS;
  }

  override getConnection(request: PoolRequest): Connection | null {
    const { triedNodes }: ReturnType<typeof newRequestContext> = request.context ?? newRequestContext();
    const selector = (alive: Connection[]) => {
      const fast = this.#fastOf(alive as NodeConnection[]);
      const fresh = [fast, alive].map((some) => some.filter((connection) => !triedNodes.has(connection)));
      return cheapest(fresh.find(({ length }) => length) ?? alive);
    };
    const connection = super.getConnection({ ...request, selector });
    if (connection) triedNodes.add(connection);
    return connection;
  }

  /**
   * Where some node is slow or dead, the nodes whose copies of shards a search is to be sent to, as the parameter `preference` has it: the node
   * that gets the search would choose among all copies by what it has seen itself.
   */
  get preference(): string | undefined {
    const connections = this.connections as NodeConnection[];
    const fast = this.#fastOf(connections.filter(({ status }) => status === ALIVE));
    if (fast.length === connections.length) return undefined;
    const now = performance.now();
    for (const connection of fast) if (connection.nodeId === undefined) connection.probe(now, this.pingTimeout);
    const ids = fast.flatMap(({ nodeId }) => nodeId || []);
    return ids.length ? `_prefer_nodes:${ids.join()}` : undefined;
  }

  /** Those that are not slow; the others are probed. */
  #fastOf(connections: readonly NodeConnection[]): NodeConnection[] {
    const now = performance.now();
    const means = connections.map((connection) => connection.meanAt(now));
    const most = Math.max(SLOW_LEAST_MS, SLOW_TIMES * Math.min(...means));
    const isFast = (_: unknown, at: number) => (means[at] as number) <= most;
    for (const [at, connection] of connections.entries()) if (!isFast(connection, at)) connection.probe(now, this.pingTimeout);
    return connections.filter(isFast);
  }

  /** As the client has it, but with one ping under way at a time. */
  override resurrect(request: PoolRequest): void {
    super.resurrect(request);
    const asked = this.connections.find(({ id }) => id === this.dead[0]);
    if (asked && asked.resurrectTimeout <= request.now) asked.resurrectTimeout = request.now + this.pingTimeout;
  }
}

function cheapest(connections: readonly Connection[]): Connection {
  const now = performance.now();
  const costs = connections.map((connection) => (connection as NodeConnection).costAt(now));
  return connections[costs.indexOf(Math.min(...costs))] as Connection;
}
