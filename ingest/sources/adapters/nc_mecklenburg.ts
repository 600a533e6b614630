/**
 * Rezonings of Mecklenburg County: Charlotte's history of petitions (`rezoning_history.csv.gz`) and the petitions and projects which
 * Charlotte and six towns list (`rezoning_projects.csv.gz`). No licence to redistribute, so no row of them is committed.
 *
 * History columns: Petition own id · Petitioner · FromZone, ToZone · Acres, PetAcres (of the whole petition) · Received, Approved (day of the
 * decision) · Decision App, Den, Wd, Def or nothing · TOTUNITS, SFLOTS, PARKING · Hyperlink · lat, lng and SHAPESTArea of one polygon.
 * A petition has a row for every polygon: they are combined into one record with all zones, those of the largest polygon first, its point,
 * and figures only where the rows agree. Received is the day of filing, and no date of the record.
 *
 * Project columns: Source, Source ID own id within the town · Name, Applicant, Developer · Municipality · Type · Status, sometimes with a
 * day · addresses · zonings · Acreage · Parcel ID · Latitude, Longitude · Description · Request Type · Last Action Date, Hearing Date ·
 * Source URL. First Seen and Last Scraped say when a list was read, which is no date of the case. Petition numbers of Charlotte mean the
 * same case in both files and are combined; petitions of the towns are told apart by the town's name.
 */
import type { Party } from '../../../src/core/domain/record/statement.ts';
import { recordOf, rejectOf } from '../items.ts';
import { Locator } from '../location.ts';
import { findAcres, findLots, findStories, findUnits, startsWithAddress, withoutSurroundings } from '../phrases.ts';
import { type CsvRow, readCsvRows } from '../readers.ts';
import { actionFields, compileClassifiers, type Fields, type RulesFile, useFields, withRoles } from '../rules.ts';
import type { ProjectDraft, ReadContext, SourceAdapter, SourceItem } from '../types.ts';
import {
  agreedValue,
  distinctValues,
  joinUpTo,
  parseAmount,
  parseCount,
  parseDay,
  parseProjectName,
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
  rows: readonly CsvRow[];
  project: ProjectDraft;
  notes: string[];
}

const decided = (status: string | null) => status === 'approved' || status === 'denied';

/** `UR-2 (CD)` and `UR-2(CD )` are `UR-2(CD)`; 'right-of-way abandonment' is no district. */
const zoneOf = (zone: string | undefined) => (/[A-Z]/.test(zone ?? '') ? parseText(zone?.replace(/ (?=[()])/g, ''), 100) : null);

function historyCase(rows: readonly CsvRow[], locator: Locator): Case {
  const bySize = [...rows].sort((a, b) => Number(b.SHAPESTArea) - Number(a.SHAPESTArea));
  const each = <T>(value: (row: CsvRow) => T | null) => bySize.map(value);
  const districts = distinctValues(each((r) => zoneOf(r.ToZone)));
  const [largest = {}] = bySize;
  const stated = { county: 'Mecklenburg County', city: 'Charlotte', latitude: largest.lat, longitude: largest.lng };
  const { notes, ...place } = locator.find(stated);
  const fields: Fields = {
    status: agreedValue(each((r) => parseText(r.Decision))) ?? '',
    municipality: 'Charlotte',
    request: 'rezoning',
  };
  const status = rules.status(fields) ?? 'unknown';
  const dates = distinctValues(each((r) => parseDay(r.Approved))).sort();
  const body = decided(status) ? rules.decisionBody(fields) : null;
  const petitioners = distinctValues(each((r) => parseText(r.Petitioner, 500)));
  const project: ProjectDraft = {
    recordType: 'project',
    displayName: `Rezoning petition ${rows[0]?.Petition?.trim()}`,
    meetingDate: dates.at(-1) ?? null,
    ...place,
    ...useFields(withRoles(districts.flatMap((zone) => rules.landUses({ ...fields, zone }))).slice(0, 3)),
    status,
    sourceDocumentUrl: parseWebAddress(largest.Hyperlink),
    ...actionFields(rules, fields),
    decisionBody: body,
    decisionType: body ? 'final_action' : null,
    existingZoning: joinUpTo(distinctValues(each((r) => zoneOf(r.FromZone))), ', ', 500),
    proposedZoning: joinUpTo(districts, ', ', 500),
    acreage: positiveOrNull(agreedValue(each((r) => parseAmount(r.PetAcres)))),
    totalUnitCount: positiveOrNull(agreedValue(each((r) => parseCount(parseAmount(r.TOTUNITS))))),
    lotCount: positiveOrNull(agreedValue(each((r) => parseCount(parseAmount(r.SFLOTS))))),
    parkingSpaces: positiveOrNull(agreedValue(each((r) => parseCount(parseAmount(r.PARKING))))),
    parties: petitioners.map((name): Party => ({ role: 'applicant', name })),
    decisions: body ? dates.map((date) => ({ decisionBody: body, decisionType: 'final_action', status, meetingDate: date })) : [],
    statusHistory: dates.map((date) => ({ status, date, decisionBody: body })),
    caseNumbers: distinctValues(each((r) => parseText(r.Petition, 200))),
  };
  return { rows, project, notes };
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
  const city = parseText(row.Municipality);
  const { notes, ...place } = locator.find({ county: 'Mecklenburg County', city, latitude: row.Latitude, longitude: row.Longitude });
  const words = parseText(row.Description);
  const fields: Fields = {
    text: withoutSurroundings([words, row.Name].filter(Boolean).join('. ')),
    // The type is a guess of whoever listed the cases, in part from a street's name.
    type: words || !startsWithAddress(`1 ${row.Name}`) ? (row.Type ?? '') : '',
    zone: row['Proposed Zoning'] ?? '',
    status: row.Status ?? '',
    municipality: row.Municipality ?? '',
    request: row['Request Type'] ?? '',
  };
  const status = rules.status(fields) ?? 'unknown';
  const hearing = parseDay(row['Hearing Date']);
  const action = parseDay(row['Last Action Date']) ?? parseDay(/(?<!\d)\d+\/\d+\/\d{4}/.exec(row.Status ?? '')?.[0]);
  const dates = distinctValues([hearing, status === 'pending' ? null : action]).sort();
  const body = decided(status) ? rules.decisionBody(fields) : null;
  const address = parseText(row['Address (auto)'], 2000);
  const reference = parseText(row['Source ID'], 200);
  const parties = projectParties(row, reference);
  const numbered = reference !== null && /\d{2}-\d+$|^\d{4}-\d/.test(reference) && !/[a-z]/.test(reference);
  const acreage = parseAmount(row.Acreage?.replace(/\+\/?-|±|ac(?:res?)?\.?\s*$/gi, '')) ?? findAcres(words ?? '');
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: /^\d{4}-\d+$/.test(row.Name ?? '') ? null : parseProjectName(row.Name, parties),
    displayName: parseText(row.Name, 2000),
    meetingDate: dates.at(-1) ?? null,
    firstMeetingDate: hearing && dates[0] === hearing ? hearing : null,
    nextMeetingDate: hearing && hearing > (parseDay(row['Last Scraped']) ?? hearing) ? hearing : null,
    address: address && /[a-z]/i.test(address) ? address : null,
    ...place,
    zipCode: zip(address),
    ...useFields(rules.landUses(fields)),
    status,
    summary: words,
    sourceDocumentUrl: parseWebAddress(row['Source URL']),
    parcelNumbers: distinctValues(`${row['Parcel ID']} ${address} ${words}`.match(/\b(?:\d{3}-\d{3}-\d{2}|\d{8})\b/g) ?? []),
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
    parties,
    decisions: body && action ? [{ decisionBody: body, decisionType: 'final_action', status, meetingDate: action }] : [],
    statusHistory: [
      ...(hearing && hearing !== action ? [{ status: 'pending', date: hearing, decisionBody: null }] : []),
      ...(action && status !== 'pending' ? [{ status, date: action, decisionBody: body }] : []),
    ],
    rawText: words,
    caseNumbers: numbered ? [reference] : [],
  };
  return { rows: [row], project, notes };
}

/** Addresses, notices and headings of Pineville's page, which were listed with its cases. */
const NO_CASE = /^pineville\/(?!(?:new|proposed)-\w+-development-)|^pineville\/.*-(?:other-inform|2023-hazard|flood-insura)/;

/** The project row completes what the history row of the same petition leaves open, such as an unknown status. */
function combine(history: Case | undefined, listed: Case): Case {
  if (!history) return listed;
  const states = ([, value]: [string, unknown]) =>
    value !== null && value !== undefined && value !== 'unknown' && !(Array.isArray(value) && value.length === 0);
  const project = { ...listed.project, ...Object.fromEntries(Object.entries(history.project).filter(states)) };
  return { rows: [...history.rows, ...listed.rows], project, notes: distinctValues([...history.notes, ...listed.notes]) };
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
    if (NO_CASE.test(ownId)) yield rejectOf(ownId, [row], 'no_case');
    else cases.set(ownId, combine(cases.get(ownId), projectCase(row, locator)));
  }
  for (const [ownId, { rows, project, notes }] of cases) {
    yield recordOf(ownId, rows, [project, notes]);
  }
}

export const ncMecklenburg: SourceAdapter = {
  name: 'nc_mecklenburg',
  title: 'Mecklenburg rezonings',
  files: [HISTORY, PROJECTS],
  read,
};
