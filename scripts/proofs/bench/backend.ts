/** The Elasticsearch that a suite measures: the one of the command, or three nodes that the suite starts. */
import { Option } from 'commander';
import { wholeNumber } from '../../../src/terminal/program.ts';
import { sum } from '../../lib/report.ts';
import { type Elastic, makePatientElastic, root } from '../../lib/sandbox.ts';
import { cpuOfServer } from '../../lib/serverCpu.ts';
import { Cluster } from '../soak/cluster.ts';
import type { Bench } from './suite.ts';

const NODES = 3;
const HEAP = '1g';

export const nodesOption = new Option(
  '--nodes <number>',
  'Elasticsearch nodes: 1, or 3, over which three shards and a copy of each are spread',
)
  .argParser(wholeNumber(1, NODES))
  .default(1);

export interface Backend extends AsyncDisposable {
  client: Elastic;
  /** addresses of its nodes, comma-separated */
  url: string;
  /** settings of the service that spread an index over the nodes */
  layout: Record<string, string>;
  /** a clause for the report */
  about: string;
  /** @returns milliseconds of processor time until now; undefined if a process cannot be seen */
  cpu(): number | undefined;
}

/** Adds up the processor time of the servers at some addresses. */
function makeCpuMeter(urls: readonly string[]): Backend['cpu'] {
  const meters = urls.map(cpuOfServer);
  return () => {
    const each = meters.map((meter) => meter?.());
    return each.includes(undefined) ? undefined : sum(each as number[]);
  };
}

export async function openBackend({ client, servers, signal }: Bench, nodes: number): Promise<Backend> {
  if (nodes === 1) {
    const { elasticsearchUrl: url } = servers;
    return {
      client,
      url,
      layout: {},
      about: 'one shard on one node',
      cpu: makeCpuMeter([url]),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const cluster = await Cluster.start(root, console.error, signal, { heap: HEAP });
  const clusterClient = makePatientElastic(cluster.anyUrl);
  return {
    client: clusterClient,
    url: cluster.urls.join(),
    layout: { INDEX_SHARDS: String(NODES), INDEX_REPLICAS: '1' },
    about: `three shards with a copy each on three nodes of a heap of ${HEAP}, on the same cores`,
    cpu: makeCpuMeter(cluster.urls),
    [Symbol.asyncDispose]: async () => {
      await clusterClient.close();
      await cluster[Symbol.asyncDispose]();
    },
  };
}
