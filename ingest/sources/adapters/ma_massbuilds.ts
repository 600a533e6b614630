/**
 * MassBuilds, developments of Massachusetts as collected 2011–17: `developments.csv.gz` (2017) and `joined_2018.csv.gz` (2018, joined with
 * municipalities and parcels). No licence to redistribute, so no row of them is committed.
 *
 * Both files number a development alike (`id`, `project_id`): its rows are combined into one record. The 2018 row gives what it states,
 * the 2017 row the rest; coordinates are in the 2017 file alone, municipalities in the 2018 file alone.
 *
 * Columns: name, desc/descr, tagline · status · address, zip_code · singfamhu, twnhsmmult/smmultifam, lgmultifam, hu/tothu dwellings by kind ·
 * units_1bd…3bd · commsf and the *_sqft columns floor area by use (2018; the fa_ columns of 2017 mix units of measure and are not read) ·
 * gqpop people in group quarters · height in feet, stories, onsitepark · prj_url/project_url, mb_url · devlper · stalled · updated_at and
 * created_at, which are days of the collection: no hearing or decision is stated, so these records have no meeting date.
 */
import type { Party, UnitMixEntry } from '../../../src/core/domain/record/statement.ts';
import { recordOf } from '../items.ts';
import { Locator } from '../location.ts';
import { findAcres, findLots, withoutSurroundings } from '../phrases.ts';
import { type CsvRow, readCsvRows } from '../readers.ts';
import { compileClassifiers, type Fields, type RulesFile, useFields } from '../rules.ts';
import type { DraftWithNotes, ProjectDraft, ReadContext, SourceAdapter, SourceItem } from '../types.ts';
import {
  distinctValues,
  joinUpTo,
  parseAmount,
  parseCount,
  parseProjectName,
  parseText,
  parseWebAddress,
  parseZipCode,
  positiveOrNull,
} from '../values.ts';
import file from './rules/ma_massbuilds.json' with { type: 'json' };

const rules = compileClassifiers(file as RulesFile);
const OLDER = 'developments.csv.gz';
const NEWER = 'joined_2018.csv.gz';

/** Words for floor areas, as the rules know them, in square feet of the 2018 file. */
const FLOOR_AREAS: readonly [word: string, column: string][] = [
  ['retail', 'ret_sqft'],
  ['office', 'ofcmd_sqft'],
  ['hotel', 'hotel_sqft'],
  ['industrial', 'indmf_sqft'],
  ['warehouse', 'whs_sqft'],
  ['research', 'rnd_sqft'],
  ['institution', 'ei_sqft'],
];
const DWELLINGS: readonly [word: string, label: string, columns: readonly string[]][] = [
  ['large multifamily', 'large multifamily', ['lgmultifam']],
  ['small multifamily', 'small multifamily', ['smmultifam', 'twnhsmmult']],
  ['single family', 'single family', ['singfamhu']],
];
const BEDROOMS: readonly [label: string, column: string][] = [
  ['1 bedroom', 'units_1bd'],
  ['2 bedroom', 'units_2bd'],
  ['3 bedroom', 'units_3bd'],
];

/** The first of the columns that states anything; both files spell some columns differently. */
function firstStated(row: CsvRow, columns: readonly string[]): string {
  return columns.map((column) => row[column] ?? '').find((value) => value.trim() !== '') ?? '';
}

const wordsOf = (row: CsvRow) =>
  joinUpTo(distinctValues([parseText(row.tagline), parseText(firstStated(row, ['descr', 'desc']))]), '\n\n', 20_000);

const isTrue = (value: string | undefined) => value?.toLowerCase() === 'true';

function fieldsOf(row: CsvRow): Fields {
  const largest = (pairs: { word: string; size: number }[]) => pairs.filter((p) => p.size > 0).sort((a, b) => b.size - a.size);
  const dwellings = largest(DWELLINGS.map(([word, , columns]) => ({ word, size: parseAmount(firstStated(row, columns)) ?? 0 })));
  const areas = largest(FLOOR_AREAS.map(([word, column]) => ({ word, size: parseAmount(row[column]) ?? 0 })));
  // Areas of less than half of all do not tell what the rest is.
  const sized = areas.reduce((sum, { size }) => sum + size, 0) * 2 >= (parseAmount(row.commsf) ?? 0) ? areas : [];
  const any = (columns: string[], word: string) => (positiveOrNull(parseAmount(firstStated(row, columns))) ? [word] : []);
  const figures = [...dwellings, ...sized].map((p) => p.word);
  return {
    text: withoutSurroundings([row.name, wordsOf(row)].filter(Boolean).join('. ')),
    largest: figures[0] ?? '',
    figures: [...figures, ...any(['hu', 'tothu'], 'dwellings'), ...any(['commsf'], 'commercial'), ...any(['gqpop'], 'group quarters')].join(
      ', ',
    ),
    mixed: String(isTrue(row.mixed_use)),
    over55: String(isTrue(row.ovr55)),
    residential: String(isTrue(row.residential)),
    commercial: String(isTrue(row.commercial)),
    status: isTrue(row.cancelled) ? 'cancelled' : (row.status ?? ''),
    stalled: String(isTrue(row.stalled)),
  };
}

function unitMix(row: CsvRow): UnitMixEntry[] {
  const entry = (unitType: string, value: string | undefined): UnitMixEntry[] => {
    const number = positiveOrNull(parseCount(value));
    return number === null ? [] : [{ unitType, count: number }];
  };
  const byBedrooms = BEDROOMS.flatMap(([label, column]) => entry(label, row[column]));
  return [...DWELLINGS.flatMap(([, label, columns]) => entry(label, firstStated(row, columns))), ...byBedrooms];
}

/** Town of `84 Orchard St, Millis, MA 02054` and `1 south shore drive, yarmouth`, for rows without a municipality. */
const townOf = (address = '') => parseText(/,([a-z' -]+)$/i.exec(address.replace(/,?\s?\bMA\b[\s\d-]*$/i, ''))?.[1]);

const STATUS_WORDS: Record<string, string> = { in_construction: 'in construction' };

function toDraft(row: CsvRow, locator: Locator): DraftWithNotes {
  const city = parseText(row.muni) ?? parseText(row.municipal) ?? townOf(row.address);
  const { notes, ...place } = locator.find({ city, latitude: row.latitude, longitude: row.longitude });
  const fields = fieldsOf(row);
  const words = wordsOf(row);
  const developer = parseText(row.devlper, 500);
  const parties: Party[] = developer ? [{ role: 'developer', name: developer }] : [];
  const year = /^(19|20)\d{2}/.exec(row.year_compl ?? '')?.[0];
  const stage = STATUS_WORDS[row.status ?? ''] ?? parseText(row.status) ?? 'not stated';
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: parseProjectName(row.name, parties),
    displayName: parseText(row.name, 2000),
    address: parseText(row.address, 2000),
    ...place,
    zipCode: parseZipCode(row.zip_code),
    ...useFields(rules.landUses(fields)),
    status: rules.status(fields),
    summary: words,
    statusSummary: `Stage: ${stage}${isTrue(row.stalled) ? ', stalled' : ''}${year ? `; completed or to be completed in ${year}` : ''}.`,
    sourceDocumentUrl: parseWebAddress(firstStated(row, ['prj_url', 'project_url'])) ?? parseWebAddress(row.mb_url),
    constructionType: rules.constructionType(fields),
    totalUnitCount: positiveOrNull(parseCount(firstStated(row, ['hu', 'tothu']))),
    unitMix: unitMix(row),
    acreage: findAcres(words ?? ''),
    lotCount: findLots(words ?? ''),
    squareFootage: positiveOrNull(parseAmount(row.commsf)),
    buildingStories: positiveOrNull(parseAmount(row.stories)),
    buildingHeightFeet: positiveOrNull(parseAmount(row.height)),
    parkingSpaces: positiveOrNull(parseCount(row.onsitepark)),
    parties,
    rawText: words,
  };
  return [project, notes];
}

/** What the newer row states, completed by the older one. */
function combine(newer: CsvRow | undefined, older: CsvRow | undefined): CsvRow {
  const stated = Object.entries(newer ?? {}).filter(([, value]) => value.trim() !== '');
  return { ...older, ...Object.fromEntries(stated) };
}

async function readRows(folder: string, name: string, column: string): Promise<Map<string, CsvRow>> {
  const rows = new Map<string, CsvRow>();
  for await (const row of readCsvRows(folder, name)) rows.set(row[column] ?? '', row);
  return rows;
}

async function* read({ folder, places }: ReadContext): AsyncGenerator<SourceItem> {
  const locator = new Locator(places, 'MA');
  const older = await readRows(folder, OLDER, 'id');
  const newer = await readRows(folder, NEWER, 'project_id');
  for (const ownId of new Set([...newer.keys(), ...older.keys()])) {
    const row = combine(newer.get(ownId), older.get(ownId));
    const rows = [newer.get(ownId), older.get(ownId)].filter((one) => one !== undefined);
    yield recordOf(ownId, rows, toDraft(row, locator));
  }
}

export const maMassbuilds: SourceAdapter = { name: 'ma_massbuilds', title: 'MassBuilds developments', files: [OLDER, NEWER], read };
