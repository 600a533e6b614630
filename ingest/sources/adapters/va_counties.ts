/**
 * Cases of three counties of Virginia: the permit portals of Loudoun and Prince William, the minutes of Chesterfield's Board of Supervisors.
 * No licence to redistribute, so no row of them is committed.
 *
 * Cases of the permit portals of Loudoun and Prince William counties (`loudoun_rezoning.csv.gz`, `princewilliam_rezoning.csv.gz`).
 *
 * Columns: Case Number (own id within the county) · Type · Status · Project Name · Applied Date, the only date, which is no hearing · Address, in part with city
 * and postal code · Main Parcel (rounded by a spreadsheet in Loudoun: only unharmed numbers are taken) · Description.
 * A case number that occurred twice would be rejected as a duplicate.
 *
 * Zoning cases of Chesterfield County: segments of the minutes of its Board of Supervisors, read by OCR (`chesterfield_minutes.ndjson.gz`),
 * and figures of the rezonings among them (`chesterfield_rezonings.csv.gz`).
 *
 * Minutes: case_number (`<NA>`, a page mark or a misread number in some) · case_type · status · meeting_date · text. Rezonings: Case.Number ·
 * n_units_desc description · n_sfd, n_sfa, n_mfd, n_unknown dwellings by kind · n_age_restrict those for older people.
 *
 * All segments of a case number and its rezoning row are combined into one record, whose fields come from the last meeting; every segment
 * is a document too. The letter O read for a zero is put right; other misread numbers stay as read and are noted. Segments without a case
 * number are rejected as `no_case_number`. What the board did is read from the minutes; the column `status` is wrong
 * in places and counts where they do not say.
 */
import type { Decision, Party, UnitMixEntry, Vote, VoteTotals } from '../../../src/core/domain/record/statement.ts';
import { documentId } from '../ids.ts';
import { recordOf, rejectOf } from '../items.ts';
import { Locator } from '../location.ts';
import {
  findAcres,
  findChanges,
  findLots,
  findParcels,
  findStories,
  findUnits,
  startsWithAddress,
  withoutCompanies,
  withoutSurroundings,
} from '../phrases.ts';
import { type CsvRow, readCsvRows, readJsonLines } from '../readers.ts';
import { actionFields, compileClassifiers, type Fields, type RulesFile, useFields } from '../rules.ts';
import type { DraftWithNotes, ProjectDraft, ReadContext, SourceAdapter, SourceItem } from '../types.ts';
import {
  agreedValue,
  distinctValues,
  joinUpTo,
  parseAmount,
  parseCount,
  parseDay,
  parseText,
  parseZipCode,
  positiveOrNull,
} from '../values.ts';
import file from './rules/va_counties.json' with { type: 'json' };

const rules = compileClassifiers(file as RulesFile);

interface Portal {
  file: string;
  county: string;
  /** first half of every own id */
  prefix: string;
}

const PORTALS: readonly Portal[] = [
  { file: 'loudoun_rezoning.csv.gz', county: 'Loudoun County', prefix: 'loudoun' },
  { file: 'princewilliam_rezoning.csv.gz', county: 'Prince William County', prefix: 'prince_william' },
];

/** City of `24560 DULLES LANDING DR STERLING VA 20166`: the longest run of words before VA that is a city of the county. */
function portalCityOf(address: string, county: string, locator: Locator): string | null {
  const words = /^(.*) VA \d{5}/.exec(address)?.[1]?.split(' ') ?? [];
  const tails = [3, 2, 1].filter((n) => n <= words.length).map((n) => words.slice(-n).join(' '));
  return tails.find((tail) => locator.find({ county, city: tail }).cityId !== null) ?? tails.at(-1) ?? null;
}

/** `LUCK STONE LEESBURG PLANT : A Zoning Map Amendment …` and `Kings Crest - To rezone …` begin with the name. */
function nameOf(description: string): string | null {
  return parseText(/^([^:]{3,80}?) : /.exec(description)?.[1] ?? /^([^-–]{3,60}?) - /.exec(description)?.[1]);
}

/** Kinds of requests and parcels, with which descriptions begin instead of a name. */
const NO_NAME = /^[A-Z]{3}$|^(?:rezone|request)\b|^PIN \d|^(?:proffer|sign)\b|\bVERIF$/i;

/** `PROFFER INTERPRETATION` of the type `Rezoning - Proffer Interpretation/Determination` is no name. */
const repeatsType = (title: string, type: string): boolean =>
  title.split(/\W+/).every((word) => type.toLowerCase().includes(word.toLowerCase()));

/** Whether the words before the description proper are a name. */
const isName = (title: string | null, type: string): boolean =>
  Boolean(title) && !startsWithAddress(title) && !NO_NAME.test(title ?? '') && !repeatsType(title ?? '', type);

/** `A-1`, `SR-1`, `PD-IP`, `PD-H4`, `CR1`, `CLI`, `PMR` */
const DISTRICT = /\b(?:PD-?[A-Z]{1,4}(?:-[A-Z]{1,4})?(?:-?\d+)?|JLMA-?\d+|[A-Z]{1,3}-?\d{1,2}[A-Z]?|PMR|PMD|PBD|RPC|PDH|CLI|GB)\b/g;
const TARGET_END = /[.;]| (?:for|in order|with|to allow|under)\b|,? (?:and )?\d[\d.]* acres/i;
const districtsOf = (words: string) => words.match(DISTRICT) ?? [];
/** `rezone 0.39 acres` */
const lastAcres = (words: string) =>
  parseAmount(
    /^ac(?:res)?$/i.test(words.trim().split(/\s+/).at(-1) ?? '')
      ? words
          .trim()
          .split(/[\s(]+/)
          .at(-2)
      : '',
  ) ?? 0;

/** `from A-1, Agricultural, to SR-1`: the districts of every change, that of the most acres first */
function portalZoningOf(description: string): { existingZoning: string | null; proposedZoning: string | null } {
  const named = findChanges(description).filter(
    ({ before, from }) => districtsOf(from).length || /rezon|chang|conver/i.test(`${before} ${from}`),
  );
  const changes = named.sort((a, b) => lastAcres(b.before) - lastAcres(a.before));
  const list = (districts: string[]) => joinUpTo(distinctValues(districts), ', ', 500);
  const target = (to: string) => to.split(TARGET_END, 1)[0] ?? '';
  return {
    existingZoning: list(changes.flatMap(({ from }) => districtsOf(from))),
    proposedZoning: list(changes.flatMap(({ to }) => districtsOf(target(to)))),
  };
}

/** A parcel that a spreadsheet has not rounded (`1.18E+11`), and none that stands for none (`2013-00-0000`). */
const unroundedParcel = (parcel: string | null) => (parcel && !/E\+|-00-0000$/.test(parcel) ? parcel : null);

function portalDraft(row: CsvRow, portal: Portal, locator: Locator): DraftWithNotes {
  const address = parseText(row.Address, 2000);
  const city = address ? portalCityOf(address, portal.county, locator) : null;
  const { notes, ...place } = locator.find({ county: portal.county, city });
  const description = parseText(row.Description) ?? '';
  const applied = parseDay(row['Applied Date']);
  const type = parseText(row.Type) ?? '';
  const title = nameOf(description);
  const isLetter = /correspondence|verification/i.test(type);
  const ownName = isName(title, type) ? title : null;
  const named = parseText(row['Project Name'], 2000) ?? ownName;
  // What is asked for comes before names; ADU are affordable dwelling units in Loudoun, not accessory ones.
  const text = withoutSurroundings(
    withoutCompanies(
      [description.slice(ownName?.length ?? 0), named]
        .filter(Boolean)
        .join('. ')
        .replace(/\bno ADU\w*|(?<=\bR-?\d+ )(?:ADU|\([^()]{0,60}\))/gi, ' ')
        .replace(/\bADUs?\b/gi, 'affordable dwelling units'),
    ),
  );
  const fields: Fields = {
    // Letters mention much that they are not about.
    text: isLetter ? (title ?? '') : text,
    district: isLetter ? '' : text,
    type,
    status: row.Status?.trim() ?? '',
    source: 'portal',
  };
  const number = parseText(row['Case Number'], 200);
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: named,
    displayName: named ?? title ?? number,
    address: address && /^[1-9]/.test(address) ? address : null,
    ...place,
    zipCode: parseZipCode(/\bVA (\d{5})/.exec(address ?? '')?.[1]),
    ...useFields(rules.landUses(fields)),
    status: rules.status(fields),
    summary: parseText(description),
    statusSummary: `${type}, applied for on ${applied}; status: ${fields.status}.`,
    parcelNumbers: distinctValues([unroundedParcel(parseText(row['Main Parcel'], 100)), ...findParcels(description)]),
    ...actionFields(rules, fields),
    constructionType: rules.constructionType(fields),
    ...(isLetter ? {} : portalZoningOf(description)),
    acreage: findAcres(description),
    totalUnitCount: findUnits(description),
    lotCount: findLots(description),
    buildingStories: findStories(description),
    rawText: parseText(description),
    originalRawText: row.Description || null,
    caseNumbers: distinctValues([number]),
  };
  return [project, notes];
}

/** The cases of one portal. */
async function* portalCases(folder: string, portal: Portal, locator: Locator): AsyncGenerator<SourceItem> {
  const seen = new Set<string>();
  for await (const row of readCsvRows(folder, portal.file)) {
    const ownId = `${portal.prefix}/${row['Case Number']?.trim()}`;
    yield seen.has(ownId) ? rejectOf(ownId, [row], 'duplicate') : recordOf(ownId, [row], portalDraft(row, portal, locator));
    seen.add(ownId);
  }
}

type BoardAction = 'Approved' | 'Denied' | 'Deferred' | 'Remanded' | 'Withdrawn';

/**
 * What the minutes say of one case. Their words were read by OCR, which shuffles words of neighbouring lines; what is not clear is left out.
 */
interface CaseMinutes {
  /** what the board did last; null where the minutes break off before, or name another case */
  action: BoardAction | null;
  /** the beginning of that motion */
  motion: string;
  /** on that motion, where every name was read cleanly */
  votes: Vote[];
  /** day of the next hearing, where the case was put off to one */
  nextHearing: string | null;
  /** what staff recommend, in the words of the minutes */
  staffWords: string | null;
}

const SEATS = 5;
/** A segment whose motion is not read may close with its votes. */
const CLOSE_CHARACTERS = 240;

function names(list: string): string[] {
  return /^none/i.test(list)
    ? []
    : list
        .split(/,? and |[,;]\s*/)
        .map((name) => name.replace(/\.$/, '').trim())
        .filter(Boolean);
}

/** The first votes of the words, `Ayes: Jaeckle, Warren and Gecker. Nays: None`; taken only where every name was read cleanly. */
export function votesOf(words: string): Vote[] {
  const shuffled = /((?:[A-Z][a-z]+, ){1,3}[A-Z][a-z]+ and [A-Z][a-z]+)\. Ayes: Nays: (None)/;
  const usual =
    /Ayes: ([A-Z][\w,;. ]+?)\. ?Nays: ([A-Z][\w, ]*?)(?=\.|$| Nays| \w?\d| Absent)(?:\.? (?:Absent: (?<absent>[A-Z][\w, ]*?)|Abstain(?:ed|ing)?: (?<abstain>[A-Z][\w, ]*?))(?=\.|$| \w?\d))?/;
  const close = [usual.exec(words), shuffled.exec(words)].filter((found) => found !== null).sort((a, b) => a.index - b.index)[0];
  const ayes = names(close?.[1] ?? '').map((name): Vote => ({ name, vote: 'yes' }));
  const nays = names(close?.[2] ?? '').map((name): Vote => ({ name, vote: 'no' }));
  const others = (['absent', 'abstain'] as const).flatMap((vote) =>
    names(close?.groups?.[vote] ?? '').map((name): Vote => ({ name, vote })),
  );
  const votes = [...ayes, ...nays, ...others];
  return votes.length <= SEATS && votes.every((vote) => /^[A-Z][a-z]+$/.test(vote.name)) ? votes : [];
}

const ACTIONS: readonly [verb: RegExp, action: BoardAction][] = [
  [/^appr/i, 'Approved'],
  [/^den/i, 'Denied'],
  [/^def/i, 'Deferred'],
  [/^rem/i, 'Remanded'],
];
const MOTION = /\b(approved?|deny|denied|defer(?:red)?|remand(?:ed)?)[ .,-]{1,3}(?:the )?case (\d\d[A-Z\d]{2} ?[\dO]{4})/gi;
const PRESENTED = /\b(?:summary of Case|Case summary of|deferral of Case) (\d\d[A-Z\d]{2} ?[\dO]{4})/i;
const WITHDRAWN =
  /\backnowledged? (?:the )?withdrawal(?: of Case (\d\d[A-Z\d]{2} ?[\dO]{4}))?|\b(?:has|have)(?: formally)? withdrawn (?:the|its|their|his|her) (?:request|application|case)|\b(?:wishes|agreed) to withdraw (?:the )?case/gi;

interface Event {
  action: BoardAction;
  at: number;
  case: string | undefined;
}

/** Case numbers are compared with the letters that OCR takes for digits. */
const comparable = (number: string | undefined) =>
  number
    ?.toUpperCase()
    .replace(/\s/g, '')
    .replace(/O/g, '0')
    .replace(/^(\d\d)5N/, '$1SN');

function eventsOf(words: string): Event[] {
  const motions = [...words.matchAll(MOTION)].filter(
    ({ index }) => !/\burged\b[^.]{0,40}$/.test(words.slice(Math.max(0, index - 60), index)),
  );
  const moved = motions.flatMap(({ index, 1: verb = '', 2: number }) =>
    ACTIONS.filter(([pattern]) => pattern.test(verb)).map(([, action]) => ({ action, at: index, case: comparable(number) })),
  );
  const withdrawn = [...words.matchAll(WITHDRAWN)].map(
    ({ index, 1: number }): Event => ({ action: 'Withdrawn', at: index, case: comparable(number) }),
  );
  return [...moved, ...withdrawn].sort((a, b) => a.at - b.at);
}

/** The last action on this case; neighbouring cases of the same page are skipped. */
function lastEvent(words: string, number: string): Event | undefined {
  const events = eventsOf(words);
  const own = new Set([comparable(number), comparable(PRESENTED.exec(words)?.[1])]);
  // A number that was misread in the heading is right in the motion, and the case's own motion is the first of its segment.
  const isMisread = !events.some((event) => event.case && own.has(event.case));
  const first = events.find((event) => event.action !== 'Withdrawn');
  if (isMisread && first) own.add(first.case);
  // A withdrawal without a number that follows the case's own motion is a neighbour's.
  return events.findLast((event) => event.case && own.has(event.case)) ?? events.findLast((event) => !event.case);
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const UNTIL = new RegExp(`\\b(?:until|to) (?:the )?(${MONTHS.join('|')}) (?:(\\d{1,2}), )?(\\d{4})\\b`);
const LONGEST_MOTION = 160;

/** `until October 28, 2015`; of `until the May 2015 regularly scheduled meeting` the day on which the board met in that month, where it met once. */
function nextHearing(motion: string, meetingDays: readonly string[]): string | null {
  const [, name = '', date, year = ''] = UNTIL.exec(motion.slice(0, LONGEST_MOTION)) ?? [];
  if (!name) return null;
  const month = MONTHS.indexOf(name) + 1;
  if (date) return parseDay(`${month}/${date}/${year}`);
  return agreedValue(meetingDays.filter((met) => met.startsWith(`${year}-${String(month).padStart(2, '0')}`)));
}

const STAFF_WORDS = [
  /\bstaff\.? (?:\w+ )?recommend(?:s|ed|ing)?\b/g,
  /\bstaff (?:is|has) ?request(?:ed|ing) .{0,40}?deferral/g,
  /\brecommended (?:and stated )?(?:approval|denial).{0,20}? both the Planning Commission and staff\b/g,
];
/** The end of a sentence, or of the part of it that quotes staff. */
const WORDS_END = /[.;] (?=[A-Z\d]|summary of|representing|the applicant|accepted|stated)|;| M[rs]s?\. |, (?:however|but),? the Planning/;
const LONGEST_WORDS = 400;

/** The first words in which staff recommend something, not those that say what to accept if the board approves against their advice. */
function staffWords(words: string): string | null {
  const found = STAFF_WORDS.flatMap((pattern) => [...words.matchAll(pattern)]).sort((a, b) => a.index - b.index);
  const plain = found.find(
    ({ index }) =>
      !/\b(?:if|should) the Board\b/.test(
        words
          .slice(Math.max(0, index - 120), index)
          .split('.')
          .at(-1) ?? '',
      ),
  );
  if (!plain) return null;
  const rest = words.slice(plain.index + plain[0].length);
  const end = Math.min(rest.search(WORDS_END) + 1 || rest.length + 1, LONGEST_WORDS) - 1;
  return parseText(`${plain[0]}${rest.slice(0, end)}`);
}

/** What a segment of minutes says of the case that it is about. @param meetingDays `YYYY-MM-DD`, on which the board met */
export function readCaseMinutes(segment: string, number: string, meetingDays: readonly string[]): CaseMinutes {
  const words = parseText(segment, 900_000) ?? '';
  const last = lastEvent(words, number);
  const rest = last ? words.slice(last.at) : '';
  const isVoted = last !== undefined && (last.action !== 'Withdrawn' || /^acknowledge\b/i.test(rest));
  return {
    action: last?.action ?? null,
    motion: rest.slice(0, LONGEST_MOTION),
    votes: isVoted ? votesOf(rest) : last ? [] : votesOf(words.slice(-CLOSE_CHARACTERS)),
    nextHearing: last?.action === 'Deferred' ? nextHearing(rest, meetingDays) : null,
    // What follows the motion is about a neighbour.
    staffWords: staffWords(words.slice(0, last?.at)),
  };
}

const MINUTES = 'chesterfield_minutes.ndjson.gz';
const REZONINGS = 'chesterfield_rezonings.csv.gz';

interface Segment {
  case_number: string;
  case_type: string;
  status: string;
  meeting_date: string;
  text: string;
}

/** `17SNO787`, `175N0787` and `II 17SN0787` → `17SN0787`; a page mark such as `16-567` or `<NA>` is no case. */
export function caseNumber(read: string): string | null {
  const trimmed = read.trim();
  if (/^(<NA>|\d\d- ?\d+)$/.test(trimmed)) return null;
  const clean = /(?<!\d)(\d\d[A-Z5][A-Z])([O\d]\d{3})$/.exec(trimmed);
  return clean ? `${clean[1]?.replace(/5(?=[A-Z]$)/, 'S')}${clean[2]?.replace('O', '0')}` : trimmed;
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
function minutesZoningOf(words: string) {
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
  locator: Locator;
  /** days on which the board met */
  meetingDays: readonly string[];
}

const DOCUMENT = (number: string, index: number) => `minutes/${number}/${index}`;

function minutesDraft({ number, segments, rezoning }: Case, { locator, meetingDays }: Reading): DraftWithNotes {
  const last = segments.at(-1) as Segment;
  const { notes, ...place } = locator.find({ county: 'Chesterfield County' });
  const body = 'board_of_supervisors';
  const words = segments.map((s) => parseText(s.text, 900_000) ?? '');
  const opening = words.map(requestOf).find((r) => r.request) ?? { applicant: null, request: null };
  const described = parseText(rezoning?.n_units_desc);
  const minutes = new Map(segments.map((s) => [s, readCaseMinutes(s.text, number, meetingDays)]));
  const fieldsOf = (s: Segment, statement: string): Fields => ({
    text: statement.replace(OWN_DISTRICT, ' '),
    district: statement,
    type: s.case_type,
    status: minutes.get(s)?.action ?? s.status,
    source: 'minutes',
  });
  // The opening sentence and description are about the case; a long segment is about its neighbours too.
  const about = withoutSurroundings(
    [described?.replace(/\bNo information[^.]*/gi, ''), opening.request].filter(Boolean).join(' ') || (words.at(-1) ?? '').slice(0, 1200),
  );
  const fields = fieldsOf(last, about);
  const statusOf = (s: Segment) => rules.status(fieldsOf(s, minutes.get(s)?.motion ?? '')) ?? 'unknown';
  const dates = distinctValues(segments.map((s) => parseDay(s.meeting_date))).sort();
  const mix = unitMix(rezoning);
  const { votes = [], nextHearing = null } = minutes.get(last) ?? {};
  // Of several segments of a day those count that say what was done.
  const acted = (s: Segment) => minutes.get(s)?.action;
  const counted = segments.filter((s) => acted(s) || !segments.some((other) => other.meeting_date === s.meeting_date && acted(other)));
  const meetings = counted.map((s): Decision => {
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
    address: ADDRESS.exec(words.join(' '))?.[1] ?? null,
    ...place,
    ...useFields(rules.landUses(fields)),
    status: statusOf(last),
    summary: described ?? opening.request,
    ...actionFields(rules, fields),
    decisionBody: body,
    decisionType: rules.decisionType(fields),
    ...minutesZoningOf(words.join(' ')),
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
    parcelNumbers: distinctValues(words.flatMap(taxIdsOf)),
    caseNumbers: [number],
  };
  return [project, /^\d\d[A-Z]{2}\d{4}$/.test(number) ? notes : [...notes, 'misread_case_number']];
}

/** Who abstained or was absent is counted only where the minutes name them. */
function voteTotals(votes: readonly Vote[]): VoteTotals {
  const count = (how: Vote['vote']) => votes.filter(({ vote }) => vote === how).length;
  const named = (['abstain', 'absent'] as const).filter((how) => count(how) > 0);
  return { yes: count('yes'), no: count('no'), ...Object.fromEntries(named.map((how) => [how, count(how)])) };
}

/** `in a Heavy Industrial ( I- 3) District`, in which a church is permitted, is the case's district and not its use. */
const OWN_DISTRICT = /\bin an? (?!.{0,40}Residential)[\w /-]{3,40}\( ?[A-Z\d][A-Z\d -]{0,6}\) District/gi;

/** `known as 300 West Hundred Road.` */
const ADDRESS = /\bknown as (\d[\w-]* (?!and )[\w .'-]{2,52}?)(?=\. (?:Density|The)|,| and )/;

/** `Tax IDs 735- 670- 5739; 6719 and 9713`, which share what stands before, where OCR left each number in one piece. */
function taxIdsOf(words: string): string[] {
  const list = /\bTax IDs? ([\d;,.& -]|and )+/.exec(words)?.[0].replaceAll('- ', '-') ?? '';
  // OCR that shuffled the words tore numbers apart.
  if (/(?<![\d-])\d{3}-\d{4}(?!\d)/.test(list)) return [];
  let block = '';
  return [...list.matchAll(/(?<![\d-])(?:(\d{3}-\d{3}-))?(\d{4})(?![\d-])/g)].flatMap(([, prefix, lot]) => {
    block = prefix ?? block;
    return block ? [`${block}${lot}`] : [];
  });
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
async function* chesterfieldCases(folder: string, locator: Locator): AsyncGenerator<SourceItem> {
  const { cases, nameless } = await collectCases(folder);
  const all = [...nameless, ...[...cases.values()].flatMap(({ segments }) => segments)];
  const meetingDays = distinctValues(all.map((segment) => parseDay(segment.meeting_date)));
  for (const segment of nameless) {
    const ownId = `chesterfield/${segment.meeting_date}/${segment.case_number}`;
    yield rejectOf(ownId, [segment], 'no_case_number');
  }
  for (const found of cases.values()) {
    const { number, segments, rezoning } = found;
    const ownId = `chesterfield/${number}`;
    const rows = [...segments, ...(rezoning ? [rezoning] : [])];
    segments.sort((a, b) => a.meeting_date.localeCompare(b.meeting_date));
    if (segments.length === 0) {
      yield rejectOf(ownId, rows, 'no_minutes');
      continue;
    }
    yield recordOf(ownId, rows, minutesDraft(found, { locator, meetingDays }));
    for (const [index, segment] of segments.entries()) yield toDocument(number, index, segment);
  }
}

function toDocument(number: string, index: number, segment: Segment): SourceItem {
  return {
    kind: 'document',
    ownId: DOCUMENT(number, index),
    rows: [],
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

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'VA');
  for (const portal of PORTALS) yield* portalCases(folder, portal, locator);
  yield* chesterfieldCases(folder, locator);
}

export const vaCounties: SourceAdapter = {
  name: 'va_counties',
  title: 'Virginia county cases',
  files: [...PORTALS.map((portal) => portal.file), MINUTES, REZONINGS],
  read,
};
