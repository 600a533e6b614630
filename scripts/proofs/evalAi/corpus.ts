/** The corpora of the evaluation: the made-up sample with planted records, and the public data sets if they are present. */
import type { Places } from '../../../src/core/domain/places.ts';
import { readPublicLines, writePublicData } from '../../lib/publicData.ts';
import { sampleLines } from '../../sample/generate.ts';
import planted from './planted.json' with { type: 'json' };

export type CorpusName = 'sample' | 'real' | 'permits';

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

/** Writes the public data sets as a generation file. @returns its path */
export const writeReal = (folder: string): Promise<string> => writePublicData(folder, REAL_SETS);

/** One permit in so many is loaded, of those that are more than a trade's: about nine thousand. */
const PERMITS_EVERY = 3;
const TRADES = /^(?:Express Permit Program|Reinstate Revoked Pmt),/;

/** A part of the building permits, as lines of a generation file. @param folder for the file of all of them */
export async function* permitLines(folder: string): AsyncGenerator<Line> {
  for await (const line of readPublicLines(folder, ['il_chicago']))
    if (line.kind !== 'project' || (line.id % PERMITS_EVERY === 0 && !TRADES.test(line.displayName))) yield line;
}
