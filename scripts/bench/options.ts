/** The command line of the benchmark. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { CELL_NAMES, type CellName } from './cells.ts';

export interface Options {
  /** projects */
  n: number;
  seed: number;
  /** of load per cell, concurrency and side */
  seconds: number;
  concurrency: number[];
  only: CellName[];
  json: boolean;
  keep: boolean;
  reuse: boolean;
  write: boolean;
  ledger: boolean;
  cpuProf?: string;
}

const EXAMPLES = `
Examples:
  npm run bench                                              everything; writes scripts/bench/results.md
  npm run bench -- --n 20000 --seconds 2 --no-write          a quick look
  npm run bench -- --keep                                    leave the corpus in place …
  npm run bench -- --reuse --keep --only bbox,page           … and measure on it again, without loading

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices, schema and
Redis keys are its own and are removed at the end.`;

function whole(text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  return value;
}

const wholeBetween = (least: number, most: number) => (text: string) => whole(text, least, most);

function cellNames(text: string): CellName[] {
  return text.split(',').map((name) => {
    const known = CELL_NAMES.find((cell) => cell === name.trim());
    if (!known) throw new InvalidArgumentError(`'${name}' is none of ${CELL_NAMES.join(', ')}.`);
    return known;
  });
}

export function readOptions(argv: readonly string[]): Options {
  return new Command('npm run bench --')
    .description('Measures the API against raw Elasticsearch with the very same requests, and the loader against a bare bulk load.')
    .option('--n <projects>', 'made-up projects to load', wholeBetween(1000, 2_000_000), 200_000)
    .option('--seed <number>', 'the same seed gives the same projects and the same requests', wholeBetween(0, 999_999_999), 1)
    .option('--seconds <seconds>', 'load per cell, concurrency and side', wholeBetween(1, 600), 5)
    .option(
      '--concurrency <numbers>',
      'requests in flight, comma-separated',
      (text) => text.split(',').map((one) => whole(one, 1, 1000)),
      [1, 16],
    )
    .option('--only <cells>', `some of ${CELL_NAMES.join(', ')}`, cellNames, [...CELL_NAMES])
    .option('--json', 'print the results as JSON', false)
    .option('--keep', 'leave the loaded corpus for a later --reuse', false)
    .option(
      '--reuse',
      'take the corpus that --keep left for the same --n and --seed, if there is one; it is removed at the end unless --keep is said again',
      false,
    )
    .option('--no-ledger', 'leave out what the ledger adds to a page')
    .option('--no-write', 'leave scripts/bench/results.md as it is')
    .addOption(new Option('--cpu-prof <folder>', 'also write a CPU profile of the API process into this folder'))
    .addHelpText('after', EXAMPLES)
    .parse(argv)
    .opts<Options>();
}
