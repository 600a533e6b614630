/** Checks whether Elasticsearch serves what the restored Postgres has recorded. */
import { compareWithLineage } from '../../core/domain/lineage.ts';
import { makeElastic } from '../../core/store/elastic/client.ts';
import { IndexNames } from '../../core/store/elastic/indices.ts';
import { readServedSet } from '../../core/store/elastic/servedCommit.ts';
import { LineageStore } from '../../core/store/postgres/lineageStore.ts';
import type { Database } from '../../core/store/postgres/pool.ts';

const TIMEOUT_MS = 10_000;

/** As read by src/config.ts. */
export interface IndexSettings {
  elasticsearchUrls: string[];
  elasticsearchApiKey: string | null;
  elasticsearchCa: string | null;
  indexPrefix: string;
}

/** The difference, with the command that resolves it; null when there is none. */
export async function findIndexProblem(database: Database, settings: IndexSettings): Promise<string | null> {
  const { elasticsearchUrls: url, elasticsearchApiKey: apiKey, elasticsearchCa: ca, indexPrefix } = settings;
  const client = makeElastic({ url, apiKey: apiKey ?? undefined, ca: ca ?? undefined, timeoutMs: TIMEOUT_MS, retries: 1 });
  try {
    const served = await readServedSet(client, new IndexNames(indexPrefix));
    return compareWithLineage(served, await new LineageStore(database, indexPrefix).readCurrent())?.message ?? null;
  } catch (error) {
    return `It is not known whether the index agrees with what was restored: ${(error as Error).message}. /ready says so once the API runs`;
  } finally {
    await client.close();
  }
}
