/**
 * Agenda items of Florida cities and counties, 2026 (`projects.geojson.gz`; no licence to redistribute, so no row of it is committed).
 *
 * Properties: id (own id) · jurisdiction, county · meeting_body, meeting_date · title and summary (text of the item) · plain (one-line
 * description) · link · project_type (kind) · multifamily · address, parcel · status (`heard` or `upcoming`; outcomes are not given) ·
 * units, acres. Geometry is the geocoded place.
 *
 * Items that name the same application of the same county are combined into one case: the latest item gives the fields, all of them
 * give dates and texts. Items that name none stay single under their own id.
 */
import type { Party } from '../../../src/core/domain/record/statement.ts';
import { itemOf, rejectOf } from '../items.ts';
import { Locator, placeFields, toPosition } from '../location.ts';
import { findAcres, findLots, findStories, findUnits, withoutSurroundings } from '../phrases.ts';
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
const CASE = /(?:Application Number:\s*|Zoning application |File No\. )([A-Z]+(?:[-/ ][A-Z]+)*[- ]\d{2}-\d+)/;

/** `RZ-PD 26-0803` of `Application Number: RZ-PD 26-0803 …` */
export function caseNumber(title: string): string | null {
  return CASE.exec(title)?.[1] ?? null;
}

/** The value after a label such as `Applicant:` in the forms of some counties. */
const findLabelled = (title: string, label: RegExp): string | null => parseText(label.exec(title.replace(/\s+/g, ' '))?.[1], 200);

const LABELS = 'Location:|Folio|Acreage|Applicant|Owner|Request:|Parcel|Service Area|Proposed|Existing|Project|Comprehensive|BCC|Community';
const [APPLICANT, OWNER, EXISTING_ZONING, PROPOSED_ZONING] = [
  'Applicant(?:\\(s\\))?',
  'Owner(?:\\(s\\))?',
  'Existing Zoning',
  'Proposed Zoning',
].map((label) => new RegExp(`${label}: ?(.+?) ?(?:${LABELS}|$)`)) as [RegExp, RegExp, RegExp, RegExp];

function fieldsOf(item: Item): Fields {
  const words = [item.title, withoutRtf(item.summary), item.plain].filter(Boolean).join(' ');
  return {
    text: withoutSurroundings(words),
    title: item.title,
    kind: item.project_type,
    multifamily: String(item.multifamily),
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

function toDraft(items: readonly Item[], last: Item, locator: Locator): DraftWithNotes {
  const place = locator.find(last.county, cityOf(last.jurisdiction));
  const { notes, ...point } = toPosition('FL', last.latitude, last.longitude);
  const fields = fieldsOf(last);
  const dates = distinctValues(items.map((i) => parseDay(i.meeting_date))).sort();
  const bodies = items.map((i) => ({
    status: rules.status(fieldsOf(i)) ?? 'unknown',
    date: parseDay(i.meeting_date) ?? '',
    body: i.meeting_body,
  }));
  const words = distinctValues(items.flatMap((i) => [i.title, withoutRtf(i.summary)].map((t) => (t ? t.trim() : null)))).join('\n\n');
  const status = rules.status(fields);
  const number = caseNumber(last.title);
  const project: ProjectDraft = {
    recordType: 'project',
    displayName: parseText(last.plain, 2000),
    meetingDate: parseDay(last.meeting_date),
    firstMeetingDate: dates[0] ?? null,
    nextMeetingDate: last.status === 'upcoming' ? parseDay(last.meeting_date) : null,
    appearanceCount: dates.length,
    address: parseText(last.address),
    ...placeFields(place),
    ...point,
    ...useFields(rules.landUses(fields)),
    status,
    summary: parseText(last.title),
    statusSummary: `${last.status === 'upcoming' ? 'To be heard' : 'Heard'} on ${last.meeting_date} by ${parseText(last.meeting_body)}.`,
    sourceDocumentUrl: parseWebAddress(last.link),
    parcelNumbers: distinctValues(items.map((i) => parseText(i.parcel, 100))),
    ...actionFields(rules, fields),
    decisionBody: rules.decisionBody(fields),
    decisionType: rules.decisionType(fields),
    existingZoning: findLabelled(last.title, EXISTING_ZONING),
    proposedZoning: findLabelled(last.title, PROPOSED_ZONING),
    totalUnitCount: positiveOrNull(parseCount(last.units)) ?? findUnits(words),
    acreage: positiveOrNull(parseAmount(last.acres)) ?? findAcres(words),
    lotCount: findLots(words),
    buildingStories: findStories(words),
    parties: parties(items),
    statusHistory: bodies.map((b) => ({ status: b.status, date: b.date, decisionBody: rules.decisionBody({ body: b.body }) })),
    rawText: words,
    caseNumbers: number ? [number] : [],
  };
  return [project, [...notes, ...place.notes]];
}

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'FL');
  const cases = new Map<string, Item[]>();
  for await (const { properties, geometry } of readFeatures<Item>(folder, FILE)) {
    const item = { ...properties, longitude: geometry?.coordinates[0], latitude: geometry?.coordinates[1] };
    const number = caseNumber(item.title);
    const key = number ? `${item.county}/${number}` : item.id;
    cases.set(key, [...(cases.get(key) ?? []), item]);
  }
  for (const [ownId, unordered] of cases) {
    const items = unordered.filter((i) => parseDay(i.meeting_date)).sort((a, b) => a.meeting_date.localeCompare(b.meeting_date));
    const last = items.at(-1);
    const rows = unordered.length;
    yield last ? itemOf(ownId, rows, toDraft(items, last, locator)) : rejectOf(ownId, rows, 'no_date');
  }
}

export const flAgendas: SourceAdapter = { name: 'fl_agendas', title: 'Florida agenda items', files: [FILE], read };
