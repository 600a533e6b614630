/** `npm run worker`: works on queued jobs, with the settings of the environment. */

import { ConfigError, loadConfig } from './config.ts';
import { makeLogger } from './logging.ts';
import { serviceWorker } from './serviceWorker.ts';
import { migrate } from './store/postgres/migrate.ts';

try {
  const config = loadConfig(process.env);
  await migrate(config.databaseUrl, config.databaseSchema).catch((error: Error) => {
    throw new Error(`Postgres (DATABASE_URL) cannot be migrated: ${error.message}`, { cause: error });
  });
  const log = makeLogger(config.logLevel);
  const worker = serviceWorker(config, log);
  await worker.start().catch(async (error) => {
    await worker.stop(0);
    throw error;
  });
  log.info(`Working on ${worker.kinds.join(', ')}`);
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => void worker.stop());
  // npm passes on what the terminal has sent already: a second signal must not cut off the jobs that the first one waits for.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof ConfigError ? error.exitCode : 1;
}
