/**
 * Street addresses as they are compared: parsed into numbers, direction, name and kind of street, whatever their case, abbreviations and order
 * (USPS Publication 28; words in `src/catalogue/locations/streetWords.json`). Pure.
 */
import words from '../../catalogue/locations/streetWords.json' with { type: 'json' };
import { countMistypedLetters } from './mistypedLetters.ts';
import { APOSTROPHE, foldLetters } from './words.ts';

export interface StreetAddress {
  /**
   * house numbers with their letters and halves: one, those of a list or a short range, or the ends of a long one; empty if none is stated.
   * `12`, `12a`, `12 1/2`, `7507` (75-07 of Queens), `w148n9748`
   */
  numbers: readonly string[];
  /** `n`, `sw`, both that are stated (`n e`), or '' */
  direction: string;
  /** the street's own words without blanks: `main`, `26`, `400e`, `hwy19`; of a crossing both streets: `clayton&hickerson` */
  street: string;
  /**
   * abbreviation of USPS Publication 28: `st`, `ave`; a mistyped one as it is; of a numbered road `us`, `state`, `county`; in Puerto Rico the
   * urbanization; '' where none is stated
   */
  suffix: string;
}

/** Where an address may be: ids; an empty list is anywhere. It decides what hyphens and leading zeros of house numbers mean. */
export interface AddressPlace {
  stateIds?: readonly number[];
  countyIds?: readonly number[];
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
    longest([suffix, ...list(spellings).filter((one) => suffix.endsWith('s') || !one.endsWith('s'))]),
  ]),
);
const CANONICAL_WORD_OF = new Map(Object.entries(words.names));
const NUMBER_OF = new Map(list(words.ordinals).map((ordinal, i) => [ordinal, String(i + 1)]));
const TENS = list(words.tens);
for (const [i, tens] of TENS.entries()) NUMBER_OF.set(tens.replace(/y$/, 'ieth'), String((i + 2) * 10));
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
/** `12`, `12A`, `12-A`, `12 1/2`, and a second one of a range */
const HOUSE =
  /^(\d{1,6}?)(?:-?([a-z]))?(?:[ -]?([13]\/[24]))?(?:(?: ?(?:-|to|thru) ?|\/(?=\d\d))(\d{1,6}?)([a-z])?(?:[ -]?([13]\/[24]))?)?(?=[ ,]|$)/;
/** `W148 N9748`, `N9748`, `29W123`: numbers of a county's grid */
const GRID = /^([nsew] ?\d{1,5}[ -]?[nsew] ?\d{1,5}|[nsew]\d{1,5}|\d{1,2}[nsew]\d{1,5})(?= )/;
/** `N 1234 W 567`: the number of a house and its street's in a grid */
const GRID_ALONE = /^([nsew]) ?(\d{1,5})[ ,]+([nsew]) ?(\d{1,5})(?=,|$)/;
const ROUTE_KIND_OF = new Map([
  ...Object.entries(words.routes).flatMap(([kind, spellings]) => list(spellings).map((spelling) => [spelling, kind] as const)),
  ...list(words.states).map((state) => [state, 'state'] as const),
]);
const ROADS = 'hwy|hy|highway|route|rte|rt';
const ROAD = `(?:${ROADS}|road|rd)`;
const VARIANT = '(alt|alternate|bus|business|byp|bypass)';
/** `us hwy 19 n`, `county road mm`, `nc 54 hwy`, `business 40`: kind, road, number or letters, direction */
const ROUTE = new RegExp(
  `^(old )?(?:(${[...ROUTE_KIND_OF.keys()].join('|')})( ${ROAD})? |(${ROADS}) |(?=a1a))(?:${VARIANT} )?` +
    `(?:(a1a|\\d{1,4}[a-z]?)|([a-z]{1,2}|hhh|kkk))(?: ${ROAD})?(?: ${VARIANT})?(?: ([a-z]+))?(?= |$)`,
);
const NUMBERED_HIGHWAY = /^(\d{1,3}) (?:hwy|hy|highway)(?: ([a-z]+))?(?= |$)/;
/** `sr44`, `u s 19`, `farm to market road 1960` */
const ROUTE_BEGINNING = /^(?:(us|sr|sh|cr|fm|rm|rr|ih?|hwy|rte?)(?=\d)|(u) (s )(?=\D{0,8}\d)|(farm|ranch) (?:to )?m(?:arke)?t\b)/;
/** The beginning of a text as `ROUTE` has it. */
const writeRoute = (text: string): string =>
  text.replace(ROUTE_BEGINNING, (_, kind, u, s, market) => (market ? `${market[0]}m` : kind ? `${kind} ` : u + s));
/** What stands before an address and is none: signs, a unit, a post office box. */
const LEADING =
  /^(?:[^a-z0-9#]+|(?:#|(?:apartment|apt|bldg|floor|suite|ste|unit) #?)\w+[ ,]+(?=\d)|n(?:o|umber) (?=\d)|(?:p ?o|post office) ?box #?\w+)+/;
/** The name of a building before its address. */
const BUILDING = /^[^,:]{1,200}(?:[,:]| -) ?(?=\d)/;
/** What stands behind the last word of a street in an address without commas. */
const COUNTRY = /(?<![ ,])[ ,]+(?:usa|united states(?: of america)?)$/;
const ZIP = /(?<![ ,])[ ,]+(?:[a-z]{2}[ ,]+)?\d{5}(?:-\d{4})?$/;

const UNREAD = new RegExp(`${APOSTROPHE}|[."]`, 'g');

const ASCII = /^[ -~]*$/;
/** Fractions, dashes and letters of every kind as a keyboard has them. */
const foldCharacters = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : foldLetters(
        text
          .replace(/ ?([¼½¾])/g, ' $1')
          .normalize('NFKC')
          .replace(/[‐-―−]/g, '-')
          .replaceAll('⁄', '/'),
      );

const foldText = (text: string): string =>
  foldCharacters(text.slice(0, TEXT_CHARACTERS_MAX))
    .replace(/(?<=\d)\.5(?!\d)/g, ' 1/2')
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/,(?= ?jr\b)/g, '')
    .replace(UNREAD, '')
    .replace(/\s+/g, ' ')
    .replace(LEADING, '')
    .replace(/^one (?=[a-z])/, '1 ')
    .replace(GRID_ALONE, '$2 $1 $4 $3')
    .trim();

const [HAWAII, NEW_JERSEY, NEW_YORK, OREGON, UTAH, PUERTO_RICO] = [15, 34, 36, 41, 49, 72];
const QUEENS_COUNTY = 36_081;

const isAllIn = (ids: readonly number[] | undefined, some: readonly number[]) => !!ids?.length && ids.every((id) => some.includes(id));
const mayBeIn = (ids: readonly number[] | undefined, some: readonly number[]) => !ids?.length || ids.some((id) => some.includes(id));

/** The states in which two hyphenated numbers may be one: `85-080` of Hawaii, `75-07` (`75-7`) of Queens and Fair Lawn. */
function listHyphenStates(first: string, second: string, countyIds: readonly number[] | undefined): readonly number[] {
  if (first.length <= 2 && second.length > 2) return [HAWAII];
  if (first.length > 3 || second.length > 2) return [];
  const isOne = isAllIn(countyIds, [QUEENS_COUNTY]) || (second.length === 2 && Number(second) < Number(first));
  return isOne ? [NEW_YORK, NEW_JERSEY] : [];
}

/** The numbers of a range; undefined if the second one is no end of it. */
function listRange(first: string, second: string): string[] | undefined {
  // `1321-35` ends at 1335
  const last = Number(second) < Number(first) ? Number(first.slice(0, -second.length) + second) : Number(second);
  const [from, step] = [Number(first), (last - Number(first)) % 2 ? 1 : 2];
  if (last < from) return undefined;
  if ((last - from) / step >= RANGE_NUMBERS_MAX) return [first, String(last)];
  return Array.from({ length: (last - from) / step + 1 }, (_, i) => String(from + i * step));
}

/** In Oregon 0246 and 246 are two buildings; elsewhere zeros are padding. */
const trimZeros = (number: string, { stateIds }: AddressPlace) => (mayBeIn(stateIds, [OREGON]) ? number : number.replace(/^0+(?=\d)/, ''));

const half = (fraction: string | undefined) => (fraction ? ` ${fraction}` : '');

/** The readings of a house number, each a list of numbers. */
function readHouse(
  [, first = '', letter = '', fraction, second, lastLetter = '', lastFraction]: RegExpExecArray,
  where: AddressPlace,
): string[][] {
  const begin = trimZeros(first, where);
  const [from, to] = [`${begin}${letter}${half(fraction)}`, `${second}${lastLetter}${half(lastFraction)}`];
  if (second === undefined) return [[from]];
  const range = listRange(begin, second);
  const states = listHyphenStates(first, second, where.countyIds);
  const isOne = !letter && isAllIn(where.stateIds, states);
  if (isOne) return [[`${first}${to.replace(/^\d(?!\d)/, '0$&')}`]];
  if (letter || lastLetter || lastFraction) return [[...new Set([from, ...(letter ? [] : (range ?? [])), to])]];
  const joined = !range || (states.length > 0 && mayBeIn(where.stateIds, states)) ? [[`${first}${second}`]] : [];
  return range ? [...joined, range] : joined;
}

/** `126 02 82nd Ave` of Queens */
const BLANK_HYPHEN = /^(\d{2,3}) (0\d|\d\d(?= \d+(?:st|nd|rd|th) ))(?= )/;

/** Takes the house numbers from the beginning of a text: one, or several with commas between them; 0 is none. @returns the readings of each, and the rest */
function takeNumbers(text: string, where: AddressPlace): { houses: string[][][]; rest: string } {
  const grid = GRID.exec(text)?.[1];
  if (grid) return { houses: [[[grid.replace(/[ -]/g, '')]]], rest: text.slice(grid.length).trim() };
  const houses: string[][][] = [];
  let rest = isAllIn(where.countyIds, [QUEENS_COUNTY]) ? text.replace(BLANK_HYPHEN, '$1-$2') : text;
  for (let house = HOUSE.exec(rest); house && houses.length < RANGE_NUMBERS_MAX; house = HOUSE.exec(rest)) {
    houses.push(readHouse(house, where).map((numbers) => numbers.filter((number) => !/^0+$/.test(number))));
    const after = rest.slice(house[0].length);
    rest = after.replace(/^[ ,]+/, '');
    if (!/^ ?,/.test(after)) break;
  }
  return { houses, rest };
}

/** The part that names the street: the first one of several with commas between them. */
function cutStreetPart(text: string): string {
  const parts = text
    .replace(COUNTRY, '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return (parts[0] ?? '').replace(ZIP, '').trim();
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

/** The spellings of suffixes that end a street, in which a mistyped letter is recognised. */
const LONG_SUFFIXES = new Map(
  Object.entries(words.suffixes)
    .filter(([suffix]) => CLOSING.has(suffix))
    .map(([suffix, spellings]) => [suffix, [suffix, ...list(spellings)].filter(({ length }) => length > 2)]),
);
const LONG_WORD = 8;

const lettersOf = (word: string) => [...new Set(word)].sort().join('');

/** Whether a word is a suffix with a letter wrong, or two of a long one: `Stret`, `Avneue`, `Bolvard`. One of three letters has the same: `wya`, `wayy`. */
const isMistypedSpelling = (word: string, spelling: string): boolean => {
  if (word === spelling || word.length < 3 || Math.abs(word.length - spelling.length) > 2) return false;
  const mistakes = countMistypedLetters(word, spelling);
  if (spelling.length === 3) return mistakes === 1 && lettersOf(word) === lettersOf(spelling);
  return mistakes <= (spelling.length >= LONG_WORD ? 2 : 1);
};

const LONG_SPELLINGS = [...LONG_SUFFIXES.values()].flat();

const isLikeSuffix = (word: string) =>
  word.length > 2 && !SUFFIX_OF.has(word) && LONG_SPELLINGS.some((spelling) => isMistypedSpelling(word, spelling));

const isMistypedOf = (word: string, suffix: string) =>
  LONG_SUFFIXES.get(suffix)?.some((spelling) => isMistypedSpelling(word, spelling)) ?? false;

/** Whether one of two suffixes is the other one mistyped. */
export const isMistypedSuffix = (a: string, b: string): boolean => isMistypedOf(a, b) || isMistypedOf(b, a);

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
  const name = tokens.findIndex((token) => !DIRECTION_OF.has(token));
  const unit = tokens.findIndex((token, i) => token.startsWith('#') || (i > name && UNITS.has(token)));
  return unit < 0 ? tokens : tokens.slice(0, unit);
}

type Street = Omit<StreetAddress, 'numbers'>;

/** Whether the words have no name of a street: `st`, `ave e`. What precedes them is it: `North St`, `N West St`. */
const isNameless = ([first, ...rest]: readonly string[]) =>
  first === undefined || (CLOSING.has(SUFFIX_OF.get(first) ?? '') && rest.every((token) => DIRECTION_OF.has(token)));

function splitDirections(tokens: readonly string[]): { direction: string; rest: readonly string[] } {
  const first = DIRECTION_OF.get(tokens[0] ?? '');
  if (!first || isNameless(tokens.slice(1))) return { direction: '', rest: tokens };
  const both = DIRECTION_OF.get(first + (DIRECTION_OF.get(tokens[1] ?? '') ?? '-'));
  return both && !isNameless(tokens.slice(2)) ? { direction: both, rest: tokens.slice(2) } : { direction: first, rest: tokens.slice(1) };
}

/** Both directions that are stated, each once. */
const uniteDirections = (before: string, after: string) => [...new Set([before, after].filter(Boolean))].join(' ');

const isWord = (text: string) => SUFFIX_OF.has(text) || DIRECTION_OF.has(text);

/** Words with `twenty first` as 21, and with `n w` at the end as `nw`. */
function unitePairs(tokens: readonly string[]): readonly string[] {
  const [last = '', end = ''] = tokens.length > 2 ? tokens.slice(-2) : [];
  const united = /^[ns]$/.test(last) && /^[ew]$/.test(end) ? [...tokens.slice(0, -2), last + end] : tokens;
  const at = united.findIndex((token) => TENS.includes(token));
  const one = at < 0 ? Number.NaN : Number(NUMBER_OF.get(united[at + 1] ?? ''));
  return one < 10 ? united.toSpliced(at, 2, String((TENS.indexOf(united[at] as string) + 2) * 10 + one)) : united;
}

/** `us hwy 19 n`: a road with a number or, as in Wisconsin and Missouri, with letters. Old and alternate ones are roads of their own. */
function readRoute(text: string, direction: string): Street | undefined {
  const [, number, behind = ''] = NUMBERED_HIGHWAY.exec(text) ?? [];
  if (number) return { direction: uniteDirections(direction, DIRECTION_OF.get(behind) ?? ''), street: `hwy${number}`, suffix: '' };
  const [, old = '', kind = '', road, short, before, digits, letters = '', last, after = ''] = ROUTE.exec(writeRoute(text)) ?? [];
  const isLettered =
    (road || short || (kind !== 'co' && ROUTE_KIND_OF.get(kind) === 'county')) && (letters.length === 1 || !isWord(letters));
  if (!digits && !(letters && isLettered)) return undefined;
  const variant = (before ?? last ?? '').slice(0, 3);
  const suffix = ROUTE_KIND_OF.get(kind) ?? (digits === 'a1a' ? 'state' : '');
  return {
    direction: uniteDirections(direction, DIRECTION_OF.get(after) ?? ''),
    street: `${old.trim()}hwy${digits ?? letters}${variant}`,
    suffix,
  };
}

/** @param text folded, without house numbers */
function readStreet(text: string, cities: readonly string[]): Street | undefined {
  const all = withoutUnit(withoutCity(text.match(/[a-z0-9#]+/g) ?? [], cities));
  const { direction: before, rest } = splitDirections(unitePairs(all));
  const route = readRoute(rest.join(' '), before);
  if (route) return route;
  const end = DIRECTION_OF.has(rest.at(-1) ?? '') ? rest.length - 2 : rest.length - 1;
  const found = findSuffix(rest);
  // `Mill Crossing Aveneu`, `Elm Street Extension`
  const next = found > 0 && found === end - 1 ? (rest[end] as string) : '';
  const isLonger = end === rest.length - 1 && SUFFIX_OF.has(next);
  const place = isLonger ? end : isLikeSuffix(next) ? -1 : found;
  const words = place < 0 ? rest : rest.slice(0, place);
  const last = DIRECTION_OF.get((words.length > 1 && words.at(-1)) || '');
  // `400 East` is a street of its own, `400 Main East` a part of one
  const isGrid = last !== undefined && words.length === 2 && /^\d+$/.test(words[0] as string);
  const atEnd = place < 0 && !isGrid ? (last ?? '') : '';
  const named = isGrid ? [words[0] as string, last] : atEnd ? words.slice(0, -1) : words;
  const mistyped = place < 0 && named.length > 1 && isLikeSuffix(named.at(-1) as string) ? (named.at(-1) as string) : '';
  const street = (mistyped ? named.slice(0, -1) : named).map(normalizeNameWord).join('').slice(0, STREET_CHARACTERS_MAX);
  if (!street) return undefined;
  const isLast = place + 2 === rest.length;
  const after = place >= 0 && (isLast || !before) ? (DIRECTION_OF.get(rest[place + 1] ?? '') ?? '') : '';
  const suffix = place < 0 ? mistyped : (SUFFIX_OF.get(rest[place] as string) ?? '');
  return { direction: uniteDirections(before, after || atEnd), street, suffix };
}

/** `NW/c Clayton & Hickerson`, `10th and Alexander`, `Blomquist @ Maple St`. */
const CORNER = /^(?:[ns][ew]\/?c(?:orner)?(?: of)? )?/;
const CROSSED = / (?:&|@|and|at) |\/(?! )/;

function readCrossing(text: string, cities: readonly string[]): Street | undefined {
  const parts = text.replace(CORNER, '').split(CROSSED);
  if (parts.length !== 2) return undefined;
  const streets = parts.flatMap((part) => readStreet(part, cities)?.street ?? []);
  return streets.length === 2 ? { direction: '', street: streets.sort().join('&'), suffix: '' } : undefined;
}

/** `12 A Main St`, `12 A N 5th`: the letter is of the number, where a name follows it. */
const LONE_LETTER = /^(?!u s )([a-df-mp-rt-vx-z]) (?=(?:n|s|e|w|north|south|east|west) [a-z0-9]|\d+(?:st|nd|rd|th) |([a-z]{2,}) [a-z])/;

/** `4th South` of Utah, which is 400 South */
const HUNDREDTH = /\b(\d{1,2})(?:st|nd|rd|th) (?=(?:north|south|east|west|[nsew])\b)/;
/** The urbanization of an address in Puerto Rico, within which a street has its name. */
const URBANIZATION = /(?:^|, ?)urb(?:anizacion)? ([^,]{1,60})(?:, ?|$)/;
/** `Calle Luna 12`, as it is written in Puerto Rico */
const NUMBER_BEHIND = /^((?:calle|ave(?:nida)?|paseo|camino) [a-z ]{1,60}?)[ ,]+#?(\d{1,5}[a-z]?)(?=,|$)/;

function readPuertoRican(text: string, cities: readonly string[], where: AddressPlace): StreetAddress[] {
  const [stated = '', name = ''] = URBANIZATION.exec(text) ?? [];
  const street = text.replace(stated, (found) => (found.startsWith(',') && found.endsWith(' ') ? ', ' : ''));
  const found = readAddress(street.replace(/\bc\/ ?/, 'calle ').replace(NUMBER_BEHIND, '$2 $1'), cities, where);
  const suffix = name && `urb${name.replace(/[^a-z0-9]/g, '')}`;
  return found.map((address) => ({ ...address, suffix: address.suffix || suffix }));
}

function readAddress(text: string, cities: readonly string[], where: AddressPlace): StreetAddress[] {
  const { houses, rest } = takeNumbers(text, where);
  const first = cutStreetPart(rest);
  const part = isAllIn(where.stateIds, [UTAH]) ? first.replace(HUNDREDTH, (_, number: string) => `${number}00 `) : first;
  if (!houses.length) {
    const behind = BUILDING.test(text) ? readAddress(text.replace(BUILDING, ''), cities, where) : [];
    if (behind.some(({ numbers, suffix }) => numbers.length && CLOSING.has(suffix))) return behind;
    const crossing = readCrossing(part, cities);
    const street = crossing ?? readStreet(part, cities);
    return street ? [{ numbers: [], ...street }] : [];
  }
  const [whole = '', letter = '', next = ''] = LONE_LETTER.exec(part) ?? [];
  const isOfNumber = letter && !CLOSING.has(SUFFIX_OF.get(next) ?? '');
  const street = readStreet(isOfNumber ? part.slice(whole.length) : part, cities);
  if (!street) return [];
  const [one = []] = houses;
  const readings = houses.length > 1 ? [houses.flatMap(([numbers = []]) => numbers)] : one;
  return readings.map((numbers) => ({ numbers: isOfNumber ? numbers.map((number) => number + letter) : numbers, ...street }));
}

/** Numbers that stand before `and`, whose street follows behind it: `320 & 316 South Main`. */
const NUMBERS_ALONE = /^\d{1,6}[a-z]?(?:(?: ?[,-] ?| )\d{1,6}[a-z]?)*,?$/;

/**
 * The addresses of a text: `12 Elm St & 40 Oak Ave` are two, and `75-07 Elm St` where it may be a range or one number. A text that names no street
 * has none.
 * @param cities names of the cities that may stand at its end without a comma
 */
export function readStreetAddresses(text: string, cities: readonly string[] = [], where: AddressPlace = {}): StreetAddress[] {
  const parts: string[] = [];
  let numbers = '';
  for (const part of foldText(text).split(/ ?(?:;|&| \/|\b(?:and|aka)\b) ?(?=\d+[a-z]?(?:-\d+)? (?!(?:st|nd|rd|th)\b))/)) {
    if (NUMBERS_ALONE.test(part)) {
      numbers += `${part.replace(/,$/, '').replace(/(?<=\w) (?=\d)/g, ', ')}, `;
      continue;
    }
    parts.push(numbers + part);
    numbers = '';
  }
  const read = isAllIn(where.stateIds, [PUERTO_RICO]) ? readPuertoRican : readAddress;
  return parts.slice(0, ADDRESSES_MAX).flatMap((part) => read(part, cities, where));
}

const LAST_ZIP = /[ ,](\d{5})(?:-\d{4})?(?:[ ,]+(?:usa|united states(?: of america)?))?[ .]*$/i;

/** The ZIP code at the end of an address: five digits, in a list of one or none. */
export const listZipCodes = (text: string): string[] => LAST_ZIP.exec(text.slice(0, TEXT_CHARACTERS_MAX))?.slice(1) ?? [];

/** The possible readings of a street: `Business Park` is a park, or a drive with that name and without its last word. The first is likelier. */
export function listStreetReadings({ street, suffix }: StreetAddress): { street: string; suffix: string }[] {
  const stated = { street, suffix };
  const isOne = !suffix || CLOSING.has(suffix) || street.startsWith('hwy');
  return isOne ? [stated] : [stated, { street: street + normalizeNameWord(suffix), suffix: '' }];
}

/** The house numbers that are looked up together: without leading zeros, letters and halves, in which buildings differ. */
export const looseHouse = (number: string): string => /^0{0,6}(\d{1,12})[a-z]?(?: \d\/\d)?$/.exec(number)?.[1] ?? number;

/** A house number with its street, as addresses are looked up. @param number '' where there is none */
export const makeAddressKey = (number: string, street: string): string => `${looseHouse(number) || '-'} ${street}`;

/** A street whole, as other ones of its name are looked up: `elm|n|st`. */
export const makeStreetKey = (direction: string, { street, suffix }: { street: string; suffix: string }): string =>
  `${street}|${direction}|${suffix}`;

/** What an address is looked up by: each house number with its street in each reading, without direction and suffix. */
export const listAddressKeys = (address: StreetAddress): string[] =>
  (address.numbers.length ? address.numbers : ['']).flatMap((number) =>
    listStreetReadings(address).map(({ street }) => makeAddressKey(number, street)),
  );

/** The address's street in each reading (`makeStreetKey`). */
export const listStreetKeys = (address: StreetAddress): string[] =>
  listStreetReadings(address).map((reading) => makeStreetKey(address.direction, reading));

/** An address as one text, from which `readAddressText` makes it again. */
export const writeAddressText = ({ numbers, direction, street, suffix }: StreetAddress): string =>
  [numbers.join(','), direction, street, suffix].join('|');

/** @param text of `writeAddressText` */
export function readAddressText(text: string): StreetAddress {
  const [numbers = '', direction = '', street = '', suffix = ''] = text.split('|');
  return { numbers: numbers ? numbers.split(',') : [], direction, street, suffix };
}
