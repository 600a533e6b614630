/** Three Elasticsearch nodes of the proof's own, of which any one can be killed and comes back. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../src/terminal/program.ts';
import type { Random } from '../sample/random.ts';
import { ELASTICSEARCH_READY_MS, startElasticsearch } from '../stack/elasticsearch.ts';
import { seconds } from '../stack/errors.ts';
import { findJava } from '../stack/java.ts';
import { placeServers } from '../stack/places.ts';
import { freePort, HOST } from '../stack/ports.ts';
import type { ServerProcess } from '../stack/processes.ts';
import { serverUser } from '../stack/run-as.ts';
import { serverFiles } from '../stack/servers.ts';
import { whenForced } from '../stack/signals.ts';
import { claimRun, type Run } from '../stack/state.ts';

const NODES = 3;
const HEAP = '768m';
const POLL_MS = 250;
const PING_MS = 5_000;
const KILL_EVERY_MS = { least: 8_000, most: 25_000 };
const AWAY_MS = { least: 1_000, most: 12_000 };

interface Node {
  name: string;
  port: number;
  transportPort: number;
  server: (ServerProcess & { url: string }) | undefined;
}

type Start = (node: Node) => ServerProcess & { url: string };

export class Cluster {
  kills = 0;
  readonly #nodes: readonly Node[];
  readonly #start: Start;
  readonly #run: Run;
  readonly #takeBack: () => void;

  private constructor(nodes: readonly Node[], start: Start, run: Run) {
    this.#nodes = nodes;
    this.#start = start;
    this.#run = run;
    this.#takeBack = whenForced(() => run.remove());
  }

  /** Starts the nodes and waits until the cluster is green. */
  static async start(projectRoot: string, log: (line: string) => void, signal: AbortSignal): Promise<Cluster> {
    const began = Date.now();
    const stackFolder = path.join(projectRoot, '.stack');
    mkdirSync(stackFolder, { recursive: true });
    const user = serverUser();
    const java = findJava(user);
    const run = await claimRun(stackFolder, true, log);
    const files = await serverFiles(stackFolder, java, log, signal);
    const places = placeServers(run, files, user, true, log);
    const nodes = await makeNodes();
    const seeds = nodes.map(({ transportPort }) => `${HOST}:${transportPort}`).join();
    const start: Start = ({ name, port, transportPort }) => {
      const dataDir = path.join(places.dataFolder, name);
      const server = startElasticsearch({
        home: places.elasticsearchHome,
        dataDir,
        logFile: path.join(run.logs, `${name}.log`),
        port,
        transportPort,
        java,
        user,
        heap: HEAP,
        settings: {
          'cluster.name': `prove-sync-${process.pid}`,
          'node.name': name,
          'cluster.routing.allocation.disk.threshold_enabled': 'false',
          'discovery.seed_hosts': seeds,
          'cluster.initial_master_nodes': nodes.map((node) => node.name).join(),
        },
      });
      run.add(server, dataDir);
      return server;
    };
    const cluster = new Cluster(nodes, start, run);
    try {
      for (const node of nodes) node.server = start(node);
      await cluster.green(signal);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    log(`Three Elasticsearch nodes are green (${seconds(began)}).`);
    return cluster;
  }

  /** Addresses of all nodes, in their order, whether they are up or not. */
  get urls(): string[] {
    return this.#nodes.map(({ port }) => `http://${HOST}:${port}`);
  }

  /** Address of a node that is up. */
  get anyUrl(): string {
    const node = this.#nodes.find(({ server }) => server && !server.hasExited());
    return `http://${HOST}:${node?.port}`;
  }

  /** Kills one node after the other and brings it back, never one before all are whole again, until `until` aborts. */
  async disturb(random: Random, until: AbortSignal, signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(random.int(KILL_EVERY_MS.least, KILL_EVERY_MS.most), undefined, { signal: until }).catch(() => undefined);
      if (until.aborted) return;
      const node = random.pick(this.#nodes);
      this.kills += 1;
      node.server?.kill();
      await node.server?.exited;
      if (node.server) this.#run.drop(node.server);
      await sleep(random.int(AWAY_MS.least, AWAY_MS.most));
      node.server = this.#start(node);
      await this.green(signal);
    }
  }

  /** Every node is there and every copy of every shard is whole. */
  async green(signal: AbortSignal): Promise<void> {
    for (const until = Date.now() + ELASTICSEARCH_READY_MS; Date.now() < until; await sleep(POLL_MS)) {
      signal.throwIfAborted();
      const answers = await Promise.all(this.urls.map(isWhole));
      if (answers.every(Boolean)) return;
    }
    throw new UserError(`The three Elasticsearch nodes were not green after ${ELASTICSEARCH_READY_MS / 1000} s.`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map(({ server }) => server?.stop()));
    this.#run.remove();
    this.#takeBack();
  }
}

async function makeNodes(): Promise<Node[]> {
  const ports = new Set<number>();
  while (ports.size < NODES * 2) ports.add(await freePort());
  const list = [...ports];
  return Array.from({ length: NODES }, (_, at) => ({
    name: `node-${at + 1}`,
    port: list[at * 2] as number,
    transportPort: list[at * 2 + 1] as number,
    server: undefined,
  }));
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
