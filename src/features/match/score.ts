/**
 * Scores how likely a row means a record, by the record linkage of Fellegi and Sunter (A Theory for Record Linkage, 1969). Evidence for and
 * against is measured in bits, the base 2 logarithm of the likelihood ratio of "the row means the record" to "it does not", and added up. The sum
 * is compared with those of rival records and with the chance that the row means no record. The weights were set by hand and are checked by
 * `npm run bench -- match`. Pure.
 */
import { metersBetween } from '../../core/domain/distance.ts';
import { countMistypedLetters } from '../../core/domain/mistypedLetters.ts';
import {
  isMistypedSuffix,
  listStreetReadings,
  looseHouse,
  makeStreetKey,
  type StreetAddress,
  writeAddressText,
} from '../../core/domain/streetAddress.ts';
import { isDigitSwap } from './digitSwaps.ts';
import type { Comparable, MatchReason, NamedRow, RowPoint } from './types.ts';

/** The smallest place that row and record have in common. */
type Shared = 'city' | 'zip' | 'county' | 'state' | 'none';

/** Bits of an equal number, of one with two digits swapped, and of any other, by the place in common. */
const PARCEL_BITS = {
  same: { city: 9, zip: 9, county: 9, state: 7, none: 5 },
  swapped: { city: 3.2, zip: 3.2, county: 3.2, state: 2.5, none: 1 },
  other: -5,
} as const;
const CASE_BITS = {
  same: { city: 9, zip: 9, county: 9, state: 7, none: 4 },
  swapped: { city: 3.2, zip: 3.2, county: 3.2, state: 2.5, none: 1 },
  other: -3,
} as const;
/** Case numbers are consecutive. If others of the series exist, a number with swapped digits often belongs to another case and proves less. */
const CASE_BITS_AMONG_OTHERS = { ...CASE_BITS, swapped: { city: 1.2, zip: 1.2, county: 1.2, state: 1, none: 0.5 } } as const;
/** A shorter number occurs often by chance, and proves less. */
const SHORT_CHARACTERS = 5;
const SHORT_BITS = -3;

const ADDRESS_BITS = {
  same: { city: 8, zip: 7, county: 6.5, state: 3, none: 1 },
  other: -6,
  numberSwapped: -4.4,
  streetMistyped: -3,
  numberInRange: -0.7,
  /** 12 and 12A, 12 and 12 1/2, 0246 and 246 are two buildings */
  otherPart: -7,
  /** a street is no building */
  withoutNumber: -6.5,
  otherSuffix: -7,
  suffixMissing: -0.4,
  suffixMistyped: -0.3,
  otherDirection: -7,
  directionMissing: -1,
} as const;
/** A street that differs by more than a mistyped suffix is meant only if the place has no other one that the row may mean. */
const SURE_STREET_BITS = -0.35;
const OTHER_STREET_BITS = -6;
/** Of an address whose city the row does not name, where the street also is in another city of the county. */
const OTHER_CITY_STREET_BITS = -3.2;
/** Letters that a street's name needs for one mistyped letter to be accepted, and for two. */
const MISTYPED_LETTERS_MIN = 5;
const MISTYPED_TWICE_LETTERS_MIN = 10;

const OTHER_CITY_BITS = -6;
const OTHER_COUNTY_BITS = -6;
/** Some cities have two streets of a name, which their ZIP codes tell apart. */
const OTHER_ZIP_BITS = -4;

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

function comparePlaces({ places, zipCodes }: NamedRow, record: Comparable): { shared: Shared; bits: number } {
  const { stateId, countyId, cityId } = record;
  const named = (ids: readonly number[], id: number | undefined) => (ids.length && id !== undefined ? ids.includes(id) : undefined);
  const [city, county, state] = [named(places.cityIds, cityId), named(places.countyIds, countyId), named(places.stateIds, stateId)];
  const isInZip = zipCodes.some((zip) => record.zipCodes.includes(zip));
  // A post office serves other cities than the one that it is named for.
  if (city === false && isInZip && county !== false) return { shared: 'county', bits: 0 };
  const isInOtherZip = !isInZip && zipCodes.length > 0 && record.zipCodes.length > 0;
  const bits = (city === false ? OTHER_CITY_BITS : 0) + (county === false ? OTHER_COUNTY_BITS : 0) + (isInOtherZip ? OTHER_ZIP_BITS : 0);
  // A name that several cities or counties have is no more than what encloses them.
  const isOneCity = places.cityIds.length === 1;
  const isInState = state || (places.cityIds.length + places.countyIds.length > 0 && (city || county));
  const inCounty = county && places.countyIds.length === 1;
  return {
    shared: city && isOneCity ? 'city' : isInZip ? 'zip' : inCounty || (city && state) ? 'county' : isInState ? 'state' : 'none',
    bits,
  };
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

/** Bits against two addresses being the same, of their numbers and of their streets; undefined if they are different. */
function compareAddresses(a: StreetAddress, b: StreetAddress): { number: number; street: number } | undefined {
  const number = compareNumbers(a.numbers, b.numbers);
  if (number === undefined) return undefined;
  const streets = listStreetReadings(a).flatMap((one) => listStreetReadings(b).flatMap((other) => compareStreets(one, other) ?? []));
  if (!streets.length) return undefined;
  const direction = compareWords(a.direction, b.direction, ADDRESS_BITS.otherDirection, ADDRESS_BITS.directionMissing);
  return { number, street: direction + Math.max(...streets) };
}

const compareWords = (a: string, b: string, other: number, missing: number) => (a === b ? 0 : a && b ? other : missing);

/** Streets that a digit or a letter tells apart, such as `avenueb`. */
const NUMBERED_STREET = /[\d&]|^(?:avenue|road|drive|lane|court|place|circle|calle)[a-z]$/;

/** Most mistyped letters that are accepted in a street's name; none in names with digits, or with a letter for one. */
export function limitMistypedLetters(street: string): number {
  if (NUMBERED_STREET.test(street) || street.length < MISTYPED_LETTERS_MIN) return 0;
  return street.length < MISTYPED_TWICE_LETTERS_MIN ? 1 : 2;
}

type StreetReading = ReturnType<typeof listStreetReadings>[number];

function compareStreets(a: StreetReading, b: StreetReading): number | undefined {
  const name = compareNames(a.street, b.street);
  if (name === undefined) return undefined;
  const suffix = compareWords(a.suffix, b.suffix, ADDRESS_BITS.otherSuffix, ADDRESS_BITS.suffixMissing);
  const isMistyped = suffix === ADDRESS_BITS.otherSuffix && isMistypedSuffix(a.suffix, b.suffix);
  return name + (isMistyped ? ADDRESS_BITS.suffixMistyped : suffix);
}

function compareNames(a: string, b: string): number | undefined {
  if (a === b) return 0;
  const most = Math.min(limitMistypedLetters(a), limitMistypedLetters(b));
  return most && Math.abs(a.length - b.length) <= most && countMistypedLetters(a, b) <= most ? ADDRESS_BITS.streetMistyped : undefined;
}

function compareNumbers(a: readonly string[], b: readonly string[]): number | undefined {
  if (!a.length && !b.length) return ADDRESS_BITS.withoutNumber;
  if (!a.length || !b.length) return undefined;
  if (a.some((one) => b.includes(one))) return a.length === 1 && b.length === 1 ? 0 : ADDRESS_BITS.numberInRange;
  if (a.some((one) => b.some((other) => looseHouse(one) === looseHouse(other)))) return ADDRESS_BITS.otherPart;
  return a.some((number) => b.some((other) => isDigitSwap(number, other))) ? ADDRESS_BITS.numberSwapped : undefined;
}

const bitsOf = ({ number, street }: { number: number; street: number }) => number + street;

/** The differences between the address of the row and that of the record which differ least. */
function findNearestAddresses({ addresses }: NamedRow, record: Comparable) {
  const pairs = addresses.flatMap((a) => record.addresses.flatMap((b) => ({ a, b, difference: compareAddresses(a, b) })));
  const alike = pairs.flatMap(({ a, b, difference }) => (difference ? [{ a, b, ...difference }] : []));
  return alike.sort((one, other) => bitsOf(other) - bitsOf(one))[0];
}

function weighAddresses(row: NamedRow, record: Comparable, shared: Shared): Evidence {
  if (!row.addresses.length || !record.addresses.length) return NO_EVIDENCE;
  const nearest = findNearestAddresses(row, record);
  if (!nearest) return { bits: ADDRESS_BITS.other };
  const isLoose = nearest.street < SURE_STREET_BITS;
  const others = row.hasOtherStreets ? (isLoose ? OTHER_STREET_BITS : shared === 'county' ? OTHER_CITY_STREET_BITS : 0) : 0;
  const bits = Math.max(ADDRESS_BITS.other, ADDRESS_BITS.same[shared] + bitsOf(nearest) + others);
  return bits > 0 ? { bits, reason: 'address' } : { bits };
}

/** Where the street of the best candidate is that of the row only if there is no other: the names to look for, and the keys of that street. */
export function findLooseStreet(row: NamedRow, { record, reasons }: Judged): { names: string[]; own: string[] } | undefined {
  const nearest = reasons.length === 1 && reasons[0] === 'address' ? findNearestAddresses(row, record) : undefined;
  if (!nearest || (nearest.street >= SURE_STREET_BITS && comparePlaces(row, record).shared !== 'county')) return undefined;
  const { a, b } = nearest;
  const suffixes = [...new Set(['', a.suffix, b.suffix])];
  const own = listStreetReadings(b).flatMap(({ street }) => suffixes.map((suffix) => makeStreetKey(b.direction, { street, suffix })));
  return { names: listStreetReadings(a).map(({ street }) => street), own };
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

const SAME_ADDRESS_BITS = -3;

function isSameAddress(a: StreetAddress, b: StreetAddress): boolean {
  const difference = compareAddresses(a, b);
  return difference !== undefined && bitsOf(difference) > SAME_ADDRESS_BITS;
}

function isSameSite({ record: a, numbers, houses }: Site, { record: b, hasNumber, hasHouse }: Site): boolean {
  if (a.stateId !== b.stateId) return false;
  if (a.point && b.point && metersBetween(a.point, b.point) <= SAME_SITE_METERS) return true;
  if (a.countyId !== b.countyId && a.countyId !== undefined && b.countyId !== undefined) return false;
  if (numbers.some((number) => hasNumber.has(number))) return true;
  if (a.cityId !== b.cityId && a.cityId !== undefined && b.cityId !== undefined) return false;
  if (houses.some((house) => hasHouse.has(house))) return true;
  return a.addresses.some((one) => b.addresses.some((other) => isSameAddress(one, other)));
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
