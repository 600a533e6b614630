/**
 * Cases of the permit portals of Loudoun and Prince William counties (`loudoun_rezoning.csv.gz`, `princewilliam_rezoning.csv.gz`).
 *
 * Columns: Case Number (own id within the county) · Type · Status · Project Name · Applied Date, the only date · Address, in part with city
 * and postal code · Main Parcel (rounded by a spreadsheet in Loudoun: only unharmed numbers are taken) · Description.
 * A case number that occurred twice would be rejected as a duplicate.
 */
import { actionFields, type Classifiers, useFields } from './classifiers.ts';
import { type Locator, placeFields } from './location.ts';
import { findAcres, findLots, findStories, findUnits, withoutSurroundings } from './phrases.ts';
import { type CsvRow, readCsvRows } from './readers.ts';
import type { Fields } from './rules.ts';
import { type DraftWithNotes, itemOf, type ProjectDraft, rejectOf, type SourceItem } from './types.ts';
import { distinctValues, parseDay, parseText, parseZipCode } from './values.ts';

interface Portal {
  file: string;
  county: string;
  /** first half of every own id */
  prefix: string;
}

export const PORTALS: readonly Portal[] = [
  { file: 'loudoun_rezoning.csv.gz', county: 'Loudoun County', prefix: 'loudoun' },
  { file: 'princewilliam_rezoning.csv.gz', county: 'Prince William County', prefix: 'prince_william' },
];

/** City of `24560 DULLES LANDING DR STERLING VA 20166`: the longest run of words before VA that is a city of the county. */
function cityOf(address: string, county: string, locator: Locator): string | null {
  const words = /^(.*) VA \d{5}/.exec(address)?.[1]?.split(' ') ?? [];
  const tails = [3, 2, 1].filter((n) => n <= words.length).map((n) => words.slice(-n).join(' '));
  return tails.find((tail) => locator.find(county, tail).cityId !== null) ?? tails.at(-1) ?? null;
}

/** `LUCK STONE LEESBURG PLANT : A Zoning Map Amendment …` and `Kings Crest - To rezone …` begin with the name. */
function nameOf(description: string): string | null {
  return parseText(/^([^:]{3,80}?) : /.exec(description)?.[1] ?? /^([^-–]{3,60}?) - /.exec(description)?.[1]);
}

const ZONE = '(?=[A-Z()/-]*[A-Z])[A-Z]{1,4}[A-Z0-9()/ -]{0,10}?';
const REZONED = new RegExp(
  `\\b(?:from|FROM)(?: the)? (${ZONE})(?:,| zoning|\\s*\\().{0,60}?\\b(?:to|TO)(?: the)? (${ZONE})(?=[,.;(]|$| zoning| to | for )`,
);

/** `from A-1, Agricultural, to SR-1` */
function zoningOf(description: string): { existingZoning: string | null; proposedZoning: string | null } {
  const found = REZONED.exec(description);
  return { existingZoning: parseText(found?.[1]), proposedZoning: parseText(found?.[2]) };
}

const unroundedParcel = (parcel: string | null) => (parcel && !/E\+/.test(parcel) ? parcel : null);

function toDraft(row: CsvRow, portal: Portal, rules: Classifiers, locator: Locator): DraftWithNotes {
  const address = parseText(row.Address, 2000);
  const place = locator.find(portal.county, address ? cityOf(address, portal.county, locator) : null);
  const description = parseText(row.Description) ?? '';
  const applied = parseDay(row['Applied Date']);
  const type = parseText(row.Type) ?? '';
  const named = parseText(row['Project Name'], 2000) ?? nameOf(description);
  const fields: Fields = {
    text: withoutSurroundings([row['Project Name'], description].filter(Boolean).join('. ')),
    type,
    status: row.Status?.trim() ?? '',
    source: 'portal',
  };
  const status = rules.status(fields);
  const number = parseText(row['Case Number'], 200);
  const project: ProjectDraft = {
    recordType: 'project',
    projectName: named,
    displayName: named ?? number,
    meetingDate: applied,
    address: address && /^\d/.test(address) ? address : null,
    ...placeFields(place),
    zipCode: parseZipCode(/\bVA (\d{5})/.exec(address ?? '')?.[1]),
    ...useFields(rules.landUses(fields)),
    status,
    summary: parseText(description),
    statusSummary: `${type}, applied for on ${applied}; status: ${fields.status}.`,
    parcelNumbers: distinctValues([unroundedParcel(parseText(row['Main Parcel'], 100))]),
    ...actionFields(rules, fields),
    constructionType: rules.constructionType(fields),
    decisionBody: rules.decisionBody(fields),
    decisionType: rules.decisionType(fields),
    ...zoningOf(description),
    acreage: findAcres(description),
    totalUnitCount: findUnits(description),
    lotCount: findLots(description),
    buildingStories: findStories(description),
    // The outcome of a closed, void or superseded case is unknown, but it no longer awaits a decision.
    statusHistory: applied && status !== 'unknown' ? [{ status: 'pending', date: applied, decisionBody: null }] : [],
    rawText: parseText(description),
    originalRawText: row.Description || null,
    caseNumbers: distinctValues([number]),
  };
  return [project, place.notes];
}

/** The cases of one portal. */
export async function* portalCases(folder: string, portal: Portal, rules: Classifiers, locator: Locator): AsyncGenerator<SourceItem> {
  const seen = new Set<string>();
  for await (const row of readCsvRows(folder, portal.file)) {
    const ownId = `${portal.prefix}/${row['Case Number']?.trim()}`;
    yield seen.has(ownId) ? rejectOf(ownId, 1, 'duplicate') : itemOf(ownId, 1, toDraft(row, portal, rules, locator));
    seen.add(ownId);
  }
}
