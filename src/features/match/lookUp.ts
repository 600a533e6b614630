/** The query that finds the records of a row, and what is read of them. Pure. */
import type { Scope } from '../../core/domain/principal.ts';
import { addressKey, addressKeys, readAddressText, type StreetAddress, streetReadings } from '../../core/domain/streetAddress.ts';
import { allOf, anyOf, type Clause, circleClause, scopeClauses, terms } from '../../core/query/clauses.ts';
import { mistypedMax } from './score.ts';
import { swaps } from './swapped.ts';
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

/** Order of what is read first, where more is found than is read: the same thing before a mistyped one, and in the place that the row names. */
const BOOST = { same: 16, mistyped: 6, city: 3, county: 2, near: 6 } as const;
/** A point finds what lies around it. */
const POINT_RADIUS_METERS = 60;
const NEAR_METERS = 15;
/** Spellings of a street's name that one row looks up. */
const SPELLINGS_MAX = 10;

const SERIES_CHARACTERS_MIN = 5;

const scored = (filter: Clause, boost: number): Clause => ({ constant_score: { filter, boost } });

const numberClauses = (field: string, number: string | undefined): Clause[] => {
  if (number === undefined) return [];
  const mistyped = swaps(number);
  return [scored(terms(field, [number]), BOOST.same), ...(mistyped.length ? [scored(terms(field, mistyped), BOOST.mistyped)] : [])];
};

function addressClauses(address: StreetAddress): Clause[] {
  const field = FIELDS.addressKeys;
  const numbers = address.numbers.flatMap(swaps);
  return [
    scored(terms(field, addressKeys(address)), BOOST.same),
    ...(numbers.length ? [scored(terms(field, addressKeys({ ...address, numbers })), BOOST.mistyped)] : []),
  ];
}

const spellingClauses = (address: StreetAddress): Clause[] =>
  streetReadings(address).flatMap(({ street }) => mistypedStreet(address.numbers[0] ?? '', street));

/** Streets with a wrong letter, behind the same house number and first letter. */
function mistypedStreet(number: string, street: string): Clause[] {
  const fuzziness = mistypedMax(street);
  if (!fuzziness) return [];
  const value = addressKey(number, street);
  const fuzzy = { value, fuzziness, prefix_length: value.length - street.length + 1, max_expansions: SPELLINGS_MAX, transpositions: true };
  return [scored({ fuzzy: { [FIELDS.addressKeys]: fuzzy } }, BOOST.mistyped)];
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

/** What finds the records of a row at a glance: its numbers and addresses, or else its point. */
export function keyQuery(row: NamedRow, scope: Scope): Clause {
  const keys = keyClauses(row);
  return narrowed(keys.length ? keys : pointClauses(row.point), row, scope);
}

/** What finds further ones, at a greater cost: streets with a wrong letter, and what lies around the point; undefined where nothing does. */
export function furtherQuery(row: NamedRow, scope: Scope): Clause | undefined {
  const around = keyClauses(row).length ? pointClauses(row.point) : [];
  const clauses = [...row.addresses.flatMap(spellingClauses), ...around];
  return clauses.length ? narrowed(clauses, row, scope) : undefined;
}

/**
 * Numbers of cases that are counted up beside this one: alike but for the last two digits, what follows them (letters, a year) left out.
 * @returns '' where too little is left to tell
 */
export function seriesOf(caseNumber: string): string {
  const counted = caseNumber.replace(/\D+$/, '').replace(/(?<=\d{2})(?:19|20)\d{2}$/, '');
  return /\d{2}$/.test(counted) && counted.length >= SERIES_CHARACTERS_MIN ? counted.slice(0, -2) : '';
}

/** What finds cases that are numbered like that of the row; undefined where that cannot be told. */
export function neighbourQuery(row: NamedRow, scope: Scope): Clause | undefined {
  const series = row.caseNumber === undefined ? '' : seriesOf(row.caseNumber);
  return series ? narrowed([{ prefix: { [FIELDS.caseNumbers]: series } }], row, scope) : undefined;
}

/** Any of the clauses, within the licence and the state that the row names; records of its city and county first. */
function narrowed(clauses: readonly Clause[], { places }: NamedRow, scope: Scope): Clause {
  const placeClauses = (field: string, ids: readonly number[]) => (ids.length ? [terms(field, ids.map(String))] : []);
  const filter = [...scopeClauses(scope), ...placeClauses(FIELDS.stateId, places.stateIds)];
  const should = [
    ...placeClauses(FIELDS.cityId, places.cityIds).map((clause) => scored(clause, BOOST.city)),
    ...placeClauses(FIELDS.countyId, places.countyIds).map((clause) => scored(clause, BOOST.county)),
  ];
  return { bool: { must: [anyOf(clauses)], ...(filter.length ? { filter: [allOf(filter)] } : {}), ...(should.length ? { should } : {}) } };
}

/** Fields of a record that are read, for `docvalue_fields`. */
export const READ_FIELDS: readonly string[] = ['id', ...Object.values(FIELDS).filter((field) => field !== FIELDS.addressKeys)];

type DocValues = Readonly<Record<string, readonly unknown[] | undefined>>;

/** @param values of `READ_FIELDS` */
export function toComparable(values: DocValues): Comparable {
  const texts = (field: string) => (values[field] ?? []).map(String);
  const number = (field: string) => (values[field]?.length ? Number(values[field][0]) : undefined);
  return {
    id: Number(values.id?.[0]),
    memberIds: texts(FIELDS.memberIds).map(Number),
    parcelNumbers: texts(FIELDS.parcelNumbers),
    caseNumbers: texts(FIELDS.caseNumbers),
    addresses: texts(FIELDS.addresses).map(readAddressText),
    point: toPoint(values[FIELDS.point]?.[0]),
    stateId: number(FIELDS.stateId),
    countyId: number(FIELDS.countyId),
    cityId: number(FIELDS.cityId),
    meetingDate: String(values[FIELDS.meetingDate]?.[0] ?? '').slice(0, 10),
  };
}

/** @param value `lat, lon`, as Elasticsearch writes the doc value of a point */
function toPoint(value: unknown): RowPoint | undefined {
  if (typeof value !== 'string') return undefined;
  const [latitude = Number.NaN, longitude = Number.NaN] = value.split(',').map(Number);
  return { latitude, longitude };
}
