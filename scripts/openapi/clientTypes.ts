/**
 * Generates the types of the TypeScript client from the OpenAPI document: the records, the filters, the input and answer of each operation. Usual
 * generators write out every refusal and header of every operation, ten times the lines that the client needs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasClient } from '../../src/web/openapiView.ts';

export interface Schema {
  /** of JSON in a text: the schema of its value */
  contentSchema?: Schema;
  $ref?: string;
  type?: string | readonly string[];
  /** of a text in a query: what else clients take and send as text */
  'x-types'?: readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  description?: string;
  /** of the code of an error: what its details hold, by code */
  'x-details'?: Readonly<Record<string, Schema>>;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  parameters: readonly Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Readonly<Record<string, { content?: Record<string, { schema: Schema }> }>>;
}

export type DescribedOperation = Operation;

export interface Described {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { parameters: Readonly<Record<string, Parameter>>; schemas: Readonly<Record<string, Schema>> };
  'x-warnings': Readonly<Record<string, unknown>>;
}

const root = path.resolve(import.meta.dirname, '../..');
const FILE = path.join(root, 'src/clients/client/generated.ts');
const HEAD = `/**
 * Made from the OpenAPI document by "npm run openapi"; changes by hand are lost.
 * What the service answers, what its filters take, and its operations by their ids.
 */
`;
/** Characters from which an object type gets a name; shorter ones are written in place. */
const NAMED_FROM_LENGTH = 120;
/** Names of types that users expect, by the names that follow from the first operation with that answer. */
export const PREFERRED_NAMES: Readonly<Record<string, string>> = {
  SearchProjectsMeta: 'PageMeta',
  SearchProjectsData3: 'ExportJob',
  CreateEnrichmentData: 'EnrichmentJob',
  CreateSnapshotData2: 'Snapshot',
  GetSnapshotManifestAnswer: 'SnapshotManifest',
  CountProjectsData: 'Price',
  GetProjectChangesData: 'Change',
  ListListsData: 'List',
  ListAlertsData: 'Alert',
  RunAlertData: 'AlertDelivery',
  ListKeysData: 'Key',
  GetCreditsData: 'Credits',
  ListReceiptsData: 'Receipt',
  Record: 'RelatedRecord',
};

export const nameOf = (ref: string) => ref.split('/').at(-1) ?? '';
export const pascal = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
export const singular = (text: string) => text.replace(/ies$/, 'y').replace(/s$/, '');
const comment = (text: string | undefined) => (text ? `/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n` : '');
const property = (name: string) => (/^\w+$/.test(name) ? name : JSON.stringify(name));
const tokens = (values: readonly unknown[]) => values.map((one) => JSON.stringify(one)).join(' | ');
export const schemaOf = ({ schema }: Parameter): Schema => schema.contentSchema ?? schema;

/** Whether a list is the warnings of an answer; those of a question's interpretation are texts. */
export const isWarnings = ({ items }: Schema, hint: string): boolean => hint === 'warnings' && items?.type !== 'string';

/** Turns schemas into types. A longer object type becomes an interface with the name of its field, preceded by that of its operation if it is taken. */
class Types {
  /** text of each interface, with its name */
  readonly named = new Map<string, string>();
  readonly #taken: Set<string>;
  /** names of lists of tokens */
  readonly #tokens: ReadonlySet<string>;
  operation = '';

  constructor(taken: Iterable<string>, tokens: Iterable<string>) {
    this.#taken = new Set(taken);
    this.#tokens = new Set(tokens);
  }

  /** @param hint name for its interface @param input whether it is sent: then lists of tokens also take other texts, such as labels and aliases */
  typeOf(schema: Schema, hint: string, input = false): string {
    const { 'x-types': types, ...own } = schema;
    const { $ref, anyOf, allOf, items } = own;
    const type = types ?? own.type;
    if ($ref) return input && this.#tokens.has(nameOf($ref)) ? `${nameOf($ref)} | (string & {})` : nameOf($ref);
    if (allOf) return allOf.map((one) => this.typeOf(one, hint, input)).join(' & ');
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return input && typeof schema.enum[0] === 'string' ? `${tokens(schema.enum)} | (string & {})` : tokens(schema.enum);
    if (anyOf) return [...new Set(anyOf.map((one) => this.typeOf(one, hint, input)))].join(' | ');
    if (Array.isArray(type)) return type.map((one: string) => this.typeOf({ ...own, type: one }, hint, input)).join(' | ');
    if (type === 'array') return isWarnings(schema, hint) ? 'Warning[]' : `(${this.typeOf(items ?? {}, singular(hint), input)})[]`;
    if (type === 'object') return this.#object(schema, hint, input);
    if (type === 'integer' || type === 'number') return 'number';
    return typeof type === 'string' ? type : 'unknown';
  }

  fields({ properties = {}, required = [] }: Schema, input: boolean): string {
    const field = ([name, schema]: [string, Schema]) =>
      `${comment(schema.description)}${property(name)}${required.includes(name) ? '' : '?'}: ${this.typeOf(schema, name, input)};`;
    return `{\n${Object.entries(properties).map(field).join('\n')}\n}`;
  }

  #object(schema: Schema, hint: string, input: boolean): string {
    if (!Object.keys(schema.properties ?? {}).length) return 'Record<string, unknown>';
    const text = this.fields(schema, input);
    if (text.length < NAMED_FROM_LENGTH) return text;
    const name = this.named.get(text) ?? this.#free(pascal(hint));
    this.named.set(text, name);
    return name;
  }

  #free(wanted: string): string {
    const known = PREFERRED_NAMES[wanted];
    if (known && !this.#taken.has(known)) return this.#free(known);
    let name = this.#taken.has(wanted) ? `${pascal(this.operation)}${wanted}` : wanted;
    while (this.#taken.has(name)) name = `${name}Part`;
    this.#taken.add(name);
    return name;
  }
}

/** Whether a named schema is that of every refusal, or of those of a status: clients raise errors instead. */
export const isOfErrors = (name: string, { allOf = [] }: Schema): boolean =>
  name === 'Error' || allOf.some(({ $ref }) => $ref !== undefined && nameOf($ref) === 'Error');

const isQuery = ({ in: place }: Parameter) => place === 'query';

export interface ServedOperation extends Operation {
  method: string;
  path: string;
}

/** The operations that clients have. */
export const listServed = ({ paths }: Described): ServedOperation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })))
    .filter(hasClient);

/** The schemas of what an operation answers where it succeeds. */
export const listAnswers = ({ responses }: Operation): Schema[] =>
  Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const schema = content['application/json']?.schema;
    return status.startsWith('2') && schema ? (schema.anyOf ?? schema.oneOf ?? [schema]) : [];
  });

class Generator {
  readonly #document: Described;
  readonly #types: Types;
  readonly #filters: ReadonlySet<string>;

  constructor(document: Described) {
    this.#document = document;
    const { schemas } = document.components;
    this.#types = new Types(
      [...Object.keys(schemas), 'Warning', 'WarningCode', 'ErrorCode', 'ErrorDetails', 'Filters', 'Controls', 'Operations', 'Delivery'],
      Object.entries(schemas).flatMap(([name, schema]) => (schema.enum ? [name] : [])),
    );
    this.#filters = new Set(Object.keys(schemas.Filters?.properties ?? {}));
  }

  #resolved({ $ref, ...own }: { $ref?: string } & Partial<Parameter>): Parameter {
    return $ref ? (this.#document.components.parameters[nameOf($ref)] as Parameter) : (own as Parameter);
  }

  #parameters(names: Iterable<string>): string {
    const lines = [...names].map((name) => this.#field(this.#resolved({ $ref: name })));
    return `{\n${lines.join('\n')}\n}`;
  }

  #field(parameter: Parameter): string {
    const { name, required, description } = parameter;
    const optional = required ? '' : '?';
    return `${comment(description)}${property(name)}${optional}: ${this.#types.typeOf(schemaOf(parameter), name, true)};`;
  }

  /** The input of an operation as one object: values of the path, parameters of the query, and `body`. */
  #input({ parameters, requestBody, operationId }: Operation): string {
    const all = parameters.map((one) => ({ ref: one.$ref && nameOf(one.$ref), ...this.#resolved(one) }));
    const sent = all.filter(({ in: place }) => place !== 'header');
    const takesFilters = sent.filter(({ ref }) => ref && this.#filters.has(ref)).length === this.#filters.size;
    const shared = sent.flatMap(({ ref }) => (ref && !(takesFilters && this.#filters.has(ref)) ? [ref] : []));
    const [ofFilters, ofControls] = [shared.filter((ref) => this.#filters.has(ref)), shared.filter((ref) => !this.#filters.has(ref))];
    const own = sent.filter(({ ref }) => !ref).map((one) => this.#field(one));
    const body = requestBody?.content['application/json'].schema;
    if (body) own.push(`body${body.required?.length ? '' : '?'}: ${this.#types.typeOf(body, `${pascal(operationId)}Body`)};`);
    const parts = [
      ...(takesFilters ? ['Filters'] : []),
      ...(ofFilters.length ? [`Pick<Filters, ${tokens(ofFilters)}>`] : []),
      ...(ofControls.length ? [`Pick<Controls, ${tokens(ofControls)}>`] : []),
      ...(own.length ? [`{\n${own.join('\n')}\n}`] : []),
    ];
    return parts.join(' & ') || 'Record<never, never>';
  }

  #answer(operation: Operation): string {
    const { operationId } = operation;
    const answer = (schema: Schema, i: number) => {
      const { data, meta = {} } = schema.properties ?? {};
      const more = i ? String(i + 1) : '';
      // An answer without the envelope, such as a manifest.
      if (!data) return this.#types.typeOf(schema, `${pascal(operationId)}Answer${more}`);
      return `{ data: ${this.#types.typeOf(data, `${pascal(operationId)}Data${more}`)}; meta: ${this.#types.typeOf(meta, `${pascal(operationId)}Meta${more}`)} }`;
    };
    return [...new Set(listAnswers(operation).map(answer))].join(' | ') || 'Response';
  }

  /** `honoured` or `required`: an Idempotency-Key may or must be sent. */
  #idempotency({ parameters }: Operation): string {
    const header = parameters.map((one) => this.#resolved(one)).find(({ name }) => name === 'Idempotency-Key');
    return header ? `, '${header.required ? 'required' : 'honoured'}'` : '';
  }

  text(): string {
    const { components } = this.#document;
    const operations = listServed(this.#document);
    const listed = operations.map((operation) => {
      this.#types.operation = operation.operationId;
      return `${comment(operation.summary)}${operation.operationId}: { input: ${this.#input(operation)}; answer: ${this.#answer(operation)} };`;
    });
    const records = Object.entries(components.schemas).filter(([name, schema]) => !isOfErrors(name, schema) && name !== 'Filters');
    const query = Object.values(components.parameters).filter(isQuery);
    const named = (test: boolean) => query.flatMap(({ name }) => (this.#filters.has(name) === test ? [name] : []));
    const places = operations.map((one) => `${one.operationId}: ['${one.method}', '${one.path}'${this.#idempotency(one)}],`);
    const recordTypes = records.map(([name, schema]) => {
      const { description, properties, allOf } = schema;
      if (allOf) {
        const bases = allOf.flatMap(({ $ref }) => ($ref ? [nameOf($ref)] : []));
        const own = Object.assign({}, ...allOf.map((one) => one.properties));
        return `export interface ${name} extends ${bases.join(', ')} ${this.#types.fields({ properties: own }, true)}`;
      }
      const type = properties
        ? `interface ${name} ${this.#types.fields(schema, false)}`
        : `type ${name} = ${this.#types.typeOf(schema, name)};`;
      return `${comment(description)}export ${type}`;
    });
    const { code } = components.schemas.Error?.properties?.error?.properties ?? {};
    const details = Object.entries(code?.['x-details'] ?? {}).map(([name, schema]) => `${name}: ${this.#types.typeOf(schema, name)};`);
    const [filters, controls] = [this.#parameters(named(true)), this.#parameters(named(false))];
    return [
      HEAD,
      `export type ErrorCode = ${tokens(code?.enum ?? [])};`,
      `/** What \`details\` of each error holds. */\nexport interface ErrorDetails {\n${details.join('\n')}\n}`,
      `export type WarningCode = ${tokens(Object.keys(this.#document['x-warnings']))};`,
      'export interface Warning { code: WarningCode; message: string; params: Record<string, unknown> }',
      `/** What selects projects: every filter of a search. */\nexport interface Filters ${filters}`,
      `/** How what was selected is answered. */\nexport interface Controls ${controls}`,
      ...recordTypes,
      ...[...this.#types.named].map(([text, name]) => `export interface ${name} ${text}`),
      `/** Each operation: what it takes in one object, and what it answers. */\nexport interface Operations {\n${listed.join('\n')}\n}`,
      `/** Names of the filters. */\nexport const FILTER_NAMES: readonly (keyof Filters)[] = ${JSON.stringify(named(true))};`,
      `/** Where each operation is: its method, its path, and whether an Idempotency-Key may or must be sent. */
export const ROUTES: Readonly<Record<keyof Operations, readonly [method: string, path: string, idempotency?: 'honoured' | 'required']>> = {\n${places.join('\n')}\n};`,
    ].join('\n\n');
  }
}

/** Generates the formatted types. @param document OpenAPI */
export function generateClientTypes(document: unknown): string {
  const text = new Generator(document as Described).text();
  const program = path.join(root, 'node_modules/.bin/biome');
  return execFileSync(program, ['format', `--stdin-file-path=${FILE}`], { cwd: root, input: text, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

export const readCommittedClientTypes = (): string => readFileSync(FILE, 'utf8');
export const writeClientTypes = (document: unknown): void => writeFileSync(FILE, generateClientTypes(document));
