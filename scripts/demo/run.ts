/** The demo: servers, sample data, one account per plan, the API and a worker, in one process. */
import path from 'node:path';
import { composeService, composeServiceWorker } from '../../src/app.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { AccountStore } from '../../src/core/identity/accounts.ts';
import { KeyStore } from '../../src/core/identity/keys.ts';
import { ensureLocalSecrets } from '../../src/core/store/files/localSecrets.ts';
import { localFolders } from '../../src/core/store/files/localStack.ts';
import { migrate } from '../../src/core/store/postgres/migrate.ts';
import { Database } from '../../src/core/store/postgres/pool.ts';
import { TEAM_SUBSCRIBERS } from '../../src/features.ts';
import { serve } from '../../src/http/serve.ts';
import { makeLogger } from '../../src/logging.ts';
import { prepareMetrics } from '../../src/operate/metrics/prepareMetrics.ts';
import { SHORT_LIVED_JAVA } from '../stack/elasticsearch.ts';
import { secondsSince } from '../stack/errors.ts';
import { findOrStartServers } from '../stack/index.ts';
import { freePort, HOST } from '../stack/ports.ts';
import { untilAborted } from '../stack/signals.ts';
import { type DemoKeys, prepareDemoAccounts } from './accounts.ts';
import { serveSample } from './sample.ts';
import { makeShowcase } from './showcase.ts';

const SAMPLE_PROJECTS = 3000;
const USUAL_PORT = 8080;

const root = path.resolve(import.meta.dirname, '../..');

/** Serves until a signal or the loss of a server. @returns the exit code */
export async function runDemo(signal: AbortSignal): Promise<number> {
  const started = Date.now();
  process.env.ES_JAVA_OPTS ??= SHORT_LIVED_JAVA;
  await using servers = await findOrStartServers(root, process.env, { ephemeral: false, log: console.log, signal });
  const config = await configure(servers);
  await migrate(config.databaseUrl, config.databaseSchema);
  await serveSample(config, { root, projects: SAMPLE_PROJECTS }, console.log);
  const keys = await makeAccounts(config);
  const metrics = await prepareMetrics(config, makeLogger(config.logLevel));
  const service = composeService(config, { observers: metrics.observers });
  await service.ready();
  const serving = await serve(service, config.port, config.host ?? undefined, { bodyMs: config.bodyArrivalMs });
  const metricsPort = await metrics.serve(service.openQueries);
  const worker = composeServiceWorker(config, service.log);
  await worker.start();
  await makeShowcase(serving.port, keys.multiState); // an account that examples do not expect to be new
  console.log(greeting(config, keys, secondsSince(started)));
  if (metricsPort !== null) console.log(`\nMetrics: http://${config.metricsAddress?.host}:${metricsPort}/metrics`);
  const failure = await Promise.race([servers.failed, untilAborted(signal)]);
  if (failure) console.error(failure.message);
  await serving.stop();
  await worker.stop(0);
  await service.close();
  await metrics.close();
  return failure ? 1 : 0;
}

/** Settings of the environment, with servers, secrets and a free port if they are not set. */
async function configure(servers: { elasticsearchUrl: string; databaseUrl: string; redisUrl: string }): Promise<Config> {
  const port = process.env.PORT ?? String(await freePort(USUAL_PORT));
  return loadConfig({
    LOG_LEVEL: 'warn',
    SERVICE_ENVIRONMENT: 'demo',
    HOST,
    // So that webhooks can go to receivers on this machine.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_PORTS: 'any',
    ...localFolders(root),
    ...ensureLocalSecrets(root),
    ...process.env,
    PORT: port,
    ELASTICSEARCH_URL: servers.elasticsearchUrl,
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
  });
}

async function makeAccounts(config: Config): Promise<DemoKeys> {
  await using database = new Database({ url: config.databaseUrl, schema: config.databaseSchema });
  const accounts = new AccountStore(database, TEAM_SUBSCRIBERS);
  const keys = new KeyStore({ database, pepper: config.keyPepper, now: () => new Date() });
  return await prepareDemoAccounts(root, { accounts, keys });
}

function greeting(config: Config, { national, multiState }: DemoKeys, took: string): string {
  return `
Serving ${config.publicUrl}/v1 (ready in ${took}). Keys of every plan: .stack/demo-keys.json. Try:

  curl -H 'Authorization: Bearer ${national}' '${config.publicUrl}/v1/projects/search?states=CO&propertyTypes=residential&limit=2&representation=compact'

A CSV export that is made already, with its downloadUrl:

  curl -H 'Authorization: Bearer ${multiState}' '${config.publicUrl}/v1/exports'

Stop with Ctrl-C.`;
}
