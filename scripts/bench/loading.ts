/** The real loader in a process of its own, and beside it the floor: the same final documents, bulk-loaded as they are. */
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { LoadSummary } from '../../ingest/load.ts';
import type { ServerUrls } from '../stack/index.ts';
import { outputOf, startChild } from './children.ts';
import type { Usage } from './usageProbe.ts';

/** As the loader sends them (ingest/write/versions.ts), so that the two differ in nothing but the work around. */
const FLUSH_BYTES = 4 * 1024 * 1024;
const CONCURRENCY = 2;

export interface Loading {
  records: number;
  seconds: number;
  peakBytes: number;
}

export const ingestEnvironment = ({ elasticsearchUrl, databaseUrl }: ServerUrls, indexPrefix: string) => ({
  ELASTICSEARCH_URL: elasticsearchUrl,
  DATABASE_URL: databaseUrl,
  INDEX_PREFIX: indexPrefix,
});

/** Loads a generation file with `ingest load`, and serves it unless told otherwise; seconds include the process's start. */
export async function loadWithLoader(
  servers: ServerUrls,
  indexPrefix: string,
  file: string,
  signal: AbortSignal,
  activate = true,
): Promise<Loading> {
  const usageFile = path.join(path.dirname(file), 'usage.json');
  const env = { ...ingestEnvironment(servers, indexPrefix), BENCH_USAGE_FILE: usageFile };
  const started = performance.now();
  const output = await outputOf(startChild('ingest/main.ts', ['load', file, ...(activate ? ['--activate'] : []), '--json'], env), signal);
  const seconds = (performance.now() - started) / 1000;
  const { projects } = JSON.parse(output) as LoadSummary;
  const { peakBytes } = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  return { records: projects, seconds, peakBytes };
}

/** Lines of a file, one after the other. */
export const linesOf = (file: string): AsyncIterator<string> => createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]();

/** Makes a plain index with the projects' mapping. @param settings further ones of the index */
export async function plainIndex(client: Client, index: string, settings: estypes.IndicesIndexSettings = {}): Promise<void> {
  const mappings = JSON.parse(readFileSync(new URL('../../mappings/projects.json', import.meta.url), 'utf8')) as estypes.MappingTypeMapping;
  await client.indices.create({
    index,
    mappings,
    settings: { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '-1', ...settings },
  });
}

/** Removes whatever the run made under its prefix. */
export async function removeIndices(client: Client, prefix: string): Promise<void> {
  const found = await client.indices.get({ index: `${prefix}-*`, allow_no_indices: true, features: ['settings'] });
  const names = Object.keys(found);
  if (names.length) await client.indices.delete({ index: names });
}

/** Streams documents, one a line, through the client's bulk helper. */
export async function bulkInto(client: Client, index: string, lines: AsyncIterator<string>): Promise<Omit<Loading, 'peakBytes'>> {
  const started = performance.now();
  const { successful: records } = await client.helpers.bulk<string>({
    datasource: lines,
    flushBytes: FLUSH_BYTES,
    concurrency: CONCURRENCY,
    onDocument: () => ({ index: { _index: index } }),
    onDrop: ({ error }) => {
      throw new Error(`Elasticsearch refused a document: ${error?.reason}`);
    },
    refreshOnCompletion: index,
  });
  return { records, seconds: (performance.now() - started) / 1000 };
}

/** The floor of loading: a file of final documents into a plain index, which is removed again. */
export async function loadBare(client: Client, index: string, file: string): Promise<Omit<Loading, 'peakBytes'>> {
  await plainIndex(client, index);
  try {
    return await bulkInto(client, index, linesOf(file));
  } finally {
    await client.indices.delete({ index });
  }
}
