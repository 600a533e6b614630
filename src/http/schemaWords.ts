/** Describes what a JSON Schema accepts, in the words of the filter table's refusals. Pure. */
import { describeValue } from '../core/filter/raw.ts';

/** Schema keyword of a list of tokens: the path of the route that lists them. */
export const REFERENCE_KEYWORD = 'x-reference';

/** The part of JSON Schema that bodies use. */
export interface WordedSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: WordedSchema;
  required?: readonly string[];
  properties?: Readonly<Record<string, WordedSchema>>;
  anyOf?: readonly WordedSchema[];
  oneOf?: readonly WordedSchema[];
  [REFERENCE_KEYWORD]?: string;
}

/** A sentence lists at most this many values if a route lists them all. */
const LISTED_MAX = 12;
const EXAMPLE_LENGTH_MAX = 120;
const MOMENT = '2026-11-20T08:00:00Z';
/** Examples of texts by their format. */
const EXAMPLES: Readonly<Record<string, string>> = { 'date-time': MOMENT, date: MOMENT.slice(0, 10) };

/** A place in a body as a sentence names it: `['metrics', '0', 'field']` is `metrics[0].field`. */
export const describePlace = (steps: readonly string[]): string =>
  steps.map((step, i) => (/^\d+$/.test(step) ? `[${step}]` : i ? `.${step}` : step)).join('');

const alternatives = (words: readonly string[]) => [...new Set(words)].join(' or ');

function describeBounds(least: number | undefined, most: number | undefined, unit = ''): string {
  const atMost = most !== undefined && most < Number.MAX_SAFE_INTEGER;
  if (least === most && least !== undefined) return ` of ${least}${unit}`;
  if (least && atMost) return ` of ${least} to ${most}${unit}`;
  if (atMost) return ` of at most ${most}${unit}`;
  return least ? ` of at least ${least}${unit}` : '';
}

function describeRange({ minimum, maximum = Number.POSITIVE_INFINITY }: WordedSchema): string {
  const upTo = maximum < Number.MAX_SAFE_INTEGER;
  if (minimum === undefined) return upTo ? ` of at most ${maximum}` : '';
  return ` from ${minimum}${upTo ? ` to ${maximum}` : ''}`;
}

const MANY: Readonly<Record<string, string>> = {
  string: 'texts',
  integer: 'whole numbers',
  number: 'numbers',
  boolean: 'values true or false',
  object: 'objects',
  array: 'lists',
};

const listTypes = ({ type }: WordedSchema): readonly string[] => [type ?? []].flat();

function listInWords({ items = {}, minItems, maxItems }: WordedSchema): string {
  const named = items.enum ? 'values' : alternatives(listTypes(items).map((type) => MANY[type] ?? 'values')) || 'values';
  const bounds = describeBounds(minItems, maxItems);
  return bounds ? `a list${bounds} ${named}` : `a list of ${named}`;
}

function describeText({ format, minLength, maxLength }: WordedSchema): string {
  if (format === 'date-time') return 'a time with its zone';
  if (format === 'date') return 'a day (YYYY-MM-DD)';
  return `a text${describeBounds(minLength, maxLength, ' characters')}`;
}

function describeType(type: string, schema: WordedSchema): string {
  if (type === 'string') return describeText(schema);
  if (type === 'integer') return `a whole number${describeRange(schema)}`;
  if (type === 'number') return `a number${describeRange(schema)}`;
  if (type === 'boolean') return 'true or false';
  if (type === 'array') return listInWords(schema);
  return type === 'object' ? 'an object' : type;
}

/** The values of a schema; undefined if they are too many for a sentence and a route lists them. */
export function listValues({ enum: values = [], [REFERENCE_KEYWORD]: reference }: WordedSchema): string | undefined {
  return values.length > LISTED_MAX && reference ? undefined : values.map(String).join(', ');
}

/** What a schema accepts, such as `a whole number from 1 to 100`. */
export function describeExpected(schema: WordedSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${listValues(schema) ?? 'its values'}`;
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return alternatives(branches.map(describeExpected));
  return alternatives(listTypes(schema).map((type) => describeType(type, schema))) || 'another value';
}

/** The same without null, for a value that is wrong and not null. */
export const describeExpectedNonNull = (schema: WordedSchema): string =>
  describeExpected({ ...schema, type: listTypes(schema).filter((type) => type !== 'null') });

/** A sent value as a sentence shows it: a text in quotes, anything large by its type only. */
export const describeSent = (value: unknown): string => (typeof value === 'string' ? `'${describeValue(value)}'` : describeValue(value));

function makeExampleObject({ properties = {}, required = [] }: WordedSchema): Record<string, unknown> {
  const names = required.length ? required : Object.keys(properties).slice(0, 1);
  const values = names.map((name) => [name, makeExample(properties[name] ?? {})] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A value that a schema accepts; undefined if no value would be helpful. */
function makeExample(schema: WordedSchema): unknown {
  const values = [schema.examples?.[0], schema.default, schema.const, ...(schema.enum ?? [])].filter(
    (value) => value !== undefined && value !== null,
  );
  if (values.length) return values[0];
  const branch = (schema.anyOf ?? schema.oneOf)?.[0];
  if (branch) return makeExample(branch);
  const [type] = listTypes(schema);
  if (type === 'string') return EXAMPLES[schema.format ?? ''];
  if (type === 'integer' || type === 'number') return schema.minimum ?? schema.maximum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'object') return makeExampleObject(schema);
  if (type !== 'array') return undefined;
  const item = makeExample(schema.items ?? {});
  return item === undefined ? undefined : [item];
}

/** The value at a place of an example; in a list, whatever the index, the first one. */
function readValueAt(example: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[0];
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined;
  }, example);
}

/** An example for a place in a body, from the example of the whole body or from the schema; undefined if the description already says it. */
export function makeExampleAt(steps: readonly string[], schema: WordedSchema, example: unknown): string | undefined {
  if (schema.enum || 'const' in schema || [schema.type].flat().includes('boolean')) return undefined;
  const found = [readValueAt(example, steps), makeExample(schema)].filter((value) => value !== undefined);
  return found.map((value) => JSON.stringify(value)).find((text) => text.length <= EXAMPLE_LENGTH_MAX);
}
