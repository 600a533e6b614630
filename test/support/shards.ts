import type { TestIndex } from './index.ts';

/** Serves the loaded projects from an index of several shards under the same name and aliases; every load makes one of one shard. */
export async function splitProjects({ client, names }: TestIndex, shards: number): Promise<void> {
  const [[index, { aliases = {} }] = ['', {}]] = Object.entries(await client.indices.get({ index: names.readAlias('projects') }));
  const aside = `${index}-split`;
  const writable = { 'index.blocks.write': null };
  await client.indices.putSettings({ index, settings: { 'index.blocks.write': true } });
  const split = { 'index.number_of_shards': shards };
  await client.indices.split({ index, target: aside, settings: split, wait_for_active_shards: 'all' });
  await client.indices.delete({ index });
  await client.indices.clone({ index: aside, target: index, aliases, settings: writable, wait_for_active_shards: 'all' });
  await client.indices.delete({ index: aside });
}
