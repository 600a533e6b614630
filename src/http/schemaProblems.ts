/** Turns Ajv's errors into problems, in the words of the filter table's refusals (src/docs/errors.md). Pure. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { RequestProblem } from '../core/domain/errors.ts';
import { nearestName, nearestValues } from '../core/filter/nearest.ts';
import { shown } from '../core/filter/raw.ts';
import { ONE_LINE } from './schemas.ts';
import {
  describeExpected,
  describeExpectedNonNull,
  exampleAt,
  listValues,
  placeInWords,
  REFERENCE_KEYWORD,
  sentInWords,
  type WordedSchema,
} from './schemaWords.ts';

/** Problems beyond these come without a suggestion: looking for one takes time. */
const SUGGESTIONS_MAX = 20;

export interface ProblemContext {
  /** name of the whole JSON value; 'The body' by default */
  whole?: string;
  /** a valid value, from which messages take examples */
  example?: unknown;
  /** the place that accepts a field which is unknown at the top level; undefined if there is none */
  takenAt?(name: string): string | undefined;
}

/** The place of a problem, with the schema and the data there. */
interface Place {
  steps: readonly string[];
  /** as a sentence names it */
  named: string;
  schema: WordedSchema;
  data: unknown;
  context: ProblemContext;
  isSuggested: boolean;
}

const stepsOf = ({ instancePath }: ErrorObject): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const suchAs = (example: string | undefined) => (example === undefined ? '' : `, such as ${example}`);

/** `limit takes a whole number from 1 to 100 (such as 10), not 'ten'` */
function notTaken({ named, steps, schema, data, context }: Place): string {
  const example = exampleAt(steps, schema, context.example);
  return `${named} takes ${describeExpected(schema)}${example === undefined ? '' : ` (such as ${example})`}, not ${sentInWords(data)}`;
}

const worded = (schema: Record<string, unknown> = {}): WordedSchema => schema;

const isScalar = (value: unknown) => value !== null && typeof value !== 'object';

function unknownValue(place: Place): Omit<RequestProblem, 'param' | 'code'> {
  const { named, schema, data, isSuggested } = place;
  if (!isScalar(data)) return { message: notTaken(place), value: shown(data) };
  const names = (schema.enum ?? []).filter((value) => typeof value === 'string');
  const isNamed = isSuggested && typeof data === 'string' && names.length > 0;
  const didYouMean = isNamed ? nearestName(data, names) : undefined;
  const nearest = isNamed
    ? nearestValues(
        data,
        names.map((value) => ({ value, names: [value] })),
      ).nearest
    : undefined;
  const hint = didYouMean ? `; did you mean '${didYouMean}'?` : '';
  const reference = schema[REFERENCE_KEYWORD];
  const listed = listValues(schema);
  return {
    message: `${named} '${shown(data)}' is not one of ${listed ?? 'its values'}${hint}${listed ? '' : ` (all values: GET ${reference})`}`,
    value: shown(data),
    ...(didYouMean ? { didYouMean } : {}),
    ...(nearest?.length ? { nearest } : {}),
    ...(reference ? { reference } : {}),
  };
}

function unknownField({ steps, schema, context, isSuggested }: Place, name: string): RequestProblem {
  const known = Object.keys(schema.properties ?? {});
  const placeOf = (field: string) => [...steps, field];
  const elsewhere = steps.length ? undefined : context.takenAt?.(name);
  const near = isSuggested ? nearestName(name, known) : undefined;
  const meant = elsewhere?.split('.') ?? (near === undefined ? undefined : placeOf(near));
  const sent = placeOf(shown(name));
  const takes = known.length ? `it takes ${known.join(', ')}` : 'leave it out: none is taken';
  const hint = meant ? `did you mean '${placeInWords(meant)}'?` : takes;
  return {
    param: sent.join('.'),
    code: 'unknown_parameter',
    message: `There is no field '${placeInWords(sent)}' here; ${hint}`,
    ...(meant ? { didYouMean: meant.join('.') } : {}),
  };
}

function missingField({ steps, schema, context }: Place, name: string): RequestProblem {
  const at = [...steps, name];
  const field = schema.properties?.[name] ?? {};
  const purpose = field.description?.replace(/\.$/, '');
  const example = exampleAt(at, field, context.example);
  const takes = `${purpose ? ` ${purpose}:` : ' It takes'} ${describeExpected(field)}${suchAs(example)}`;
  return { param: at.join('.'), code: 'missing', message: `${placeInWords(at)} is missing.${takes}` };
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;
const lengthOf = (data: unknown) => (typeof data === 'string' ? [...data].length : Array.isArray(data) ? data.length : 0);
const bound = (most: number) => `at most ${most} ${most === 1 ? 'is' : 'are'} allowed`;

/** The end of the sentence about a problem, by the violated keyword; for all other keywords see `notTaken`. */
const BROKEN: Readonly<Record<string, (place: Place, params: ErrorObject['params']) => string>> = {
  maxLength: ({ data }, { limit }) => `has ${count(lengthOf(data), 'character')}; ${bound(limit)}`,
  minLength: ({ data, schema }) =>
    data === ''
      ? `is empty; send ${describeExpectedNonNull(schema)}`
      : `has ${count(lengthOf(data), 'character')}; send ${describeExpectedNonNull(schema)}`,
  maxItems: ({ data }, { limit }) => `has ${count(lengthOf(data), 'value')}; ${bound(limit)}`,
  minItems: ({ data }, { limit }) =>
    lengthOf(data) ? `has ${count(lengthOf(data), 'value')}; send at least ${limit}` : `has no value; send at least ${limit}`,
  minimum: ({ schema, data }) => `'${shown(data)}' is not ${describeExpectedNonNull(schema)}`,
  maximum: ({ schema, data }) => `'${shown(data)}' is not ${describeExpectedNonNull(schema)}`,
  uniqueItems: ({ data }, { i }) => `holds ${sentInWords((data as unknown[])[i])} twice; send each value once`,
  format: ({ steps, schema, data, context }) =>
    `'${shown(data)}' is not ${describeExpectedNonNull(schema)}${suchAs(exampleAt(steps, schema, context.example))}`,
  pattern: ({ schema, data }) => {
    const isName = schema.pattern === ONE_LINE;
    if (schema.pattern === '\\S' || (isName && String(data).trim() === '')) return `is blank; send ${describeExpectedNonNull(schema)}`;
    if (isName) return `'${shown(data)}' has a line break or a control character; send one line`;
    return `'${shown(data)}' is not of the form ${schema.pattern}${schema.description ? `: ${schema.description}` : ''}`;
  },
};

/**
 * Errors that no other one covers: an `anyOf` covers the errors of its branches, an `enum` that of the type, `minLength` that of a pattern. Linear
 * in their number.
 */
function withoutCovered(errors: readonly ErrorObject[]): ErrorObject[] {
  const places = (...keywords: string[]) => errors.filter(({ keyword }) => keywords.includes(keyword));
  const joined = new Set(places('anyOf', 'oneOf').map(({ schemaPath }) => schemaPath));
  const listed = new Set(places('enum', 'const').map(({ instancePath }) => instancePath));
  const short = new Set(places('minLength').map(({ instancePath }) => instancePath));
  const isInBranch = (path: string) => [...path.matchAll(/\//g)].some(({ index }) => joined.has(path.slice(0, index)));
  return errors.filter(
    ({ keyword, schemaPath, instancePath }) =>
      !(
        (joined.size && isInBranch(schemaPath)) ||
        (keyword === 'type' && listed.has(instancePath)) ||
        (keyword === 'pattern' && short.has(instancePath))
      ),
  );
}

function problemOf(error: ErrorObject, context: ProblemContext, isSuggested: boolean): RequestProblem {
  const { keyword, params, parentSchema, data } = error;
  const steps = stepsOf(error);
  const named = placeInWords(steps) || (context.whole ?? 'The body');
  const place: Place = { steps, named, schema: worded(parentSchema), data, context, isSuggested };
  if (keyword === 'additionalProperties') return unknownField(place, params.additionalProperty);
  if (keyword === 'required') return missingField(place, params.missingProperty);
  const problem = { param: steps.join('.') || 'body', code: 'invalid_value' };
  if (keyword === 'enum') return { ...problem, ...unknownValue(place) };
  const broken = BROKEN[keyword]?.(place, params);
  return { ...problem, message: broken === undefined ? notTaken(place) : `${named} ${broken}` };
}

/** Every problem, once. @param errors of a schema that was compiled with `allErrors` and `verbose` */
export function schemaProblems(errors: readonly ErrorObject[], context: ProblemContext = {}): RequestProblem[] {
  return withoutCovered(errors).map((error, i) => problemOf(error, context, i < SUGGESTIONS_MAX));
}
