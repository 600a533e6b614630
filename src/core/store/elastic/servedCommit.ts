/** Reads which commit of the index is served from the aliases, which change atomically. */
import type { Client, estypes } from '@elastic/elasticsearch';
import type { ServedIndex } from '../../domain/lineage.ts';
import { ONE_RETRY } from './client.ts';
import { type IndexNames, parseView, type SetName } from './indices.ts';

export interface ServedSet extends ServedIndex, SetName {}

type Indices = estypes.IndicesGetAliasResponse;

/** The index that an alias names, and the commit that it shows. */
function findShown(indices: Indices, alias: string, names: IndexNames) {
  for (const [index, { aliases }] of Object.entries(indices)) {
    const [set, shown] = [names.parse(index), aliases[alias]];
    if (set && shown) return { set, aliases: Object.keys(aliases), commit: parseView(shown.filter).committed };
  }
  return null;
}

/**
 * The served set; null when nothing is served.
 * @param options of the client, such as a signal
 * @throws errors of the Elasticsearch client
 */
export async function readServedSet(client: Client, names: IndexNames, options: object = ONE_RETRY): Promise<ServedSet | null> {
  const indices = await client.indices.getAlias({ index: names.indexPattern('projects'), allow_no_indices: true }, options);
  const served = findShown(indices, names.readAlias('projects'), names);
  if (!served) return null;
  const { set, aliases, commit } = served;
  const synced = findShown(indices, names.syncedAlias('projects'), names);
  return {
    ...set,
    lineage: aliases.flatMap((name) => names.parseLineageAlias(name) ?? [])[0] ?? null,
    commit,
    synced: synced && { commit: synced.commit, ofServedSet: synced.set.load === set.load },
    stamping: aliases.includes(names.stamping),
  };
}
