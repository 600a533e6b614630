/** The Elasticsearch queries that find candidates for a row, and the fields that are read of them. Pure. */
import type { Scope } from '../../core/domain/principal.ts';
import {
  listAddressKeys,
  listStreetReadings,
  makeAddressKey,
  readAddressText,
  type StreetAddress,
} from '../../core/domain/streetAddress.ts';
import { allOf, anyOf, type Clause, circleClause, range, scopeClauses, terms } from '../../core/query/clauses.ts';
import { listDigitSwaps } from './digitSwaps.ts';
import { type findLooseStreet, limitMistypedLetters } from './score.ts';
import type { Comparable, NamedRow, RowPoint } from './types.ts';

const FIELDS = {
  parcelNumbers: 'derived.match.parcelNumbers',
  caseNumbers: 'derived.match.caseNumbers',
  addressKeys: 'derived.match.addressKeys',
  addresses: 'derived.match.addresses',
  point: 'derived.location',
  memberIds: 'derived.memberIds',
  stateId: 'derived.stateId',
  countyId: 'derived.countyId',
  cityId: 'derived.cityId',
  meetingDate: 'derived.meetingDate',
} as const;

type LooseStreet = NonNullable<ReturnType<typeof findLooseStreet>>;

/** Boosts that decide which candidates are read if there are too many: exact before mistyped ones, and those in the row's place first. */
const BOOST = { same: 16, mistyped: 6, city: 3, county: 2, near: 6 } as const;
/** Distance from the row's point within which records are found. */
const POINT_RADIUS_METERS = 60;
const NEAR_METERS = 15;
/** Most spellings of a street's name that a fuzzy query expands to. */
const SPELLINGS_MAX = 10;

const SERIES_CHARACTERS_MIN = 5;
/** Behind every character of a case number. */
const LAST_CHARACTER = '\u{10FFFF}';

const boostClause = (filter: Clause, boost: number): Clause => ({ constant_score: { filter, boost } });

const numberClauses = (field: string, number: string | undefined): Clause[] => {
  if (number === undefined) return [];
  const mistyped = listDigitSwaps(number);
  return [
    boostClause(terms(field, [number]), BOOST.same),
    ...(mistyped.length ? [boostClause(terms(field, mistyped), BOOST.mistyped)] : []),
  ];
};

function addressClauses(address: StreetAddress): Clause[] {
  const field = FIELDS.addressKeys;
  const numbers = address.numbers.flatMap(listDigitSwaps);
  return [
    boostClause(terms(field, listAddressKeys(address)), BOOST.same),
    ...(numbers.length ? [boostClause(terms(field, listAddressKeys({ ...address, numbers })), BOOST.mistyped)] : []),
  ];
}

const spellingClauses = (address: StreetAddress): Clause[] =>
  listStreetReadings(address).flatMap(({ street }) => makeMistypedStreetClauses(address.numbers[0] ?? '', street));

/** Matches streets with a mistyped letter; house number and first letter must be equal. */
function makeMistypedStreetClauses(number: string, street: string): Clause[] {
  const fuzziness = limitMistypedLetters(street);
  if (!fuzziness) return [];
  const value = makeAddressKey(number, street);
  const fuzzy = { value, fuzziness, prefix_length: value.length - street.length + 1, max_expansions: SPELLINGS_MAX, transpositions: true };
  return [boostClause({ fuzzy: { [FIELDS.addressKeys]: fuzzy } }, BOOST.mistyped)];
}

function pointClauses(point: RowPoint | undefined): Clause[] {
  if (!point) return [];
  const { latitude: lat, longitude: lng } = point;
  const near = { distance_feature: { field: FIELDS.point, origin: [lng, lat], pivot: `${NEAR_METERS}m`, boost: BOOST.near } };
  return [{ bool: { filter: [circleClause(FIELDS.point, { lat, lng, radiusMeters: POINT_RADIUS_METERS })], should: [near] } }];
}

const keyClauses = ({ parcelNumber, caseNumber, addresses }: NamedRow): Clause[] => [
  ...numberClauses(FIELDS.parcelNumbers, parcelNumber),
  ...numberClauses(FIELDS.caseNumbers, caseNumber),
  ...addresses.flatMap(addressClauses),
];

/** The first and cheap query: the row's numbers and addresses, or its point if it has none of these. */
export function makeIdentifierQuery(row: NamedRow, scope: Scope): Clause {
  const keys = keyClauses(row);
  return makeQueryWithin(keys.length ? keys : pointClauses(row.point), row, scope);
}

/** The second and slower query: mistyped streets, and records around the point; undefined if the row has neither. */
export function makeFuzzyQuery(row: NamedRow, scope: Scope): Clause | undefined {
  const around = keyClauses(row).length ? pointClauses(row.point) : [];
  const clauses = [...row.addresses.flatMap(spellingClauses), ...around];
  return clauses.length ? makeQueryWithin(clauses, row, scope) : undefined;
}

/**
 * The common beginning of consecutive case numbers: the number without a trailing year or letters, and without its last two digits.
 * @returns '' if too little is left
 */
export function caseSeriesOf(caseNumber: string): string {
  const counted = caseNumber.replace(/(?<!\D)\D+$/, '').replace(/(?<=\d{2})(?:19|20)\d{2}$/, '');
  return /\d{2}$/.test(counted) && counted.length >= SERIES_CHARACTERS_MIN ? counted.slice(0, -2) : '';
}

/**
 * The query for other cases of the series of the row's case number; undefined if it shows no series. A number with two digits swapped is of a
 * candidate, and no other; a record that has further numbers of the series is found by these.
 */
export function makeCaseSeriesQuery(row: NamedRow, scope: Scope): Clause | undefined {
  const { caseNumber = '' } = row;
  const series = caseSeriesOf(caseNumber);
  if (!series) return undefined;
  const swapped = listDigitSwaps(caseNumber).filter((number) => number.startsWith(series));
  return makeQueryWithin(otherValueClauses(FIELDS.caseNumbers, series, swapped), row, scope);
}

/** Matches values that begin so, other than the given ones. */
function otherValueClauses(field: string, beginning: string, others: readonly string[]): Clause[] {
  if (!others.length) return [{ prefix: { [field]: beginning } }];
  const sorted = others.toSorted();
  const first = range(field, { gte: beginning, lt: sorted[0] });
  return [first, ...sorted.map((gt, i) => range(field, { gt, lt: sorted[i + 1] ?? beginning + LAST_CHARACTER }))];
}

/**
 * The query for other streets that the row may mean in the smallest place that it names: those of its street's name, but the candidate's own one in
 * its city.
 */
export function makeOtherStreetsQuery({ names, own }: LooseStreet, { cityId }: Comparable, { places }: NamedRow, scope: Scope): Clause {
  const [field, ids] = places.cityIds.length
    ? [FIELDS.cityId, places.cityIds]
    : places.countyIds.length
      ? [FIELDS.countyId, places.countyIds]
      : [FIELDS.stateId, places.stateIds];
  const within = ids.length ? [terms(field, ids.map(String))] : [];
  const isOwn = [terms(FIELDS.addressKeys, own), ...(cityId === undefined ? [] : [terms(FIELDS.cityId, [String(cityId)])])];
  const called = anyOf(names.map((name) => ({ prefix: { [FIELDS.addressKeys]: `${name}|` } })));
  return { bool: { filter: [called, ...within, ...scopeClauses(scope)], must_not: [allOf(isOwn)] } };
}

/** Any of the clauses, within the licence and the row's state; records in its city and county rank first. */
function makeQueryWithin(clauses: readonly Clause[], { places }: NamedRow, scope: Scope): Clause {
  const placeClauses = (field: string, ids: readonly number[]) => (ids.length ? [terms(field, ids.map(String))] : []);
  const filter = [...scopeClauses(scope), ...placeClauses(FIELDS.stateId, places.stateIds)];
  const should = [
    ...placeClauses(FIELDS.cityId, places.cityIds).map((clause) => boostClause(clause, BOOST.city)),
    ...placeClauses(FIELDS.countyId, places.countyIds).map((clause) => boostClause(clause, BOOST.county)),
  ];
  return { bool: { must: [anyOf(clauses)], ...(filter.length ? { filter: [allOf(filter)] } : {}), ...(should.length ? { should } : {}) } };
}

/** The `docvalue_fields` that are read of a candidate. */
export const READ_FIELDS: readonly string[] = ['id', ...Object.values(FIELDS).filter((field) => field !== FIELDS.addressKeys)];

type DocValues = Readonly<Record<string, readonly unknown[] | undefined>>;

/** A candidate as it is compared. @param values of `READ_FIELDS` */
export function toComparable(values: DocValues): Comparable {
  const texts = (field: string) => (values[field] ?? []).map(String);
  const addresses = texts(FIELDS.addresses);
  const number = (field: string) => (values[field]?.length ? Number(values[field][0]) : undefined);
  return {
    id: Number(values.id?.[0]),
    memberIds: texts(FIELDS.memberIds).map(Number),
    parcelNumbers: texts(FIELDS.parcelNumbers),
    caseNumbers: texts(FIELDS.caseNumbers),
    addresses: addresses.filter((text) => text.includes('|')).map(readAddressText),
    zipCodes: addresses.filter((text) => !text.includes('|')),
    point: toPoint(values[FIELDS.point]?.[0]),
    stateId: number(FIELDS.stateId),
    countyId: number(FIELDS.countyId),
    cityId: number(FIELDS.cityId),
    meetingDate: String(values[FIELDS.meetingDate]?.[0] ?? '').slice(0, 10),
  };
}

/** @param value `lat, lon`, as Elasticsearch formats the doc value of a point */
function toPoint(value: unknown): RowPoint | undefined {
  if (typeof value !== 'string') return undefined;
  const [latitude = Number.NaN, longitude = Number.NaN] = value.split(',').map(Number);
  return { latitude, longitude };
}
