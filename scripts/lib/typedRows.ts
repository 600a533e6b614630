/** Made-up input rows for matching: typed from records, with a typing mistake in each and other spellings. The same seed makes the same rows. Pure. */
import words from '../../src/catalogue/locations/streetWords.json' with { type: 'json' };
import type { Random } from '../sample/random.ts';

/** The fields of a record from which a row is typed. */
export interface TypedFrom {
  id: number;
  parcelNumbers?: readonly string[] | null;
  caseNumbers?: readonly string[] | null;
  address?: string | null;
  city?: string | null;
  county?: string | null;
  state?: string | null;
  latitude?: number | null;
  longitude?: number | null;
}

export interface TypedRow {
  parcelNumber?: string;
  caseNumber?: string;
  address?: string;
  city?: string;
  county?: string;
  state?: string;
  latitude?: number;
  longitude?: number;
}

const SLIP_SHARES = {
  'swapped digits': 0.25,
  'missing suffix': 0.2,
  'other abbreviation': 0.3,
  'wrong letter': 0.1,
  'missing direction': 0.05,
  'other separators': 0.1,
};
export type Slip = keyof typeof SLIP_SHARES;

const IDENTIFIER_SHARE = 0.6;
const POINT_SHARE = 0.3;
const CITY_SHARE = 0.85;
const COUNTY_SHARE = 0.6;
const STATE_SHARE = 0.95;

const spellings: readonly (readonly string[])[] = [
  ...Object.entries(words.suffixes).map(([short, long]) => [short, ...long.split(' ').filter(Boolean)]),
  ...Object.entries(words.directions),
];

/** Swaps two neighbouring digits, if any two differ. */
function swapDigits(text: string, random: Random): string {
  const places = [...text].flatMap((one, i) => (/\d/.test(one) && /\d/.test(text[i + 1] ?? '') && one !== text[i + 1] ? [i] : []));
  if (!places.length) return text;
  const at = random.pick(places);
  return text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
}

const wordsOf = (address: string) => address.split(' ');
const bare = (word: string) => word.toLowerCase().replace(/[.,]/g, '');
const isOf = (list: Readonly<Record<string, string>>, word: string) =>
  Object.entries(list).some(([short, long]) => short === bare(word) || long.split(' ').includes(bare(word)));
const isSuffix = (word: string, at: number) => at > 1 && isOf(words.suffixes, word);
const isDirection = (word: string) => isOf(words.directions, word);

function withoutWord(address: string, isIt: (word: string, at: number) => boolean): string {
  const all = wordsOf(address);
  const at = all.findLastIndex(isIt);
  return at < 0 ? address : all.filter((_, i) => i !== at).join(' ');
}

/** Writes each suffix and direction in another spelling. */
function respell(address: string, random: Random): string {
  const other = (word: string, at: number) => {
    const found = at > 0 && (isSuffix(word, at) || isDirection(word)) ? spellings.find((some) => some.includes(bare(word))) : undefined;
    return found ? random.pick(found) : word;
  };
  return wordsOf(address).map(other).join(' ');
}

/** Replaces, drops or adds a letter of the longest word. */
function mistypeLetter(address: string, random: Random): string {
  const longest = [...wordsOf(address)]
    .filter((word) => /^[a-z]{5,}$/i.test(word) && !isSuffix(word, 2))
    .sort((a, b) => b.length - a.length)[0];
  if (!longest) return address;
  const at = random.int(1, longest.length - 1);
  const letter = random.pick([...'etaoinshrdlu']);
  const typed = random.pick([
    longest.slice(0, at) + letter + longest.slice(at + 1),
    longest.slice(0, at) + longest.slice(at + 1),
    longest.slice(0, at) + letter + longest.slice(at),
  ]);
  return address.replace(longest, typed);
}

const reseparate = (number: string, random: Random) => number.replace(/[\s.-]+/g, () => random.pick(['', ' ', '-', '.']));

const recase = (text: string, random: Random): string =>
  random.pick([text, text.toUpperCase(), text.toLowerCase(), text.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase())]);

/** A deviation between geocoders, in metres. */
const meters = (random: Random) => random.decimal(-3, 3);
const METERS_A_DEGREE = 111_195;
const DECIMALS = 5;

function pointOf({ latitude, longitude }: TypedFrom, random: Random): Pick<TypedRow, 'latitude' | 'longitude'> {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return {};
  const east = METERS_A_DEGREE * Math.cos((latitude * Math.PI) / 180);
  const rounded = (degrees: number) => Number(degrees.toFixed(DECIMALS));
  return { latitude: rounded(latitude + meters(random) / METERS_A_DEGREE), longitude: rounded(longitude + meters(random) / east) };
}

type Identifier = 'parcelNumber' | 'caseNumber' | 'address';

function slipIn(row: TypedRow, slip: Slip, random: Random): void {
  const { address } = row;
  const sent = (['parcelNumber', 'caseNumber', 'address'] as const).filter((name) => row[name] !== undefined);
  const change = (name: Identifier, to: (text: string) => string) => {
    const text = row[name];
    if (text !== undefined) row[name] = to(text);
  };
  if (slip === 'swapped digits' && sent.length) change(random.pick(sent), (text) => swapDigits(text, random));
  if (address === undefined) return;
  if (slip === 'missing suffix') row.address = withoutWord(address, isSuffix);
  if (slip === 'missing direction') row.address = withoutWord(address, (word, at) => at > 0 && isDirection(word));
  if (slip === 'other abbreviation') row.address = respell(address, random);
  if (slip === 'wrong letter') row.address = mistypeLetter(address, random);
}

/** Types a row from a record. @returns the row and its mistake; undefined for a record without an identifier, address or point */
export function typeRow(record: TypedFrom, random: Random): { row: TypedRow; slip: Slip } | undefined {
  const identifiers: TypedRow[] = [
    record.parcelNumbers?.length ? { parcelNumber: random.pick(record.parcelNumbers) } : {},
    record.caseNumbers?.length ? { caseNumber: random.pick(record.caseNumbers) } : {},
    record.address ? { address: record.address } : {},
  ].filter((one) => Object.keys(one).length);
  const point = pointOf(record, random);
  const kept = identifiers.filter(() => random.chance(IDENTIFIER_SHARE));
  const all = kept.length ? kept : identifiers.length ? [random.pick(identifiers)] : [];
  const row: TypedRow = Object.assign({}, ...all, !all.length || random.chance(POINT_SHARE) ? point : {});
  if (!Object.keys(row).length) return undefined;
  const slip = random.weighted(SLIP_SHARES);
  slipIn(row, slip, random);
  for (const name of ['parcelNumber', 'caseNumber'] as const)
    if (row[name] !== undefined) row[name] = recase(reseparate(row[name], random), random);
  if (row.address !== undefined) row.address = recase(row.address, random);
  if (record.state && random.chance(STATE_SHARE)) row.state = record.state;
  if (record.city && random.chance(CITY_SHARE)) row.city = record.city;
  if (record.county && random.chance(COUNTY_SHARE)) row.county = record.county;
  return { row, slip };
}
