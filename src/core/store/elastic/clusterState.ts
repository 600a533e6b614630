/** The state of Elasticsearch for metrics: what is served, blocked indices, disks and clocks. */
import type { Client } from '@elastic/elasticsearch';
import { type IndexNames, KINDS, parseView } from './indices.ts';

export interface ElasticState {
  /** null when nothing is served */
  served: { generation: number; committedAt: Date; stamping: boolean } | null;
  /** number of this product's indices with a write block, without blocks set by the product itself */
  blockedIndices: number;
  /** absent when the client's key may not query the nodes */
  nodes: { now: Date; leastDiskAvailable: number } | null;
}

/** A load is numbered by the time at which it began, in milliseconds since 1970. */
const timeOf = (load: number) => new Date(load);

async function readServed(client: Client, names: IndexNames): Promise<ElasticState['served']> {
  const alias = names.readAlias('projects');
  const found = await client.indices.getAlias({ name: [alias, names.stamping] }, { ignore: [404] });
  for (const [index, { aliases }] of Object.entries(found)) {
    const set = names.parse(index);
    if (!set || !aliases?.[alias]) continue;
    const committedAt = timeOf(parseView(aliases[alias].filter).committed);
    return { generation: set.generation, committedAt, stamping: names.stamping in aliases };
  }
  return null;
}

const isOn = (block: unknown) => String(block) === 'true';

async function countBlockedIndices(client: Client, names: IndexNames): Promise<number> {
  const index = KINDS.map((kind) => names.indexPattern(kind));
  const found = await client.indices.getSettings({ index, name: 'index.blocks.*', allow_no_indices: true, flat_settings: true });
  return Object.values(found).filter(({ settings }) => Object.values(settings ?? {}).some(isOn)).length;
}

/** The node clock that differs most from `here`, and the least free disk. */
async function readNodes(client: Client, here: () => Date): Promise<ElasticState['nodes']> {
  const { nodes } = await client.nodes.stats({ metric: 'fs', filter_path: ['nodes.*.timestamp', 'nodes.*.fs.total'] });
  const found = Object.values(nodes ?? {});
  const times = found.flatMap(({ timestamp }) => (timestamp === undefined ? [] : [timestamp]));
  const farthest = times.sort((a, b) => Math.abs(b - here().getTime()) - Math.abs(a - here().getTime()))[0];
  const shares = found.map(({ fs }) => Number(fs?.total?.available_in_bytes) / Number(fs?.total?.total_in_bytes));
  if (farthest === undefined) return null;
  return { now: new Date(farthest), leastDiskAvailable: Math.min(...shares.filter(Number.isFinite)) };
}

/**
 * Reads the state.
 * @throws errors of the Elasticsearch client
 */
export async function readElasticState(client: Client, names: IndexNames, here: () => Date): Promise<ElasticState> {
  const [served, blocked, nodes] = await Promise.all([
    readServed(client, names),
    countBlockedIndices(client, names),
    readNodes(client, here).catch(() => null), // the key lacks the privilege to monitor the cluster
  ]);
  return { served, blockedIndices: blocked, nodes };
}
