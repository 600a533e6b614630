/** Copies a test's indices inside Elasticsearch, to restore them later like a snapshot. */
import type { estypes } from '@elastic/elasticsearch';
import type { TestIndex } from './index.ts';

type Aliases = Record<string, estypes.IndicesAliasDefinition>;

export interface IndexCopy {
  /** replaces all present indices by the copies */
  restore(): Promise<void>;
}

/** Copies every index of the test with its aliases. */
export async function copyIndices(index: TestIndex): Promise<IndexCopy> {
  const { client, prefix } = index;
  const tag = `copy${Date.now()}`;
  const clone = async (from: string, to: string) => {
    await client.indices.putSettings({ index: from, settings: { 'index.blocks.write': true } });
    await client.indices.clone({ index: from, target: to, wait_for_active_shards: 1 });
    for (const name of [from, to]) await client.indices.putSettings({ index: name, settings: { 'index.blocks.write': null } });
  };
  const pattern = `${prefix}-*-g*`;
  const copied: Record<string, Aliases> = {};
  for (const [name, { aliases }] of Object.entries(await client.indices.getAlias({ index: pattern }))) copied[name] = aliases;
  await Promise.all(Object.keys(copied).map((name) => clone(name, `${prefix}-${tag}-${name}`)));
  return {
    restore: async () => {
      const there = Object.keys(await client.indices.get({ index: pattern, features: 'aliases' })).filter(
        (name) => !name.includes('-copy'),
      );
      if (there.length) await client.indices.delete({ index: there });
      await Promise.all(Object.keys(copied).map((name) => clone(`${prefix}-${tag}-${name}`, name)));
      const actions = Object.entries(copied).flatMap(([name, aliases]) =>
        Object.entries(aliases).map(([alias, { filter }]) => ({ add: { index: name, alias, ...(filter ? { filter } : {}) } })),
      );
      await client.indices.updateAliases({ actions });
    },
  };
}
