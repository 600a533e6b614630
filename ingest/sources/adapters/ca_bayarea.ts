/**
 * San Francisco's development pipeline of the end of 2016 (`sf_pipeline_2016Q4.csv.gz`) and development projects of the Bay Area
 * (`development_projects.csv.gz`). Neither has a licence to redistribute, so no row of them is committed.
 *
 * Pipeline columns: APN parcel · BESTSTAT, BESTDATE stage and its day · NAMEADDR address or name · Alias · UNITS · PLN_CASENO, BP_APPLNO
 * case and permit (spreadsheets have rounded most of them: only unharmed ones are taken) · PROPUSE, PROJECT_TYPE uses · BP_DESC, PLN_DESC
 * texts · TOTAL_GSF floor area of other uses · APPLICANT · FirstFiled · ZONING district, ZONING_GEN its kind · Location. There is no own
 * id: a row is known by parcel and name, which no two rows share.
 *
 * Bay Area columns: development_projects_id (own id) · building_name, site_name · action · address, city, zip, county · x, y (swapped or
 * wrong in some rows) · year_built · building_type code · building_sqft, residential_units, stories, parking_spaces. '0' is written for
 * 'not stated'. The only time stated is the year built, so these records have no meeting date rather than a made-up day.
 */

import { recordOf } from '../items.ts';
import { Locator } from '../location.ts';
import { findAcres, findStories, startsWithAddress, withoutSurroundings } from '../phrases.ts';
import { type CsvRow, readCsvRows } from '../readers.ts';
import { actionFields, compileClassifiers, type Fields, type RulesFile, useFields } from '../rules.ts';
import type { DraftWithNotes, ProjectDraft, ReadContext, SourceAdapter, SourceItem } from '../types.ts';
import { distinctValues, joinUpTo, parseAmount, parseCount, parseDay, parseText, parseZipCode, positiveOrNull } from '../values.ts';
import file from './rules/ca_bayarea.json' with { type: 'json' };

const rules = compileClassifiers(file as RulesFile);
const PIPELINE = 'sf_pipeline_2016Q4.csv.gz';
const PROJECTS = 'development_projects.csv.gz';

const unroundedNumber = (number: string | undefined) => (/^[\d.-]{9,}[A-Z]*$/.test(number ?? '') ? parseText(number, 200) : null);

function pipelineDraft(row: CsvRow, locator: Locator): DraftWithNotes {
  const place = { county: 'San Francisco County', city: 'San Francisco' };
  const [, latitude, longitude] = /\(([\d.-]+), ([\d.-]+)\)/.exec(row.Location ?? '') ?? [];
  const { notes, ...where } = locator.find({ ...place, latitude, longitude });
  const words = joinUpTo(distinctValues([parseText(row.PLN_DESC), parseText(row.BP_DESC)]), '\n\n', 20_000);
  const fields: Fields = {
    text: withoutSurroundings(words ?? ''),
    proposed: row.PROPUSE ?? '',
    project: row.PROJECT_TYPE ?? '',
    district: row.ZONING_GEN ?? '',
    status: row.BESTSTAT ?? '',
    units: row.UNITS ?? '',
  };
  const [stage, filed] = [parseDay(row.BESTDATE), parseDay(row.FirstFiled)];
  const status = rules.status(fields);
  // Filing and the start of construction are no decision.
  const decided = /(APPROVED|ISSUED|REINSTATED)$/.test(fields.status ?? '') ? stage : null;
  const decisionBody = rules.decisionBody(fields);
  const applicant = parseText(row.APPLICANT, 500);
  const [name, alias] = [parseText(row.NAMEADDR, 2000), parseText(row.Alias, 2000)];
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: [alias, name].find((text) => text && !/^\d/.test(text)) ?? null,
    displayName: name,
    meetingDate: decided,
    address: [name, alias].find(startsWithAddress) ?? null,
    ...where,
    ...useFields(rules.landUses(fields)),
    status,
    summary: words,
    statusSummary: `Stage ${row.BESTSTAT} since ${stage ?? 'an unstated day'}${filed ? `; first filed on ${filed}` : ''}.`,
    parcelNumbers: distinctValues([parseText(row.APN?.replace(/^APN /, ''), 100)]),
    ...actionFields(rules, fields),
    decisionBody,
    existingZoning: parseText(row.ZONING, 500),
    totalUnitCount: positiveOrNull(parseCount(row.UNITS)),
    squareFootage: positiveOrNull(parseAmount(row.TOTAL_GSF)),
    buildingStories: findStories(words ?? ''),
    acreage: findAcres(words ?? ''),
    parties: applicant ? [{ role: 'applicant', name: applicant }] : [],
    statusHistory: decided && status ? [{ status, date: decided, decisionBody }] : [],
    rawText: words,
    caseNumbers: distinctValues([unroundedNumber(row.PLN_CASENO), unroundedNumber(row.BP_APPLNO)]),
  };
  return [project, notes];
}

/** '0' and '' are both 'not stated' in this file. */
const statedText = (value: string | undefined) => (value === '0' ? null : parseText(value, 2000));

function bayDraft(row: CsvRow, locator: Locator): DraftWithNotes {
  const county = statedText(row.county);
  const stated = { county: county && `${county} County`, city: statedText(row.city), latitude: row.y, longitude: row.x };
  const { notes, ...place } = locator.find(stated);
  const name = statedText(row.building_name) ?? statedText(row.site_name);
  const address = statedText(row.address);
  const year = statedText(row.year_built);
  const fields: Fields = {
    code: row.building_type ?? '',
    action: (row.action ?? '').toLowerCase(),
    // What is demolished is not what the site is named for.
    text: row.action === 'demolish' ? '' : [name, statedText(row.site_name)].filter(Boolean).join(' '),
    units: row.residential_units ?? '',
  };
  const total = positiveOrNull(parseCount(row.residential_units));
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: joinUpTo(distinctValues([statedText(row.site_name), statedText(row.building_name)]), ': ', 2000),
    displayName: name ?? address,
    address,
    ...place,
    zipCode: parseZipCode(row.zip),
    ...useFields(rules.landUses(fields)),
    status: 'unknown',
    statusSummary: year ? `Year built or expected: ${year}.` : null,
    constructionType: rules.constructionType(fields),
    totalUnitCount: total,
    squareFootage: positiveOrNull(parseAmount(row.building_sqft)),
    buildingStories: positiveOrNull(parseAmount(row.stories)),
    parkingSpaces: positiveOrNull(parseCount(row.parking_spaces)),
  };
  return [project, notes];
}

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'CA');
  for await (const row of readCsvRows(folder, PIPELINE)) {
    yield recordOf(`pipeline/${row.APN}/${row.NAMEADDR}`, [row], pipelineDraft(row, locator));
  }
  for await (const row of readCsvRows(folder, PROJECTS)) {
    yield recordOf(`project/${row.development_projects_id}`, [row], bayDraft(row, locator));
  }
}

export const caBayarea: SourceAdapter = { name: 'ca_bayarea', title: 'San Francisco and Bay Area', files: [PIPELINE, PROJECTS], read };
