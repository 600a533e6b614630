/** Starts a process of the service: reads the settings, migrates the tables, makes the log. A failure prints one sentence and sets the exit code. */
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { commandEnvironment } from './core/store/files/localStack.ts';
import { findDatabaseBlock } from './core/store/postgres/databaseBlock.ts';
import { migrate } from './core/store/postgres/migrate.ts';
import { makeLogger } from './logging.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Settings come from the environment; without DATABASE_URL the process uses the stack that runs in the project, as every command does. */
export async function startProcess(start: (config: Config, log: Logger) => Promise<void>): Promise<void> {
  try {
    const config = loadConfig(commandEnvironment(root, process.env));
    await migrate(config.databaseUrl, config.databaseSchema).catch((error: Error) => {
      throw new Error(`Postgres (DATABASE_URL) cannot be migrated: ${findDatabaseBlock(error)?.remedy ?? error.message}`, { cause: error });
    });
    const log = makeLogger(config.logLevel);
    await start(config, log);
    flushCompileCache(); // written now, since a process that is killed would never write it
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = error instanceof ConfigError ? error.exitCode : 1;
  }
}
