/** What every process of the service begins with: settings, tables, log. A failure at the start is one sentence and an exit code. */
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig, removedSettings } from './config.ts';
import { commandEnvironment } from './core/store/files/localStack.ts';
import { databaseBlock } from './core/store/postgres/blocks.ts';
import { migrate } from './core/store/postgres/migrate.ts';
import { makeLogger } from './logging.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Settings come from the environment; without DATABASE_URL the stack that runs in the project is taken, as every command does. */
export async function startProcess(start: (config: Config, log: Logger) => Promise<void>): Promise<void> {
  try {
    const config = loadConfig(commandEnvironment(root, process.env));
    await migrate(config.databaseUrl, config.databaseSchema).catch((error: Error) => {
      throw new Error(`Postgres (DATABASE_URL) cannot be migrated: ${databaseBlock(error)?.remedy ?? error.message}`, { cause: error });
    });
    const log = makeLogger(config.logLevel);
    const removed = removedSettings(process.env);
    if (removed) log.warn(removed);
    await start(config, log);
    flushCompileCache(); // otherwise written at the end, to which a process that is killed does not come
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = error instanceof ConfigError ? error.exitCode : 1;
  }
}
