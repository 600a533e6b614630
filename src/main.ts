/** `npm start`: serves the API with the settings of the environment. */

import { compose } from './compose.ts';
import { ConfigError, loadConfig } from './config.ts';
import { serve } from './http/serve.ts';
import { migrate } from './store/postgres/migrate.ts';

try {
  const config = loadConfig(process.env);
  await migrate(config.databaseUrl, config.databaseSchema).catch((error: Error) => {
    throw new Error(`Postgres (DATABASE_URL) cannot be migrated: ${error.message}`, { cause: error });
  });
  const service = compose(config);
  const server = await service
    .ready()
    .then(() => serve(service, config.port, config.host ?? undefined))
    .catch(async (error) => {
      await service.close();
      throw error;
    });
  service.log.info(`Serving ${config.publicUrl}/v1 on port ${server.port}`);
  const stopping = new AbortController();
  const graceOf = (signal: NodeJS.Signals) => (signal === 'SIGTERM' ? config.shutdownGraceMs : 0);
  stopping.signal.addEventListener('abort', () => void server.stop(graceOf(stopping.signal.reason)).then(() => service.close()));
  // npm passes on what the terminal has sent already: a second signal must not cut off the requests that the first one waits for.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort(signal));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof ConfigError ? error.exitCode : 1;
}
