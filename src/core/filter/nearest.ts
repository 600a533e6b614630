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

/** A value with that of its names which is nearest to a text. */
interface RankedName {
  value: string;
  name: string;
  /** wrong letters */
  far: number;
}

const EXCHANGED = 2;

/** Wrong letters between two texts; two neighbours that are exchanged count as one. */
function countMistakes(a: string, b: string): number {
  const far = distance(a, b);
  if (far !== EXCHANGED || a.length !== b.length) return far;
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return a[at] === b[at + 1] && a[at + 1] === b[at] ? 1 : far;
}

/** The values whose names are nearest to a text, nearest first. One pass without sorting, since there may be thousands. */
function rankNames(text: string, values: readonly NamedValue[]): RankedName[] {
  const sought = text.slice(0, COMPARED_LENGTH_MAX).toLowerCase();
  const best: RankedName[] = [];
  for (const { value, names } of values)
    for (const name of names) {
      const worst = best.length < NEAREST_LISTED ? Number.POSITIVE_INFINITY : (best.at(-1)?.far ?? 0);
      if (Math.abs(name.length - sought.length) >= worst) continue;
      const far = countMistakes(sought, name.toLowerCase());
      const known = best.findIndex((one) => one.value === value);
      if (far >= (known < 0 ? worst : (best[known]?.far ?? 0))) continue;
      if (known >= 0) best.splice(known, 1);
      const place = best.findIndex((one) => one.far > far);
      best.splice(place < 0 ? best.length : place, 0, { value, name, far });
      best.length = Math.min(best.length, NEAREST_LISTED);
    }
  return best;
}

const valuesOf = (ranked: readonly RankedName[]) => ranked.map(({ value }) => value);

/** The values whose names are nearest to a text, and the name that was probably meant. */
export function findNearestValues(text: string, values: readonly NamedValue[]): NearestValues {
  const ranked = rankNames(text, values);
  const [first] = ranked;
  return { didYouMean: first && first.far <= countMistakesAllowed(text) ? first.name : undefined, nearest: valuesOf(ranked) };
}

/** A name that differs by more letters is that of another place. */
const PLACE_MISTAKES_MAX = 2;

/** The places whose names are nearest to a text. One is suggested only if it is within two letters, of a short name one, and no other is as near. */
export function findNearestPlaces(text: string, values: readonly NamedValue[]): NearestValues {
  const ranked = rankNames(text, values);
  const [first, second] = ranked;
  const allowed = Math.min(countMistakesAllowed(text), PLACE_MISTAKES_MAX, Math.floor(text.length / 3));
  const isMeant = first && first.far <= allowed && first.far < (second?.far ?? Number.POSITIVE_INFINITY);
  return { didYouMean: isMeant ? first.name : undefined, nearest: valuesOf(ranked) };
}
