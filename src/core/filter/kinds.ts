/**
 * Kinds of parameter: how a raw value is parsed, the JSON Schema that describes it, and how it is echoed. A raw value is what a query
 * string or a JSON body brings; parsing throws `Unusable`, never anything else.
 */
import { distance } from 'fastest-levenshtein';
import type { Places } from '../domain/places.ts';
import type { Term, Vocabulary } from '../domain/vocabulary.ts';

/** Everything that was sent for one parameter: several entries when it was repeated. */
export type Raw = readonly unknown[];

/** What a kind may look at besides the raw value. */
export interface ParseContext {
  places: Places;
  /** narrows names of counties and cities: the ids of `states`, when exactly one was sent */
  stateIds: readonly number[];
  /** tell cities of one name apart: the ids of `counties` */
  countyIds: readonly number[];
}

/** What may have been meant by an unknown value. */
export interface Suggestion {
  /** where one is near enough to be a slip of the pen */
  didYouMean?: string | undefined;
  /** the nearest values there are, the nearest first */
  nearest?: readonly string[];
}

interface Extra {
  value?: unknown;
  /** looks for what may have been meant; it takes time, and is asked for the first few problems only */
  suggest?: () => Suggestion;
  /** path of the route that lists every value */
  reference?: string | undefined;
  candidates?: unknown[];
}

/** Why a value cannot be used. */
export class Unusable extends Error {
  readonly code: string;
  readonly extra: Extra;

  constructor(code: string, message: string, extra: Extra = {}) {
    // Without a stack, which nobody looks at: a request may bring thousands of unusable values, and is refused in milliseconds all the same.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
    this.code = code;
    this.extra = extra;
  }
}

/** Several unusable values of one list. */
export class UnusableList extends Error {
  readonly problems: readonly Unusable[];
  /** what the other values of the list mean, by which they are judged all the same */
  readonly usable: readonly unknown[];

  constructor(problems: readonly Unusable[], usable: readonly unknown[]) {
    super('unusable values');
    this.problems = problems;
    this.usable = usable;
  }
}

export interface Kind<V> {
  parse(raw: Raw, context: ParseContext): V;
  /** what the value looks like in JSON, for AJV and OpenAPI */
  schema: Record<string, unknown>;
  /** canonical JSON of a value; parses back to the same value */
  echo(value: V): unknown;
}

/** A kind that looks at nothing but the raw value. */
export interface PlainKind<V> extends Kind<V> {
  parse(raw: Raw): V;
}

export const LIST_VALUES_MAX = 500;
export const TEXT_LENGTH_MAX = 500;
/** Longest value of a list; every name and token of the catalogues is shorter. */
export const VALUE_LENGTH_MAX = 200;
const SHOWN_LENGTH_MAX = 80;

/** A value as a message shows it: bounded, and never an error itself, however deep the JSON. */
export function shown(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : String(value);
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}

/** Longer texts are cut off before they are compared, and are no slip of the pen. */
const COMPARED_LENGTH_MAX = 60;

/** How many letters may be wrong in a slip of the pen. */
function reachOf(text: string): number {
  if (!text || text.length > COMPARED_LENGTH_MAX) return -1;
  if (text.length <= 3) return text.length === 3 ? 1 : 0;
  return Math.max(2, Math.floor(text.length / 3));
}

/** The nearest of some names, when it is near enough to be a slip of the pen. */
export const nearest = (text: string, names: readonly string[]): string | undefined =>
  suggestionAmong(
    text,
    names.map((name) => ({ value: name, names: [name] })),
  ).didYouMean;

/** A value and the names under which it may be sent. */
export interface Named {
  value: string;
  names: readonly string[];
}

const NEAREST_LISTED = 3;

/** The values whose names are nearest to a text, and the name that was probably meant. One pass: there may be thousands. */
export function suggestionAmong(text: string, values: readonly Named[]): Suggestion {
  const sought = text.slice(0, COMPARED_LENGTH_MAX).toLowerCase();
  const best: { value: string; name: string; far: number }[] = [];
  for (const { value, names } of values)
    for (const name of names) {
      const worst = best.length < NEAREST_LISTED ? Number.POSITIVE_INFINITY : (best.at(-1)?.far ?? 0);
      if (Math.abs(name.length - sought.length) >= worst) continue;
      const far = distance(sought, name.toLowerCase());
      const known = best.findIndex((one) => one.value === value);
      if (far >= (known < 0 ? worst : (best[known]?.far ?? 0))) continue;
      if (known >= 0) best.splice(known, 1);
      const place = best.findIndex((one) => one.far > far);
      best.splice(place < 0 ? best.length : place, 0, { value, name, far });
      best.length = Math.min(best.length, NEAREST_LISTED);
    }
  const [first] = best;
  const didYouMean = first && first.far <= reachOf(text) ? first.name : undefined;
  return { didYouMean, nearest: best.map(({ value }) => value) };
}

/** The one value of a parameter that takes one. */
export function single(raw: Raw): unknown {
  const distinct = [...new Set(raw.map((v) => (typeof v === 'string' ? v.trim() : v)))];
  if (distinct.length > 1)
    throw new Unusable('duplicate_parameter', `is given ${distinct.length} different values; send one`, { value: shown(distinct[0]) });
  const value = distinct[0];
  if (value === '' || value === null || value === undefined) throw new Unusable('empty_value', 'has no value; send one or leave it out');
  return value;
}

/** The one value of a parameter that takes a text, a number or a flag. */
export function scalar(raw: Raw): string | number | boolean {
  const value = single(raw);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new Unusable('invalid_value', `takes one value, not ${shown(value)}`);
}

/**
 * One value, a comma-separated list, a JSON array or a repeated parameter, as one flat list of trimmed texts without repeats.
 * @param split takes a comma-separated list apart
 */
export function listOf(raw: Raw, split = (text: string): string[] => text.split(',')): string[] {
  const values = raw.flatMap((entry) => (Array.isArray(entry) ? entry : typeof entry === 'string' ? splitList(entry, split) : [entry]));
  const texts = values.map((value) => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Unusable('invalid_value', `takes texts and numbers, not ${shown(value)}`, { value: shown(value) });
    const text = String(value).trim();
    if (text.length <= VALUE_LENGTH_MAX) return text;
    throw new Unusable('too_long', `'${shown(text)}' has ${text.length} characters; at most ${VALUE_LENGTH_MAX} are allowed`, {
      value: shown(text),
    });
  });
  const distinct = [...new Set(texts.filter(Boolean))];
  if (distinct.length > LIST_VALUES_MAX)
    throw new Unusable('too_many_values', `has ${distinct.length} distinct values; at most ${LIST_VALUES_MAX} are allowed`);
  if (!distinct.length) throw new Unusable('empty_value', 'has no value; send at least one or leave it out');
  return distinct;
}

function splitList(text: string, split: (text: string) => string[]): unknown[] {
  if (!text.trimStart().startsWith('[')) return split(text);
  const parsed = parseJson(text);
  return Array.isArray(parsed) ? parsed : [parsed];
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unusable('invalid_json', `'${shown(text)}' is not valid JSON`, { value: shown(text) });
  }
}

/** Parses each value of a list; all the unusable ones are reported together. */
export function each<T>(values: readonly string[], parse: (text: string) => T): T[] {
  const problems: Unusable[] = [];
  const parsed: T[] = [];
  for (const value of values) {
    try {
      parsed.push(parse(value));
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      problems.push(error);
    }
  }
  if (problems.length) throw new UnusableList(problems, parsed);
  return [...new Set(parsed)];
}

/** Tokens of a vocabulary, by token, label or alias in any case. */
export function tokens(vocabulary: Vocabulary<Term>): Kind<string[]> {
  return {
    schema: {
      type: 'array',
      items: { type: 'string', enum: vocabulary.terms.map((t) => t.token) },
      minItems: 1,
      maxItems: LIST_VALUES_MAX,
    },
    parse: (raw) => each(listOf(raw), (text) => tokenOf(vocabulary, text)),
    echo: (value) => value,
  };
}

export function tokenOf(vocabulary: Vocabulary<Term>, text: string): string {
  const term = vocabulary.find(text);
  if (term) return term.token;
  throw new Unusable('invalid_value', `'${shown(text)}' is not one of its values`, {
    value: shown(text),
    suggest: () =>
      suggestionAmong(
        text,
        vocabulary.terms.map(({ token, label }) => ({ value: token, names: [token, label] })),
      ),
    reference: vocabulary.reference,
  });
}

/** One of a few tokens. */
export function choice<const T extends string>(...choices: T[]): PlainKind<T> {
  return {
    schema: { type: 'string', enum: choices },
    parse: (raw) => {
      const value = scalar(raw);
      const found = choices.find((c) => c === String(value).toLowerCase() || c === value);
      if (found) return found;
      throw new Unusable('invalid_value', `'${shown(value)}' is not one of ${choices.join(', ')}`, {
        value: shown(value),
        suggest: () =>
          suggestionAmong(
            String(value),
            choices.map((one) => ({ value: one, names: [one] })),
          ),
      });
    },
    echo: (value) => value,
  };
}

/** Up to `max` of a few tokens, in the order in which they were sent. */
export function choices<const T extends string>(max: number, ...tokens: T[]): PlainKind<T[]> {
  const one = choice(...tokens);
  return {
    schema: { type: 'array', items: one.schema, minItems: 1, maxItems: max },
    parse: (raw) => {
      const found = each(listOf(raw), (text) => one.parse([text]));
      if (found.length <= max) return found;
      throw new Unusable('too_many_values', `has ${found.length} values; at most ${max} are allowed`);
    },
    echo: (value) => value,
  };
}

/** A word that is looked up, such as an id. */
export const word: PlainKind<string> = {
  schema: { type: 'string', minLength: 1, maxLength: VALUE_LENGTH_MAX },
  parse: (raw) => String(scalar(raw)),
  echo: (value) => value,
};

export const boolean: PlainKind<boolean> = {
  schema: { type: 'boolean' },
  parse: (raw) => {
    const value = String(scalar(raw)).toLowerCase();
    if (value === 'true' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    throw new Unusable('invalid_value', `'${shown(value)}' is neither true nor false`, { value: shown(value) });
  },
  echo: (value) => value,
};

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

/** A finite number; 0 is a value like any other. */
export function number(unit: string): PlainKind<number> {
  return {
    schema: { type: 'number', description: unit },
    parse: (raw) => {
      const value = scalar(raw);
      const parsed = typeof value === 'number' ? value : DECIMAL.test(String(value)) ? Number(value) : Number.NaN;
      if (Number.isFinite(parsed)) return parsed === 0 ? 0 : parsed;
      throw new Unusable('invalid_number', `'${shown(value)}' is not a finite number`, { value: shown(value) });
    },
    echo: (value) => value,
  };
}

/** A whole number of decimal digits from `min` to `max`. */
export function integer(min: number, max = Number.POSITIVE_INFINITY): PlainKind<number> {
  return {
    schema: { type: 'integer', minimum: min, ...(Number.isFinite(max) ? { maximum: max } : {}) },
    parse: (raw) => {
      const value = scalar(raw);
      const parsed = /^[+-]?\d{1,30}$/.test(String(value)) ? Number(value) : Number.NaN;
      // More than that nobody counts, and no database takes.
      if (parsed >= min && parsed <= max) return parsed === 0 ? 0 : Math.min(parsed, Number.MAX_SAFE_INTEGER);
      const upTo = Number.isFinite(max) ? ` to ${max}` : '';
      throw new Unusable('invalid_value', `'${shown(value)}' is not a whole number from ${min}${upTo}`, { value: shown(value) });
    },
    echo: (value) => value,
  };
}

export const PROJECT_IDS_MAX = 100;

/** Distinct positive whole numbers, at most `PROJECT_IDS_MAX` (src/docs/filters.md). */
export const projectIdList: Kind<number[]> = {
  schema: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: PROJECT_IDS_MAX },
  parse: (raw) => {
    const ids = each(listOf(raw), (text) => {
      const id = /^\+?\d{1,16}$/.test(text) ? Number(text) : 0;
      if (id >= 1 && Number.isSafeInteger(id)) return id;
      throw new Unusable('invalid_value', `'${shown(text)}' is not a positive whole number`, { value: shown(text) });
    });
    if (ids.length > PROJECT_IDS_MAX)
      throw new Unusable('too_many_values', `has ${ids.length} distinct ids; at most ${PROJECT_IDS_MAX} are allowed`);
    return ids;
  },
  echo: (value) => value,
};

/** Text as it was sent, checked for length and for something to search. */
export function phraseText(raw: Raw): string {
  const text = String(scalar(raw));
  if (text.length > TEXT_LENGTH_MAX)
    throw new Unusable('too_long', `has ${text.length} characters; at most ${TEXT_LENGTH_MAX} are allowed`);
  return text;
}
