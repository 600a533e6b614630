/** Schemas of the OpenAPI document as Python types: objects become TypedDicts, long lists of tokens aliases of a Literal. */
import { valueName } from '../../src/web/pythonNames.ts';
import { KNOWN_AS, nameOf, pascal, type Schema } from './clientTypes.ts';

/** Names that stand for something else in Python: of the language, or of what is written by hand. */
const RENAMED: Readonly<Record<string, string>> = {
  Error: 'ErrorAnswer',
  LandUse: 'ProjectLandUse',
  Problem: 'StatedProblem',
  Quote: 'StatedQuote',
  Representation: 'RepresentationName',
  Warning: 'ServiceWarning',
};
/** Longer lists of tokens get a name. */
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

/** A comment for readers and editors; empty where there is nothing to say. */
export function docstring(text: string | undefined): string {
  if (!text) return '';
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return `"""${line}${line.endsWith('"') ? ' ' : ''}"""\n`;
}

export const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((one) => (one === true ? 'True' : one === false ? 'False' : JSON.stringify(one))).join(', ')}]`;

export const pythonName = (ref: string) => RENAMED[nameOf(ref)] ?? nameOf(ref);

/** A TypedDict. A field whose name is a word of the language cannot stand in a class: its type is in a base of it. */
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
  /** what stands behind the name: the fields of a TypedDict, or the type of an alias */
  text: string;
  kind: 'object' | 'alias';
  /** another TypedDict whose fields it has, too */
  base?: string | undefined;
}

/** Types that were met, each under a name: of its field, and where that is taken of its operation too. */
export class PythonTypes {
  readonly #definitions = new Map<string, Definition>();
  readonly #taken: Set<string>;
  /** id of the operation whose types are written */
  operation = '';

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** @param hint what its definition would be called, @param input what a caller sends: any sequence, and labels and aliases beside the tokens */
  typeOf(schema: Schema, hint: string, input = false): string {
    const { $ref, type, items } = schema;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if ($ref) return pythonName($ref);
    if (schema.const !== undefined) return schema.const === null ? 'None' : literal([schema.const]);
    if (schema.enum) return this.#tokens(schema.enum, hint, input);
    if (alternatives) return [...new Set(alternatives.map((one) => this.typeOf(one, hint, input)))].join(' | ');
    if (Array.isArray(type)) return type.map((one: string) => this.typeOf({ ...schema, type: one }, hint, input)).join(' | ');
    if (type === 'array') {
      const item = hint === 'warnings' ? pythonName('Warning') : this.typeOf(items ?? {}, singular(hint), input);
      return `${input ? 'Sequence' : 'list'}[${item}]`;
    }
    if (type === 'object') return this.#object(schema, hint, input);
    // Where a body says nothing of its filters, they are those of a search.
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

  /** A definition under a name that is fixed. */
  define(name: string, kind: Definition['kind'], text: string, base?: string): void {
    this.#taken.add(name);
    this.#definitions.set(`${kind} ${name}`, { name, text, kind, base });
  }

  names(): string[] {
    return [...this.#definitions.values()].map(({ name }) => name);
  }

  /** All that was defined, in the order of its meeting. */
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
    const known = RENAMED[wanted] ?? KNOWN_AS[wanted];
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
