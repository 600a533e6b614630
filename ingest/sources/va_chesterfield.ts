/**
 * Zoning cases of Chesterfield County: segments of the minutes of its Board of Supervisors, read by OCR (`chesterfield_minutes.ndjson.gz`),
 * and figures of the rezonings among them (`chesterfield_rezonings.csv.gz`).
 *
 * Minutes: case_number (`<NA>`, a page mark or a misread number in some) · case_type · status · meeting_date · text. Rezonings: Case.Number ·
 * n_units_desc description · n_sfd, n_sfa, n_mfd, n_unknown dwellings by kind · n_age_restrict those for older people.
 *
 * All segments of a case number and its rezoning row are combined into one record, whose fields come from the last meeting; every segment
 * is a document too. The letter O read for a zero is put right; other misread numbers stay as read and are noted. Segments without a case
 * number are rejected as `no_case_number`. What the board did is read from the minutes (`va_minutes.ts`); the column `status` is wrong
 * in places and counts where they do not say.
 */
import type { Decision, Party, UnitMixEntry, Vote } from '../../src/core/domain/record/statement.ts';
import { actionFields, type Classifiers, useFields } from './classifiers.ts';
import { documentId } from './ids.ts';
import { type Locator, placeFields } from './location.ts';
import { findUnits, withoutSurroundings } from './phrases.ts';
import { type CsvRow, readCsvRows, readJsonLines } from './readers.ts';
import type { Fields } from './rules.ts';
import { type DraftWithNotes, itemOf, type ProjectDraft, rejectOf, type SourceItem } from './types.ts';
import { readCaseMinutes } from './va_minutes.ts';
import { agreedValue, distinctValues, parseCount, parseDay, parseText, positiveOrNull } from './values.ts';

export const MINUTES = 'chesterfield_minutes.ndjson.gz';
export const REZONINGS = 'chesterfield_rezonings.csv.gz';

interface Segment {
  case_number: string;
  case_type: string;
  status: string;
  meeting_date: string;
  text: string;
}

/** `17SNO787` and `II 17SN0787` → `17SN0787`; a page mark such as `16-567` or `<NA>` is no case. */
export function caseNumber(read: string): string | null {
  const trimmed = read.trim();
  if (/^(<NA>|\d\d- ?\d+)$/.test(trimmed)) return null;
  const clean = /(?<!\d)(\d\d[A-Z]{2})([O\d]\d{3})$/.exec(trimmed);
  return clean ? `${clean[1]}${clean[2]?.replace('O', '0')}` : trimmed;
}

const REQUEST =
  /In (?:the )?([A-Z][\w ]{2,20}?) Magisterial District,? (.{3,120}?) requests? (.{10,900}?)(?= Density will| The Comprehensive| Tax ID|$)/;
const NAME_WORD = /^(?:[A-Z][\w.,'&-]*|and|of|the|for|c\/o|de|la|&|\(.*|.*\))$/;

/** District, applicant and request of the sentence that opens a case; OCR that shuffled the words gives nothing. */
export function requestOf(words: string): { applicant: string | null; request: string | null } {
  const [, , applicant = '', request = ''] = REQUEST.exec(words) ?? [];
  const orderly = applicant !== '' && applicant.split(' ').every((word) => NAME_WORD.test(word));
  return { applicant: orderly ? parseText(applicant, 500) : null, request: orderly ? parseText(request) : null };
}

/** 'on 6. 6 acres', 'on . 7 acre': OCR puts a blank next to the point. */
export function readAcres(words: string): number | null {
  const found = [...words.matchAll(/\bon (?:(\d{1,4})\s?\.\s?(\d{1,2})|\.\s?(\d{1,2})|(\d{1,4})) acres?\b/g)];
  return agreedValue(found.map(([, whole, part, fraction, round]) => Number(round ?? `${whole ?? 0}.${part ?? fraction}`)));
}

const zoneCode = (code: string | undefined) => parseText(code?.replace(/\s/g, ''));

/** `rezoning from Agricultural ( A) to Community Business ( C- 3)` → A, C-3 */
function zoningOf(words: string) {
  const found =
    /rezoning (?:and amendment of zoning district map )?from [\w -]{3,60}?\( ?([A-Z0-9 -]{1,7})\)[^()]{0,12}? to [\w -]{3,60}?\( ?([A-Z0-9 -]{1,7})\)/.exec(
      words,
    );
  return { existingZoning: zoneCode(found?.[1]), proposedZoning: zoneCode(found?.[2]) };
}

function unitMix(row: CsvRow | undefined): UnitMixEntry[] {
  const kinds = { n_sfd: 'single family detached', n_sfa: 'single family attached', n_mfd: 'multifamily', n_unknown: 'kind not stated' };
  const entries = Object.entries(kinds).map(([column, unitType]) => ({ unitType, count: positiveOrNull(parseCount(row?.[column])) }));
  return entries.flatMap(({ unitType, count: n }) => (n === null ? [] : [{ unitType, count: n }]));
}

/** Segments of one case in order of their meetings. */
interface Case {
  number: string;
  segments: Segment[];
  rezoning: CsvRow | undefined;
}

/** What is needed to read a case. */
interface Reading {
  rules: Classifiers;
  locator: Locator;
  /** days on which the board met */
  meetingDays: readonly string[];
}

const DOCUMENT = (number: string, index: number) => `minutes/${number}/${index}`;

function toDraft({ number, segments, rezoning }: Case, { rules, locator, meetingDays }: Reading): DraftWithNotes {
  const last = segments.at(-1) as Segment;
  const place = locator.find('Chesterfield County', null);
  const body = 'board_of_supervisors';
  const words = segments.map((s) => parseText(s.text, 900_000) ?? '');
  const opening = words.map(requestOf).find((r) => r.request) ?? { applicant: null, request: null };
  const described = parseText(rezoning?.n_units_desc);
  const minutes = new Map(segments.map((s) => [s, readCaseMinutes(s.text, number, meetingDays)]));
  const fieldsOf = (s: Segment, statement: string): Fields => ({
    text: statement,
    type: s.case_type,
    status: minutes.get(s)?.action ?? s.status,
    source: 'minutes',
  });
  // The opening sentence and description are about the case; a long segment is about its neighbours too.
  const about = withoutSurroundings([described, opening.request].filter(Boolean).join(' ') || (words.at(-1) ?? '').slice(0, 1200));
  const fields = fieldsOf(last, about);
  const statusOf = (s: Segment) => rules.status(fieldsOf(s, minutes.get(s)?.motion ?? '')) ?? 'unknown';
  const dates = distinctValues(segments.map((s) => parseDay(s.meeting_date))).sort();
  const mix = unitMix(rezoning);
  const { votes = [], nextHearing = null } = minutes.get(last) ?? {};
  const meetings = segments.map((s): Decision => {
    const cast = minutes.get(s)?.votes ?? [];
    const decisionType = rules.decisionType(fieldsOf(s, ''));
    return {
      decisionBody: body,
      decisionType,
      status: statusOf(s),
      meetingDate: parseDay(s.meeting_date) ?? '',
      ...(cast.length && { votes: cast }),
    };
  });
  const documents = segments.map((s, i) => ({
    meetingDocumentId: documentId('va_counties', DOCUMENT(number, i)),
    title: titleOf(number, s),
    decisionBody: body,
    meetingDate: parseDay(s.meeting_date),
    url: null,
  }));
  const project: ProjectDraft = {
    recordType: 'project',
    displayName: `${last.case_type} case ${number}`,
    meetingDate: dates.at(-1) ?? null,
    firstMeetingDate: dates[0] ?? null,
    appearanceCount: dates.length,
    ...placeFields(place),
    ...useFields(rules.landUses(fields)),
    status: statusOf(last),
    summary: described ?? opening.request,
    ...actionFields(rules, fields),
    decisionBody: body,
    decisionType: rules.decisionType(fields),
    ...zoningOf(words.join(' ')),
    acreage: readAcres(words.join(' ')),
    totalUnitCount: mix.length ? mix.reduce((sum, entry) => sum + entry.count, 0) : findUnits(described ?? ''),
    unitMix: mix,
    parties: opening.applicant ? [{ role: 'applicant', name: opening.applicant } satisfies Party] : [],
    decisions: meetings.filter((m) => m.status !== 'unknown'),
    statusHistory: meetings.map((m) => ({ status: m.status ?? 'unknown', date: m.meetingDate, decisionBody: body })),
    meetingDocumentId: documents.at(-1)?.meetingDocumentId ?? null,
    meetingDocuments: documents,
    nextMeetingDate: nextHearing,
    voteTotals: votes.length ? voteTotals(votes) : null,
    staffRecommendation: segments.map((s) => minutes.get(s)?.staffWords ?? null).findLast((said) => said !== null) ?? null,
    rawText: words.join('\n\n').slice(0, 1_000_000),
    originalRawText: segments
      .map((s) => s.text)
      .join('\n\n')
      .slice(0, 1_000_000),
    originalRawTextTruncated: segments.reduce((sum, s) => sum + s.text.length + 2, -2) > 1_000_000,
    caseNumbers: [number],
  };
  return [project, /^\d\d[A-Z]{2}\d{4}$/.test(number) ? place.notes : [...place.notes, 'misread_case_number']];
}

function voteTotals(votes: readonly Vote[]) {
  const yes = votes.filter((vote) => vote.vote === 'yes').length;
  return { yes, no: votes.length - yes, abstain: 0, absent: 0 };
}

const titleOf = (number: string, segment: Segment) => `Board of Supervisors, ${segment.meeting_date}, case ${number}`;

async function collectCases(folder: string): Promise<{ cases: Map<string, Case>; nameless: Segment[] }> {
  const cases = new Map<string, Case>();
  const nameless: Segment[] = [];
  const caseOf = (number: string) => {
    const known = cases.get(number) ?? { number, segments: [], rezoning: undefined };
    cases.set(number, known);
    return known;
  };
  for await (const segment of readJsonLines<Segment>(folder, MINUTES)) {
    const number = caseNumber(segment.case_number);
    if (number) caseOf(number).segments.push(segment);
    else nameless.push(segment);
  }
  for await (const row of readCsvRows(folder, REZONINGS)) {
    const number = caseNumber(row['Case.Number'] ?? '');
    if (number) caseOf(number).rezoning = row;
  }
  return { cases, nameless };
}

/** The cases of the minutes with their documents. */
export async function* chesterfieldCases(folder: string, rules: Classifiers, locator: Locator): AsyncGenerator<SourceItem> {
  const { cases, nameless } = await collectCases(folder);
  const all = [...nameless, ...[...cases.values()].flatMap(({ segments }) => segments)];
  const meetingDays = distinctValues(all.map((segment) => parseDay(segment.meeting_date)));
  for (const segment of nameless) {
    const ownId = `chesterfield/${segment.meeting_date}/${segment.case_number}`;
    yield rejectOf(ownId, 1, 'no_case_number');
  }
  for (const found of cases.values()) {
    const { number, segments, rezoning } = found;
    const ownId = `chesterfield/${number}`;
    const rows = segments.length + (rezoning ? 1 : 0);
    segments.sort((a, b) => a.meeting_date.localeCompare(b.meeting_date));
    if (!segments.some((s) => parseDay(s.meeting_date))) {
      yield rejectOf(ownId, rows, 'no_date');
      continue;
    }
    const item = itemOf(ownId, rows, toDraft(found, { rules, locator, meetingDays }));
    yield item;
    if (item.kind === 'reject') continue;
    for (const [index, segment] of segments.entries()) yield toDocument(number, index, segment);
  }
}

function toDocument(number: string, index: number, segment: Segment): SourceItem {
  return {
    kind: 'document',
    ownId: DOCUMENT(number, index),
    rows: 0,
    document: {
      state: 'VA',
      county: 'Chesterfield County',
      city: null,
      decisionBody: 'board_of_supervisors',
      meetingDate: parseDay(segment.meeting_date),
      title: titleOf(number, segment),
      url: null,
      text: segment.text,
    },
  };
}
