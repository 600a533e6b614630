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
import type { Party } from '../../../src/core/domain/record/statement.ts';
import { itemOf } from '../items.ts';
import { Locator, placeFields, toPosition } from '../location.ts';
import { findAcres, findLots, findStories, findUnits, withoutSurroundings } from '../phrases.ts';
import { type CsvRow, readCsvRows } from '../readers.ts';
import { actionFields, compileClassifiers, type Fields, type RulesFile, useFields } from '../rules.ts';
import type { ProjectDraft, ReadContext, SourceAdapter, SourceItem } from '../types.ts';
import {
  agreedValue,
  distinctValues,
  joinUpTo,
  parseAmount,
  parseCount,
  parseDay,
  parseText,
  parseWebAddress,
  positiveOrNull,
} from '../values.ts';
import file from './rules/nc_mecklenburg.json' with { type: 'json' };

const rules = compileClassifiers(file as RulesFile);
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
  const zones = (column: string) => joinUpTo(distinctValues(each((r) => parseText(r[column], 100))), ', ', 500);
  const largest = [...rows].sort((a, b) => Number(b.SHAPESTArea) - Number(a.SHAPESTArea))[0] ?? {};
  const place = locator.find('Mecklenburg County', 'Charlotte');
  const { notes, ...point } = toPosition('NC', largest.lat, largest.lng);
  const fields: Fields = {
    zone: zones('ToZone') ?? '',
    formerZone: zones('FromZone') ?? '',
    status: agreedValue(each((r) => parseText(r.Decision))) ?? '',
    municipality: 'Charlotte',
    request: 'rezoning',
  };
  const status = rules.status(fields) ?? 'unknown';
  const received = distinctValues(each((r) => parseDay(r.Received))).sort()[0] ?? null;
  const dates = distinctValues(each((r) => parseDay(r.Approved))).sort();
  const last = dates.at(-1) ?? null;
  const body = decided(status) ? rules.decisionBody(fields) : null;
  const petitioners = distinctValues(each((r) => parseText(r.Petitioner, 500)));
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: joinUpTo(petitioners, ', ', 2000),
    displayName: `Rezoning petition ${rows[0]?.Petition?.trim()}`,
    meetingDate: last ?? received,
    ...placeFields(place),
    ...point,
    ...useFields(rules.landUses(fields)),
    status,
    sourceDocumentUrl: parseWebAddress(largest.Hyperlink),
    ...actionFields(rules, fields),
    decisionBody: body,
    decisionType: body ? 'final_action' : null,
    existingZoning: fields.formerZone || null,
    proposedZoning: fields.zone || null,
    acreage: positiveOrNull(agreedValue(each((r) => parseAmount(r.PetAcres)))),
    totalUnitCount: positiveOrNull(agreedValue(each((r) => parseCount(parseAmount(r.TOTUNITS))))),
    lotCount: positiveOrNull(agreedValue(each((r) => parseCount(parseAmount(r.SFLOTS))))),
    parkingSpaces: positiveOrNull(agreedValue(each((r) => parseCount(parseAmount(r.PARKING))))),
    parties: petitioners.map((name): Party => ({ role: 'applicant', name })),
    decisions: body ? dates.map((date) => ({ decisionBody: body, decisionType: 'final_action', status, meetingDate: date })) : [],
    statusHistory: [
      ...(received ? [{ status: 'pending', date: received, decisionBody: null }] : []),
      ...dates.map((date) => ({ status, date, decisionBody: body })),
    ],
    caseNumbers: distinctValues(each((r) => parseText(r.Petition, 200))),
  };
  return { rows: rows.length, project, notes: [...notes, ...place.notes] };
}

/** `Charlotte, NC 28205` at the end of an address */
const zip = (address: string | null) => /\bNC (\d{5})$/.exec(address ?? '')?.[1] ?? null;
const person = (name: string | undefined) => parseText(name?.replace(/(?:,\s*|(?<!\s)\s+)?\[(?:email|phone)\],?/g, ''), 500);

function projectParties(row: CsvRow, reference: string | null): Party[] {
  const list: [Party['role'], string | null][] = [
    ['applicant', person(row.Applicant)],
    ['developer', person(row.Developer)],
  ];
  return list.flatMap(([role, name]) => (name && name !== reference && /[a-z]{2}/i.test(name) ? [{ role, name }] : []));
}

function projectCase(row: CsvRow, locator: Locator): Case {
  const place = locator.find('Mecklenburg County', parseText(row.Municipality));
  const { notes, ...point } = toPosition('NC', row.Latitude, row.Longitude);
  const words = parseText(row.Description);
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
  const hearing = parseDay(row['Hearing Date']);
  const action = parseDay(row['Last Action Date']) ?? parseDay(/(?<!\d)\d+\/\d+\/\d{4}/.exec(row.Status ?? '')?.[0]);
  const dates = distinctValues([hearing, action]).sort();
  const body = decided(status) ? rules.decisionBody(fields) : null;
  const address = parseText(row['Address (auto)'], 2000);
  const reference = parseText(row['Source ID'], 200);
  const numbered = reference !== null && /\d{2}-\d+$|^\d{4}-\d/.test(reference) && !/[a-z]/.test(reference);
  const acreage = parseAmount(/\d[\d,]*(?:\.\d+)?/.exec(row.Acreage ?? '')?.[0]) ?? findAcres(words ?? '');
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: parseText(row.Name, 2000),
    displayName: parseText(row.Name, 2000),
    meetingDate: dates.at(-1) ?? null,
    firstMeetingDate: hearing && dates[0] === hearing ? hearing : null,
    address: address && /[a-z]/i.test(address) ? address : null,
    ...placeFields(place),
    zipCode: zip(address),
    ...point,
    ...useFields(rules.landUses(fields)),
    status,
    summary: words,
    sourceDocumentUrl: parseWebAddress(row['Source URL']),
    parcelNumbers: (row['Parcel ID'] ?? '').match(/\b\d{3}-?\d{3}-?\d{2}\b/g) ?? [],
    ...actionFields(rules, fields),
    constructionType: rules.constructionType(fields),
    decisionBody: body,
    decisionType: body ? 'final_action' : null,
    existingZoning: parseText(row['Current Zoning'], 500),
    proposedZoning: parseText(row['Proposed Zoning'], 500),
    acreage: positiveOrNull(acreage),
    totalUnitCount: findUnits(words ?? ''),
    lotCount: findLots(words ?? ''),
    buildingStories: findStories(words ?? ''),
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

/** The project row completes what the history row of the same petition leaves open, such as an unknown status. */
function combine(history: Case | undefined, listed: Case): Case {
  if (!history) return listed;
  const states = ([, value]: [string, unknown]) =>
    value !== null && value !== undefined && value !== 'unknown' && !(Array.isArray(value) && value.length === 0);
  const project = { ...listed.project, ...Object.fromEntries(Object.entries(history.project).filter(states)) };
  return { rows: history.rows + listed.rows, project, notes: distinctValues([...history.notes, ...listed.notes]) };
}

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'NC');
  const petitions = new Map<string, CsvRow[]>();
  for await (const row of readCsvRows(folder, HISTORY)) {
    const ownId = `charlotte/${row.Petition?.trim()}`;
    petitions.set(ownId, [...(petitions.get(ownId) ?? []), row]);
  }
  const cases = new Map([...petitions].map(([ownId, rows]) => [ownId, historyCase(rows, locator)]));
  for await (const row of readCsvRows(folder, PROJECTS)) {
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
