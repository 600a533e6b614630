/** The known names that are nearest to an unknown text, for `didYouMean`. Pure. */
import { distance } from 'fastest-levenshtein';

/** Suggestions for an unknown value. */
export interface NearestValues {
  /** a name that is near enough to assume a typing mistake */
  didYouMean?: string | undefined;
  /** the most similar values, nearest first */
  nearest?: readonly string[];
}

/** A value, and the names by which it may be sent. */
export interface NamedValue {
  value: string;
  names: readonly string[];
}

/** Longer texts are truncated before comparison, and never count as a typing mistake. */
const COMPARED_LENGTH_MAX = 60;

const NEAREST_LISTED = 3;

/** The largest number of wrong letters that counts as a typing mistake; -1 when none does. */
function countMistakesAllowed(text: string): number {
  if (!text || text.length > COMPARED_LENGTH_MAX) return -1;
  if (text.length <= 3) return text.length === 3 ? 1 : 0;
  return Math.max(2, Math.floor(text.length / 3));
}

/** Shorter words are part of too many names. */
const WORD_LENGTH_MIN = 4;

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** The only name that contains a word, or its singular: `acres` finds `acreage`, `stories` finds `buildingStories`. */
function findOnlyNameContaining(text: string, names: readonly string[]): string | undefined {
  if (text.length > COMPARED_LENGTH_MAX) return undefined;
  const word = lettersOf(text).replace(/s$/, '');
  if (word.length < WORD_LENGTH_MIN) return undefined;
  const [first, ...others] = names.filter((name) => lettersOf(name).includes(word));
  return others.length ? undefined : first;
}

/** The name of which the text is a typing mistake, otherwise the only one that contains the text. */
export const findNearestName = (text: string, names: readonly string[]): string | undefined =>
  findNearestValues(
    text,
    names.map((value) => ({ value, names: [value] })),
  ).didYouMean ?? findOnlyNameContaining(text, names);

/** Which characters a text has: one bit for each letter, one for spaces, digits and all others. */
interface Characters {
  once: number;
  /** those that it has at least twice */
  twice: number;
}

/** A name of a value, made ready to be compared. */
export interface ComparedName extends Characters {
  value: string;
  name: string;
  lower: string;
}

const FIRST_LETTER = 'a'.charCodeAt(0);
const LETTERS = 26;
const [SPACE, DIGIT, OTHER] = [1 << LETTERS, 1 << (LETTERS + 1), 1 << (LETTERS + 2)];

function readCharacters(lower: string): Characters {
  let [once, twice] = [0, 0];
  for (const character of lower) {
    const letter = character.charCodeAt(0) - FIRST_LETTER;
    const isLetter = letter >= 0 && letter < LETTERS;
    const bit = isLetter ? 1 << letter : character === ' ' ? SPACE : character >= '0' && character <= '9' ? DIGIT : OTHER;
    twice |= once & bit;
    once |= bit;
  }
  return { once, twice };
}

/** Each name once; of a long list to be kept. */
export const readNames = (values: readonly NamedValue[]): ComparedName[] =>
  values.flatMap(({ value, names }) =>
    [...new Set(names)].map((name) => ({ value, name, lower: name.toLowerCase(), ...readCharacters(name.toLowerCase()) })),
  );

/** A name with its distance from a text. */
interface RankedName extends ComparedName {
  /** wrong letters */
  far: number;
}

/** How many of the bits are set: sums of pairs of neighbours, then of fours and of bytes. */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Characters that a text has beyond those of another: no fewer letters are wrong. */
const countBeyond = (a: Characters, b: Characters) => countBits(a.once & ~b.once) + countBits(a.twice & ~b.twice);

/** wrong letters of an exchange, as the algorithm counts them */
const EXCHANGED = 2;

const BITS = 32;
/** For each character one bit for each of its places in the text that others are compared with; empty in between. */
const placesOf = new Uint32Array(0x10000);

/** Compares a text with many. `distance` reads both texts for each pair, which takes longer than comparing them. */
function compareWithMany(text: string, compare: (countDifferences: (other: string) => number) => void): void {
  const fits = text.length > 0 && text.length <= BITS;
  for (let at = 0; fits && at < text.length; at += 1) (placesOf[text.charCodeAt(at)] as number) |= 1 << at;
  compare((other) => (fits ? countDifferences(text.length, other) : distance(text, other)));
  for (let at = 0; fits && at < text.length; at += 1) placesOf[text.charCodeAt(at)] = 0;
}

/** Myers' algorithm, as in `distance`. @param length of the text whose places are in `placesOf` */
function countDifferences(length: number, other: string): number {
  const last = 1 << (length - 1);
  let more = -1; // places at which this column of the table of distances grows by one, and at which it shrinks
  let less = 0;
  let far = length;
  for (let at = 0; at < other.length; at += 1) {
    const equal = placesOf[other.charCodeAt(at)] as number;
    const kept = equal | less;
    const across = (((equal & more) + more) ^ more) | kept;
    const grows = less | ~(across | more);
    const shrinks = more & across;
    if (grows & last) far += 1;
    if (shrinks & last) far -= 1;
    const growing = (grows << 1) | 1;
    more = (shrinks << 1) | ~(kept | growing);
    less = growing & kept;
  }
  return far;
}

/** Whether two texts differ by two neighbours that are exchanged, which count as one wrong letter. */
function areNeighboursExchanged(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/**
 * The values whose names are nearest to a text, nearest first. One pass without sorting, since there may be thousands. Most names cannot be near:
 * their length differs, or one of both has more characters beyond the other's than the worst of the nearest has mistakes.
 */
function rankNames(text: string, names: readonly ComparedName[]): RankedName[] {
  const sought = text.slice(0, COMPARED_LENGTH_MAX).toLowerCase();
  const characters = readCharacters(sought);
  const best: RankedName[] = [];
  compareWithMany(sought, (countDifferences) => {
    for (const one of names) {
      const worst = best.length < NEAREST_LISTED ? Number.POSITIVE_INFINITY : (best.at(-1)?.far ?? 0);
      if (Math.abs(one.lower.length - sought.length) >= worst) continue;
      if (countBeyond(characters, one) >= worst || countBeyond(one, characters) >= worst) continue;
      const differences = countDifferences(one.lower);
      const far = differences === EXCHANGED && areNeighboursExchanged(sought, one.lower) ? 1 : differences;
      if (far < worst) insertNearest(best, { ...one, far });
    }
  });
  return best;
}

/** Keeps each value once, by the first of its nearest names. */
function insertNearest(best: RankedName[], found: RankedName): void {
  const known = best.findIndex(({ value }) => value === found.value);
  if (known >= 0 && (best[known] as RankedName).far <= found.far) return;
  if (known >= 0) best.splice(known, 1);
  const place = best.findIndex((other) => other.far > found.far);
  best.splice(place < 0 ? best.length : place, 0, found);
  best.length = Math.min(best.length, NEAREST_LISTED);
}

const valuesOf = (ranked: readonly RankedName[]) => ranked.map(({ value }) => value);

export function findNearestValues(text: string, values: readonly NamedValue[]): NearestValues {
  const ranked = rankNames(text, readNames(values));
  const [first] = ranked;
  return { didYouMean: first && first.far <= countMistakesAllowed(text) ? first.name : undefined, nearest: valuesOf(ranked) };
}

/** A name that differs by more letters is that of another place. */
const PLACE_MISTAKES_MAX = 2;

/**
 * The places whose names are nearest to a text. One is suggested only if it is within two letters, of a short name one, and no other is as near.
 * @param most letters by which it may differ
 */
export function findNearestPlaces(text: string, names: readonly ComparedName[], most = PLACE_MISTAKES_MAX): NearestValues {
  const ranked = rankNames(text, names);
  const [first, second] = ranked;
  const allowed = Math.min(countMistakesAllowed(text), most, Math.floor(text.length / 3));
  const isMeant = first && first.far <= allowed && first.far < (second?.far ?? Number.POSITIVE_INFINITY);
  return { didYouMean: isMeant ? first.name : undefined, nearest: valuesOf(ranked) };
}
