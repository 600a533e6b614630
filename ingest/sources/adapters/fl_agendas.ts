/**
 * Agenda items of Florida cities and counties, 2026 (`projects.geojson.gz`; no licence to redistribute, so no row of it is committed).
 *
 * Properties: id (own id) · jurisdiction, county · meeting_body, meeting_date · title and summary (text of the item) · plain (one-line
 * description) · link · project_type (kind) · multifamily · address, parcel · status (`heard` or `upcoming`; an outcome where the text has `Status: Passed`) ·
 * units, acres. Geometry is the geocoded place.
 *
 * Items that name the same case of the same county, or the same ordinance of the same city, are combined into one project: the latest item
 * gives the fields, all of them give dates and texts. Items that name neither stay single under their own id. A meeting whose body is
 * called cancelled did not take place.
 */
import type { Party } from '../../../src/core/domain/record/statement.ts';
import { recordOf, rejectOf } from '../items.ts';
import { Locator } from '../location.ts';
import {
  findAcres,
  findChanges,
  findLots,
  findParcels,
  findStories,
  findUnits,
  isAddressWithName,
  withoutCompanies,
  withoutStreets,
  withoutSurroundings,
} from '../phrases.ts';
import { readFeatures } from '../readers.ts';
import { actionFields, compileClassifiers, type Fields, type RulesFile, useFields } from '../rules.ts';
import type { DraftWithNotes, ProjectDraft, ReadContext, SourceAdapter, SourceItem } from '../types.ts';
import { distinctValues, parseAmount, parseCount, parseDay, parseText, parseWebAddress, positiveOrNull } from '../values.ts';
import file from './rules/fl_agendas.json' with { type: 'json' };

interface Item {
  id: string;
  jurisdiction: string;
  county: string;
  meeting_body: string;
  meeting_date: string;
  title: string;
  summary: string;
  plain: string;
  link: string;
  project_type: string;
  multifamily: boolean;
  address: string | null;
  parcel: string | null;
  status: string;
  units: number | null;
  acres: number | null;
  longitude: number | undefined;
  latitude: number | undefined;
}

const rules = compileClassifiers(file as RulesFile);
const FILE = 'projects.geojson.gz';
/** The text of a summary; null if it is RTF code of a word processor. */
const withoutRtf = (value: string) => (value.startsWith('{\\rtf') ? null : parseText(value));
const YEAR = '(?:20)?2\\d';
/** `RZ-PD 26-0803`, `HPB26-0705`, `ANX2026-05006`, `V-4-26`, `028-UP-25`, `CU-0626-00011`, `UDP-S25010`; resolutions and districts are written alike. */
const CASE_FORMS = new RegExp(
  `(?<!(?:resolution|ordinance)s?(?: no\\.?| number)?[ #]{0,2}|\\bno\\. )\\b(?!PD |R-20)(?:${[
    `(?:TA/)?[A-Z]{1,6}\\d?(?:-[A-Z]{1,6})?[- ]?${YEAR}-\\d{1,8}(?:-\\d{3,5})?`,
    `[A-Z]{1,4}-\\d{1,6}-${YEAR}`,
    `\\d{3}-[A-Z]{2}-\\d{2}`,
    '[A-Z]{2,4}-\\d{4}-\\d{5}',
    'UDP-[A-Z]+-?\\d{5}',
  ].join('|')})\\b`,
  'g',
);
const CASE_LABELLED =
  /(?:Case (?:Number|No\.?)|Project Number|F(?:ile|ILE) (?:N[oO]\.|#)|\bPC):?\s*((?:[A-Z]+-)?\d(?:[\d-]|[A-Z]+(?=-))*\d)|^(\d{4,6}) : |\b((?:COA|LHD)(?: \(SP\))? \d{4}-\d{2,3})\b/g;
const ORDINANCES = /(?:^|adopt |pass |– )ordinances? ?(?:no\. ?|number |#)?((?:(?:, | and )?\d[\d-]+)+)/gi;

/** `RZ-PD 26-0803` of `Application Number: RZ-PD 26-0803 …`: numbers of the case itself, not those of 'the related' ones. */
export function caseNumbers(words: string): string[] {
  const [title = ''] = words.split(/\b[Tt]he related\b/, 1);
  const forms = [...title.matchAll(CASE_FORMS)].map(([number]) => number);
  return distinctValues([...forms, ...[...title.matchAll(CASE_LABELLED)].map((found) => found.slice(1).find(Boolean))]);
}

/** What tells that two items are about one case: its numbers, and those of the ordinances that are read and adopted for it. */
function identifiersOf({ county, jurisdiction, title }: Item): string[] {
  const ordinances = [...title.matchAll(ORDINANCES)].flatMap(([, list = '']) => list.match(/\d[\d-]+/g) ?? []);
  return [
    ...caseNumbers(title).map((number) => `${county}/${number}`),
    ...ordinances.map((number) => `${jurisdiction}/ordinance ${number}`),
  ];
}

/** Shorter titles are whole: blanks at the cut were removed. */
const CUT_CHARACTERS_MIN = 195;

/** The value after a label such as `Applicant:` in the forms of some counties. */
function findLabelled(title: string, label: RegExp): string | null {
  const words = title.replace(/\s+/g, ' ');
  const [found = '', value] = label.exec(words) ?? [];
  // Titles are cut after 200 to 400 characters, with what stands last.
  return title.length >= CUT_CHARACTERS_MIN && words.endsWith(found) ? null : parseText(value, 200);
}

const LABELS =
  'LOCATION:|REQUEST:|Planner:|Agent:|PCN|Location:|Folio|Acreage|Applicant|Owner(?:\\(s\\))?:|Request:|Proposal:|Parcel|Service Area|Proposed|Existing|Project|Comprehensive|BCC|Community';
const [APPLICANT, OWNER, EXISTING_ZONING, PROPOSED_ZONING] = [
  '(?:Applicant(?:\\(s\\))?|APPLICANT)',
  'Owner(?:\\(s\\))?',
  'Existing Zoning',
  'Proposed Zoning',
].map((label) => new RegExp(`${label}: ?(.+?) ?(?:${LABELS}|$)`)) as [RegExp, RegExp, RegExp, RegExp];

const EXISTING = new RegExp(`(?:Existing Zoning|Comprehensive Plan):.*?(?=${LABELS}|$)`, 'g');
const DISTRICT = /\b(?:district|zoning|category|zoned|land use|comprehensive plan)\b/i;
const TARGET_CHARACTERS = 80;

/** The words in which districts are named: those that are asked for, else any of an item that is about districts. */
function districtOf(words: string, kind: string): string {
  const labelled = PROPOSED_ZONING.exec(words)?.[1] ?? /\brezon\w* to ([^.;]*)/i.exec(words)?.[1];
  const proposed = [...findChanges(words).map(({ to }) => to.slice(0, TARGET_CHARACTERS)), ...(labelled ? [labelled] : [])];
  const others = /^(?:rezoning|land-use|annexation|pud)$/.test(kind) ? words.split(/[.;]/).filter((part) => DISTRICT.test(part)) : [];
  return withoutStreets((proposed.length ? proposed : others).join(' '));
}

function fieldsOf(item: Item): Fields {
  const words = [item.title, withoutRtf(item.summary)].filter(Boolean).join(' ').replace(/\s+/g, ' ');
  const stated = words.replace(EXISTING, ' ');
  return {
    text: withoutSurroundings(withoutCompanies([OWNER, APPLICANT].reduce((rest, label) => rest.replace(label, ' '), stated))),
    district: districtOf(stated, item.project_type),
    title: words,
    kind: item.project_type,
    // Whoever listed the items found the word anywhere, also in the district that is given up.
    multifamily: String(item.multifamily && findChanges(words).length === 0),
    status: item.status,
    body: item.meeting_body,
  };
}

function parties(items: readonly Item[]): Party[] {
  const names = (role: Party['role'], label: RegExp) =>
    distinctValues(items.map((i) => findLabelled(i.title, label))).map((name): Party => ({ role, name }));
  return [...names('applicant', APPLICANT), ...names('owner', OWNER)].filter((p) => !/\[|\d{3}/.test(p.name));
}

/** Jurisdiction without its kind; a county is no city. */
function cityOf(jurisdiction: string): string | null {
  return /county/i.test(jurisdiction) ? null : jurisdiction.replace(/^City of /, '');
}

/** The address, but no part of a number (`LDCPAS-2025-24 Shimmering Drive`), none without its street's name and no letterhead. */
function addressOf({ address, title, summary }: Item): string | null {
  if (!isAddressWithName(address) || title.includes(`-${address.split(' ', 1)[0]}`)) return null;
  const before = `${title} ${summary}`.split(address, 1)[0] ?? '';
  const after = `${title} ${summary}`.slice(before.length + address.length);
  const isLetterhead = /\b(?:City|Town|Village|County) of [A-Z]\w+(?: [A-Z]\w+)?,? $/.test(before) || /^.{0,60}\bSuite \d/.test(after);
  return isLetterhead ? null : parseText(address);
}

const OUTCOME_WORDS: Record<string, string> = { continued: 'Put off', withdrawn: 'Withdrawn' };

function toDraft(items: readonly Item[], last: Item, locator: Locator): DraftWithNotes {
  const address = addressOf(last);
  // The points of cut addresses and of letterheads are somewhere else.
  const { latitude, longitude } = address || !last.address ? last : { latitude: undefined, longitude: undefined };
  const { notes, ...place } = locator.find({ county: last.county, city: cityOf(last.jurisdiction), latitude, longitude });
  const fields = fieldsOf(last);
  const meetings = items.flatMap((item) => {
    const date = /^cancelled/i.test(item.meeting_body) ? null : parseDay(item.meeting_date);
    const status = rules.status(fieldsOf(item)) ?? 'unknown';
    return date ? [{ date, status, decisionBody: rules.decisionBody({ body: item.meeting_body }) }] : [];
  });
  const dates = distinctValues(meetings.map(({ date }) => date));
  const words = distinctValues(items.flatMap((i) => [i.title, withoutRtf(i.summary)].map((t) => (t ? t.trim() : null)))).join('\n\n');
  const status = rules.status(fields);
  const parcels = distinctValues([...items.map((i) => parseText(i.parcel, 100)), ...findParcels(words)]);
  const project: ProjectDraft = {
    recordType: 'project',
    displayName: parseText(last.plain, 2000),
    meetingDate: dates.at(-1) ?? null,
    firstMeetingDate: dates[0] ?? null,
    nextMeetingDate: status === 'pending' ? (dates.at(-1) ?? null) : null,
    appearanceCount: dates.length || null,
    address,
    ...place,
    ...useFields(rules.landUses(fields)),
    status,
    summary: parseText(last.title),
    statusSummary: `${OUTCOME_WORDS[status ?? ''] ?? (last.status === 'upcoming' ? 'To be heard' : 'Heard')} on ${last.meeting_date} by ${parseText(last.meeting_body)}.`,
    sourceDocumentUrl: parseWebAddress(last.link),
    parcelNumbers: parcels.filter(
      (parcel) => !parcels.some((other) => other !== parcel && (other.endsWith(parcel) || other.startsWith(parcel))),
    ),
    ...actionFields(rules, fields),
    decisionBody: rules.decisionBody(fields),
    decisionType: rules.decisionType(fields),
    existingZoning: findLabelled(last.title, EXISTING_ZONING),
    proposedZoning: findLabelled(last.title, PROPOSED_ZONING),
    totalUnitCount: (/\bper acre\b/i.test(words) ? null : positiveOrNull(parseCount(last.units))) ?? findUnits(words),
    acreage: findAcres(words) ?? positiveOrNull(parseAmount(last.acres)),
    lotCount: findLots(words),
    buildingStories: findStories(words),
    parties: parties(items),
    statusHistory: distinctValues(meetings.map((meeting) => JSON.stringify(meeting))).map((meeting) => JSON.parse(meeting)),
    rawText: words,
    caseNumbers: distinctValues(items.flatMap((i) => caseNumbers(i.title))),
  };
  return [project, notes];
}

/** Where to send requests is no case. */
const isNotice = ({ title }: Item) => /^information regarding/i.test(title);

/** Items by case: those that share an identifier belong together. */
function groupItems(items: readonly Item[]): Map<string, Item[]> {
  const cases = new Map<string, Item[]>();
  const known = new Map<string, string>();
  for (const item of items) {
    const identifiers = identifiersOf(item);
    const [ownId = identifiers[0] ?? item.id, ...others] = distinctValues(identifiers.map((one) => known.get(one)));
    const joined = [ownId, ...others].flatMap((key) => cases.get(key) ?? []);
    for (const key of others) cases.delete(key);
    cases.set(ownId, [...joined, item]);
    for (const one of [...joined, item].flatMap(identifiersOf)) known.set(one, ownId);
  }
  return cases;
}

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'FL');
  const items: Item[] = [];
  for await (const { properties, geometry } of readFeatures<Item>(folder, FILE))
    items.push({ ...properties, longitude: geometry?.coordinates[0], latitude: geometry?.coordinates[1] });
  for (const item of items.filter(isNotice)) yield rejectOf(item.id, [item], 'no_case');
  for (const [ownId, unordered] of groupItems(items.filter((item) => !isNotice(item)))) {
    const ordered = unordered.sort((a, b) => a.meeting_date.localeCompare(b.meeting_date));
    yield recordOf(ownId, ordered, toDraft(ordered, ordered.at(-1) as Item, locator));
  }
}

export const flAgendas: SourceAdapter = { name: 'fl_agendas', title: 'Florida agenda items', files: [FILE], read };
