/**
 * Street addresses as they are compared: parsed into numbers, direction, name and kind of street, whatever their case, abbreviations and order
 * (USPS Publication 28; words in `src/catalogue/locations/streetWords.json`). Pure.
 */
import words from '../../catalogue/locations/streetWords.json' with { type: 'json' };
import { APOSTROPHE, foldLetters } from './words.ts';

/** One address. */
export interface StreetAddress {
  /** house numbers: one, those of a short range, or the ends of a long one; empty if none is stated */
  numbers: readonly string[];
  /** `n`, `sw`, or '' */
  direction: string;
  /** the street's own words without blanks: `main`, `26`, `hwy19`; of a crossing both streets: `clayton&hickerson` */
  street: string;
  /** abbreviation of USPS Publication 28: `st`, `ave`; '' where none is stated */
  suffix: string;
}

const list = (text: string) => text.split(' ').filter(Boolean);

function longest(texts: readonly string[]): string {
  return texts.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

const SUFFIX_OF = new Map(
  Object.entries(words.suffixes).flatMap(([suffix, spellings]) => [suffix, ...list(spellings)].map((spelling) => [spelling, suffix])),
);
const DIRECTION_OF = new Map(
  Object.entries(words.directions).flatMap(([short, long]) => [[short, short] as const, [long, short] as const]),
);
/** The long form of a suffix, as which it stands in a name: a letter that is wrong in it is one letter wrong. */
const LONG_FORM_OF = new Map(
  Object.entries(words.suffixes).map(([suffix, spellings]) => [
    suffix,
    longest([suffix, ...list(spellings).filter((one) => !one.endsWith('s'))]),
  ]),
);
const CANONICAL_WORD_OF = new Map(Object.entries(words.names));
const NUMBER_OF = new Map(list(words.ordinals).map((ordinal, i) => [ordinal, String(i + 1)]));
const CLOSING = new Set(list(words.closing));
const UNITS = new Set(list(words.units));

/** Words of a text with streets and directions abbreviated, one space between them: `South Green Street` is `s green st`. */
export const abbreviateStreets = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => DIRECTION_OF.get(word) ?? SUFFIX_OF.get(word) ?? word).join(' ');

/** Addresses of one text; more are not looked at. */
const ADDRESSES_MAX = 8;
const TEXT_CHARACTERS_MAX = 500;
/** House numbers of a range that are looked up each; of a longer one its ends are. */
const RANGE_NUMBERS_MAX = 12;
const STREET_CHARACTERS_MAX = 60;
const HOUSE = /^(\d{1,6})[a-z]?(?: ?(?:-|–|to|thru) ?(\d{1,6})[a-z]?)?(?: 1\/2)?(?= |$)/;
const ROUTE =
  /^(?:(?:us|u s|state|county|interstate|i) ?(?:hwy|highway|route|rte|rt|road|rd)?|(?:st|co) (?:hwy|rte|rt|rd)|sr|cr|fm|hwy|highway|route|rte|rt) (\d{1,4}[a-z]?)(?= |$)/;
/** What stands behind the last word of a street in an address without commas. */
const COUNTRY = /(?<![ ,])[ ,]+(?:usa|united states(?: of america)?)$/;
const ZIP = /(?<![ ,])[ ,]+(?:[a-z]{2}[ ,]+)?\d{5}(?:-\d{4})?$/;

const UNREAD = new RegExp(`${APOSTROPHE}|[."]`, 'g');

const foldText = (text: string): string =>
  foldLetters(text.slice(0, TEXT_CHARACTERS_MAX).normalize('NFKC'))
    .replace(/\([^)]*\)?/g, ' ')
    .replace(UNREAD, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();

/** The part that names the street: without country, ZIP code and what a comma separates from it. */
function cutStreetPart(text: string): string {
  const whole = text.replace(COUNTRY, '');
  const [first = '', second = ''] = whole.split(',').map((part) => part.trim());
  return (/[a-z]/.test(first) ? first : `${first} ${second}`).replace(ZIP, '').trim();
}

/** `141-05`, as in Queens: two parts of one number; and so may be read what may be a range, too. */
const isHyphenated = (first: string, second: string) => second.length <= 2 && first.length <= 3 && Number(second) < Number(first);

function listNumbers(first: string, second: string | undefined): string[] {
  if (second === undefined) return [first];
  if (isHyphenated(first, second)) return [`${first}${second}`];
  // `1321-35` ends at 1335
  const last = Number(second) < Number(first) ? Number(first.slice(0, -second.length) + second) : Number(second);
  const [from, step] = [Number(first), (last - Number(first)) % 2 ? 1 : 2];
  if (last < from || (last - from) / step >= RANGE_NUMBERS_MAX) return [first, String(last)];
  return Array.from({ length: (last - from) / step + 1 }, (_, i) => String(from + i * step));
}

/** A word of a street's name: numbers without ordinal and leading zeros, words of the table of suffixes in one spelling. */
function normalizeNameWord(word: string): string {
  const ordinal = /^0*([1-9]\d*|0)(?:st|nd|rd|th)?$/.exec(word)?.[1];
  return ordinal ?? NUMBER_OF.get(word) ?? CANONICAL_WORD_OF.get(word) ?? LONG_FORM_OF.get(SUFFIX_OF.get(word) ?? '') ?? word;
}

/** Where the suffix stands: the last word that ends a street wherever it stands, or a last word that may; -1 for none. Never the first word. */
function findSuffix(tokens: readonly string[]): number {
  const closing = tokens.findLastIndex((token, i) => i > 0 && CLOSING.has(SUFFIX_OF.get(token) ?? ''));
  if (closing > 0) return closing;
  const last = tokens.length - 1;
  return last > 0 && SUFFIX_OF.has(tokens[last] as string) ? last : -1;
}

/** Words of a city at the end, if others stand before them. */
function withoutCity(tokens: readonly string[], cities: readonly string[]): readonly string[] {
  for (const city of cities) {
    const its = foldText(city).split(' ');
    const rest = tokens.slice(0, -its.length);
    if (rest.length && its.join(' ') === tokens.slice(-its.length).join(' ')) return rest;
  }
  return tokens;
}

function withoutUnit(tokens: readonly string[]): readonly string[] {
  const unit = tokens.findIndex((token, i) => token.startsWith('#') || (i > 0 && UNITS.has(token)));
  return unit < 0 ? tokens : tokens.slice(0, unit);
}

type Street = Omit<StreetAddress, 'numbers'>;

function splitDirections(tokens: readonly string[]): { direction: string; rest: readonly string[] } {
  const first = DIRECTION_OF.get(tokens[0] ?? '');
  // `North St` is named so, and `W St`, too
  if (!first || tokens.length < 2 || (tokens.length === 2 && CLOSING.has(SUFFIX_OF.get(tokens[1] as string) ?? '')))
    return { direction: '', rest: tokens };
  const second = DIRECTION_OF.get(tokens[1] ?? '');
  const both = second && DIRECTION_OF.get(first + second);
  return both && tokens.length > 2 ? { direction: both, rest: tokens.slice(2) } : { direction: first, rest: tokens.slice(1) };
}

/** @param text folded, without house numbers */
function readStreet(text: string, cities: readonly string[]): Street | undefined {
  const all = text
    .replace(/[^a-z0-9#]+/g, ' ')
    .split(' ')
    .filter(Boolean);
  const { direction: before, rest } = splitDirections(withoutUnit(withoutCity(all, cities)));
  const route = ROUTE.exec(rest.join(' '))?.[1];
  if (route) return { direction: before, street: `hwy${route}`, suffix: '' };
  const place = findSuffix(rest);
  const named = place < 0 ? rest : rest.slice(0, place);
  const after = place < 0 ? '' : (DIRECTION_OF.get(rest[place + 1] ?? '') ?? '');
  const atEnd = place < 0 && named.length > 1 ? (DIRECTION_OF.get(named.at(-1) as string) ?? '') : '';
  const street = (atEnd ? named.slice(0, -1) : named).map(normalizeNameWord).join('').slice(0, STREET_CHARACTERS_MAX);
  if (!street) return undefined;
  return { direction: before || after || atEnd, street, suffix: place < 0 ? '' : (SUFFIX_OF.get(rest[place] as string) ?? '') };
}

/** `NW/c Clayton & Hickerson`, `10th and Alexander`, `Blomquist @ Maple St`. */
const CORNER = /^(?:[ns][ew]\/?c(?:orner)?(?: of)? )?/;
const CROSSED = / (?:&|@|and|at) |\/(?! )/;

function readCrossing(text: string, cities: readonly string[]): StreetAddress | undefined {
  const parts = text.replace(CORNER, '').split(CROSSED);
  if (parts.length !== 2) return undefined;
  const streets = parts.flatMap((part) => readStreet(part, cities)?.street ?? []);
  return streets.length === 2 ? { numbers: [], direction: '', street: streets.sort().join('&'), suffix: '' } : undefined;
}

function readAddress(text: string, cities: readonly string[]): StreetAddress | undefined {
  const house = HOUSE.exec(text);
  if (!house) {
    const crossing = readCrossing(text, cities);
    if (crossing) return crossing;
  }
  const street = readStreet(house ? text.slice(house[0].length) : text, cities);
  return street && { numbers: house ? listNumbers(house[1] as string, house[2]) : [], ...street };
}

/**
 * The addresses of a text: `12 Elm St & 40 Oak Ave` are two. A text that names no street has none.
 * @param cities names of the cities that may stand at its end without a comma
 */
export function readStreetAddresses(text: string, cities: readonly string[] = []): StreetAddress[] {
  const parts = foldText(text)
    .split(/ ?(?:;|&|\band\b) ?(?=\d+[a-z]? (?!(?:st|nd|rd|th)\b))/)
    .slice(0, ADDRESSES_MAX);
  return parts.flatMap((part) => readAddress(cutStreetPart(part), cities) ?? []);
}

/** The possible readings of a street: `Business Park` is a park, or a drive with that name and without its last word. The first is likelier. */
export function listStreetReadings({ street, suffix }: StreetAddress): { street: string; suffix: string }[] {
  const stated = { street, suffix };
  return !suffix || CLOSING.has(suffix) ? [stated] : [stated, { street: street + normalizeNameWord(suffix), suffix: '' }];
}

/** A house number as it is compared: without leading zeros. */
export const normalizeHouse = (number: string): string => number.replace(/^0+(?=.)/, '');

/** A house number with its street, as addresses are looked up. @param number '' where there is none */
export const makeAddressKey = (number: string, street: string): string => `${normalizeHouse(number) || '-'} ${street}`;

/** What an address is looked up by: each house number with its street in each reading, without direction and suffix. */
export const listAddressKeys = (address: StreetAddress): string[] =>
  (address.numbers.length ? address.numbers : ['']).flatMap((number) =>
    listStreetReadings(address).map(({ street }) => makeAddressKey(number, street)),
  );

/** An address as one text, from which `readAddressText` makes it again. */
export const writeAddressText = ({ numbers, direction, street, suffix }: StreetAddress): string =>
  [numbers.join(','), direction, street, suffix].join('|');

/** @param text of `writeAddressText` */
export function readAddressText(text: string): StreetAddress {
  const [numbers = '', direction = '', street = '', suffix = ''] = text.split('|');
  return { numbers: numbers ? numbers.split(',') : [], direction, street, suffix };
}
