/** Command line: the public data sets of a folder become one generation file. */
import { resolve } from 'node:path';
import { makeProgram, wholeNumber } from '../../src/terminal/program.ts';
import { startBar } from '../../src/terminal/progress.ts';
import { auditText, drawRecords } from './audit.ts';
import { SourceError, writeGeneration } from './generation.ts';
import { ADAPTERS } from './registry.ts';
import { summaryTable } from './summary.ts';

/** Rows of all data sets together, for the scale of the progress bar only. */
const ROWS_IN_ALL = 115_000;
const EXIT_WRONG_USE = 2;

const EXAMPLES = `
Data sets: ${ADAPTERS.map((a) => a.name).join(', ')}

Examples:
  npm run sources -- --from ../shared/data
  npm run sources -- --from ../shared/data --only il_chicago ny_council --to .stack/real
  npm run sources -- --from ../shared/data --generation 2 --json
  npm run sources -- --from ../shared/data --audit 40 --seed spring > audit.txt

The generation file is then loaded with: npm run ingest -- load .stack/real/generation-1.ndjson.gz --activate`;

const separateNames = (only: readonly string[]) => only.flatMap((names) => names.split(','));

interface Options {
  from: string;
  to: string;
  only?: string[];
  generation: number;
  json?: boolean;
  audit?: number;
  seed: string;
}

async function audit(number: number, { from, only, seed, json }: Options): Promise<void> {
  const records = await drawRecords({ from: resolve(from), number, seed, ...(only && { only: separateNames(only) }) });
  process.stdout.write(`${json ? JSON.stringify(records, null, 2) : auditText(records)}\n`);
}

async function run(options: Options): Promise<void> {
  const bar = startBar('sources', ROWS_IN_ALL, '{percentage}% {value} rows {set}');
  let rows = 0;
  bar.update(rows, ROWS_IN_ALL, { set: '' });
  const { from, to, only, generation } = options;
  const written = await writeGeneration({
    from: resolve(from),
    to: resolve(to),
    generation,
    ...(only && { only: separateNames(only) }),
    onProgress: (set) => bar.update(++rows, ROWS_IN_ALL, { set }),
  }).finally(bar.stop);
  if (options.json) {
    process.stdout.write(`${JSON.stringify(written, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${summaryTable(written.sets)}\n\n${written.file}\n`);
  process.stdout.write(`rejects: ${written.rejectsFile}\n${written.seconds} s\n`);
}

const command = makeProgram('sources', 'Turn public land-use data sets into a generation file.', EXAMPLES)
  .requiredOption('--from <folder>', 'folder that holds one folder a data set')
  .option('--to <folder>', 'folder for the generation file and the rejects', '.stack/real')
  .option('--only <sets...>', 'these data sets alone')
  .option('--generation <number>', 'number of the generation', wholeNumber(1, 1_000_000), 1)
  .option('--json', 'print the summary, or the audit, as JSON')
  .option('--audit <number>', 'print so many records of each data set beside their rows, and write nothing', wholeNumber(1, 10_000))
  .option('--seed <text>', 'which records an audit draws', '1');

try {
  const options = command.parse().opts<Options>();
  await (options.audit ? audit(options.audit, options) : run(options));
} catch (error) {
  const expected = error instanceof SourceError || (error as NodeJS.ErrnoException).code !== undefined;
  process.stderr.write(`${expected ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = expected ? EXIT_WRONG_USE : 1;
}
