import { blockOfError } from '../src/core/store/elastic/blocks.ts';
import { databaseBlock } from '../src/core/store/postgres/blocks.ts';

/** A load or a switch that was refused or given up; nothing that is served has changed, unless the message says so. */
export class LoadRefused extends Error {
  /** what is wrong, one a line */
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

/** A refusal in place of an error by which Elasticsearch or Postgres says that it takes no writes; every other error as it is. */
export function toRefusalIfBlocked(error: unknown): unknown {
  const inElastic = blockOfError(error);
  if (inElastic) return new LoadRefused(`${inElastic.message} Nothing that is served has changed.`);
  const inPostgres = databaseBlock(error);
  return inPostgres ? new LoadRefused(`${inPostgres.remedy} Then run the command again.`) : error;
}
