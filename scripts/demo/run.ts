/** The demo: servers, sample data, one account per plan, the API and a worker, in one process. */
import path from 'node:path';
import { loadFile } from '../../ingest/load.ts';
import { loadProgress } from '../../ingest/report.ts';
import { GenerationStore } from '../../ingest/sets/generations.ts';
import { activate } from '../../ingest/switch/activate.ts';
import { compose } from '../../src/compose.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { serviceToday } from '../../src/domain/serviceClock.ts';
import { serve } from '../../src/http/serve.ts';
import { serviceWorker } from '../../src/serviceWorker.ts';
import { makeElastic } from '../../src/store/elastic/client.ts';
import { IndexNames } from '../../src/store/elastic/indices.ts';
import { openGenerationFiles } from '../../src/store/files/generationFiles.ts';
import { localSecrets } from '../../src/store/files/localSecrets.ts';
import { localFolders } from '../../src/store/files/localStack.ts';
import { loadPlaces } from '../../src/store/files/places.ts';
import { AccountStore } from '../../src/store/postgres/accounts.ts';
import { KeyStore } from '../../src/store/postgres/keys.ts';
import { LineageStore } from '../../src/store/postgres/lineage.ts';
import { withLoadLock } from '../../src/store/postgres/loadLock.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { Database } from '../../src/store/postgres/pool.ts';
import { writeSample } from '../sample/generate.ts';
import { seconds } from '../stack/errors.ts';
import { withServers } from '../stack/index.ts';
import { freePort, HOST } from '../stack/ports.ts';
import { aborted } from '../stack/signals.ts';
import { type DemoKeys, prepareDemoAccounts } from './accounts.ts';
import { makeShowcase } from './showcase.ts';

const SAMPLE = { seed: 2026, projects: 3000 };
const USUAL_PORT = 8080;
const LOAD_TIMEOUT_MS = 120_000;

const root = path.resolve(import.meta.dirname, '../..');

/** Serves until a signal or the loss of a server. @returns the exit code */
export async function demo(signal: AbortSignal): Promise<number> {
  const started = Date.now();
  const servers = await withServers(root, process.env, { ephemeral: false, log: console.log, signal });
  try {
    const config = await configure(servers);
    await migrate(config.databaseUrl, config.databaseSchema);
    await loadSample(config);
    const keys = await makeAccounts(config);
    const service = compose(config);
    await service.ready();
    const serving = await serve(service, config.port, config.host ?? undefined);
    const worker = serviceWorker(config, service.log);
    await worker.start();
    await makeShowcase(serving.port, keys.multiState); // of which nobody expects that nothing was delivered yet
    console.log(greeting(config, keys, seconds(started)));
    const failure = await Promise.race([servers.failed, aborted(signal)]);
    if (failure) console.error(failure.message);
    await serving.stop();
    await worker.stop(0);
    await service.close();
    return failure ? 1 : 0;
  } finally {
    await servers.stop();
  }
}

/** Settings of the environment; servers, secrets and a free port are supplied where they are not set. */
async function configure(servers: { elasticsearchUrl: string; databaseUrl: string; redisUrl: string }): Promise<Config> {
  const port = process.env.PORT ?? String(await freePort(USUAL_PORT));
  return loadConfig({
    LOG_LEVEL: 'warn',
    SERVICE_ENVIRONMENT: 'demo',
    HOST,
    ...localFolders(root),
    ...localSecrets(root),
    ...process.env,
    PORT: port,
    ELASTICSEARCH_URL: servers.elasticsearchUrl,
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
  });
}

/** Loads both generations of the sample, unless a generation is served already: data of one's own is never replaced. */
async function loadSample(config: Config): Promise<void> {
  const client = makeElastic({
    url: config.elasticsearchUrl,
    apiKey: config.elasticsearchApiKey ?? undefined,
    ca: config.elasticsearchCa ?? undefined,
    timeoutMs: LOAD_TIMEOUT_MS,
    retries: 3,
  });
  const names = new IndexNames(config.indexPrefix);
  const store = new GenerationStore(client, names);
  const now = () => new Date();
  const database = new Database({ url: config.databaseUrl, schema: config.databaseSchema });
  const lineage = async () => new LineageStore(database, config.indexPrefix);
  const clock = { now, today: serviceToday(now()), lineage, files: await openGenerationFiles(config) };
  try {
    const { served } = await store.read();
    if (served) {
      console.log(`Generation ${served.generation} is served already; the sample is not loaded again`);
      return;
    }
    const started = Date.now();
    const places = loadPlaces();
    const files = await writeSample({ folder: path.join(root, '.stack', 'sample'), ...SAMPLE, today: clock.today, places });
    await withLoadLock(config.databaseUrl, config.indexPrefix, async () => {
      for (const file of files) {
        const progress = loadProgress(file, process.stderr);
        const { generation } = await loadFile({ client, names, places, ...clock, onProgress: progress.update }, file, false).finally(
          progress.stop,
        );
        await activate(store, generation, clock, { acceptLoss: true }); // the second leaves records out on purpose
      }
    });
    const loaded = (await store.read()).served;
    console.log(`Sample of ${loaded ? await store.count('projects', loaded) : 0} made-up projects loaded (${seconds(started)})`);
  } finally {
    await Promise.all([client.close(), database.close()]);
  }
}

async function makeAccounts(config: Config): Promise<DemoKeys> {
  const database = new Database({ url: config.databaseUrl, schema: config.databaseSchema });
  try {
    const accounts = new AccountStore(database);
    const keys = new KeyStore({ database, pepper: config.keyPepper, now: () => new Date() });
    return await prepareDemoAccounts(root, { accounts, keys });
  } finally {
    await database.close();
  }
}

function greeting(config: Config, { national, multiState }: DemoKeys, took: string): string {
  return `
Serving ${config.publicUrl}/v1 (ready in ${took}). Keys of every plan: .stack/demo-keys.json. Try:

  curl -H 'Authorization: Bearer ${national}' '${config.publicUrl}/v1/projects/search?states=CO&propertyTypes=residential&limit=2&representation=compact'

A CSV export that is made already, with its downloadUrl:

  curl -H 'Authorization: Bearer ${multiState}' '${config.publicUrl}/v1/exports'

Stop with Ctrl-C.`;
}
