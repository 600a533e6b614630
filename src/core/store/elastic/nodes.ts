/** Several addresses of one Elasticsearch: which of them gets a request, and when one that failed is tried again. */
import { ClusterConnectionPool } from '@elastic/elasticsearch';
import { AnswerConnection } from './answerConnection.ts';

type PoolRequest = Parameters<ClusterConnectionPool['getConnection']>[0];
type Connection = NonNullable<ReturnType<ClusterConnectionPool['getConnection']>>;

/** The weight of the newest answer in the mean of a node's answer times. */
const NEWEST_WEIGHT = 0.2;
/** After so long without an answer a node counts as e times as fast as it was, so that a slow one is tried again some day. */
const FORGET_MS = 10_000;
/** A node that failed is asked whether it is back after this time, then after twice as long, up to 32 times as long. */
const FIRST_PING_MS = 1_000;
/** Added to every mean, so that differences below a millisecond do not decide. */
const LEAST_MS = 1;

/** A connection that keeps the mean time of its answers. A failed or cancelled request counts in full: it would have taken longer. */
export class NodeConnection extends AnswerConnection {
  #meanMs = 0;
  #lastAt = 0;
  #open = 0;

  /** Grows with the node's answer times and with the requests that it has not answered yet. */
  costAt(now: number): number {
    return (this.#meanMs * Math.exp((this.#lastAt - now) / FORGET_MS) + LEAST_MS) * (this.#open + 1);
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

/** Gives a request to the node that answers soonest, of those that have not had it. Nodes that failed are left out until a ping succeeds. */
export class NodePool extends ClusterConnectionPool {
  constructor(options: ConstructorParameters<typeof ClusterConnectionPool>[0]) {
    super(options);
    this.resurrectTimeout = FIRST_PING_MS;
  }

  override getConnection(request: PoolRequest): Connection | null {
    const { triedNodes }: ReturnType<typeof newRequestContext> = request.context ?? newRequestContext();
    const selector = (alive: Connection[]) => {
      const fresh = alive.filter((connection) => !triedNodes.has(connection));
      return cheapest(fresh.length ? fresh : alive);
    };
    const connection = super.getConnection({ ...request, selector });
    if (connection) triedNodes.add(connection);
    return connection;
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
