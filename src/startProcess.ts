/** Starts a process of the service: reads the settings, migrates the tables, makes the log. A failure prints one sentence and sets the exit code. */
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { commandEnvironment } from './core/store/files/localStack.ts';
import { findDatabaseBlock } from './core/store/postgres/databaseBlock.ts';
import { migrate } from './core/store/postgres/migrate.ts';
import { makeLogger } from './logging.ts';
import type { Parent } from './operate/processes/child.ts';

const root = path.resolve(import.meta.dirname, '..');

/**
 * Settings come from the environment; without DATABASE_URL the process uses the stack that runs in the project, as every command does.
 * @param parent has migrated the tables, and reports failures
 */
export async function startProcess(start: (config: Config, log: Logger) => Promise<void>, parent?: Parent): Promise<void> {
  try {
    const config = loadConfig(commandEnvironment(root, process.env));
    if (!parent) await migrateTables(config);
    const log = makeLogger(config.logLevel);
    await start(config, log);
    flushCompileCache(); // written now, since a process that is killed would never write it
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (parent) parent.fail(message);
    else process.stderr.write(`${message}\n`);
    process.exitCode = error instanceof ConfigError ? error.exitCode : 1;
  }
}

function migrateTables({ databaseUrl, databaseSchema }: Config): Promise<unknown> {
  return migrate(databaseUrl, databaseSchema).catch((error: Error) => {
    throw new Error(`Postgres (DATABASE_URL) cannot be migrated: ${findDatabaseBlock(error)?.remedy ?? error.message}`, { cause: error });
  });
}
