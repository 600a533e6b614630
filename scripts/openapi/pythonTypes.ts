/** Turns schemas of the OpenAPI document into Python types: objects become TypedDicts, long lists of tokens aliases of a Literal. */
import { valueName } from '../../src/web/pythonNames.ts';
import { isWarnings, nameOf, PREFERRED_NAMES, pascal, type Schema } from './clientTypes.ts';

/** Replacements for names that Python itself or the handwritten modules use. */
const RENAMED: Readonly<Record<string, string>> = {
  Error: 'ErrorAnswer',
  LandUse: 'ProjectLandUse',
  Representation: 'RepresentationName',
  Warning: 'ServiceWarning',
};
/** Characters from which a list of tokens gets a name. */
const NAMED_FROM_LENGTH = 60;
const SIMPLE: Readonly<Record<string, string>> = { integer: 'int', number: 'float', boolean: 'bool', string: 'str', null: 'None' };

const singular = (text: string) =>
  /us$/.test(text)
    ? text
    : text
        .replace(/ies$/, 'y')
        .replace(/sses$/, 'ss')
        .replace(/([^s])s$/, '$1');

export const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '    ');

/** A docstring; empty without a text. */
export function docstring(text: string | undefined): string {
  if (!text) return '';
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return `"""${line}${line.endsWith('"') ? ' ' : ''}"""\n`;
}

export const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((one) => (one === true ? 'True' : one === false ? 'False' : JSON.stringify(one))).join(', ')}]`;

export const pythonName = (ref: string) => RENAMED[nameOf(ref)] ?? nameOf(ref);

/** A TypedDict. Fields whose names are keywords of Python are not allowed in a class, so they are in a base class made by a call. */
function classText(name: string, text: string, base: string): string {
  const isWord = (field: string | undefined) => field !== undefined && valueName(field) !== field;
  const fields = text.split(/\n(?=\w+: )/).map((field) => field.replace(/\n$/, ''));
  const words = fields.filter((field) => isWord(/^(\w+): /.exec(field)?.[1]));
  if (!words.length) return `class ${name}(${base}):\n${indent(text || 'pass\n')}`;
  const bases = base === 'TypedDict' ? `_${name}Words` : `${base}, _${name}Words`;
  const types = words.map((field) => {
    const [, word, type] = /^(\w+): (.*)/.exec(field) ?? [];
    return `"${word}": ${JSON.stringify(type)}`;
  });
  const others = fields.filter((field) => !words.includes(field)).map((field) => `${field}\n`);
  return `_${name}Words = TypedDict("_${name}Words", {${types.join(', ')}})\n\n\nclass ${name}(${bases}):\n${indent(others.join('') || 'pass\n')}`;
}

interface Definition {
  name: string;
  /** the fields of a TypedDict, or the type of an alias */
  text: string;
  kind: 'object' | 'alias';
  /** the TypedDict from which it inherits */
  base?: string | undefined;
}

/** Collects types, each with the name of its field, preceded by that of its operation if it is taken. */
export class PythonTypes {
  readonly #definitions = new Map<string, Definition>();
  readonly #taken: Set<string>;
  /** id of the operation whose types are written */
  operation = '';

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** @param hint name for its definition @param input whether it is sent: then any sequence is accepted, and texts other than tokens */
  typeOf(schema: Schema, hint: string, input = false): string {
    const { 'x-types': types, ...own } = schema;
    const { $ref, items } = own;
    const type = types ?? own.type;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if ($ref) return pythonName($ref);
    if (schema.const !== undefined) return schema.const === null ? 'None' : literal([schema.const]);
    if (schema.enum) return this.#tokens(schema.enum, hint, input);
    if (alternatives) return [...new Set(alternatives.map((one) => this.typeOf(one, hint, input)))].join(' | ');
    if (Array.isArray(type)) return type.map((one: string) => this.typeOf({ ...own, type: one }, hint, input)).join(' | ');
    if (type === 'array') {
      const item = isWarnings(schema, hint) ? pythonName('Warning') : this.typeOf(items ?? {}, singular(hint), input);
      return `${input ? 'Sequence' : 'list'}[${item}]`;
    }
    if (type === 'object') return this.#object(schema, hint, input);
    // Filters of a body without a type of their own are those of a search.
    if (input && hint === 'filters' && type === undefined) return 'Filters';
    return (typeof type === 'string' && SIMPLE[type]) || 'Any';
  }

  /** Fields of a TypedDict, each with its comment. */
  fields({ properties = {}, required = [] }: Schema, input: boolean): string {
    const field = ([name, schema]: [string, Schema]) => {
      const type = this.typeOf(schema, name, input);
      return `${input ? valueName(name) : name}: ${required.includes(name) ? type : `NotRequired[${type}]`}\n${docstring(schema.description)}`;
    };
    return Object.entries(properties).map(field).join('');
  }

  define(name: string, kind: Definition['kind'], text: string, base?: string): void {
    this.#taken.add(name);
    this.#definitions.set(`${kind} ${name}`, { name, text, kind, base });
  }

  names(): string[] {
    return [...this.#definitions.values()].map(({ name }) => name);
  }

  /** All definitions, in the order in which they were added. */
  text(): string {
    return [...this.#definitions.values()]
      .map(({ name, text, kind, base = 'TypedDict' }) =>
        kind === 'alias'
          ? `${name}: TypeAlias = ${text.startsWith('Literal[') ? text : JSON.stringify(text)}`
          : classText(name, text, base),
      )
      .join('\n\n');
  }

  #tokens(values: readonly unknown[], hint: string, input: boolean): string {
    const known = values.filter((one) => one !== null);
    const text = literal(known);
    const shown = text.length < NAMED_FROM_LENGTH ? text : this.#named(text, singular(hint), 'alias');
    const nullable = known.length < values.length ? ' | None' : '';
    return input && typeof known[0] === 'string' ? `${shown} | str${nullable}` : `${shown}${nullable}`;
  }

  #object(schema: Schema, hint: string, input: boolean): string {
    if (!Object.keys(schema.properties ?? {}).length) return input ? 'Mapping[str, Any]' : 'dict[str, Any]';
    return this.#named(this.fields(schema, input), hint, 'object');
  }

  #named(text: string, hint: string, kind: Definition['kind']): string {
    const key = `${kind}: ${text}`;
    const name = this.#definitions.get(key)?.name ?? this.#free(hint.split('_').map(pascal).join(''));
    this.#definitions.set(key, { name, text, kind });
    return name;
  }

  #free(wanted: string): string {
    const known = RENAMED[wanted] ?? PREFERRED_NAMES[wanted];
    if (known && !this.#taken.has(known)) return this.#free(known);
    const prefix = pascal(this.operation);
    const isTaken = this.#taken.has(wanted) || wanted in RENAMED;
    const base = isTaken && !wanted.startsWith(prefix) ? `${prefix}${wanted}` : wanted;
    let name = base;
    for (let number = 2; this.#taken.has(name); number++) name = `${base}${number}`;
    this.#taken.add(name);
    return name;
  }
}
