/** Parameters of the OpenAPI document: those of the filter table once, by name; those of a route, of its path and of its headers where they are taken. */
import { CONTROLS } from '../filter/controls.ts';
import type { AnyFilter } from '../filter/entry.ts';
import { FILTER_NAMES, FILTERS } from '../filter/table.ts';
import type { Route } from './declaration.ts';

type Json = Record<string, unknown>;
interface Documented extends Pick<AnyFilter, 'summary' | 'example' | 'aliases' | 'deprecated'> {
  kind: { schema: Record<string, unknown> };
}

const aliasNote = ({ aliases = [] }: Documented) =>
  aliases.length ? ` Also accepted as ${aliases.map((alias) => `\`${alias}\``).join(', ')}.` : '';

/** A list may be repeated, separated by commas or a JSON array; an object, or a list of lists, is JSON. */
function queryParameter(name: string, entry: Documented): Json {
  const { schema } = entry.kind;
  const isList = schema.type === 'array' && (schema.items as Json | undefined)?.type !== 'array';
  const shape =
    schema.type === 'object' || (schema.type === 'array' && !isList) ? { content: { 'application/json': { schema } } } : { schema };
  return {
    name,
    in: 'query',
    description: `${entry.summary}.${aliasNote(entry)}`,
    ...(isList ? { style: 'form', explode: false } : {}),
    ...shape,
    ...(entry.aliases?.length ? { 'x-aliases': entry.aliases } : {}),
    ...(entry.deprecated?.length ? { 'x-deprecated-aliases': entry.deprecated } : {}),
    'x-example': entry.example,
  };
}

/** Every parameter of the filter table, for `components`. */
export const tableParameters = (): Json =>
  Object.fromEntries([...Object.entries(FILTERS), ...Object.entries(CONTROLS)].map(([name, entry]) => [name, queryParameter(name, entry)]));

export function queryParameters({ query }: Route): Json[] {
  if ('own' in query) return Object.entries(query.own).map(([name, entry]) => queryParameter(name, entry));
  const { filters, controls, ignored = [] } = query.table;
  const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  const asDeclared = ([name, entry]: [string, Documented]) =>
    (CONTROLS as Record<string, Documented>)[name] === entry ? reference(name) : queryParameter(name, entry);
  return [...(filters ? FILTER_NAMES : []).map(reference), ...Object.entries(controls).map(asDeclared), ...ignored.map(reference)];
}

export const pathParameters = ({ params }: Route): Json[] =>
  Object.entries(params).map(([name, { schema, summary, example }]) => ({
    name,
    in: 'path',
    required: true,
    description: summary,
    schema,
    example,
  }));

const ID_PATTERN = '^[A-Za-z0-9_.:-]{1,255}$';

export function headerParameters({ idempotent, access }: Route): Json[] {
  const header = (name: string, description: string, required = false) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', pattern: ID_PATTERN },
  });
  return [
    ...(idempotent
      ? [header('Idempotency-Key', 'A repetition under the same key answers as the first and is charged once', idempotent === 'required')]
      : []),
    ...(access === 'open' ? [] : [header('X-Request-Id', 'Comes back as the request id')]),
  ];
}
