/** What is done to the loaded index before it is measured on, and told on the page of results. */
import type { Client } from '@elastic/elasticsearch';

export const SEGMENTS = 5;

/** Merging goes on after a load; it is awaited, so that no cell is measured against it. */
export async function settle(client: Client, index: string): Promise<void> {
  await client.indices.putSettings({ index, settings: { requests: { cache: { enable: false } } } as object });
  await client.indices.forcemerge({ index, max_num_segments: SEGMENTS }, { requestTimeout: '10m' });
  await client.indices.refresh({ index });
}
