/** Command line: the public data sets of a folder become one generation file. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { wholeNumber } from '../../src/terminal/program.ts';
import { startBar } from '../../src/terminal/progress.ts';
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

The generation file is then loaded with: npm run ingest -- load .stack/real/generation-1.ndjson.gz --activate`;

interface Options {
  from: string;
  to: string;
  only?: string[];
  generation: number;
  json?: boolean;
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
    ...(only && { only: only.flatMap((names) => names.split(',')) }),
    onProgress: (set) => bar.update(++rows, ROWS_IN_ALL, { set }),
  }).finally(bar.stop);
  if (options.json) {
    process.stdout.write(`${JSON.stringify(written, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${summaryTable(written.sets)}\n\n${written.file}\n`);
  process.stdout.write(`rejects: ${written.rejectsFile}\n${written.seconds} s\n`);
}

const command = new Command('sources')
  .description('Turn public land-use data sets into a generation file.')
  .requiredOption('--from <folder>', 'folder that holds one folder a data set')
  .option('--to <folder>', 'folder for the generation file and the rejects', '.stack/real')
  .option('--only <sets...>', 'these data sets alone')
  .option('--generation <number>', 'number of the generation', wholeNumber(1, 1_000_000), 1)
  .option('--json', 'print the summary as one JSON object')
  .addHelpText('after', EXAMPLES)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_WRONG_USE));

try {
  await run(command.parse().opts<Options>());
} catch (error) {
  const expected = error instanceof SourceError || (error as NodeJS.ErrnoException).code !== undefined;
  process.stderr.write(`${expected ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = expected ? EXIT_WRONG_USE : 1;
}
