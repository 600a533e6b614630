/** The command line of the proof. */
import { InvalidArgumentError, Option } from 'commander';
import { makeProgram, wholeNumber } from '../../src/terminal/program.ts';
import { SABOTAGES, type Sabotage } from '../proofs/copy.ts';

export interface Options {
  /** records that increments add, change, delete or merge, in all */
  changes: number;
  clients: number;
  seed: number;
  nodes: 1 | 3;
  /** after which no further load begins */
  minutes: number;
  json: boolean;
  /** of the first client, the second …; undefined for one that keeps its copy well */
  sabotage?: (Sabotage | undefined)[];
}

const EXAMPLES = `
Examples:
  npm run prove-sync                             100,000 changes, 4 clients
  npm run prove-sync -- --changes 2000           a quick look
  npm run prove-sync -- --nodes 3 --minutes 10   three Elasticsearch nodes of its own, one of them killed now and then
  npm run prove-sync -- --seed 42                the same loads and the same clients again; moments of kills depend on the machine

What it does: loaders commit increments, full generations and rollbacks, renew the index beside them, and are killed at random moments. Meanwhile clients
keep copies by GET /projects/sync with small pages, through two API processes that are restarted and killed. When the loads are done and
every client has walked to the end, each copy is compared with the index, field by field, and the ledger with what was delivered.
No load changes a meeting date alone: that moves neither contentRevision nor lastUpdated, so that no copy learns of it.

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices, schema and
Redis keys are its own and are removed at the end. Exit code 0: nothing missing, nothing stale, nothing charged twice.`;

function oneOrThree(text: string): 1 | 3 {
  if (text === '1' || text === '3') return Number(text) as 1 | 3;
  throw new InvalidArgumentError('It must be 1 or 3.');
}

export function readOptions(argv: readonly string[]): Options {
  const description =
    'Proves that copies kept by GET /projects/sync are exactly right, whatever is loaded, killed and restarted meanwhile.';
  return makeProgram('npm run prove-sync --', description, EXAMPLES)
    .option('--changes <number>', 'records that increments add, change, delete or merge', wholeNumber(100, 10_000_000), 100_000)
    .option('--clients <number>', 'clients that keep a copy each', wholeNumber(1, 32), 4)
    .option('--seed <number>', 'the same seed gives the same loads', wholeNumber(0, 999_999_999), 1)
    .addOption(new Option('--nodes <number>', 'Elasticsearch nodes; 3 are started here, and killed').default(1).argParser(oneOrThree))
    .option('--minutes <number>', 'begin no further load after so long', wholeNumber(1, 1440), 60)
    .option('--json', 'print the result as JSON', false)
    .addOption(
      new Option('--sabotage <kind...>', 'spoil copies on purpose, the first, the second …: the proof has to fail')
        .choices(SABOTAGES)
        .hideHelp(),
    )
    .parse(argv)
    .opts<Options>();
}
