/** `npm run worker`: works on queued jobs, with the settings of the environment. */

import { flushCompileCache } from 'node:module';
import { serviceWorker } from './app.ts';
import { ConfigError, loadConfig, removedSettings } from './config.ts';
import { databaseBlock } from './core/store/postgres/blocks.ts';
import { migrate } from './core/store/postgres/migrate.ts';
import { makeLogger } from './logging.ts';
import { prepareMetrics } from './operate/metrics/start.ts';

try {
  const config = loadConfig(process.env);
  await migrate(config.databaseUrl, config.databaseSchema).catch((error: Error) => {
    throw new Error(`Postgres (DATABASE_URL) cannot be migrated: ${databaseBlock(error)?.remedy ?? error.message}`, { cause: error });
  });
  const log = makeLogger(config.logLevel);
  const removed = removedSettings(process.env);
  if (removed) log.warn(removed);
  const metrics = await prepareMetrics(config, log);
  const worker = serviceWorker(config, log, () => new Date(), {}, metrics.observers);
  const stop = (graceMs?: number) => worker.stop(graceMs).then(() => metrics.close());
  await worker
    .start()
    .then(() => metrics.serve(worker.look))
    .catch(async (error) => {
      await stop(0);
      throw error;
    });
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => void stop());
  // npm passes on what the terminal has sent already: a second signal must not cut off the jobs that the first one waits for.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  log.info(`Working on ${worker.kinds.join(', ')}`);
  flushCompileCache(); // otherwise written at the end, to which a process that is killed does not come
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof ConfigError ? error.exitCode : 1;
}
