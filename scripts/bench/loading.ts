/** The real loader in a process of its own, and beside it the floor: the same final documents, bulk-loaded as they are. */
import { createReadStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Client, estypes } from '@elastic/elasticsearch';
import type { LoadSummary } from '../../ingest/load.ts';
import type { ServerUrls } from '../stack/index.ts';
import { outputOf, startChild } from './children.ts';
import type { Usage } from './usageProbe.ts';

/** As the loader sends them (ingest/versions.ts), so that the two differ in nothing but the work around. */
const FLUSH_BYTES = 4 * 1024 * 1024;
const CONCURRENCY = 2;

export interface Loading {
  records: number;
  seconds: number;
  peakBytes: number;
}

/** Loads and serves a generation file with `ingest load --activate`; seconds include the process's start. */
export async function loadWithLoader(servers: ServerUrls, indexPrefix: string, file: string, signal: AbortSignal): Promise<Loading> {
  const usageFile = path.join(path.dirname(file), 'usage.json');
  const env = {
    ELASTICSEARCH_URL: servers.elasticsearchUrl,
    DATABASE_URL: servers.databaseUrl,
    INDEX_PREFIX: indexPrefix,
    BENCH_USAGE_FILE: usageFile,
  };
  const started = performance.now();
  const output = await outputOf(startChild('ingest/main.ts', ['load', file, '--activate', '--json'], env), signal);
  const seconds = (performance.now() - started) / 1000;
  const { projects } = JSON.parse(output) as LoadSummary;
  const { peakBytes } = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  return { records: projects, seconds, peakBytes };
}

/** Streams a file of documents through the client's bulk helper into a plain index with the projects' mapping, then removes it. */
export async function loadBare(client: Client, index: string, file: string): Promise<Omit<Loading, 'peakBytes'>> {
  const mappings = JSON.parse(readFileSync(new URL('../../mappings/projects.json', import.meta.url), 'utf8')) as estypes.MappingTypeMapping;
  await client.indices.create({
    index,
    mappings,
    settings: { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '-1' },
  });
  try {
    const started = performance.now();
    const { successful: records } = await client.helpers.bulk<string>({
      datasource: createInterface({ input: createReadStream(file) })[Symbol.asyncIterator](),
      flushBytes: FLUSH_BYTES,
      concurrency: CONCURRENCY,
      onDocument: () => ({ index: { _index: index } }),
      onDrop: ({ error }) => {
        throw new Error(`Elasticsearch refused a document: ${error?.reason}`);
      },
      refreshOnCompletion: index,
    });
    return { records, seconds: (performance.now() - started) / 1000 };
  } finally {
    await client.indices.delete({ index });
  }
}
