/**
 * Sentences that filters answer whole, each with the filters that an expert would set; `or` holds other readings that are as right. Written by hand by
 * people who had not read the rules: for brokers, for energy developers and lawyers, one combination of filters in five wordings each (`wordings`), and the
 * same with combinations drawn at random over the filters and their values. The rules were built on all of them. Of `mixed` one half was built on first
 * (45, then 73 of 100 were read rightly); of its other half 42 were before that, 46 after. Of `eighth`, drawn over all filters again, 89 of 200 were read rightly
 * before anything was built on it, 99 after the rules had changed for others' sake; then one part was built on (62, then 82 of 124), and the rest was asked
 * once more (37, then 41 of 76). Today is 2026-12-01.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Places } from '../../../src/core/domain/places.ts';
import { daysOf } from '../../../src/core/filter/time.ts';
import { understandQuestion } from '../../../src/features/aiSearch/question/index.ts';
import { parseReadFilters } from '../../../src/features/aiSearch/questionPlan.ts';

type SentFilters = Record<string, string | string[]>;

interface Sentence {
  q: string;
  filters: SentFilters;
  or?: SentFilters[];
}

interface Misread {
  sentence: Sentence;
  read: SentFilters;
  /** words that were not understood */
  rest: string[];
}

export interface SentenceSet {
  name: string;
  asked: number;
  misread: Misread[];
}

const FOLDER = path.join(import.meta.dirname, 'sentences');
const TODAY = '2026-12-01';

const lift = (value: unknown): unknown =>
  Array.isArray(value) ? (value.length === 1 && value[0] === true ? true : value.toSorted()) : value;

/** The first or the last day of a period that a filter of dates takes: `2026` and `2026-01` begin on one day. */
function dayOf(name: string, value: unknown): string | undefined {
  const { firstDay, lastDay } = (value ?? {}) as { firstDay?: string; lastDay?: string };
  return name.endsWith('To') ? lastDay : firstDay;
}

/** What filters mean: ids of places, tokens; an upper bound of today adds nothing to a lower one, a smaller place nothing to a larger one. */
function meaningOf(filters: SentFilters, places: Places): string {
  const { dateRange, ...parsed } = parseReadFilters({ filters }, places);
  const meant = new Map(Object.entries(parsed).map(([name, value]) => [name, dayOf(name, value) ?? lift(value)]));
  // `last_6_months` is its first day.
  if (filters.dateRange && dateRange && dateRange !== 'all') meant.set('meetingDateFrom', daysOf(dateRange, TODAY)?.gte);
  for (const dates of ['meetingDate', 'lastUpdated'])
    if (meant.has(`${dates}From`) && meant.get(`${dates}To`) === TODAY) meant.delete(`${dates}To`);
  if ([...meant.keys()].some((name) => name.startsWith('governmentDecision'))) meant.delete('includeGovernmentDecisions');
  if (meant.has('cities')) meant.delete('counties');
  if (meant.has('cities') || meant.has('counties')) meant.delete('states');
  return JSON.stringify([...meant].sort());
}

/** Reads each sentence of each set, and compares what it was understood to ask with what it means. */
export function readSentences(places: Places): SentenceSet[] {
  return readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const lines = readFileSync(path.join(FOLDER, file), 'utf8').trimEnd().split('\n');
      const misread = lines.flatMap((line): Misread[] => {
        const sentence = JSON.parse(line) as Sentence;
        const { filters: read, criteria } = understandQuestion(sentence.q, { today: TODAY, places });
        const wanted = [sentence.filters, ...(sentence.or ?? [])].map((one) => meaningOf(one, places));
        const isRight = !criteria.length && wanted.includes(meaningOf(read, places));
        return isRight ? [] : [{ sentence, read, rest: criteria.map(({ text }) => text) }];
      });
      return { name: path.basename(file, '.ndjson'), asked: lines.length, misread };
    });
}

/** The table of `npm run eval-ai -- --sentences`. @param isVerbose whether misread sentences are listed */
export function sentencesTable(sets: readonly SentenceSet[], isVerbose: boolean): string {
  const rows = sets.map(
    ({ name, asked, misread }) => `${name.padEnd(12)} ${asked - misread.length} of ${asked} sentences are read as they are meant`,
  );
  const listed = sets.flatMap(({ misread }) => (isVerbose ? misread : []));
  return [
    ...rows,
    ...listed.map(
      ({ sentence, read, rest }) =>
        `\n${sentence.q}\n  meant ${JSON.stringify(sentence.filters)}\n  read  ${JSON.stringify(read)}${rest.length ? `, not understood: ${rest.join('; ')}` : ''}`,
    ),
  ].join('\n');
}
