/** Turns Ajv's errors into problems, in the words of the filter table's refusals (src/docs/errors.md). Pure. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { RequestProblem } from '../core/domain/errors.ts';
import { findNearestName, findNearestValues } from '../core/domain/nearestNames.ts';
import { describeValue } from '../core/filter/raw.ts';
import { ONE_LINE } from './schemas.ts';
import {
  describeExpected,
  describeExpectedNonNull,
  describePlace,
  describeSent,
  listValues,
  makeExampleAt,
  REFERENCE_KEYWORD,
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

const quoteExample = (example: string | undefined) => (example === undefined ? '' : `, such as ${example}`);

/** `limit takes a whole number from 1 to 100 (such as 10), not 'ten'` */
function describeNotTaken({ named, steps, schema, data, context }: Place): string {
  const example = makeExampleAt(steps, schema, context.example);
  return `${named} takes ${describeExpected(schema)}${example === undefined ? '' : ` (such as ${example})`}, not ${describeSent(data)}`;
}

const worded = (schema: Record<string, unknown> = {}): WordedSchema => schema;

const isScalar = (value: unknown) => value !== null && typeof value !== 'object';

function unknownValueProblem(place: Place): Omit<RequestProblem, 'param' | 'code'> {
  const { named, schema, data, isSuggested } = place;
  if (!isScalar(data)) return { message: describeNotTaken(place), value: describeValue(data) };
  const names = (schema.enum ?? []).filter((value) => typeof value === 'string');
  const isNamed = isSuggested && typeof data === 'string' && names.length > 0;
  const didYouMean = isNamed ? findNearestName(data, names) : undefined;
  const nearest = isNamed
    ? findNearestValues(
        data,
        names.map((value) => ({ value, names: [value] })),
      ).nearest
    : undefined;
  const hint = didYouMean ? `; did you mean '${didYouMean}'?` : '';
  const reference = schema[REFERENCE_KEYWORD];
  const listed = listValues(schema);
  return {
    message: `${named} '${describeValue(data)}' is not one of ${listed ?? 'its values'}${hint}${listed ? '' : ` (all values: GET ${reference})`}`,
    value: describeValue(data),
    ...(didYouMean ? { didYouMean } : {}),
    ...(nearest?.length ? { nearest } : {}),
    ...(reference ? { reference } : {}),
  };
}

function unknownFieldProblem({ steps, schema, context, isSuggested }: Place, name: string): RequestProblem {
  const known = Object.keys(schema.properties ?? {});
  const placeOf = (field: string) => [...steps, field];
  const elsewhere = steps.length ? undefined : context.takenAt?.(name);
  const near = isSuggested ? findNearestName(name, known) : undefined;
  const meant = elsewhere?.split('.') ?? (near === undefined ? undefined : placeOf(near));
  const sent = placeOf(describeValue(name));
  const takes = known.length ? `it takes ${known.join(', ')}` : 'leave it out: none is taken';
  const hint = meant ? `did you mean '${describePlace(meant)}'?` : takes;
  return {
    param: sent.join('.'),
    code: 'unknown_parameter',
    message: `There is no field '${describePlace(sent)}' here; ${hint}`,
    ...(meant ? { didYouMean: meant.join('.') } : {}),
  };
}

function missingFieldProblem({ steps, schema, context }: Place, name: string): RequestProblem {
  const at = [...steps, name];
  const field = schema.properties?.[name] ?? {};
  const purpose = field.description?.replace(/\.$/, '');
  const example = makeExampleAt(at, field, context.example);
  const takes = `${purpose ? ` ${purpose}:` : ' It takes'} ${describeExpected(field)}${quoteExample(example)}`;
  return { param: at.join('.'), code: 'missing', message: `${describePlace(at)} is missing.${takes}` };
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;
const lengthOf = (data: unknown) => (typeof data === 'string' ? [...data].length : Array.isArray(data) ? data.length : 0);
const bound = (most: number) => `at most ${most} ${most === 1 ? 'is' : 'are'} allowed`;

/** The end of the sentence about a problem, by the violated keyword; for all other keywords see `describeNotTaken`. */
const BROKEN: Readonly<Record<string, (place: Place, params: ErrorObject['params']) => string>> = {
  maxLength: ({ data }, { limit }) => `has ${count(lengthOf(data), 'character')}; ${bound(limit)}`,
  minLength: ({ data, schema }) =>
    data === ''
      ? `is empty; send ${describeExpectedNonNull(schema)}`
      : `has ${count(lengthOf(data), 'character')}; send ${describeExpectedNonNull(schema)}`,
  maxItems: ({ data }, { limit }) => `has ${count(lengthOf(data), 'value')}; ${bound(limit)}`,
  minItems: ({ data }, { limit }) =>
    lengthOf(data) ? `has ${count(lengthOf(data), 'value')}; send at least ${limit}` : `has no value; send at least ${limit}`,
  minimum: ({ schema, data }) => `'${describeValue(data)}' is not ${describeExpectedNonNull(schema)}`,
  maximum: ({ schema, data }) => `'${describeValue(data)}' is not ${describeExpectedNonNull(schema)}`,
  uniqueItems: ({ data }, { i }) => `holds ${describeSent((data as unknown[])[i])} twice; send each value once`,
  format: ({ steps, schema, data, context }) =>
    `'${describeValue(data)}' is not ${describeExpectedNonNull(schema)}${quoteExample(makeExampleAt(steps, schema, context.example))}`,
  pattern: ({ schema, data }) => {
    const isName = schema.pattern === ONE_LINE;
    if (schema.pattern === '\\S' || (isName && String(data).trim() === '')) return `is blank; send ${describeExpectedNonNull(schema)}`;
    if (isName) return `'${describeValue(data)}' has a line break or a control character; send one line`;
    return `'${describeValue(data)}' is not of the form ${schema.pattern}${schema.description ? `: ${schema.description}` : ''}`;
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

function toProblem(error: ErrorObject, context: ProblemContext, isSuggested: boolean): RequestProblem {
  const { keyword, params, parentSchema, data } = error;
  const steps = stepsOf(error);
  const named = describePlace(steps) || (context.whole ?? 'The body');
  const place: Place = { steps, named, schema: worded(parentSchema), data, context, isSuggested };
  if (keyword === 'additionalProperties') return unknownFieldProblem(place, params.additionalProperty);
  if (keyword === 'required') return missingFieldProblem(place, params.missingProperty);
  const problem = { param: steps.join('.') || 'body', code: 'invalid_value' };
  if (keyword === 'enum') return { ...problem, ...unknownValueProblem(place) };
  const broken = BROKEN[keyword]?.(place, params);
  return { ...problem, message: broken === undefined ? describeNotTaken(place) : `${named} ${broken}` };
}

/** Every problem, once. @param errors of a schema that was compiled with `allErrors` and `verbose` */
export function schemaProblems(errors: readonly ErrorObject[], context: ProblemContext = {}): RequestProblem[] {
  return withoutCovered(errors).map((error, i) => toProblem(error, context, i < SUGGESTIONS_MAX));
}
