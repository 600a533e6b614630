/**
 * The records that are read for the evaluation of outcomes: drawn by a seed from the public data sets, so many of each source and each word
 * that its status is stated with. Drawn from the raw rows, before any rule has seen them.
 */
import { readCsvRows, readJsonLines } from '../../../ingest/sources/readers.ts';
import { caseNumber } from '../../../ingest/sources/va_chesterfield.ts';
import { parseDay } from '../../../ingest/sources/values.ts';
import { daysAfter } from '../../../src/core/domain/process/hearings.ts';
import { hashOf } from '../../sample/random.ts';

/** A record as its source has it. */
export interface RawCase {
  source: string;
  ownId: string;
  /** the words that state its status */
  words: string;
  /** of its source */
  rows: object[];
  /** the last day that the source states of it */
  lastDay: string;
}

export interface DrawnCase extends RawCase {
  /** the record is cut to what was known at the end of this day; absent for a record as it is */
  until?: string;
  /** the day for which its outcome is asked: up to a year and a half after the last one stated */
  today: string;
}

/** Most records that are drawn of a source with words that begin so, compared without case; 0 for words that are not listed. */
const SHARES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  ny_council: { adopted: 28, 'filed (': 9, filed: 20, disapproved: 20, vetoed: 9, withdrawn: 9, committee: 9, companion: 9, introduced: 9 },
  nc_mecklenburg: { app: 18, wd: 8, withdrawn: 8, den: 18, def: 2, pending: 18, 'in review': 6, proposed: 3, under: 3, '': 6 },
  loudoun: {
    approved: 6,
    completed: 4,
    'in review': 14,
    withdrawn: 4,
    denied: 8,
    void: 1,
    superceded: 1,
    inactive: 16,
    submitted: 1,
    expired: 1,
  },
  prince_william: {
    approved: 6,
    closed: 4,
    'under review': 7,
    pending: 4,
    withdrawn: 4,
    suspended: 14,
    deferred: 6,
    dismissed: 2,
    void: 1,
    superseded: 1,
    denied: 5,
    rejected: 2,
    released: 2,
    'review completed': 2,
    active: 3,
    'pc scheduled': 3,
  },
  chesterfield: { approved: 24, deferred: 40, denied: 14, withdrawn: 7, remanded: 7, '<na>': 10 },
};

const LONGEST_SILENCE_DAYS = 540;

type Row = Record<string, unknown>;

/** Every day that a row states, whatever its column. */
function daysOf(row: object): string[] {
  const texts = JSON.stringify(row, (key, value) => (/seen|scraped|LastModified|text$/i.test(key) ? undefined : value));
  return [...texts.matchAll(/"(\d{4}[-/]\d\d[-/]\d\d)[^"]{0,20}"|"(\d{1,2}\/\d{1,2}\/\d{4})"/g)].flatMap(
    ([, a, b]) => parseDay(a ?? b) ?? [],
  );
}

function rawCase(source: string, ownId: string, words: string, rows: object[]): RawCase {
  return { source, ownId, words: words.trim(), rows, lastDay: rows.flatMap(daysOf).sort().at(-1) ?? '' };
}

async function readAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

function groupRows<T>(rows: readonly T[], keyOf: (row: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const group = groups.get(key) ?? [];
    group.push(row);
    groups.set(key, group);
  }
  return groups;
}

async function councilCases(folder: string): Promise<RawCase[]> {
  const matters = await readAll(readJsonLines<Row>(`${folder}/ny_council`, 'land_use.ndjson.gz'));
  return matters.map((matter) => rawCase('ny_council', String(matter.File), String(matter.StatusName), [matter]));
}

async function rezonings(folder: string): Promise<RawCase[]> {
  const history = await readAll(readCsvRows(`${folder}/nc_mecklenburg`, 'rezoning_history.csv.gz'));
  const listed = await readAll(readCsvRows(`${folder}/nc_mecklenburg`, 'rezoning_projects.csv.gz'));
  const groups = groupRows<Record<string, string>>([...history, ...listed], (row) =>
    row.Petition === undefined ? `${row.Source}/${row['Source ID']}` : `charlotte/${row.Petition.trim()}`,
  );
  return [...groups].map(([ownId, rows]) =>
    rawCase('nc_mecklenburg', ownId, rows.map((row) => row.Decision ?? row.Status).findLast(Boolean) ?? '', rows),
  );
}

async function portalCases(folder: string, prefix: string, file: string): Promise<RawCase[]> {
  const rows = await readAll(readCsvRows(`${folder}/va_counties`, file));
  return rows.map((row) => rawCase(prefix, `${prefix}/${row['Case Number']?.trim()}`, row.Status ?? '', [row]));
}

async function minutesCases(folder: string): Promise<RawCase[]> {
  const segments = await readAll(readJsonLines<Record<string, string>>(`${folder}/va_counties`, 'chesterfield_minutes.ndjson.gz'));
  const groups = groupRows(segments, (segment) => caseNumber(segment.case_number ?? ''));
  return [...groups].map(([number, rows]) => {
    const ordered = rows.toSorted((a, b) => String(a.meeting_date).localeCompare(String(b.meeting_date)));
    return rawCase('chesterfield', `chesterfield/${number}`, ordered.at(-1)?.status ?? '', ordered);
  });
}

/** Reads every case of the sources that state an outcome. */
export async function readRawCases(folder: string): Promise<RawCase[]> {
  const all = [
    await councilCases(folder),
    await rezonings(folder),
    await portalCases(folder, 'loudoun', 'loudoun_rezoning.csv.gz'),
    await portalCases(folder, 'prince_william', 'princewilliam_rezoning.csv.gz'),
    await minutesCases(folder),
  ];
  return all.flat();
}

function shareOf({ source, words }: RawCase): [beginning: string, most: number] | undefined {
  const text = words.toLowerCase();
  return Object.entries(SHARES[source] ?? {}).find(([beginning]) => (beginning === '' ? text === '' : text.startsWith(beginning)));
}

const askedFor = (seed: number, ownId: string, lastDay: string) =>
  daysAfter(lastDay, 1 + (hashOf(seed, 'today', ownId) % LONGEST_SILENCE_DAYS));

/** Shuffles cases; the order depends only on the seed and their ids in their sources. */
function shuffle<T extends RawCase>(cases: readonly T[], ...key: (string | number)[]): T[] {
  const order = new Map(cases.map((one) => [one, hashOf(...key, one.ownId)]));
  return cases.toSorted((a, b) => Number(order.get(a)) - Number(order.get(b)));
}

/** The same seed draws the same cases of the same data, whatever else is among them. */
export function drawCases<T extends RawCase>(cases: readonly T[], seed: number): (T & DrawnCase)[] {
  const strata = groupRows(cases, (one) => {
    const share = one.lastDay === '' ? undefined : shareOf(one);
    return share ? `${one.source}/${share[0]}` : null;
  });
  return [...strata.values()].flatMap((stratum) => {
    const [, most] = shareOf(stratum[0] as T) ?? ['', 0];
    const drawn = shuffle(stratum, seed).slice(0, most);
    return drawn.map((one) => ({ ...one, today: askedFor(seed, one.ownId, one.lastDay) }));
  });
}

const MOST_REPLAYED = 30;
const LEAST_CONTINUANCES = 3;

interface Matter {
  History: { Date: string; Action: string }[];
}

/** Days on which the Council or a committee of it put a case off, oldest first. */
const daysLaidOver = ({ rows: [matter] }: RawCase): string[] => {
  const steps = (matter as Matter).History.filter(({ Action }) => /laid over/i.test(Action));
  return [...new Set(steps.flatMap((step) => parseDay(step.Date) ?? []))].sort();
};

/**
 * Cases of the Council that were put off three times or more, as they stood after one of those days: few cases end there, and nothing else
 * in the data has many continuances.
 */
export function drawReplays<T extends RawCase>(cases: readonly T[], seed: number): (T & DrawnCase)[] {
  const often = cases.filter((one) => one.source === 'ny_council' && daysLaidOver(one).length >= LEAST_CONTINUANCES);
  return shuffle(often, seed, 'replay')
    .slice(0, MOST_REPLAYED)
    .map((one) => {
      const days = daysLaidOver(one).slice(LEAST_CONTINUANCES - 1);
      const until = days[hashOf(seed, 'until', one.ownId) % days.length] as string;
      return { ...one, until, today: askedFor(seed, `replay ${one.ownId}`, until) };
    });
}
