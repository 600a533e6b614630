import { findBlock } from '../src/core/store/elastic/writesBlocked.ts';
import { findDatabaseBlock } from '../src/core/store/postgres/databaseBlock.ts';

/** A refused or abandoned load or switch. What is served is unchanged unless the message says otherwise. */
export class LoadRefused extends Error {
  /** the problems, one per line of output */
  readonly problems: readonly string[];
  /** the same for programs, in JSON values */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, problems: readonly string[] = [], details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'LoadRefused';
    this.problems = problems;
    this.details = details;
  }
}

/** Converts an error that says that Elasticsearch or Postgres accepts no writes to a refusal; returns any other error unchanged. */
export function toRefusalIfBlocked(error: unknown): unknown {
  const inElastic = findBlock(error);
  if (inElastic) return new LoadRefused(`${inElastic.message} Nothing that is served has changed.`);
  const inPostgres = findDatabaseBlock(error);
  return inPostgres ? new LoadRefused(`${inPostgres.remedy} Then run the command again.`) : error;
}
