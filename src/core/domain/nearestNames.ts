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

/** A name of a value, made ready to be compared. */
export interface ComparedName {
  value: string;
  name: string;
  lower: string;
  /** one bit for each letter in it */
  letters: number;
}

const FIRST_LETTER = 'a'.charCodeAt(0);
const LETTERS = 26;

function readLetters(lower: string): number {
  let bits = 0;
  for (let at = 0; at < lower.length; at += 1) {
    const letter = lower.charCodeAt(at) - FIRST_LETTER;
    if (letter >= 0 && letter < LETTERS) bits |= 1 << letter;
  }
  return bits;
}

/** Each name once; of a long list to be kept. */
export const readNames = (values: readonly NamedValue[]): ComparedName[] =>
  values.flatMap(({ value, names }) =>
    [...new Set(names)].map((name) => ({ value, name, lower: name.toLowerCase(), letters: readLetters(name.toLowerCase()) })),
  );

/** A name with its distance from a text. */
interface RankedName extends ComparedName {
  /** wrong letters */
  far: number;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest; rest &= rest - 1) count += 1;
  return count;
}

const EXCHANGED = 2;

/** Wrong letters between two texts; two neighbours that are exchanged count as one. */
function countMistakes(a: string, b: string): number {
  const far = distance(a, b);
  if (far !== EXCHANGED || a.length !== b.length) return far;
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] ? 1 : far;
}

/**
 * The values whose names are nearest to a text, nearest first. One pass without sorting, since there may be thousands. Most names cannot be near:
 * their length differs, or more letters of the text are not in them than the worst of the nearest has mistakes.
 */
function rankNames(text: string, names: readonly ComparedName[]): RankedName[] {
  const sought = text.slice(0, COMPARED_LENGTH_MAX).toLowerCase();
  const letters = readLetters(sought);
  const best: RankedName[] = [];
  for (const one of names) {
    const worst = best.length < NEAREST_LISTED ? Number.POSITIVE_INFINITY : (best.at(-1)?.far ?? 0);
    if (Math.abs(one.lower.length - sought.length) >= worst || countBits(letters & ~one.letters) >= worst) continue;
    const far = countMistakes(sought, one.lower);
    const known = best.findIndex(({ value }) => value === one.value);
    if (far >= (known < 0 ? worst : (best[known]?.far ?? 0))) continue;
    if (known >= 0) best.splice(known, 1);
    const place = best.findIndex((other) => other.far > far);
    best.splice(place < 0 ? best.length : place, 0, { ...one, far });
    best.length = Math.min(best.length, NEAREST_LISTED);
  }
  return best;
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
