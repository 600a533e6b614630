/** Parses the rows of a request, and collects every problem by its row. Pure. */
import { denyPlaces } from '../../core/domain/entitlement.ts';
import { PROBLEMS_MAX, type RequestRefusal } from '../../core/domain/errors.ts';
import type { NearestValues } from '../../core/domain/nearestNames.ts';
import type { Places } from '../../core/domain/places.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { normalizeReferenceNumber } from '../../core/domain/referenceNumbers.ts';
import { listZipCodes, readStreetAddresses } from '../../core/domain/streetAddress.ts';
import { SUGGESTIONS_MAX } from '../../core/filter/parse.ts';
import { findPlacesRoute, findSimilarPlaces, findSimilarStates } from '../../core/filter/placeList.ts';
import type { BodyReading } from '../../http/declaration.ts';
import type { NamedRow, RowPlaces, RowPoint, SentRow } from './types.ts';

interface RowReading {
  row: NamedRow;
  problems: RequestRefusal[];
}

const SHOWN_CHARACTERS = 80;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const problem = (param: string, code: string, message: string, more: Partial<RequestRefusal> = {}): RequestRefusal => ({
  param,
  code,
  message,
  answer: 'invalid_request',
  ...more,
});

/** What a spreadsheet makes of a long number, which cannot be had back from it. */
const SCIENTIFIC = /^[1-9](?:[.,]\d+)?E\+\d{1,3}$/i;

function findShortenedNumbers(sent: SentRow, at: number): RequestRefusal[] {
  return (['parcelNumber', 'caseNumber'] as const).flatMap((field) => {
    const value = textOf(sent[field]);
    if (!SCIENTIFIC.test(value)) return [];
    const message = `${rowPath(at, field)} '${value}' is in scientific notation, to which a spreadsheet has shortened the number: format the column as text and fill it again`;
    return [problem(`rows.${at}.${field}`, 'invalid_value', message, { value })];
  });
}

const rowPath = (at: number, field?: string) => `rows[${at}]${field ? `.${field}` : ''}`;

function readPoint({ latitude, longitude }: SentRow, at: number): { point?: RowPoint; problems: RequestRefusal[] } {
  if (typeof latitude === 'number' && typeof longitude === 'number') return { point: { latitude, longitude }, problems: [] };
  const lone = typeof latitude === 'number' ? 'longitude' : typeof longitude === 'number' ? 'latitude' : undefined;
  const other = lone === 'longitude' ? longitude : latitude;
  // A value of a wrong type is reported by the schema.
  if (!lone || (other !== undefined && other !== null)) return { problems: [] };
  const message = `${rowPath(at, lone)} is missing: a point takes latitude and longitude, in degrees`;
  return { problems: [problem(`rows.${at}.${lone}`, 'missing', message)] };
}

/** The places that a row names. @param isSuggested whether to look for suggestions of unknown names */
function readPlaces(sent: SentRow, at: number, places: Places, isSuggested: boolean): { places: RowPlaces; problems: RequestRefusal[] } {
  const [state, county, city] = [textOf(sent.state), textOf(sent.county), textOf(sent.city)];
  const problems: RequestRefusal[] = [];
  const found = state ? places.findState(state) : undefined;
  if (state && !found) problems.push(unknownStateRefusal(state, at, places, isSuggested));
  const stateIds = found ? [found.id] : [];
  const counties = county && (found || !state) ? places.findCounties(county, { stateIds }) : [];
  if (county && (found || !state) && !counties.length) problems.push(unknownCountyRefusal(county, at, places, { stateIds, isSuggested }));
  const countyIds = counties.map(({ id }) => id);
  const within = city ? places.findCities(city, { stateIds, countyIds }) : [];
  const cities = city && !within.length ? places.findCities(city, { stateIds }) : within;
  return { places: { stateIds, countyIds, cityIds: cities.map(({ id }) => id) }, problems };
}

function unknownStateRefusal(text: string, at: number, places: Places, isSuggested: boolean): RequestRefusal {
  return unknownPlaceRefusal(
    { text, at, field: 'state', is: 'is no US state', reference: '/v1/locations/states' },
    isSuggested ? findSimilarStates(text, places) : {},
  );
}

function unknownCountyRefusal(
  text: string,
  at: number,
  places: Places,
  { stateIds, isSuggested }: { stateIds: readonly number[]; isSuggested: boolean },
): RequestRefusal {
  const [stateId] = stateIds;
  const where = stateId === undefined ? '' : ` of ${places.state(stateId)?.name}`;
  const is = `is no county${where} in the catalogue; leave it out where you are not sure`;
  return unknownPlaceRefusal(
    { text, at, field: 'county', is, reference: findPlacesRoute(stateIds) },
    isSuggested ? findSimilarPlaces('county', text, places, stateIds) : {},
  );
}

interface UnknownPlace {
  text: string;
  at: number;
  field: 'state' | 'county';
  /** end of the sentence that begins with field and text */
  is: string;
  reference: string;
}

function unknownPlaceRefusal({ text, at, field, is, reference }: UnknownPlace, { didYouMean, nearest }: NearestValues): RequestRefusal {
  const value = text.slice(0, SHOWN_CHARACTERS);
  const hint = didYouMean ? `; did you mean '${didYouMean}'?` : '';
  return problem(`rows.${at}.${field}`, 'unknown_place', `${rowPath(at, field)} '${value}' ${is}${hint}`, {
    value,
    ...(didYouMean ? { didYouMean } : {}),
    ...(nearest?.length ? { nearest } : {}),
    reference,
  });
}

/** Problems of a row whose places are outside the licence. Of several counties with the name, one inside suffices. */
function findDenialProblems({ stateIds, countyIds }: RowPlaces, at: number, principal: Principal, places: Places): RequestRefusal[] {
  const allowedCounty = countyIds.find((id) => !denyPlaces(principal, { countyIds: [id] }, places));
  const denial = denyPlaces(principal, { stateIds, countyIds: allowedCounty === undefined ? countyIds : [] }, places);
  if (!denial) return [];
  const field = denial.param === 'states' ? 'state' : 'county';
  const { code, message, details } = denial;
  return [{ param: `rows.${at}.${field}`, code, message, answer: code, ...(details ? { details } : {}) }];
}

function readRow(sent: SentRow, at: number, principal: Principal, places: Places, isSuggested: boolean): RowReading {
  const { point, problems: ofPoint } = readPoint(sent, at);
  const named = readPlaces(sent, at, places, isSuggested);
  const [city, address] = [textOf(sent.city), textOf(sent.address)];
  const row: NamedRow = {
    parcelNumber: normalizeReferenceNumber(textOf(sent.parcelNumber)) || undefined,
    caseNumber: normalizeReferenceNumber(textOf(sent.caseNumber)) || undefined,
    addresses: address ? readStreetAddresses(address, city ? [city] : [], findAddressPlace(named.places, places)) : [],
    zipCodes: listZipCodes(address),
    point,
    places: named.places,
  };
  const problems = [
    ...ofPoint,
    ...findShortenedNumbers(sent, at),
    ...named.problems,
    ...findDenialProblems(named.places, at, principal, places),
  ];
  const namesNothing = !row.parcelNumber && !row.caseNumber && !row.addresses.length && !point && !ofPoint.length;
  return { row, problems: namesNothing && !hasWrongType(sent) ? [...problems, nothingNamedRefusal(address, at)] : problems };
}

/** Where the addresses of a row may be: in its state, else in those of its counties or cities. */
function findAddressPlace({ stateIds, countyIds, cityIds }: RowPlaces, places: Places) {
  const stateOf = (id: number) => places.city(id)?.stateId;
  const others = countyIds.length ? countyIds.map((id) => places.county(id)?.stateId) : cityIds.map(stateOf);
  return { stateIds: stateIds.length ? stateIds : [...new Set(others.flatMap((id) => id ?? []))], countyIds };
}

/** Whether a field that identifies the row has a wrong type, which the schema reports. */
const hasWrongType = ({ parcelNumber, caseNumber, address, latitude, longitude }: SentRow) =>
  [parcelNumber, caseNumber, address].some((value) => value != null && typeof value !== 'string') ||
  [latitude, longitude].some((value) => value != null && typeof value !== 'number');

function nothingNamedRefusal(address: string, at: number): RequestRefusal {
  const unread = address ? ` (its address '${address.slice(0, SHOWN_CHARACTERS)}' names no street)` : '';
  const message = `${rowPath(at)} names nothing${unread}; send a parcelNumber, a caseNumber, an address, or latitude and longitude`;
  return problem(`rows.${at}`, 'missing', message);
}

/** Parses the rows of a body. Rows that are no objects are skipped, since the schema reports them. */
export function readRows(body: Readonly<Record<string, unknown>>, principal: Principal, places: Places): BodyReading<NamedRow[]> {
  const sent = Array.isArray(body.rows) ? body.rows : [];
  const rows: NamedRow[] = [];
  const problems: RequestRefusal[] = [];
  for (const [at, one] of sent.entries()) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) continue;
    const reading = readRow(one, at, principal, places, problems.length < SUGGESTIONS_MAX);
    rows.push(reading.row);
    problems.push(...reading.problems);
    // An answer lists no more problems.
    if (problems.length >= PROBLEMS_MAX) break;
  }
  return { problems, value: rows };
}
