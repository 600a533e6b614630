/**
 * Rezonings of Mecklenburg County: Charlotte's history of petitions (`rezoning_history.csv.gz`) and the petitions and projects which
 * Charlotte and six towns list (`rezoning_projects.csv.gz`). No licence to redistribute, so no row of them is committed.
 *
 * History columns: Petition own id · Petitioner · FromZone, ToZone · Acres, PetAcres (of the whole petition) · Received, Approved (day of the
 * decision) · Decision App, Den, Wd, Def or nothing · TOTUNITS, SFLOTS, PARKING · Hyperlink · lat, lng and SHAPESTArea of one polygon.
 * A petition has a row for every polygon: they are combined into one record with all zones, the point of the largest polygon, and
 * figures only where the rows agree.
 *
 * Project columns: Source, Source ID own id within the town · Name, Applicant, Developer · Municipality · Type · Status, sometimes with a
 * day · addresses · zonings · Acreage · Parcel ID · Latitude, Longitude · Description · Request Type · Last Action Date, Hearing Date ·
 * Source URL. First Seen and Last Scraped say when a list was read, which is no date of the case. Petition numbers of Charlotte mean the
 * same case in both files and are combined; petitions of the towns are told apart by the town's name.
 */
import type { Party } from '../../src/core/domain/record/statement.ts';
import { actionFields, classifiers, type RulesFile, useFields } from './classifiers.ts';
import { position } from './coordinates.ts';
import { Locator, placeFields } from './location.ts';
import { acres, lots, stories, units, withoutSurroundings } from './phrases.ts';
import { type CsvRow, csvRows } from './readers.ts';
import file from './rules/nc_mecklenburg.json' with { type: 'json' };
import type { Fields } from './rules.ts';
import { itemOf, type ProjectDraft, type ReadContext, type SourceAdapter, type SourceItem } from './types.ts';
import { agreed, amount, count, day, distinct, joined, positive, text, webAddress } from './values.ts';

const rules = classifiers(file as RulesFile);
const HISTORY = 'rezoning_history.csv.gz';
const PROJECTS = 'rezoning_projects.csv.gz';

/** One case before it is written: what history and project rows are turned into alike. */
interface Case {
  rows: number;
  project: ProjectDraft;
  notes: string[];
}

const decided = (status: string | null) => status === 'approved' || status === 'denied';

function historyCase(rows: readonly CsvRow[], locator: Locator): Case {
  const each = <T>(value: (row: CsvRow) => T | null) => rows.map(value);
  const zones = (column: string) => joined(distinct(each((r) => text(r[column], 100))), ', ', 500);
  const largest = [...rows].sort((a, b) => Number(b.SHAPESTArea) - Number(a.SHAPESTArea))[0] ?? {};
  const place = locator.find('Mecklenburg County', 'Charlotte');
  const { notes, ...point } = position('NC', largest.lat, largest.lng);
  const fields: Fields = {
    zone: zones('ToZone') ?? '',
    formerZone: zones('FromZone') ?? '',
    status: agreed(each((r) => text(r.Decision))) ?? '',
    municipality: 'Charlotte',
    request: 'rezoning',
  };
  const status = rules.status(fields) ?? 'unknown';
  const received = distinct(each((r) => day(r.Received))).sort()[0] ?? null;
  const dates = distinct(each((r) => day(r.Approved))).sort();
  const last = dates.at(-1) ?? null;
  const body = decided(status) ? rules.decisionBody(fields) : null;
  const petitioners = distinct(each((r) => text(r.Petitioner, 500)));
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: joined(petitioners, ', ', 2000),
    displayName: `Rezoning petition ${rows[0]?.Petition?.trim()}`,
    meetingDate: last ?? received,
    ...placeFields(place),
    ...point,
    ...useFields(rules.landUses(fields)),
    status,
    sourceDocumentUrl: webAddress(largest.Hyperlink),
    ...actionFields(rules, fields),
    decisionBody: body,
    decisionType: body ? 'final_action' : null,
    existingZoning: fields.formerZone || null,
    proposedZoning: fields.zone || null,
    acreage: positive(agreed(each((r) => amount(r.PetAcres)))),
    totalUnitCount: positive(agreed(each((r) => count(amount(r.TOTUNITS))))),
    lotCount: positive(agreed(each((r) => count(amount(r.SFLOTS))))),
    parkingSpaces: positive(agreed(each((r) => count(amount(r.PARKING))))),
    parties: petitioners.map((name): Party => ({ role: 'applicant', name })),
    decisions: body ? dates.map((date) => ({ decisionBody: body, decisionType: 'final_action', status, meetingDate: date })) : [],
    statusHistory: [
      ...(received ? [{ status: 'pending', date: received, decisionBody: null }] : []),
      ...dates.map((date) => ({ status, date, decisionBody: body })),
    ],
    caseNumbers: distinct(each((r) => text(r.Petition, 200))),
  };
  return { rows: rows.length, project, notes: [...notes, ...place.notes] };
}

/** `Charlotte, NC 28205` at the end of an address */
const zip = (address: string | null) => /\bNC (\d{5})$/.exec(address ?? '')?.[1] ?? null;
const person = (name: string | undefined) => text(name?.replace(/,?\s*\[(?:email|phone)\],?/g, ''), 500);

function projectParties(row: CsvRow, reference: string | null): Party[] {
  const list: [Party['role'], string | null][] = [
    ['applicant', person(row.Applicant)],
    ['developer', person(row.Developer)],
  ];
  return list.flatMap(([role, name]) => (name && name !== reference && /[a-z]{2}/i.test(name) ? [{ role, name }] : []));
}

function projectCase(row: CsvRow, locator: Locator): Case {
  const place = locator.find('Mecklenburg County', text(row.Municipality));
  const { notes, ...point } = position('NC', row.Latitude, row.Longitude);
  const words = text(row.Description);
  const fields: Fields = {
    text: withoutSurroundings([row.Name, words].filter(Boolean).join('. ')),
    type: row.Type ?? '',
    zone: row['Proposed Zoning'] ?? '',
    formerZone: row['Current Zoning'] ?? '',
    status: row.Status ?? '',
    municipality: row.Municipality ?? '',
    request: row['Request Type'] ?? '',
  };
  const status = rules.status(fields) ?? 'unknown';
  const hearing = day(row['Hearing Date']);
  const action = day(row['Last Action Date']) ?? day(/\d+\/\d+\/\d{4}/.exec(row.Status ?? '')?.[0]);
  const dates = distinct([hearing, action]).sort();
  const body = decided(status) ? rules.decisionBody(fields) : null;
  const address = text(row['Address (auto)'], 2000);
  const reference = text(row['Source ID'], 200);
  const numbered = reference !== null && /\d{2,}-\d+$|^\d{4}-\d/.test(reference) && !/[a-z]/.test(reference);
  const acreage = amount(/\d[\d,]*(?:\.\d+)?/.exec(row.Acreage ?? '')?.[0]) ?? acres(words ?? '');
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: text(row.Name, 2000),
    displayName: text(row.Name, 2000),
    meetingDate: dates.at(-1) ?? null,
    firstMeetingDate: hearing && dates[0] === hearing ? hearing : null,
    address: address && /[a-z]/i.test(address) ? address : null,
    ...placeFields(place),
    zipCode: zip(address),
    ...point,
    ...useFields(rules.landUses(fields)),
    status,
    summary: words,
    sourceDocumentUrl: webAddress(row['Source URL']),
    parcelNumbers: (row['Parcel ID'] ?? '').match(/\b\d{3}-?\d{3}-?\d{2}\b/g) ?? [],
    ...actionFields(rules, fields),
    constructionType: rules.constructionType(fields),
    decisionBody: body,
    decisionType: body ? 'final_action' : null,
    existingZoning: text(row['Current Zoning'], 500),
    proposedZoning: text(row['Proposed Zoning'], 500),
    acreage: positive(acreage),
    totalUnitCount: units(words ?? ''),
    lotCount: lots(words ?? ''),
    buildingStories: stories(words ?? ''),
    parties: projectParties(row, reference),
    decisions: body && action ? [{ decisionBody: body, decisionType: 'final_action', status, meetingDate: action }] : [],
    statusHistory: [
      ...(hearing && hearing !== action ? [{ status: 'pending', date: hearing, decisionBody: null }] : []),
      ...(action ? [{ status, date: action, decisionBody: body }] : []),
    ],
    rawText: words,
    caseNumbers: numbered ? [reference] : [],
  };
  return { rows: 1, project, notes: [...notes, ...place.notes] };
}

/** The project row completes what the history row of the same petition leaves open. */
function combine(history: Case | undefined, listed: Case): Case {
  if (!history) return listed;
  const states = ([, value]: [string, unknown]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
  const project = { ...listed.project, ...Object.fromEntries(Object.entries(history.project).filter(states)) };
  return { rows: history.rows + listed.rows, project, notes: distinct([...history.notes, ...listed.notes]) };
}

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'NC');
  const petitions = new Map<string, CsvRow[]>();
  for await (const row of csvRows(folder, HISTORY)) {
    const ownId = `charlotte/${row.Petition?.trim()}`;
    petitions.set(ownId, [...(petitions.get(ownId) ?? []), row]);
  }
  const cases = new Map([...petitions].map(([ownId, rows]) => [ownId, historyCase(rows, locator)]));
  for await (const row of csvRows(folder, PROJECTS)) {
    const ownId = `${row.Source}/${row['Source ID']}`;
    cases.set(ownId, combine(cases.get(ownId), projectCase(row, locator)));
  }
  for (const [ownId, { rows, project, notes }] of cases) {
    yield itemOf(ownId, rows, [project, notes]);
  }
}

export const ncMecklenburg: SourceAdapter = {
  name: 'nc_mecklenburg',
  title: 'Mecklenburg rezonings',
  files: [HISTORY, PROJECTS],
  read,
};
