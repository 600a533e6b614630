/** Command line of the made-up sample: writes its two generation files to a folder. */
import { InvalidArgumentError } from 'commander';
import { makeProgram, wholeNumber } from '../../src/terminal/program.ts';
import { runScript } from '../stack/index.ts';
import { dateOf, dayOf } from './days.ts';
import { DEFAULT_PROJECTS, DEFAULT_SEED } from './fixtures.ts';
import { writeSample } from './generate.ts';

function date(text: string): string {
  try {
    return dateOf(dayOf(text));
  } catch {
    throw new InvalidArgumentError('It must be a date (YYYY-MM-DD).');
  }
}

const EXAMPLES = `
Examples:
  npm run sample                                     the sample of the demo, to .stack/sample
  npm run sample -- --projects 200000 --short-texts --to .stack/big
The files are then loaded with: npm run ingest -- load FILE --activate`;

await runScript(async () => {
  const description = 'Writes a made-up sample: real cities, but invented projects, people, companies and meetings.';
  const {
    to: folder,
    shortTexts,
    ...options
  } = makeProgram('npm run sample --', description, EXAMPLES)
    .option('--projects <count>', 'projects of the first generation', wholeNumber(1, 999_999_999), DEFAULT_PROJECTS)
    .option('--seed <number>', 'the same seed and day give the same bytes', wholeNumber(0, 999_999_999), DEFAULT_SEED)
    .option('--today <date>', 'the day on which the sample ends, UTC', date, new Date().toISOString().slice(0, 10))
    .option('--to <folder>', 'where the two files go', '.stack/sample')
    .option('--short-texts', 'terse minutes, for big corpora')
    .parse()
    .opts<{ projects: number; seed: number; today: string; to: string; shortTexts?: true }>();
  const paths = await writeSample({ ...options, folder, texts: shortTexts ? 'short' : 'long' });
  console.log(`Made up ${options.projects} projects (seed ${options.seed}, ${options.today}); nothing in them is real but the cities.`);
  for (const path of paths) console.log(path);
  return 0;
});
