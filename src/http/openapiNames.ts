/** Moves named parts of the OpenAPI document to its components, with references in their place, and splits schemas of several types. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { COMPONENT_KEYWORD } from './filterFields.ts';

type Json = Record<string, unknown>;

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum', 'required', 'x-codeSamples', 'x-aliases', 'x-types']);

/** A component, since the generator for Go forgets the types of alternatives that stand in a list. */
export const TEXT_OR_NUMBER = { anyOf: [{ type: 'string' }, { type: 'integer' }] };

/** The pattern of an object with any names, of which generators know only the other notation. */
const ANY_NAME = '^.*$';
const isObjectOf = (patterns: unknown): patterns is Json => typeof patterns === 'object' && patterns !== null && ANY_NAME in patterns;

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const isTokens = ({ title, enum: tokens }: Json): boolean => typeof title === 'string' && Array.isArray(tokens);
const isRefusal = ({ title, allOf }: Json): boolean => typeof title === 'string' && Array.isArray(allOf);

class Names {
  readonly schemas = new Map<string, Json>();

  /** The value with references in place of titled lists of tokens, of refusals and of fields that name a component. */
  replaceNamed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.replaceNamed(one));
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Json;
    const { [COMPONENT_KEYWORD]: component, description } = schema;
    if (typeof component === 'string') return { description, ...reference(component) };
    if (isTokens(schema)) return this.#nameTokenList(schema);
    if (isRefusal(schema)) return this.#name(schema);
    if (Array.isArray(schema.type) && schema.type.filter((one) => one !== 'null').length > 1) return this.replaceNamed(splitTypes(schema));
    // The generator for Java makes a class of the one value that does not compile.
    const { const: only, patternProperties, ...others } = schema;
    if (schema.type === 'boolean' && only !== undefined) return this.replaceNamed({ ...others, not: { const: !only } });
    const own = isObjectOf(patternProperties) ? { ...others, additionalProperties: patternProperties[ANY_NAME] } : schema;
    return Object.fromEntries(Object.entries(own).map(([key, one]) => [key, DATA.has(key) ? one : this.replaceNamed(one)]));
  }

  #nameTokenList({ title, enum: tokens, type: _, ...others }: Json): Json {
    const values = tokens as unknown[];
    const named = this.#name({ title, type: 'string', enum: values.filter((one) => one !== null) });
    return values.includes(null) ? { ...others, anyOf: [named, { type: 'null' }] } : { ...others, ...named };
  }

  /** @throws Error when two schemas have the same name */
  #name({ title, ...schema }: Json): Json {
    const name = title as string;
    const known = this.schemas.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two schemas are called ${name}`);
    this.schemas.set(name, schema);
    return reference(name);
  }
}

/** A schema of several types as alternatives of one type each, which is what generators read. */
function splitTypes({ type, items, ...others }: Json): Json {
  const types = type as string[];
  const isEither = types.includes('string') && types.includes('integer');
  const rest = isEither ? types.filter((one) => one !== 'string' && one !== 'integer') : types;
  const alternatives = [
    ...(isEither ? [reference('TextOrNumber')] : []),
    ...rest.map((one) => (one === 'array' ? { type: one, items } : { type: one })),
  ];
  return { ...others, ...(alternatives.length > 1 ? { anyOf: alternatives } : alternatives[0]) };
}

/**
 * The document with every named list of tokens and every kind of refusal as a component.
 * @throws Error when two parts have the same name
 */
export function nameTokens(document: Json): Json {
  const names = new Names();
  const named = names.replaceNamed(document) as { components: { schemas: Json } };
  const { components } = named;
  const twice = [...names.schemas.keys()].find((name) => Object.hasOwn(components.schemas, name));
  if (twice) throw new Error(`${twice} is the name of a component and of something else`);
  const sorted = [...names.schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...named, components: { ...components, schemas: { ...components.schemas, ...Object.fromEntries(sorted) } } };
}
