/** Documents with labels, and the bodies of them that are put aside: those are read only where they are asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readJson } from '../../../ingest/extract/documents/api/readJson.ts';
import type { ReadDocument } from '../../../ingest/extract/types.ts';
import { readJsonLines } from '../../../ingest/sources/readers.ts';
import { writeLegistarEvent } from './documentForms.ts';
import putAside from './putAside.json' with { type: 'json' };

/** What labels say of one case; null where they are silent, undefined where the set has no such label. */
export interface GoldCase {
  numbers: string[];
  title: string | null;
  /** places of its words in the text */
  quote: { start: number; end: number } | null;
  doubts: string[];
  decision?: string | null;
  tally?: { yes: number; no: number; abstain: number } | null;
  votes?: Record<string, string> | null;
  mover?: string | null;
  seconder?: string | null;
  values: Record<string, string | number | null>;
}

export interface GoldDocument {
  set: string;
  body: string;
  document: ReadDocument;
  date: string;
  kind: string;
  cases: GoldCase[];
  /** numbers of cases that a sentence of the text decides and the labels lack: whether they are cases is in doubt */
  unlabelled?: ReadonlySet<string>;
}

interface UtahCase {
  file: string;
  case_number: string | null;
  title: string;
  address: string | null;
  parcel: string | null;
  applicant: string | null;
  acreage: number | null;
  units: number | null;
  lots: number | null;
  existing_zoning: string | null;
  proposed_zoning: string | null;
  outcome: string;
  vote: { yes: number; no: number; abstain: number } | null;
  votes_by_name: Record<string, string> | null;
  conditions_count: number | null;
  next_hearing_date: string | null;
  staff_recommendation: string | null;
  quote: string;
  quote_span: [number, number] | null;
  doubts: string[];
}
interface UtahMotion {
  item: string;
  is_land_use: boolean;
  mover: string | null;
  seconder: string | null;
}
interface UtahDocument {
  file: string;
  place: string;
  date: string;
  kind: string;
  motions: UtahMotion[];
}

export const documentOf = (file: string, text: string): ReadDocument => ({
  file,
  sha256: '',
  format: 'text',
  text,
  pageStarts: [0],
  stated: { kind: null, date: null, title: null, url: null },
  unread: null,
});

/** Lines before the first rule were added by whoever converted the file, and may state the date. Places stay. */
const withoutFrontMatter = (text: string) => text.replace(/^(?:(?:#.*|>.*|\s*)\n){1,14}---\n/, (lines) => lines.replace(/[^\n]/g, ' '));

const readLines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

const words = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** @param aside true: only the bodies that are put aside; false: only the others */
export function readUtah(folder: string, aside: boolean): GoldDocument[] {
  const chosen = (file: string) => putAside.ut_minutes.some((name) => file.startsWith(name)) === aside;
  const cases = readLines<UtahCase>(path.join(folder, 'cases.ndjson')).filter(({ file }) => chosen(file));
  return readLines<UtahDocument>(path.join(folder, 'gold.ndjson'))
    .filter(({ file }) => chosen(file))
    .map(({ file, place, date, kind, motions }, _i, _all, used = new Set<UtahMotion>()) => ({
      set: 'ut_minutes',
      body: place,
      document: documentOf(file, withoutFrontMatter(readFileSync(path.join(folder, file), 'utf8'))),
      date,
      kind: kind.split('_')[0] ?? kind,
      cases: cases.filter((one) => one.file === file).map((one) => toGold(one, motions, used)),
    }));
}

/** @param used motions that earlier cases of the document have, since some are worded alike */
function toGold(one: UtahCase, motions: readonly UtahMotion[], used: Set<UtahMotion>): GoldCase {
  const quote = words(one.quote);
  const fits = ({ item }: UtahMotion) => quote.includes(words(item).slice(0, 90)) || words(item).includes(quote.slice(0, 90));
  const motion = motions.find((candidate) => candidate.is_land_use && !used.has(candidate) && fits(candidate));
  if (motion) used.add(motion);
  return {
    numbers: one.case_number?.split(/ ?& ?|, /) ?? [],
    title: one.title,
    quote: one.quote_span ? { start: one.quote_span[0], end: one.quote_span[1] } : null,
    doubts: one.doubts,
    decision: one.outcome === 'none' ? null : one.outcome,
    tally: one.vote,
    votes: one.votes_by_name,
    mover: motion?.mover ?? null,
    seconder: motion?.seconder ?? null,
    values: {
      case_number: one.case_number,
      title: one.title,
      address: one.address,
      parcel: one.parcel,
      applicant: one.applicant,
      acreage: one.acreage,
      units: one.units,
      lots: one.lots,
      existing_zoning: one.existing_zoning,
      proposed_zoning: one.proposed_zoning,
      conditions_count: one.conditions_count,
      conditions_listed: one.conditions_count,
      next_hearing_date: one.next_hearing_date,
      staff_recommendation: one.staff_recommendation,
    },
  };
}

interface Segment {
  case_number: string;
  status: string;
  meeting_date: string;
  text: string;
}
const STATUS: Readonly<Record<string, string>> = {
  Approved: 'approved',
  Denied: 'denied',
  Deferred: 'continued',
  Remanded: 'continued',
  Withdrawn: 'withdrawn',
};

/** `the Board approved Case 15SNO635`: what the text says to be decided, whatever the rules read. */
const findDecided = (text: string): string[] =>
  [
    ...text
      .replace(/\s+/g, ' ')
      .matchAll(/\b(?:approv|defer|den[iy]|remand|withdr|acknowledg)[a-z]*[^.]{0,60}? [Cc]ase (\d\d[A-Z]{2}[\dO]{4})\b/g),
  ].map(([, number = '']) => number.replace(/O/g, '0'));

/** Meetings of Chesterfield County, each from its segments, which are as OCR read them. The labels' statuses are wrong in places. */
export async function readChesterfield(folder: string): Promise<GoldDocument[]> {
  const meetings = new Map<string, Segment[]>();
  for await (const one of readJsonLines<Segment>(folder, 'chesterfield_minutes.ndjson.gz'))
    meetings.set(one.meeting_date, [...(meetings.get(one.meeting_date) ?? []), one]);
  return [...meetings].map(([date, segments]) => {
    const seen = new Set<string>();
    const unlabelled = findDecided(segments.map(({ text }) => text).join(' ')).filter((number) =>
      segments.every((one) => one.case_number !== number),
    );
    return {
      unlabelled: new Set(unlabelled),
      set: 'va_counties',
      body: 'Chesterfield County',
      document: documentOf(
        `chesterfield_${date}.txt`,
        `BOARD OF SUPERVISORS MINUTES\n${segments.map(({ text }) => text.replace(/\s+/g, ' ')).join('\n\n')}`,
      ),
      date,
      kind: 'minutes',
      cases: segments.flatMap(({ case_number: number, status }): GoldCase[] => {
        if (!/^\d\d[A-Z]{2}\d{4}$/.test(number) || seen.has(number)) return [];
        seen.add(number);
        return [
          {
            numbers: [number],
            title: null,
            quote: null,
            doubts: [],
            ...(status in STATUS ? { decision: STATUS[status] as string } : {}),
            values: { case_number: number },
          },
        ];
      }),
    };
  });
}

interface CouncilItem {
  MatterFile?: string;
  MatterType?: string;
  Title?: string;
  ActionName?: string;
}

interface CouncilMeeting {
  ID: number;
  Date: string;
  BodyName: string;
  Items: CouncilItem[] | null;
}

/** What an action's name decides; null for a hearing alone, undefined for what is filed without a vote on it. */
const ACTIONS: readonly [RegExp, string | null][] = [
  [/disapprov/i, 'denied'],
  [/approv.*modif/i, 'approved_with_conditions'],
  [/approv|adopt/i, 'approved'],
  [/laid over|deferr/i, 'continued'],
  [/hearing/i, null],
];

/** The last action on a matter that decides; committees decide what they recommend to the council, so that either is right. */
function toCouncilCase(number: string, items: readonly CouncilItem[]): GoldCase {
  const decided = items.flatMap(({ ActionName = '' }) => ACTIONS.find(([pattern]) => pattern.test(ActionName)) ?? []);
  const said = decided.filter((one): one is string => typeof one === 'string');
  const isFiled = items.some(({ ActionName = '' }) => !ActionName || /^filed/i.test(ActionName));
  return makeCouncilCase(number, items[0]?.Title ?? null, isFiled ? undefined : (said.at(-1) ?? null));
}

const makeCouncilCase = (number: string, title: string | null, decision: string | null | undefined): GoldCase => ({
  numbers: [number],
  title,
  quote: null,
  doubts: ['decision'],
  ...(decision === undefined ? {} : { decision }),
  values: { case_number: number, title },
});

/** Meetings of the council's committees, as Legistar gives them. */
export async function readCouncil(folder: string): Promise<GoldDocument[]> {
  const golds: GoldDocument[] = [];
  for await (const meeting of readJsonLines<CouncilMeeting>(folder, 'meetings_landuse.ndjson.gz')) {
    const [part] = readJson(JSON.stringify(writeLegistarEvent(meeting)));
    const matters = Map.groupBy(meeting.Items ?? [], ({ MatterFile = '' }) => MatterFile);
    const isCase = ([number, [first]]: [string, CouncilItem[]]) => number !== '' && first?.MatterType === 'Land Use Application';
    const cases = [...matters].filter(isCase).map(([number, items]) => toCouncilCase(number, items));
    if (part && cases.length)
      golds.push({
        set: 'ny_council',
        body: meeting.BodyName,
        document: { file: `${meeting.ID}.json`, sha256: '', ...part },
        date: meeting.Date.slice(0, 10),
        kind: part.stated.kind ?? 'other',
        cases,
        unlabelled: new Set([...matters].filter((one) => !isCase(one)).map(([number]) => number)),
      });
  }
  return golds;
}

interface CouncilPaper {
  file: string;
  name: string;
  title: string;
  text: string;
  passed: string;
  history: { Action: string; BodyName: string }[];
}

/** Resolutions whose text says when they were passed, by what the council did; a modification is a condition. */
export async function readResolutions(folder: string): Promise<GoldDocument[]> {
  const golds: GoldDocument[] = [];
  for await (const { file, name, title, text, passed, history } of readJsonLines<CouncilPaper>(folder, 'resolutions_landuse.ndjson.gz')) {
    const done = history.filter(({ BodyName }) => BodyName === 'City Council').map(({ Action }) => Action);
    const decided = done.find((action) => /^(?:approved|disapproved)/i.test(action));
    const [, number] = /\(([A-Z]? ?\d{6,8} ?[A-Z]{3})\)/.exec(name) ?? [];
    if (!number || !decided || !/passed by .{0,60} on [A-Z][a-z]+ \d/.test(text)) continue;
    const decision = /^dis/i.test(decided) ? 'denied' : /with modifications/i.test(title) ? 'approved_with_conditions' : 'approved';
    golds.push({
      set: 'ny_council resolutions',
      body: 'City Council',
      document: documentOf(`${file}.txt`, `${title}\n\n${text}`),
      date: passed.slice(0, 10),
      kind: 'other',
      cases: [makeCouncilCase(number, title, decision)],
    });
  }
  return golds;
}

/** Whether a folder has a set that this reads. */
export const hasFile = (folder: string, file: string): boolean => {
  try {
    return readdirSync(folder).includes(file);
  } catch {
    return false;
  }
};
