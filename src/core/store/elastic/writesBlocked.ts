/** Reasons why Elasticsearch rejects writes until an operator acts, each as a sentence with its remedy. */
import { type Client, errors } from '@elastic/elasticsearch';

/** A refusal by Elasticsearch, of a request or of one operation of a bulk. */
interface BlockRefusal {
  type?: string | undefined;
  reason?: string | null | undefined;
}

/** Elasticsearch rejects writes; the message says why and what to do. The served set has not changed. */
export class WritesBlocked extends Error {
  override name = 'WritesBlocked';
}

const DISK_FULL =
  'The disk of Elasticsearch is full. Free space on it or add some: as soon as it is below its watermarks, Elasticsearch takes writes again by itself.';
const SHARDS = /currently has \[(\d+)\]\/\[(\d+)\] maximum/;
/** Ids of Elasticsearch's blocks: an index made read-only because its disk was full, and blocks set by an operator. */
const BLOCKS: readonly [RegExp, string][] = [
  [/\/12\//, DISK_FULL],
  [
    /\/(6|13)\//,
    'The Elasticsearch cluster is set read-only (cluster.blocks.read_only). Lift that: PUT _cluster/settings with {"persistent": {"cluster.blocks.read_only": null, "cluster.blocks.read_only_allow_delete": null}}.',
  ],
  [/\/(5|8)\//, 'An index of Elasticsearch is set read-only. Lift that: PUT {index}/_settings with {"index.blocks": null}.'],
];
const BLOCKED_INDEX = /index \[([^[\]]+)\]/;

function describeBlock({ type, reason }: BlockRefusal): string | undefined {
  const text = reason ?? '';
  const [, open, most] = SHARDS.exec(text) ?? [];
  if (most)
    return `Elasticsearch holds ${open} of the ${most} shards that it may hold. Delete indices that nobody needs, add a node, or raise cluster.max_shards_per_node.`;
  if (type !== 'cluster_block_exception') return undefined;
  const known = BLOCKS.find(([pattern]) => pattern.test(text))?.[1];
  return (known ?? `Elasticsearch refuses writes: ${text}`).replace('{index}', BLOCKED_INDEX.exec(text)?.[1] ?? 'INDEX');
}

/**
 * The block that a refusal names.
 * @returns undefined for any other refusal
 */
export function readBlock(refusal: BlockRefusal): WritesBlocked | undefined {
  const sentence = describeBlock(refusal);
  return sentence === undefined ? undefined : new WritesBlocked(sentence);
}

/**
 * The block that an error of the client names.
 * @returns undefined for any other error
 */
export function findBlock(error: unknown): WritesBlocked | undefined {
  if (error instanceof WritesBlocked) return error;
  if (!(error instanceof errors.ResponseError)) return undefined;
  const { type, reason } = (error.body?.error ?? {}) as BlockRefusal;
  return readBlock({ type, reason });
}

/**
 * Why no node accepts the first shard of a new index. A node above its disk watermark refuses new indices before it refuses writes.
 * @returns undefined when a node will accept it, or when the client may not ask
 */
export async function findPlacementBlock(client: Client, index: string): Promise<WritesBlocked | undefined> {
  try {
    const explained = await client.cluster.allocationExplain({ index, shard: 0, primary: true });
    if (explained.can_allocate !== 'no') return undefined;
    const refusals = (explained.node_allocation_decisions ?? []).flatMap(({ deciders = [] }) => deciders);
    if (refusals.some(({ decider }) => decider === 'disk_threshold')) return new WritesBlocked(DISK_FULL);
    return new WritesBlocked(`No node of Elasticsearch takes a new index: ${refusals[0]?.explanation ?? explained.allocate_explanation}`);
  } catch (error) {
    if (error instanceof errors.ElasticsearchClientError) return undefined;
    throw error;
  }
}
