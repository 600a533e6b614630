import type { TestIndex } from './index.ts';

/** Serves the loaded projects from an index of several shards, which every load makes of one. */
export async function splitProjects({ client, names }: TestIndex, shards: number): Promise<void> {
  const served = names.served('projects');
  const [[source, { aliases = {} }] = ['', {}]] = Object.entries(await client.indices.getAlias({ name: served }));
  const target = `${source}-split`;
  await client.indices.putSettings({ index: source, settings: { 'index.blocks.write': true } });
  await client.indices.split({
    index: source,
    target,
    settings: { 'index.number_of_shards': shards, 'index.blocks.write': null },
    wait_for_active_shards: 'all',
  });
  const { filter } = aliases[served] ?? {};
  await client.indices.updateAliases({
    actions: [{ remove: { index: source, alias: served } }, { add: { index: target, alias: served, ...(filter ? { filter } : {}) } }],
  });
}
