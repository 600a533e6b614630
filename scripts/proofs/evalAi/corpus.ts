/** The corpora of the evaluation: the made-up sample with planted records, sets of made-up minutes, and the public data sets if they are present. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Places } from '../../../src/core/domain/places.ts';
import { UserError } from '../../../src/terminal/program.ts';
import { readPublicLines } from '../../lib/publicData.ts';
import { sampleLines } from '../../sample/generate.ts';
import planted from './planted.json' with { type: 'json' };

/** Sets with texts of their own: `sets/NAME-texts.ndjson`, a generation file, and its questions in `sets/NAME.json`. The sealed ones are asked once, and may be read since. */
const TEXT_SETS = {
  'sets-build': 'build',
  weekly: 'weekly',
  'sealed-1': 'sealed-1',
  'sealed-2': 'sealed-2',
  'sealed-3': 'sealed-3',
  'sealed-4': 'sealed-4',
  'sealed-5': 'sealed-5',
  'sealed-6': 'sealed-6',
  'sealed-7': 'sealed-7',
  'sealed-8': 'sealed-8',
  'sealed-9': 'sealed-9',
  'sealed-10': 'sealed-10',
} as const;
export type TextSet = keyof typeof TEXT_SETS;
export const CORPORA = ['sample', 'real', 'permits', ...(Object.keys(TEXT_SETS) as TextSet[])] as const;
export type CorpusName = (typeof CORPORA)[number];

export interface EvalQuestion {
  class: string;
  corpus: CorpusName;
  query: string;
  answers: number[];
}

export const isTextSet = (name: string): name is TextSet => name in TEXT_SETS;

/** The sample of the labels: another seed, size or day has other records. */
const SAMPLE = { seed: 2026, projects: 1000, today: '2026-11-20' };
export const TODAY = SAMPLE.today;
/** Building permits are a corpus of their own: most are small trades, and nothing was built on them. */
const REAL_SETS = ['ny_council', 'fl_agendas', 'nc_mecklenburg', 'va_counties', 'ma_massbuilds', 'ca_bayarea'];

type Line = { kind: string };

/** The made-up sample with planted records, as lines of a generation file. */
export function* corpusLines(places: Places): Generator<Line> {
  yield* sampleLines({ ...SAMPLE, places, generation: 1 });
  yield* planted;
}

/** The public data sets, as lines of a generation file. @param folder for the file of all of them */
export const realLines = (folder: string): AsyncGenerator<Line> => readPublicLines(folder, REAL_SETS);

/** One permit in so many is loaded, of those that are more than a trade's: about nine thousand. */
const PERMITS_EVERY = 3;
const TRADES = /^(?:Express Permit Program|Reinstate Revoked Pmt),/;

/** A part of the building permits, as lines of a generation file. @param folder for the file of all of them */
export async function* permitLines(folder: string): AsyncGenerator<Line> {
  for await (const line of readPublicLines(folder, ['il_chicago']))
    if (line.kind !== 'project' || (line.id % PERMITS_EVERY === 0 && !TRADES.test(line.displayName))) yield line;
}

/** @throws UserError where the set has not been written yet */
function readSet(name: TextSet, ending: string): string {
  const file = path.join(import.meta.dirname, 'sets', `${TEXT_SETS[name]}${ending}`);
  if (!existsSync(file)) throw new UserError(`The set ${name} is not here: write ${file}.`);
  return readFileSync(file, 'utf8');
}

/** The questions of a set. A set that is renamed keeps its bytes, and so its digest: the corpus that it states is not read. */
export const textSetQuestions = (name: TextSet): EvalQuestion[] =>
  (JSON.parse(readSet(name, '.json')) as EvalQuestion[]).map((question) => ({ ...question, corpus: name }));

/** The made-up minutes of a set, as lines of a generation file. */
export const textSetLines = (name: TextSet): Line[] =>
  readSet(name, '-texts.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
