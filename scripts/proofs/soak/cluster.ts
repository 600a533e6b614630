/** An Elasticsearch cluster of three nodes for a proof, which can kill, restart and slow down any of them. */
import { setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../../src/terminal/program.ts';
import type { Random } from '../../sample/random.ts';
import { startElasticsearch } from '../../stack/elasticsearch.ts';
import { secondsSince } from '../../stack/errors.ts';
import { freePort, HOST } from '../../stack/ports.ts';
import type { ServerProcess } from '../../stack/processes.ts';
import { onForcedEnd } from '../../stack/signals.ts';
import { prepareStack } from '../../stack/start.ts';
import type { StackRun } from '../../stack/state.ts';
import { ThreadedProxy } from './proxies.ts';

const NODES = 3;
const USUAL_HEAP = '768m';
const POLL_MS = 250;
const PING_MS = 5_000;
/** Three nodes may start at once on a busy machine. */
const GREEN_MS = 600_000;

/** Proxies in front of a node: one for the service's requests, one for those of the other nodes. */
interface NodeProxies {
  http: ThreadedProxy;
  transport: ThreadedProxy;
}

interface ClusterNode {
  name: string;
  port: number;
  transportPort: number;
  server: (ServerProcess & { url: string }) | undefined;
  proxies: NodeProxies | undefined;
}

interface ClusterOptions {
  /** of each node */
  heap?: string;
  /** whether nodes can be slowed down */
  isProxied?: boolean;
  /** of each node: a positive one leaves the cores to the service's processes first, as if the nodes had machines of their own */
  niceness?: number;
}

type Start = (node: ClusterNode) => ServerProcess & { url: string };

export class Cluster implements AsyncDisposable {
  readonly #nodes: readonly ClusterNode[];
  readonly #start: Start;
  readonly #run: StackRun;
  readonly #takeBack: () => void;

  private constructor(nodes: readonly ClusterNode[], start: Start, run: StackRun) {
    this.#nodes = nodes;
    this.#start = start;
    this.#run = run;
    this.#takeBack = onForcedEnd(() => run.remove());
  }

  /** Starts the nodes and waits until the cluster is green. */
  static async start(
    projectRoot: string,
    log: (line: string) => void,
    signal: AbortSignal,
    { heap = USUAL_HEAP, isProxied = false, niceness = 0 }: ClusterOptions = {},
  ): Promise<Cluster> {
    const began = Date.now();
    const {
      run,
      user,
      java,
      elasticsearchHome: home,
      dataFolder,
    } = await prepareStack({ root: projectRoot, ephemeral: true, log, signal });
    const nodes = await makeNodes(isProxied);
    const seeds = nodes.map(({ transportPort }) => `${HOST}:${transportPort}`).join();
    const start: Start = ({ name, port, transportPort, proxies }) => {
      const dataDir = path.join(dataFolder, name);
      const server = startElasticsearch({
        home,
        dataDir,
        logFile: path.join(run.logs, `${name}.log`),
        port,
        transportPort,
        java,
        user,
        heap,
        settings: {
          'cluster.name': `prove-sync-${process.pid}`,
          'node.name': name,
          'cluster.routing.allocation.disk.threshold_enabled': 'false',
          'discovery.seed_hosts': seeds,
          'cluster.initial_master_nodes': nodes.map((node) => node.name).join(),
          ...(proxies ? { 'transport.publish_port': new URL(proxies.transport.url).port } : {}),
        },
      });
      setPriority(server.pid, niceness);
      run.addServer(server, dataDir);
      return server;
    };
    await using starting = new AsyncDisposableStack();
    const cluster = starting.use(new Cluster(nodes, start, run));
    for (const node of nodes) node.server = start(node);
    await cluster.untilGreen(signal);
    log(`Three Elasticsearch nodes are green (${secondsSince(began)}).`);
    starting.move();
    return cluster;
  }

  /** Addresses of all nodes, in their order, whether they are up or not; those of the proxies, if there are any. */
  get urls(): string[] {
    return this.#nodes.map(({ port, proxies }) => proxies?.http.url ?? `http://${HOST}:${port}`);
  }

  get #directUrls(): string[] {
    return this.#nodes.map(({ port }) => `http://${HOST}:${port}`);
  }

  /** Address of a node that is up. */
  get anyUrl(): string {
    const node = this.#nodes.find(({ server }) => server && !server.hasExited());
    return `http://${HOST}:${node?.port}`;
  }

  /** Kills a random node. @returns what restarts it and waits until the cluster is green */
  async killNode(random: Random, signal: AbortSignal): Promise<() => Promise<void>> {
    const at = random.int(0, NODES - 1);
    await this.kill(at);
    return async () => {
      await this.restart(at);
      await this.untilGreen(signal);
    };
  }

  async kill(at: number): Promise<void> {
    const node = this.#nodes[at] as ClusterNode;
    node.server?.kill();
    await Promise.all([node.server?.exited, node.proxies?.http.stop(), node.proxies?.transport.stop()]);
    if (node.server) this.#run.dropServer(node.server);
  }

  /** Restarts a killed node, without waiting until it answers. */
  async restart(at: number): Promise<void> {
    const node = this.#nodes[at] as ClusterNode;
    await Promise.all([node.proxies?.http.start(), node.proxies?.transport.start()]);
    node.server = this.#start(node);
  }

  /** Waits until a restarted node answers. */
  async untilAnswers(at: number, signal: AbortSignal): Promise<void> {
    const url = this.#directUrls[at] as string;
    for (const until = Date.now() + GREEN_MS; Date.now() < until; await sleep(POLL_MS)) {
      signal.throwIfAborted();
      const health = await fetch(`${url}/_cluster/health`, { signal: AbortSignal.timeout(PING_MS) }).catch(() => undefined);
      if (health?.ok) return;
    }
    throw new UserError(`A node that was started again did not answer in ${GREEN_MS / 1000} s.`);
  }

  /** Delays every answer of a node to the service and to the other nodes. */
  async slow(at: number, delayMs: number): Promise<void> {
    const { proxies } = this.#nodes[at] as ClusterNode;
    if (!proxies) throw new Error('There is no proxy before this node');
    await Promise.all([proxies.http.delay(delayMs), proxies.transport.delay(delayMs)]);
  }

  /** Waits until all nodes have joined and all copies of all shards are allocated. */
  async untilGreen(signal: AbortSignal): Promise<void> {
    for (const until = Date.now() + GREEN_MS; Date.now() < until; await sleep(POLL_MS)) {
      signal.throwIfAborted();
      const answers = await Promise.all(this.#directUrls.map(isWhole));
      if (answers.every(Boolean)) return;
    }
    throw new UserError(`The three Elasticsearch nodes were not green after ${GREEN_MS / 1000} s.`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#nodes.map(({ server }) => server?.stop()));
    await Promise.all(this.#nodes.flatMap(({ proxies }) => [proxies?.http.end(), proxies?.transport.end()]));
    this.#run.remove();
    this.#takeBack();
  }
}

async function makeNodes(isProxied: boolean): Promise<ClusterNode[]> {
  const ports = new Set<number>();
  while (ports.size < NODES * 2) ports.add(await freePort());
  const list = [...ports];
  const places = Array.from({ length: NODES }, (_, at) => ({ port: list[at * 2] as number, transportPort: list[at * 2 + 1] as number }));
  return Promise.all(
    places.map(async ({ port, transportPort }, at) => ({
      name: `node-${at + 1}`,
      port,
      transportPort,
      server: undefined,
      proxies: isProxied ? { http: await startProxy(port), transport: await startProxy(transportPort) } : undefined,
    })),
  );
}

async function startProxy(port: number): Promise<ThreadedProxy> {
  const proxy = new ThreadedProxy({ url: `http://${HOST}:${port}`, port });
  await proxy.start();
  return proxy;
}

async function isWhole(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/_cluster/health`, { signal: AbortSignal.timeout(PING_MS) });
    const { status, number_of_nodes: nodes } = (await response.json()) as { status: string; number_of_nodes: number };
    return status === 'green' && nodes === NODES;
  } catch {
    return false;
  }
}
