/** Arguments as agents send them: many fill each optional one with nothing, and write numbers and lists as text. Pure. */

interface Schema {
  readonly type?: string | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const NOTHING: ReadonlySet<string> = new Set(['', 'null', '[]', '{}']);

/** Whether a value counts as absent: nothing in any form. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return NOTHING.has(value.trim());
  if (Array.isArray(value)) return !value.length;
  return isObject(value) && !Object.keys(value).length;
}

/** The value that a text says in JSON; the text itself if it is none. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readList(value: unknown, items: Schema): unknown {
  const list =
    typeof value === 'string' ? (/^\s*\[/.test(value) ? parseText(value) : value.split(',').map((one) => one.trim())) : [value].flat();
  return Array.isArray(list) ? list.filter((one) => !isNothing(one)).map((one) => readValue(one, items)) : list;
}

function readObject(value: unknown, properties: Readonly<Record<string, Schema>>): unknown {
  const parsed = typeof value === 'string' ? parseText(value) : value;
  if (!isObject(parsed)) return parsed;
  const stated = Object.entries(parsed).filter(([, one]) => !isNothing(one));
  return Object.fromEntries(stated.map(([name, one]) => [name, readValue(one, properties[name] ?? {})]));
}

/** A value in the type of its schema, where it says one; any other stays as it is, to be refused by its schema. */
function readValue(value: unknown, { type, items = {}, properties = {} }: Schema): unknown {
  if (type === 'array') return readList(value, items);
  if (type === 'object') return readObject(value, properties);
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof value !== 'string' || type === undefined) return value;
  const parsed = parseText(value.trim());
  return typeof parsed === (type === 'boolean' ? 'boolean' : 'number') ? parsed : value;
}

/** Arguments without what says nothing, each in the type that its schema has. */
export const readArguments = (schema: Schema, given: Readonly<Record<string, unknown>>) =>
  readObject(given, schema.properties ?? {}) as Readonly<Record<string, unknown>>;
