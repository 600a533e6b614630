/** Command line of the made-up sample: writes its two generation files to a folder. */
import { Command, InvalidArgumentError } from 'commander';
import { dateOf, dayOf } from './days.ts';
import { DEFAULT_PROJECTS, DEFAULT_SEED } from './fixtures.ts';
import { writeSample } from './generate.ts';
import type { TextLength } from './model.ts';

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function positiveNumber(text: string): number {
  if (wholeNumber(text) === 0) throw new InvalidArgumentError('It must be at least 1.');
  return wholeNumber(text);
}

function date(text: string): string {
  try {
    return dateOf(dayOf(text));
  } catch {
    throw new InvalidArgumentError('It must be a date (YYYY-MM-DD).');
  }
}

interface Options {
  projects: number;
  seed: number;
  today: string;
  to: string;
  shortTexts?: true;
}

const command = new Command('sample')
  .description('Writes a made-up sample: real cities, but invented projects, people, companies and meetings.')
  .option('--projects <count>', 'projects of the first generation', positiveNumber, DEFAULT_PROJECTS)
  .option('--seed <number>', 'the same seed and day give the same bytes', wholeNumber, DEFAULT_SEED)
  .option('--today <date>', 'the day on which the sample ends, UTC', date, new Date().toISOString().slice(0, 10))
  .option('--to <folder>', 'where the two files go', '.stack/sample')
  .option('--short-texts', 'terse minutes, for big corpora')
  .parse();

const { to: folder, shortTexts, ...options } = command.opts<Options>();
const texts: TextLength = shortTexts ? 'short' : 'long';
const paths = await writeSample({ ...options, folder, texts });
console.log(`Made up ${options.projects} projects (seed ${options.seed}, ${options.today}); nothing in them is real but the cities.`);
for (const path of paths) console.log(path);
