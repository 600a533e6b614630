/**
 * Scores how likely a row means a record, by the record linkage of Fellegi and Sunter (A Theory for Record Linkage, 1969). Evidence for and
 * against is measured in bits, the base 2 logarithm of the likelihood ratio of "the row means the record" to "it does not", and added up. The sum
 * is compared with those of rival records and with the chance that the row means no record. The weights were set by hand and are checked by
 * `npm run bench -- match`. Pure.
 */
import { distance } from 'fastest-levenshtein';
import { metersBetween } from '../../core/domain/distance.ts';
import { listStreetReadings, normalizeHouse, type StreetAddress, writeAddressText } from '../../core/domain/streetAddress.ts';
import { isDigitSwap } from './digitSwaps.ts';
import type { Comparable, MatchReason, NamedRow, RowPoint } from './types.ts';

/** The smallest place that row and record have in common. */
type Shared = 'city' | 'county' | 'state' | 'none';

/** Bits of an equal number, of one with two digits swapped, and of any other, by the place in common. */
const PARCEL_BITS = {
  same: { city: 9, county: 9, state: 7, none: 5 },
  swapped: { city: 3.2, county: 3.2, state: 2.5, none: 1 },
  other: -5,
} as const;
const CASE_BITS = {
  same: { city: 9, county: 9, state: 7, none: 4 },
  swapped: { city: 3.2, county: 3.2, state: 2.5, none: 1 },
  other: -3,
} as const;
/** Case numbers are consecutive. If others of the series exist, a number with swapped digits often belongs to another case and proves less. */
const CASE_BITS_AMONG_OTHERS = { ...CASE_BITS, swapped: { city: 1.2, county: 1.2, state: 1, none: 0.5 } } as const;
/** A shorter number occurs often by chance, and proves less. */
const SHORT_CHARACTERS = 5;
const SHORT_BITS = -3;

const ADDRESS_BITS = {
  same: { city: 8, county: 6.5, state: 3, none: 1 },
  other: -6,
  numberSwapped: -4.4,
  streetMistyped: -3,
  numberInRange: -0.7,
  withoutNumber: -3,
  otherSuffix: -7,
  suffixMissing: -0.4,
  otherDirection: -7,
  directionMissing: -1,
} as const;
/** Letters that a street's name needs for one mistyped letter to be accepted, and for two. */
const MISTYPED_LETTERS_MIN = 5;
const MISTYPED_TWICE_LETTERS_MIN = 10;

const OTHER_CITY_BITS = -6;
const OTHER_COUNTY_BITS = -6;

/** Bits of a point that agrees: a normal distribution of 10 m against an even one. It reaches 0 at 30 m. */
const POINT_BITS_AT = 6.5;
const POINT_METERS2_A_BIT = 138.6;
const POINT_AGREES_METERS = 30;
/** Bits of a point that does not agree, up to a distance in metres. Small at first, since maps differ in where they put a parcel. */
const POINT_BITS_AWAY: readonly (readonly [number, number])[] = [
  [150, 0],
  [500, -0.5],
  [2_000, -2],
  [20_000, -4],
  [Number.POSITIVE_INFINITY, -8],
];

interface Evidence {
  bits: number;
  reason?: MatchReason;
}

const NO_EVIDENCE: Evidence = { bits: 0 };

function comparePlaces({ places }: NamedRow, { stateId, countyId, cityId }: Comparable): { shared: Shared; bits: number } {
  const named = (ids: readonly number[], id: number | undefined) => (ids.length && id !== undefined ? ids.includes(id) : undefined);
  const [city, county, state] = [named(places.cityIds, cityId), named(places.countyIds, countyId), named(places.stateIds, stateId)];
  const bits = (city === false ? OTHER_CITY_BITS : 0) + (county === false ? OTHER_COUNTY_BITS : 0);
  return { shared: city ? 'city' : county ? 'county' : state ? 'state' : 'none', bits };
}

function weighNumbers(
  sent: string | undefined,
  stated: readonly string[],
  shared: Shared,
  weights: { same: Record<Shared, number>; swapped: Record<Shared, number>; other: number },
  reason: MatchReason,
): Evidence {
  if (sent === undefined || !stated.length) return NO_EVIDENCE;
  const short = sent.length < SHORT_CHARACTERS ? SHORT_BITS : 0;
  if (stated.includes(sent)) return { bits: weights.same[shared] + short, reason };
  if (!stated.some((one) => isDigitSwap(sent, one))) return { bits: weights.other };
  return { bits: weights.swapped[shared] + short, reason };
}

/** Bits against two addresses being the same; undefined if they are different. */
function compareAddresses(a: StreetAddress, b: StreetAddress): number | undefined {
  const number = compareNumbers(a.numbers, b.numbers);
  if (number === undefined) return undefined;
  const streets = listStreetReadings(a).flatMap((one) => listStreetReadings(b).flatMap((other) => compareStreets(one, other) ?? []));
  return streets.length ? number + compareDirections(a, b) + Math.max(...streets) : undefined;
}

const compareDirections = (a: StreetAddress, b: StreetAddress) =>
  compareWords(a.direction, b.direction, 'otherDirection', 'directionMissing');

function compareWords(a: string, b: string, other: 'otherSuffix' | 'otherDirection', missing: 'suffixMissing' | 'directionMissing') {
  if (a === b) return 0;
  return ADDRESS_BITS[a && b ? other : missing];
}

/** Most mistyped letters that are accepted in a street's name; none in names with digits. */
export function limitMistypedLetters(street: string): number {
  if (/[\d&]/.test(street) || street.length < MISTYPED_LETTERS_MIN) return 0;
  return street.length < MISTYPED_TWICE_LETTERS_MIN ? 1 : 2;
}

type StreetReading = ReturnType<typeof listStreetReadings>[number];

function compareStreets(a: StreetReading, b: StreetReading): number | undefined {
  const name = compareNames(a.street, b.street);
  return name === undefined ? undefined : name + compareWords(a.suffix, b.suffix, 'otherSuffix', 'suffixMissing');
}

function compareNames(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const most = Math.min(limitMistypedLetters(a), limitMistypedLetters(b));
  return most && Math.abs(a.length - b.length) <= most && countMistypedLetters(a, b) <= most ? ADDRESS_BITS.streetMistyped : undefined;
}

/** The number of mistyped letters; two swapped ones count as one. */
function countMistypedLetters(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)) return 1;
  return distance(a, b);
}

function compareNumbers(a: readonly string[], b: readonly string[]): number | undefined {
  if (!a.length && !b.length) return ADDRESS_BITS.withoutNumber;
  if (!a.length || !b.length) return undefined;
  const isSame = (one: string) => b.some((other) => normalizeHouse(one) === normalizeHouse(other));
  if (a.some(isSame)) return a.length === 1 && b.length === 1 ? 0 : ADDRESS_BITS.numberInRange;
  return a.some((number) => b.some((other) => isDigitSwap(number, other))) ? ADDRESS_BITS.numberSwapped : undefined;
}

function weighAddresses({ addresses }: NamedRow, record: Comparable, shared: Shared): Evidence {
  if (!addresses.length || !record.addresses.length) return NO_EVIDENCE;
  const differences = addresses.flatMap((a) => record.addresses.flatMap((b) => compareAddresses(a, b) ?? []));
  if (!differences.length) return { bits: ADDRESS_BITS.other };
  const bits = Math.max(ADDRESS_BITS.other, ADDRESS_BITS.same[shared] + Math.max(...differences));
  return bits > 0 ? { bits, reason: 'address' } : { bits };
}

function weighPoints(sent: RowPoint | undefined, stated: RowPoint | undefined): Evidence {
  if (!sent || !stated) return NO_EVIDENCE;
  const meters = metersBetween(sent, stated);
  if (meters < POINT_AGREES_METERS) return { bits: POINT_BITS_AT - meters ** 2 / POINT_METERS2_A_BIT, reason: 'point' };
  return { bits: POINT_BITS_AWAY.find(([upTo]) => meters <= upTo)?.[1] ?? 0 };
}

/** A record with its bits, and in what it agrees with the row. */
export interface Judged {
  record: Comparable;
  bits: number;
  reasons: MatchReason[];
}

/** Adds up the evidence for a record. @param record a candidate of the row */
function weighEvidence(row: NamedRow, record: Comparable): Judged {
  const { shared, bits } = comparePlaces(row, record);
  const evidence = [
    weighNumbers(row.parcelNumber, record.parcelNumbers, shared, PARCEL_BITS, 'parcel_number'),
    weighNumbers(row.caseNumber, record.caseNumbers, shared, row.hasNoNeighbours ? CASE_BITS : CASE_BITS_AMONG_OTHERS, 'case_number'),
    weighAddresses(row, record, shared),
    weighPoints(row.point, record.point),
  ];
  return {
    record,
    bits: evidence.reduce((sum, one) => sum + one.bits, bits),
    reasons: evidence.flatMap(({ reason }) => reason ?? []),
  };
}

/** Records closer than this are of one site, and no rivals: a building has many permits, a case many hearings. */
const SAME_SITE_METERS = 15;

/** What tells whether another record is of the same site, made once for the many that it is compared with. */
interface Site {
  record: Comparable;
  /** parcels and cases, those of the row first, which candidates mostly share */
  numbers: readonly string[];
  hasNumber: ReadonlySet<string>;
  /** addresses with a house number */
  houses: readonly string[];
  hasHouse: ReadonlySet<string>;
}

function readSite(record: Comparable, { parcelNumber, caseNumber }: NamedRow): Site {
  const sentFirst = (texts: readonly string[], sent = '') => (texts.includes(sent) ? [sent, ...texts] : texts);
  const parcels = sentFirst(record.parcelNumbers, parcelNumber).map((number) => `parcel ${number}`);
  const numbers = [...sentFirst(record.caseNumbers, caseNumber), ...parcels];
  const houses = record.addresses.filter((address) => address.numbers.length).map(writeAddressText);
  return { record, numbers, hasNumber: new Set(numbers), houses, hasHouse: new Set(houses) };
}

function isSameSite({ record: a, numbers, houses }: Site, { record: b, hasNumber, hasHouse }: Site): boolean {
  if (a.stateId !== b.stateId) return false;
  if (a.point && b.point && metersBetween(a.point, b.point) <= SAME_SITE_METERS) return true;
  if (a.countyId !== b.countyId && a.countyId !== undefined && b.countyId !== undefined) return false;
  if (numbers.some((number) => hasNumber.has(number))) return true;
  if (a.cityId !== b.cityId && a.cityId !== undefined && b.cityId !== undefined) return false;
  if (houses.some((house) => hasHouse.has(house))) return true;
  return a.addresses.some((one) => b.addresses.some((other) => (compareAddresses(one, other) ?? -9) > -3));
}

/** A candidate with its score, 0 to 1. */
export interface Scored extends Judged {
  score: number;
}

const THOUSAND = 1_000;

/**
 * Scores the candidates of a row. Candidates of different sites are rivals, which lower each other's score.
 * @param found each record once
 * @returns best first; equals by newest meeting, then highest id
 */
export function scoreCandidates(row: NamedRow, found: readonly Comparable[]): Scored[] {
  const judged = found.map((record) => weighEvidence(row, record)).filter(({ reasons }) => reasons.length);
  judged.sort((a, b) => b.bits - a.bits || compareNewest(a.record, b.record));
  const sites = judged.map(({ record }) => readSite(record, row));
  const strongest = sites.slice(0, RIVALS_MAX);
  const bitsOfRival = (site: Site) => judged[strongest.findIndex((other) => other !== site && !isSameSite(site, other))]?.bits;
  return judged
    .map((one, i) => ({ ...one, score: scoreOf(one, bitsOfRival(sites[i] as Site)) }))
    .sort((a, b) => b.score - a.score || compareNewest(a.record, b.record));
}

const compareNewest = (a: Comparable, b: Comparable) =>
  a.meetingDate === b.meetingDate ? b.id - a.id : a.meetingDate < b.meetingDate ? 1 : -1;

/** Most candidates among which a rival is looked for: of a site with a thousand records, each would be compared with each. */
const RIVALS_MAX = 100;

/** The likelihood of this record as a share of those of itself, its strongest rival and no record. */
function scoreOf({ bits }: Judged, rivalBits: number | undefined): number {
  const [likelihood, rival] = [2 ** bits, rivalBits === undefined ? 0 : 2 ** rivalBits];
  return Math.round((likelihood / (likelihood + rival + 1)) * THOUSAND) / THOUSAND;
}
