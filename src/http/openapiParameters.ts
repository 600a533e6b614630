/**
 * Parameters in the OpenAPI document: those of the filter table as shared components; those of a route, its path and its headers in place.
 */
import { MAX_CREDITS_HEADER } from '../core/domain/credits.ts';
import { CONTROLS } from '../core/filter/controls.ts';
import type { AnyFilter } from '../core/filter/entry.ts';
import { FILTER_NAMES, FILTERS } from '../core/filter/table.ts';
import type { PathParameter, Route } from './declaration.ts';
import { SCHEMA_VERSION } from './versioning.ts';

type Json = Record<string, unknown>;
type Schema = Readonly<Record<string, unknown>>;
interface DeclaredParameter extends Pick<AnyFilter, 'summary' | 'example' | 'aliases' | 'deprecated'> {
  kind: { schema: Record<string, unknown> };
  required?: true;
}

const listAsCode = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

function aliasNote({ aliases = [], deprecated = [] }: DeclaredParameter): string {
  const current = aliases.filter((alias) => !deprecated.includes(alias));
  const taken = current.length ? ` Also accepted as ${listAsCode(current)}.` : '';
  return deprecated.length ? `${taken} On their way out: ${listAsCode(deprecated)}.` : taken;
}

/** The JSON value of a text in a query string, according to its schema. */
function exampleValue(text: string, { type, items }: Schema): unknown {
  if (type === 'object' || text.startsWith('[')) return JSON.parse(text);
  if (type === 'array') return text.split(',').map((one) => exampleValue(one, items as Schema));
  const takesNumbers = ['integer', 'number'].some((name) => type === name || (Array.isArray(type) && type.includes(name)));
  if (takesNumbers && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}

/** The example as JSON. Lists accept labels and aliases of tokens too, but the schema lists tokens, so the example uses them. */
function makeListExample({ kind: { schema }, example }: DeclaredParameter): unknown {
  const value = exampleValue(example, schema);
  const tokens = (schema.items as { enum?: readonly unknown[] } | undefined)?.enum;
  if (!tokens || !Array.isArray(value)) return value;
  const listed = value.filter((one) => tokens.includes(one));
  return listed.length ? listed : tokens.slice(0, 1);
}

const pascal = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
const withTitle = (schema: Schema, title: string): Schema =>
  Array.isArray(schema.enum) && schema.enum.length > 1 ? { title, ...schema } : schema;

/** The schema of an entry, with a name for a list of tokens. */
function namedSchema(name: string, { kind: { schema } }: DeclaredParameter): Schema {
  const items = schema.items as Schema | undefined;
  return items ? { ...schema, items: withTitle(items, pascal(name.replace(/s$/, ''))) } : withTitle(schema, pascal(name));
}

/** A filter or control as the field of a body. */
export const describeField = (name: string, entry: DeclaredParameter): Json => ({
  ...namedSchema(name, entry),
  description: `${entry.summary}.${aliasNote(entry)}`,
});

/** In a query numbers are texts too, and generators read one type at a time; `x-types` has what else our clients take. */
function withTextItems(entry: DeclaredParameter): DeclaredParameter {
  const { items, ...schema } = entry.kind.schema as { items?: Schema };
  if (!Array.isArray(items?.type)) return entry;
  return { ...entry, kind: { schema: { ...schema, items: { ...items, type: 'string', 'x-types': items.type } } } };
}

/**
 * A filter or control as a query parameter. A list may be repeated, comma-separated or a JSON array; an object, or a list of lists or
 * objects, is JSON in a text: generators leave out operations with a parameter of another content type.
 */
function queryParameter(name: string, declared: DeclaredParameter): Json {
  const entry = withTextItems(declared);
  const schema = { ...namedSchema(name, entry), examples: [makeListExample(entry)] };
  const { type, items } = entry.kind.schema;
  const isList = type === 'array' && !['array', 'object'].includes(String((items as Schema | undefined)?.type));
  const isJson = type === 'object' || (type === 'array' && !isList);
  // Without a format of its own the generator for Go takes a text with a media type for a file.
  const asText = {
    type: 'string',
    format: 'json-text',
    contentMediaType: 'application/json',
    contentSchema: schema,
    examples: [entry.example],
  };
  return {
    name,
    in: 'query',
    ...(entry.required ? { required: true } : {}),
    description: `${entry.summary}.${aliasNote(entry)}`,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema: isJson ? asText : schema,
    ...(entry.aliases?.length ? { 'x-aliases': entry.aliases } : {}),
    ...(entry.deprecated?.length ? { 'x-deprecated-aliases': entry.deprecated } : {}),
    'x-example': entry.example,
  };
}

const ID_PATTERN = '^[A-Za-z0-9_.:-]{1,255}$';

const headerParameter = (name: string, description: string, schema: Schema, required = false): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...schema },
});

const REPEATED = 'A repetition under the same key answers as the first and is charged once.';
const HEADER_PARAMETERS = {
  'X-Request-Id': headerParameter('X-Request-Id', 'Comes back as the request id.', { pattern: ID_PATTERN, examples: ['nightly-sync.17'] }),
  'X-Service-Schema-Version': headerParameter(
    'X-Service-Schema-Version',
    'The version of the contract that you were written for; another one than what is served is refused.',
    { enum: [SCHEMA_VERSION], examples: [SCHEMA_VERSION] },
  ),
  'Idempotency-Key': headerParameter('Idempotency-Key', REPEATED, { pattern: ID_PATTERN, examples: ['order-4711'] }),
  [MAX_CREDITS_HEADER]: headerParameter(
    MAX_CREDITS_HEADER,
    'What the request may cost at most; where it costs more it is refused with `details.creditsRequired`, and nothing is charged. 0 takes what is free.',
    { pattern: '^\\d{1,9}$', examples: ['25'] },
  ),
  'If-None-Match': headerParameter('If-None-Match', 'The `ETag` of the answer that you have: 304 where it is still the same.', {
    examples: ['W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
  }),
};

/** Parameters of routes that serve the bytes of a file. */
const DOWNLOAD_PARAMETERS = {
  Range: headerParameter('Range', 'The part of the file that is wanted, to go on where a download broke off.', {
    examples: ['bytes=0-1023'],
  }),
  'If-Range': headerParameter(
    'If-Range',
    'The `ETag` of the file that the part belongs to; the whole file comes where it is another one.',
    {
      examples: ['"5f1c0a9e"'],
    },
  ),
};

const reference = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** Parameters used by several routes, for `components`. */
export const makeSharedParameters = (): Json => ({
  ...Object.fromEntries(
    [...Object.entries(FILTERS), ...Object.entries(CONTROLS)].map(([name, entry]) => [name, queryParameter(name, entry)]),
  ),
  ...HEADER_PARAMETERS,
  ...DOWNLOAD_PARAMETERS,
});

export const downloadParameters = (): Json[] => [...Object.keys(DOWNLOAD_PARAMETERS), 'If-None-Match'].map(reference);

export function queryParameters({ query }: Pick<Route, 'query'>): Json[] {
  if ('own' in query) return Object.entries(query.own).map(([name, entry]) => queryParameter(name, entry));
  const { filters, controls } = query.table;
  const asDeclared = ([name, entry]: [string, DeclaredParameter]) =>
    (CONTROLS as Record<string, DeclaredParameter>)[name] === entry ? reference(name) : queryParameter(name, entry);
  return [
    ...(filters ? FILTER_NAMES.filter((name) => !Object.hasOwn(controls, name)) : []).map(reference),
    ...Object.entries(controls).map(asDeclared),
  ];
}

export const pathParameters = (params: Readonly<Record<string, PathParameter<unknown>>> = {}): Json[] =>
  Object.entries(params).map(([name, { schema, summary, example }]) => ({
    name,
    in: 'path',
    required: true,
    description: summary,
    schema: { ...schema, examples: [example] },
  }));

export function headerParameters({ idempotent, metered, lifetime }: Pick<Route, 'idempotent' | 'metered' | 'lifetime'>): Json[] {
  const names = [
    ...(idempotent === 'honoured' ? ['Idempotency-Key'] : []),
    ...(metered ? [MAX_CREDITS_HEADER] : []),
    ...(lifetime ? ['If-None-Match'] : []),
    'X-Request-Id',
    'X-Service-Schema-Version',
  ];
  const required = idempotent === 'required' ? [{ ...HEADER_PARAMETERS['Idempotency-Key'], required: true }] : [];
  return [...required, ...names.map(reference)];
}
