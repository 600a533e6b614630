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
/** After so long without an answer a node counts as e times as fast as it was, so that a slow one is tried again some day. */
const FORGET_MS = 10_000;
/** A node that failed is asked whether it is back after this time, then after twice as long, up to 32 times as long. */
const FIRST_PING_MS = 1_000;
/** Added to every mean, so that differences below a millisecond do not decide. */
const LEAST_MS = 1;
/** A node is slow that takes so long to answer a probe, and so many times as long as the soonest. */
const SLOW_LEAST_MS = 100;
const SLOW_TIMES = 3;
/** By so much a timer may be early. */
const CLOCK_MS = 2;
/** Probes of a node begin no sooner after each other. */
const PROBE_MS = 250;
/** Asks for next to nothing. The answer has the node's id. */
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
  /** as Elasticsearch has it; undefined until a probe has told it */
  nodeId: string | undefined;

  /** Grows with the node's answer times and with the requests that it has not answered yet. */
  costAt(now: number): number {
    return (this.#meanMs * Math.exp((this.#lastAt - now) / FORGET_MS) + LEAST_MS) * (this.#open + 1);
  }

  /** How long its last probe took, or the one under way has taken if that is longer. */
  probeMsAt(now: number): number {
    return this.#probing ? Math.max(this.#probeMs, now - this.#probedAt) : this.#probeMs;
  }

  /** Asks how fast the node is, unless that is under way or was done a moment ago. @returns when it is known, of one that was not slow */
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
      // One that refuses connections is no slow node: the pool leaves it out.
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
 * Gives a request to the node that answers soonest, of those that have not had it. Nodes that failed are left out until a ping succeeds, slow ones
 * until a probe is answered soon.
 */
export class NodePool extends ClusterConnectionPool {
  constructor(options: ConstructorParameters<typeof ClusterConnectionPool>[0]) {
    super(options);
    this.resurrectTimeout = FIRST_PING_MS;
  }

  override getConnection(request: PoolRequest): Connection | null {
    const { triedNodes }: ReturnType<typeof newRequestContext> = request.context ?? newRequestContext();
    const selector = (alive: Connection[]) => {
      const fresh = [this.#fastOf(alive), alive].map((some) => some.filter((connection) => !triedNodes.has(connection)));
      return cheapest(fresh.find(({ length }) => length) ?? alive);
    };
    const connection = super.getConnection({ ...request, selector });
    if (connection) triedNodes.add(connection);
    return connection;
  }

  /**
   * Asks all nodes how fast they are: an answer is late, and it need not be the node that was asked, but one whose copy of a shard that one asks.
   * @returns when it is known which of them have become slow
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
   * While a node is slow, the others, as those whose copies of shards a search is to look at, in the form of the parameter `preference`. The node that
   * gets a search would choose copies by its own measurements, and try each slow one again and again.
   */
  get preference(): string | undefined {
    const alive = this.connections.filter(({ status }) => status === ALIVE);
    const fast = this.#fastOf(alive);
    if (fast.length === alive.length) return undefined;
    const ids = fast.flatMap(({ nodeId }) => nodeId ?? []);
    return ids.length ? `_prefer_nodes:${ids.join()}` : undefined;
  }

  /** Those that are not slow; while one is, all are probed on and on. */
  #fastOf(connections: readonly Connection[]): NodeConnection[] {
    const nodes = connections as NodeConnection[];
    const now = performance.now();
    const most = Math.max(SLOW_LEAST_MS, SLOW_TIMES * Math.min(...nodes.map((node) => node.probeMsAt(now))));
    const fast = nodes.filter((node) => node.probeMsAt(now) <= most);
    if (fast.length < nodes.length) this.#beginProbes();
    return fast;
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
