/** Connects a loader's command to its servers: the clients, the sets of indices, the lineage and the locks. */
import { type Config, ConfigError } from '../src/config.ts';
import { serviceToday } from '../src/core/domain/serviceClock.ts';
import { makeElastic } from '../src/core/store/elastic/client.ts';
import { IndexNames } from '../src/core/store/elastic/indices.ts';
import { openGenerationFiles } from '../src/core/store/files/generationFiles.ts';
import { LineageStore } from '../src/core/store/postgres/lineageStore.ts';
import { withLoadLock, withRenewalLock } from '../src/core/store/postgres/loadLock.ts';
import { migrate } from '../src/core/store/postgres/migrate.ts';
import { Database } from '../src/core/store/postgres/pool.ts';
import { RULES } from './findings/thresholds.ts';
import type { LoadThresholds } from './findings/types.ts';
import { GenerationStore } from './write/generationSets.ts';

const REQUEST_TIMEOUT_MS = 120_000;
const REQUEST_RETRIES = 4;
/** Factor on timeouts: no client waits for a load. */
const POSTGRES_PATIENCE = 10;

export const LOADER_SETTINGS = [
  'elasticsearchUrls',
  'elasticsearchApiKey',
  'elasticsearchCa',
  'databaseUrl',
  'databaseSchema',
  'indexPrefix',
  'indexShards',
  'indexReplicas',
  'generationsDir',
  'generationsBucketKey',
  'lostPercent',
  'lostMinimum',
  'recordsLostPercent',
  'findingThresholds',
] as const;
export type LoaderConfig = Pick<Config, (typeof LOADER_SETTINGS)[number]>;

/** @throws ConfigError if a code does not exist, or has no such threshold */
function checkThresholds(config: LoaderConfig): LoadThresholds {
  const unknown = Object.keys(config.findingThresholds).filter((code) => !Object.hasOwn(RULES, code));
  if (unknown.length)
    throw new ConfigError([`FINDING_THRESHOLDS names ${unknown.join(', ')}; the codes are ${Object.keys(RULES).join(', ')}`]);
  return config;
}

export async function connectLoader(config: LoaderConfig) {
  const client = makeElastic({
    url: config.elasticsearchUrls,
    apiKey: config.elasticsearchApiKey ?? undefined,
    ca: config.elasticsearchCa ?? undefined,
    timeoutMs: REQUEST_TIMEOUT_MS,
    retries: REQUEST_RETRIES,
  });
  const names = new IndexNames(config.indexPrefix);
  const layout = { shards: config.indexShards, replicas: config.indexReplicas };
  const { databaseUrl: url, databaseSchema: schema } = config;
  const database = new Database({ url, schema, connections: 1, patience: POSTGRES_PATIENCE, namesMissingTables: true });
  const recorded = new LineageStore(database, config.indexPrefix);
  let migrated: Promise<LineageStore> | undefined;
  const lineage = () => {
    migrated ??= migrate(config.databaseUrl, config.databaseSchema).then(() => recorded);
    return migrated;
  };
  const now = () => new Date();
  return {
    client,
    names,
    layout,
    store: new GenerationStore(client, names, layout),
    recorded,
    locked: <T>(work: (assertLocked: () => void) => Promise<T>) => withLoadLock(config.databaseUrl, config.indexPrefix, work),
    alone: <T>(work: () => Promise<T>) => withRenewalLock(config.databaseUrl, config.indexPrefix, work),
    close: () => Promise.all([client.close(), database.close()]),
    clock: { now, today: serviceToday(now()), lineage, files: await openGenerationFiles(config) },
    thresholds: checkThresholds(config),
  };
}

export type Loader = Awaited<ReturnType<typeof connectLoader>>;
