/** Raw values of parameters, from a query string or a JSON body, and how single values and lists are read from them. */

import type { NearestValues } from '../domain/nearestNames.ts';
import type { Warning } from '../domain/warnings.ts';

/** All values sent for one parameter; several entries when it was repeated. */
export type Raw = readonly unknown[];

/** Why a value cannot be used. */
export interface ValueProblem {
  code: string;
  /** the unusable part of the value, such as `[2].polygon[3]`, behind the parameter's name */
  path?: string;
  /** completes a sentence that begins with the parameter's name and the path */
  message: string;
  /** the unusable value, shortened */
  value?: unknown;
  /** finds similar values; slow, so it is called for the first few problems only */
  suggest?: () => NearestValues;
  /** path of the route that lists every value */
  reference?: string | undefined;
  /** the values between which the sent one is ambiguous */
  candidates?: unknown[];
}

/** The value that was parsed, or why it cannot be used. A list with problems may also have usable values. */
export type ParsedValue<V> = { value: V; warnings?: readonly Warning[] } | { problems: readonly ValueProblem[]; usable?: V };

type Extra = Omit<ValueProblem, 'code' | 'message'>;

/** An unusable value, with one problem. */
export const invalidValue = (code: string, message: string, extra: Extra = {}): { problems: [ValueProblem] } => ({
  problems: [{ code, message, ...extra }],
});

/** Continues with a parsed value; problems are passed on. */
export const andThen = <A, B>(parsed: ParsedValue<A>, next: (value: A) => ParsedValue<B>): ParsedValue<B> =>
  'value' in parsed ? next(parsed.value) : { problems: parsed.problems };

export const LIST_VALUES_MAX = 500;
export const TEXT_LENGTH_MAX = 500;
/** Longest value in a list; every name and token of the catalogues is shorter. */
export const VALUE_LENGTH_MAX = 200;
const SHOWN_LENGTH_MAX = 80;

/** A value as a message shows it: bounded in length, and safe for JSON of any depth. */
export function describeValue(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? (Array.isArray(value) ? 'a list' : 'an object') : String(value);
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}

export function parseJson(text: string): ParsedValue<unknown> {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return invalidValue('invalid_json', `'${describeValue(text)}' is not valid JSON`, { value: describeValue(text) });
  }
}

/** The value of a parameter that accepts only one. */
export function parseSingle(raw: Raw): ParsedValue<unknown> {
  const distinct = [...new Set(raw.map((value) => (typeof value === 'string' ? value.trim() : value)))];
  const [value] = distinct;
  if (distinct.length > 1)
    return invalidValue('duplicate_parameter', `is given ${distinct.length} different values; send one`, { value: describeValue(value) });
  if (value === '' || value === null || value === undefined) return invalidValue('empty_value', 'has no value; send one or leave it out');
  return { value };
}

export type Scalar = string | number | boolean;

/** The value of a parameter that accepts one text, number or boolean. */
export const parseScalar = (raw: Raw): ParsedValue<Scalar> =>
  andThen(parseSingle(raw), (value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? { value }
      : invalidValue('invalid_value', `takes one value, not ${describeValue(value)}`),
  );

export const refuseTooMany = (count: number) =>
  invalidValue('too_many_values', `has ${count} distinct values; at most ${LIST_VALUES_MAX} are allowed`);

/**
 * Reads one value, a comma-separated list, a JSON array or a repeated parameter as a flat list of distinct trimmed texts.
 * @param split splits a comma-separated list
 * @param max distinct values at most
 */
export function parseList(raw: Raw, split = (text: string): string[] => text.split(','), max = LIST_VALUES_MAX): ParsedValue<string[]> {
  const values: unknown[] = [];
  for (const entry of raw) {
    const parsed = listEntry(entry, split);
    if ('problems' in parsed) return { problems: parsed.problems };
    for (const value of parsed.value) values.push(value);
  }
  const distinct = new Set<string>();
  for (const value of values) {
    const parsed = listText(value);
    if ('problems' in parsed) return { problems: parsed.problems };
    if (parsed.value) distinct.add(parsed.value);
  }
  if (distinct.size > max) return refuseTooMany(distinct.size);
  if (!distinct.size) return invalidValue('empty_value', 'has no value; send at least one or leave it out');
  return { value: [...distinct] };
}

function listEntry(entry: unknown, split: (text: string) => string[]): ParsedValue<unknown[]> {
  if (Array.isArray(entry)) return { value: entry };
  if (typeof entry !== 'string') return { value: [entry] };
  if (!entry.trimStart().startsWith('[')) return { value: split(entry) };
  return andThen(parseJson(entry), (value) => ({ value: Array.isArray(value) ? value : [value] }));
}

function listText(value: unknown): ParsedValue<string> {
  if (typeof value !== 'string' && typeof value !== 'number')
    return invalidValue('invalid_value', `takes texts and numbers, not ${describeValue(value)}`, { value: describeValue(value) });
  const text = String(value).trim();
  if (text.length <= VALUE_LENGTH_MAX) return { value: text };
  const message = `'${describeValue(text)}' has ${text.length} characters; at most ${VALUE_LENGTH_MAX} are allowed`;
  return invalidValue('too_long', message, { value: describeValue(text) });
}

/** Parses each distinct value of a list; the problems of all unusable ones are collected. */
export function parseEach<T>(values: readonly string[], parse: (text: string) => ParsedValue<T>): ParsedValue<T[]> {
  const usable: T[] = [];
  const warnings: Warning[] = [];
  const problems: ValueProblem[] = [];
  let unusableCount = 0;
  for (const value of values) {
    const parsed = parse(value);
    if ('value' in parsed) {
      usable.push(parsed.value);
      warnings.push(...(parsed.warnings ?? []));
    } else {
      problems.push(...parsed.problems);
      unusableCount++;
    }
  }
  if (!unusableCount) return { value: [...new Set(usable)], ...(warnings.length ? { warnings } : {}) };
  return usable.length ? { problems, usable } : { problems };
}
