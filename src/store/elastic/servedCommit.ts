/** Which commit of the index is served, read from the aliases of the served index: the one place that changes atomically. */
import { type Client, errors } from '@elastic/elasticsearch';
import type { ServedCommit } from '../../domain/lineage.ts';
import { ONE_RETRY } from './client.ts';
import { type IndexNames, type SetName, viewOf } from './indices.ts';

const STATUS_ABSENT = 404;

export interface ServedSet extends ServedCommit, SetName {}

/** null where nothing is served. @param options of the client, such as a signal. @throws errors of the Elasticsearch client */
export async function servedSet(client: Client, names: IndexNames, options: object = ONE_RETRY): Promise<ServedSet | null> {
  const alias = names.served('projects');
  try {
    for (const [index, { aliases }] of Object.entries(await client.indices.getAlias({ index: alias }, options))) {
      const set = names.parse(index);
      const served = aliases[alias];
      if (!set || !served) continue;
      const lineage = Object.keys(aliases).flatMap((name) => names.lineageOf(name) ?? [])[0] ?? null;
      return { ...set, lineage, commit: viewOf(served.filter).committed };
    }
    return null;
  } catch (error) {
    if (error instanceof errors.ResponseError && error.statusCode === STATUS_ABSENT) return null;
    throw error;
  }
}

/** The newest change or removal that is served, milliseconds since 1970; 0 where there is none. */
export async function newestServedStamp(client: Client, names: IndexNames): Promise<number> {
  const newest = async (index: string, field: string) => {
    const { hits } = await client.search<unknown>({ index, size: 1, _source: false, sort: [{ [field]: { order: 'desc', missing: 0 } }] });
    return Number(hits.hits[0]?.sort?.[0] ?? 0);
  };
  return Math.max(await newest(names.served('projects'), 'lastUpdated'), await newest(names.served('removals'), 'at'));
}
