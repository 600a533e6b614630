/** Compares two OpenAPI documents: which changes break a client, and which only add. Pure. */

type Json = Record<string, unknown>;

export interface Changes {
  breaking: string[];
  additive: string[];
}

/** Whether a client sends or receives what a schema describes: narrowing breaks what is sent, widening breaks what is received. */
type Direction = 'sent' | 'received';

interface Walk {
  changes: Changes;
  before: Json;
  after: Json;
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

const namesOf = (value: unknown): string[] => listOf(value).map(String);

function resolveRef(document: Json, value: unknown): Json {
  const { $ref: ref, ...own } = objectOf(value);
  if (typeof ref !== 'string') return own;
  const parts = ref.slice(2).split('/');
  return { ...parts.reduce<Json>((at, part) => objectOf(at[part]), document), ...own };
}

const missing = <T>(from: readonly T[], to: readonly T[]): T[] => from.filter((one) => !to.includes(one));

function compareKeys({ changes }: Walk, place: string, before: Json, after: Json, what: string): string[] {
  for (const name of missing(Object.keys(before), Object.keys(after))) changes.breaking.push(`${place}: ${what} ${name} is gone`);
  for (const name of missing(Object.keys(after), Object.keys(before))) changes.additive.push(`${place}: ${what} ${name} is new`);
  return Object.keys(before).filter((name) => name in after);
}

const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

/** A bound may only be loosened for what is sent, and only tightened for what is received. */
function compareBounds({ changes }: Walk, place: string, before: Json, after: Json, direction: Direction): void {
  const sign = direction === 'sent' ? 1 : -1;
  const note = (name: string, tightened: boolean) =>
    (tightened ? changes.breaking : changes.additive).push(`${place}: ${name} ${before[name] ?? 'none'} is ${after[name] ?? 'none'}`);
  for (const [names, side] of [
    [LOWER_BOUNDS, 1],
    [UPPER_BOUNDS, -1],
  ] as const)
    for (const name of names) {
      if (before[name] === after[name]) continue;
      const none = -side * Number.POSITIVE_INFINITY;
      const grows = Number(after[name] ?? none) > Number(before[name] ?? none);
      note(name, (grows ? 1 : -1) * side * sign > 0);
    }
  for (const name of ['pattern', 'format', 'const'])
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      note(name, direction === 'received' ? after[name] === undefined : after[name] !== undefined);
}

const typesOf = (type: unknown) => listOf(type).flatMap((one) => (one === 'number' ? ['number', 'integer'] : one));

function compareTypes({ changes }: Walk, place: string, before: Json, after: Json, direction: Direction): void {
  for (const name of ['type', 'enum'] as const) {
    const [old, now] =
      name === 'type'
        ? [typesOf(before['x-types'] ?? before.type), typesOf(after['x-types'] ?? after.type)]
        : [listOf(before.enum), listOf(after.enum)];
    if (!old.length && now.length && direction === 'sent')
      changes.breaking.push(`${place}: only ${name === 'enum' ? 'listed values' : now.join(', ')} may be sent now`);
    // A schema without a list or a type accepts every value.
    if (old.length && !now.length)
      changes[direction === 'sent' ? 'additive' : 'breaking'].push(`${place}: any ${name === 'enum' ? 'value' : 'type'} is possible now`);
    if (!old.length || !now.length) continue;
    for (const one of missing(old, now))
      changes[direction === 'sent' || name === 'enum' ? 'breaking' : 'additive'].push(`${place}: ${name} ${one} is gone`);
    for (const one of missing(now, old))
      changes[direction === 'received' && name === 'type' ? 'breaking' : 'additive'].push(`${place}: ${name} ${one} is new`);
  }
}

function compareRequired({ changes }: Walk, place: string, before: Json, after: Json, direction: Direction): void {
  const [old, now] = [namesOf(before.required), namesOf(after.required)];
  for (const name of missing(now, old)) changes[direction === 'sent' ? 'breaking' : 'additive'].push(`${place}: ${name} is required now`);
  for (const name of missing(old, now))
    if (name in objectOf(after.properties))
      changes[direction === 'received' ? 'breaking' : 'additive'].push(`${place}: ${name} is optional now`);
}

const isNamedOrNull = (schema: unknown) => '$ref' in objectOf(schema) || objectOf(schema).type === 'null';
const indexByReference = (schemas: readonly unknown[]): Json =>
  Object.fromEntries(schemas.map((one) => [objectOf(one).$ref ?? 'null', one]));

/**
 * Merges alternatives into one schema: a reference to a list of tokens or null is then equal to an enum of these tokens and null. Of alternatives
 * with fields, or of several lists, only the types are merged.
 */
function mergeAlternatives(document: Json, schema: Json): Json {
  if (schema.const === null) return { ...schema, type: 'null' };
  if (schema.not) return { ...schema, const: !objectOf(schema.not).const };
  const alternatives = listOf(schema.anyOf).map((one) => mergeAlternatives(document, resolveRef(document, one)));
  if (!alternatives.length || alternatives.some(({ type }) => type === undefined)) return schema;
  const type = schema.type ?? [...new Set(alternatives.flatMap((one) => listOf(one.type)))];
  const lists = alternatives.filter(({ items }) => items);
  if (lists.length > 1 || alternatives.some((one) => one.properties || one.anyOf)) return { ...schema, type };
  const { anyOf: _, ...others } = schema;
  const rest = { ...lists[0], ...others };
  const valuesOf = (one: Json) => (one.type === 'null' ? [null] : one.enum);
  const values = alternatives.map(valuesOf);
  return { ...rest, type, ...(values.every(Array.isArray) ? { enum: values.flat() } : {}) };
}

function compareSchemas(walk: Walk, place: string, old: unknown, now: unknown, direction: Direction): void {
  // Named schemas are compared once, under their names.
  if (objectOf(old).$ref && objectOf(old).$ref === objectOf(now).$ref) return;
  const [before, after] = [
    mergeAlternatives(walk.before, resolveRef(walk.before, old)),
    mergeAlternatives(walk.after, resolveRef(walk.after, now)),
  ];
  compareTypes(walk, place, before, after, direction);
  compareBounds(walk, place, before, after, direction);
  compareRequired(walk, place, before, after, direction);
  const [oldFields, newFields] = [objectOf(before.properties), objectOf(after.properties)];
  for (const name of compareKeys(walk, place, oldFields, newFields, 'field'))
    compareSchemas(walk, `${place}.${name}`, oldFields[name], newFields[name], direction);
  if (before.items && after.items) compareSchemas(walk, `${place}[]`, before.items, after.items, direction);
  for (const name of ['anyOf', 'oneOf', 'allOf']) {
    const [olds, news] = [listOf(before[name]), listOf(after[name])];
    if (olds.length && [...olds, ...news].every(isNamedOrNull)) {
      compareKeys(walk, place, indexByReference(olds), indexByReference(news), 'alternative');
      continue;
    }
    if (olds.length !== news.length) {
      // An answer may be described in more detail.
      const isDetail = direction === 'received' && !olds.length && before.type !== undefined;
      const words = `${place}: ${name} has ${news.length} alternatives instead of ${olds.length}`;
      walk.changes[isDetail ? 'additive' : 'breaking'].push(words);
    }
    for (const [i, one] of olds.slice(0, news.length).entries()) compareSchemas(walk, `${place}<${i}>`, one, news[i], direction);
  }
}

/** The schema of a body or parameter; of JSON in a text that of its value. */
const contentSchema = ({ schema, content }: Json) =>
  objectOf(schema).contentSchema ?? schema ?? objectOf(Object.values(objectOf(content))[0]).schema;

function compareParameters(walk: Walk, place: string, before: unknown, after: unknown): void {
  const parametersOf = (document: Json, list: unknown) =>
    Object.fromEntries(
      listOf(list)
        .map((one) => resolveRef(document, one))
        .map((one) => [`${one.in} ${one.name}`, one]),
    );
  const [old, now] = [parametersOf(walk.before, before), parametersOf(walk.after, after)];
  for (const [name, { required }] of Object.entries(now))
    if (required && !old[name]?.required) walk.changes.breaking.push(`${place}: parameter ${name} is required now`);
  for (const name of compareKeys(walk, place, old, now, 'parameter')) {
    const [one, other] = [objectOf(old[name]), objectOf(now[name])];
    for (const alias of missing(listOf(one['x-aliases']), listOf(other['x-aliases'])))
      walk.changes.breaking.push(`${place}: alias ${alias} of ${name} is gone`);
    compareSchemas(walk, `${place}: ${name}`, contentSchema(one), contentSchema(other), 'sent');
  }
}

function compareResponses(walk: Walk, place: string, before: Json, after: Json): void {
  for (const status of compareKeys(walk, place, before, after, 'status')) {
    const [old, now] = [objectOf(before[status]), objectOf(after[status])];
    compareKeys(walk, `${place} ${status}`, objectOf(old.headers), objectOf(now.headers), 'header');
    const [oldContent, newContent] = [objectOf(old.content), objectOf(now.content)];
    for (const type of compareKeys(walk, `${place} ${status}`, oldContent, newContent, 'content type'))
      compareSchemas(walk, `${place} ${status}`, objectOf(oldContent[type]).schema, objectOf(newContent[type]).schema, 'received');
  }
}

function compareOperation(walk: Walk, place: string, before: Json, after: Json): void {
  if (before.operationId !== after.operationId)
    walk.changes.breaking.push(`${place}: operationId ${before.operationId} is ${after.operationId}`);
  if (JSON.stringify(before.security) !== JSON.stringify(after.security))
    walk.changes.breaking.push(`${place}: its security is another one`);
  compareParameters(walk, place, before.parameters, after.parameters);
  const [body, newBody] = [objectOf(before.requestBody), objectOf(after.requestBody)];
  if (newBody.required && !body.required) walk.changes.breaking.push(`${place}: a body is required now`);
  compareSchemas(walk, `${place} body`, contentSchema(body), contentSchema(newBody), 'sent');
  compareResponses(walk, place, objectOf(before.responses), objectOf(after.responses));
}

/** Compares two documents, whose references are to their own components only. */
export function compareDocuments(before: Json, after: Json): Changes {
  const walk: Walk = { changes: { breaking: [], additive: [] }, before, after };
  const [oldPaths, newPaths] = [objectOf(before.paths), objectOf(after.paths)];
  for (const path of compareKeys(walk, 'paths', oldPaths, newPaths, 'path')) {
    const [old, now] = [objectOf(oldPaths[path]), objectOf(newPaths[path])];
    for (const method of compareKeys(walk, path, old, now, 'method'))
      compareOperation(walk, `${method.toUpperCase()} ${path}`, objectOf(old[method]), objectOf(now[method]));
  }
  const schemas = (document: Json) => objectOf(objectOf(document.components).schemas);
  for (const name of compareKeys(walk, 'schemas', schemas(before), schemas(after), 'schema'))
    compareSchemas(walk, name, schemas(before)[name], schemas(after)[name], 'received');
  return { breaking: [...new Set(walk.changes.breaking)], additive: [...new Set(walk.changes.additive)] };
}
