/** Kinds of parameter: how a raw value is parsed, the JSON Schema that describes it, and how it is echoed. */

import { findNearestValues } from '../domain/nearestNames.ts';
import type { Places } from '../domain/places.ts';
import type { Term, Vocabulary } from '../domain/vocabulary.ts';
import {
  andThen,
  describeValue,
  invalidValue,
  LIST_VALUES_MAX,
  type ParsedValue,
  parseEach,
  parseList,
  parseScalar,
  type Raw,
  type Scalar,
  TEXT_LENGTH_MAX,
  VALUE_LENGTH_MAX,
} from './raw.ts';

/** What a kind may use in addition to the raw value. */
export interface ParseContext {
  places: Places;
  /** values of the filters named by `narrowedBy`; a filter that was not sent is absent */
  narrowing: Readonly<Record<string, ParsedValue<unknown>>>;
}

type JsonSchema = Record<string, unknown>;

export interface ParameterKind<V> {
  parse(raw: Raw, context: ParseContext): ParsedValue<V>;
  /** JSON Schema of the value, for AJV and OpenAPI */
  schema: JsonSchema;
  /** canonical JSON of a value; parses back to the same value */
  echo(value: V): unknown;
  /** the values that it takes, in words, if they are of a vocabulary */
  terms?: readonly Term[];
}

/** A kind that needs nothing but the raw value. */
export interface PlainKind<V> extends ParameterKind<V> {
  parse(raw: Raw): ParsedValue<V>;
}

/** A kind of one text, number or boolean, echoed unchanged. */
export const scalarKind = <V>(schema: JsonSchema, parse: (value: Scalar) => ParsedValue<V>): PlainKind<V> => ({
  schema,
  parse: (raw) => andThen(parseScalar(raw), parse),
  echo: (value) => value,
});

/** A kind of a list, echoed unchanged. @param schema keywords added to `type` */
export const listKind = <V>(schema: JsonSchema, parse: (text: string) => ParsedValue<V>): PlainKind<V[]> => ({
  schema: { type: 'array', ...schema },
  parse: (raw) => andThen(parseList(raw), (texts) => parseEach(texts, parse)),
  echo: (value) => value,
});

/** Tokens of a vocabulary, matched by token, label or alias, ignoring case. */
export const tokens = (vocabulary: Vocabulary<Term>): PlainKind<string[]> => ({
  ...listKind(
    {
      items: { type: 'string', enum: vocabulary.terms.map((term) => term.token), title: vocabulary.name },
      minItems: 1,
      maxItems: LIST_VALUES_MAX,
    },
    (text) => parseToken(vocabulary, text),
  ),
  terms: vocabulary.terms,
});

export function parseToken(vocabulary: Vocabulary<Term>, text: string): ParsedValue<string> {
  const term = vocabulary.find(text);
  if (term) return { value: term.token };
  const { terms, reference } = vocabulary;
  const known = reference ? 'its values' : terms.map(({ token }) => token).join(', ');
  return invalidValue('invalid_value', `'${describeValue(text)}' is not one of ${known}`, {
    value: describeValue(text),
    suggest: () =>
      findNearestValues(
        text,
        terms.map(({ token, label }) => ({ value: token, names: [token, label] })),
      ),
    reference,
  });
}

/** One of the given tokens. */
export const choice = <const T extends string>(...choices: T[]): PlainKind<T> =>
  scalarKind({ type: 'string', enum: choices }, (value) => {
    const found = choices.find((one) => one === String(value).toLowerCase() || one === value);
    if (found) return { value: found };
    return invalidValue('invalid_value', `'${describeValue(value)}' is not one of ${choices.join(', ')}`, {
      value: describeValue(value),
      suggest: () =>
        findNearestValues(
          String(value),
          choices.map((one) => ({ value: one, names: [one] })),
        ),
    });
  });

/** Up to `max` of the given tokens, in the order in which they were sent. */
export function choices<const T extends string>(max: number, ...tokens: T[]): PlainKind<T[]> {
  const one = choice(...tokens);
  const list = listKind({ items: one.schema, minItems: 1, maxItems: max }, (text) => one.parse([text]));
  return limitedList(max, 'values', list);
}

/** Limits the length of a list. @param named what the values are called in a message */
const limitedList = <V>(max: number, named: string, kind: PlainKind<V[]>): PlainKind<V[]> => ({
  ...kind,
  parse: (raw) => {
    const parsed = kind.parse(raw);
    if ('problems' in parsed || parsed.value.length <= max) return parsed;
    return invalidValue('too_many_values', `has ${parsed.value.length} ${named}; at most ${max} are allowed`);
  },
});

/** One word, such as an id. */
export const word: PlainKind<string> = scalarKind({ type: 'string', minLength: 1, maxLength: VALUE_LENGTH_MAX }, (value) => ({
  value: String(value),
}));

export const boolean: PlainKind<boolean> = scalarKind({ type: 'boolean' }, (sent) => {
  const value = String(sent).toLowerCase();
  if (value === 'true' || value === '1') return { value: true };
  if (value === 'false' || value === '0') return { value: false };
  return invalidValue('invalid_value', `'${describeValue(value)}' is neither true nor false`, { value: describeValue(value) });
});

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i;

/** A finite number; 0 is a value like any other, and -0 is 0. */
export const number = (unit: string): PlainKind<number> =>
  scalarKind({ type: 'number', description: unit }, (sent) => {
    const value = typeof sent === 'number' ? sent : DECIMAL.test(String(sent)) ? Number(sent) : Number.NaN;
    if (Number.isFinite(value)) return { value: value === 0 ? 0 : value };
    return invalidValue('invalid_number', `'${describeValue(sent)}' is not a finite number`, { value: describeValue(sent) });
  });

/** A whole number, in decimal digits, from `min` to `max`. */
export const integer = (min: number, max = Number.POSITIVE_INFINITY): PlainKind<number> =>
  scalarKind({ type: 'integer', minimum: min, ...(Number.isFinite(max) ? { maximum: max } : {}) }, (sent) => {
    const value = /^[+-]?\d{1,30}$/.test(String(sent)) ? Number(sent) : Number.NaN;
    // No count or column needs a larger number.
    if (value >= min && value <= max) return { value: value === 0 ? 0 : Math.min(value, Number.MAX_SAFE_INTEGER) };
    const upTo = Number.isFinite(max) ? ` to ${max}` : '';
    return invalidValue('invalid_value', `'${describeValue(sent)}' is not a whole number from ${min}${upTo}`, {
      value: describeValue(sent),
    });
  });

export const PROJECT_IDS_MAX = 100;

/** Distinct positive whole numbers, at most `PROJECT_IDS_MAX` (src/docs/filters.md). */
export const projectIdList: PlainKind<number[]> = limitedList(
  PROJECT_IDS_MAX,
  'distinct ids',
  listKind({ items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: PROJECT_IDS_MAX }, (text) => {
    const value = /^\+?\d{1,16}$/.test(text) ? Number(text) : 0;
    if (value >= 1 && Number.isSafeInteger(value)) return { value };
    return invalidValue('invalid_value', `'${describeValue(text)}' is not a positive whole number`, { value: describeValue(text) });
  }),
);

const COMPARED_VALUES_MAX = 100;

/**
 * Texts in the form in which they are compared, at most `COMPARED_VALUES_MAX` different ones.
 * @param compared '' for a text with nothing to compare
 */
export const comparedTexts = (description: string, compared: (text: string) => string): PlainKind<string[]> =>
  limitedList(
    COMPARED_VALUES_MAX,
    'different values',
    listKind(
      { items: { type: 'string', description, minLength: 1, maxLength: VALUE_LENGTH_MAX }, minItems: 1, maxItems: COMPARED_VALUES_MAX },
      (text) => {
        const value = compared(text);
        return value
          ? { value }
          : invalidValue('invalid_value', `'${describeValue(text)}' holds nothing to compare; send its letters and digits`, {
              value: describeValue(text),
            });
      },
    ),
  );

/** A text of limited length, unchanged. */
export const textUpTo = (charactersMax: number): PlainKind<string> =>
  scalarKind({ type: 'string', minLength: 1, maxLength: charactersMax }, (sent) => {
    const value = String(sent);
    if (value.length <= charactersMax) return { value };
    return invalidValue('too_long', `has ${value.length} characters; at most ${charactersMax} are allowed`);
  });

export const parseText = textUpTo(TEXT_LENGTH_MAX).parse;
