/** Generates the module of the Python client from the OpenAPI document: types, exceptions, and the operations as methods by resource. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Described,
  type DescribedOperation,
  isOfErrors,
  listAnswers,
  listServed,
  nameOf,
  type Parameter,
  pascal,
  type Schema,
  type ServedOperation,
  schemaOf,
} from './clientTypes.ts';
import { type NamedParameter, type PythonMethod, resourcesText, routesText } from './pythonMethods.ts';
import { removeAsync } from './pythonSync.ts';
import { literal, PythonTypes, pythonName } from './pythonTypes.ts';

const FILE = path.resolve(import.meta.dirname, '../../src/clients/python/landuse_api/_generated.py');

const HEAD = `"""Made from the OpenAPI document by "npm run openapi"; changes by hand are lost.

What the service answers, what its filters take, its refusals, and its operations as methods by resource.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, cast

from ._errors import Refusal
from ._resource import Options, Route

if sys.version_info >= (3, 11):
    from typing import NotRequired, Unpack
elif TYPE_CHECKING:
    from typing_extensions import NotRequired, Unpack

if TYPE_CHECKING:
    from ._async_transport import AsyncTransport
    from ._generated_transport import Transport
`;

/** Parameters of a single page, which the client sets itself when it iterates over pages. */
const OF_ONE_PAGE = new Set(['representation', 'format', 'page', 'cursor', 'maxCredits', 'maxContactCredits']);
const isQuery = ({ in: place }: Parameter) => place === 'query';
const bodyOf = ({ requestBody }: DescribedOperation) => requestBody?.content['application/json'].schema;
const exceptionOf = (code: string) => code.split('_').map(pascal).join('');

class PythonModule {
  readonly #document: Described;
  readonly #types: PythonTypes;
  readonly #operations: readonly ServedOperation[];
  readonly #filters: ReadonlySet<string>;
  readonly #methods: readonly PythonMethod[];

  constructor(document: Described) {
    this.#document = document;
    const { schemas } = document.components;
    this.#operations = listServed(document);
    const ownNames = ['Filters', 'ErrorCode', 'WarningCode', 'ServiceWarning'];
    this.#types = new PythonTypes([...Object.keys(schemas), ...ownNames, ...this.#errorCodes().map(exceptionOf)]);
    this.#filters = new Set(Object.keys(schemas.Filters?.properties ?? {}));
    this.#defineShared();
    this.#defineSchemas();
    this.#methods = this.#operations.map((operation) => this.#method(operation));
  }

  #errorCode(): Schema {
    return this.#document.components.schemas.Error?.properties?.error?.properties?.code ?? {};
  }

  #errorCodes(): readonly string[] {
    const { $ref, ...own } = this.#errorCode();
    const named = $ref ? this.#document.components.schemas[nameOf($ref)] : own;
    return (named?.enum ?? []).map(String);
  }

  #parametersOf({ parameters }: DescribedOperation): NamedParameter[] {
    return parameters.map(({ $ref, ...own }) =>
      $ref ? { ref: nameOf($ref), ...(this.#document.components.parameters[nameOf($ref)] as Parameter) } : own,
    );
  }

  #defineShared(): void {
    const { 'x-warnings': warnings } = this.#document;
    this.#types.define('ErrorCode', 'alias', literal(this.#errorCodes()));
    this.#types.define('WarningCode', 'alias', literal(Object.keys(warnings)));
    this.#types.define('ServiceWarning', 'object', 'code: WarningCode\nmessage: str\nparams: dict[str, Any]\n');
  }

  /** Defines the named schemas; one that has all fields of an earlier one inherits from it. */
  #defineSchemas(): void {
    const sent = this.#sentSchemas();
    const done: { name: string; fields: string[] }[] = [];
    for (const [name, schema] of Object.entries(this.#document.components.schemas)) {
      if (isOfErrors(name, schema) || RENAMED_BY_HAND.has(name)) continue;
      const own = pythonName(name);
      this.#types.operation = own;
      const { properties, required = [] } = this.#merged(schema);
      if (!properties) {
        this.#types.define(own, 'alias', this.#types.typeOf(schema, `${name}Value`, sent.has(name)));
        continue;
      }
      const fields = Object.entries(properties).map(([field, one]) =>
        this.#types.fields({ properties: { [field]: one }, required: required.filter((other) => other === field) }, sent.has(name)),
      );
      const base = done.filter((one) => one.fields.length && one.fields.every((text) => fields.includes(text))).at(-1);
      const text = fields.filter((one) => !base?.fields.includes(one)).join('');
      this.#types.define(own, 'object', text, base?.name);
      done.push({ name: own, fields });
    }
  }

  /** A schema with the properties of the schemas in its `allOf`. */
  #merged(schema: Schema): Schema {
    const parts = (schema.allOf ?? []).map(({ $ref, ...own }) => ($ref ? (this.#document.components.schemas[nameOf($ref)] ?? {}) : own));
    return parts.length ? { ...schema, properties: Object.assign({}, ...parts.map(({ properties }) => properties)) } : schema;
  }

  /** Names of schemas that requests refer to. */
  #sentSchemas(): ReadonlySet<string> {
    const found = new Set<string>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, one] of Object.entries(value)) {
        if (key !== '$ref' || typeof one !== 'string') visit(one);
        else if (one.startsWith('#/components/schemas/') && !found.has(nameOf(one))) {
          found.add(nameOf(one));
          visit(this.#document.components.schemas[nameOf(one)]);
        }
      }
    };
    visit(this.#document.components.parameters);
    for (const { requestBody } of this.#operations) visit(requestBody);
    return found;
  }

  #fields(parameters: readonly NamedParameter[], described = true): string {
    const entries = parameters.map((one): [string, Schema] => {
      const { description: _, ...schema } = schemaOf(one);
      return [one.name, { ...schema, ...(described && one.description ? { description: one.description } : {}) }];
    });
    const required = parameters.filter((one) => one.required).map(({ name }) => name);
    return this.#types.fields({ properties: Object.fromEntries(entries), required }, true);
  }

  #method(operation: ServedOperation): PythonMethod {
    this.#types.operation = operation.operationId;
    const idempotent = this.#parametersOf(operation).some(({ name }) => name === 'Idempotency-Key');
    const places = this.#parametersOf(operation)
      .filter(({ in: place }) => place === 'path')
      .map((one) => ({ name: one.name, type: this.#types.typeOf(schemaOf(one), one.name, true) }));
    const [input, answer] = [this.#input(operation), this.#answer(operation)];
    return { operation, places, input, answer, item: this.#item(operation), idempotent };
  }

  /** Type of the keyword arguments: the fields of the body, or the query parameters, with those of a single page in a class of their own. */
  #input(operation: ServedOperation): string | undefined {
    const name = pascal(operation.operationId);
    const body = bodyOf(operation);
    if (body) {
      const { $ref } = body;
      if ($ref) return pythonName($ref);
      if (!Object.keys(body.properties ?? {}).length) return undefined;
      this.#types.define(`${name}Input`, 'object', this.#types.fields(body, true));
      return `${name}Input`;
    }
    const sent = this.#parametersOf(operation).filter(isQuery);
    if (!sent.length) return undefined;
    const filters = sent.filter(({ ref }) => ref && this.#filters.has(ref));
    const own = sent.filter((one) => !filters.includes(one));
    const base = filters.length === this.#filters.size ? 'Filters' : filters.length ? this.#subset(filters) : undefined;
    const once = own.filter((one) => OF_ONE_PAGE.has(one.name));
    if (!own.length && base) return base;
    if (!once.length) return this.#define(`${name}Input`, own, base);
    return this.#define(
      `${name}Input`,
      once,
      this.#define(
        `${name}Query`,
        own.filter((one) => !once.includes(one)),
        base,
      ),
    );
  }

  #define(name: string, parameters: readonly NamedParameter[], base: string | undefined): string {
    this.#types.define(name, 'object', this.#fields(parameters), base);
    return name;
  }

  /** Some filters, without their comments. */
  #subset(filters: readonly NamedParameter[]): string {
    const properties = Object.fromEntries(filters.map((one) => [one.name, { ...schemaOf(one), description: '' }]));
    return this.#types.typeOf({ type: 'object', properties }, 'SomeFilters', true);
  }

  #answer(operation: ServedOperation): string {
    const name = pascal(operation.operationId);
    const texts = listAnswers(operation).map((schema, i) => {
      const { $ref, properties = {} } = schema;
      if ($ref || !properties.data) return this.#types.typeOf(schema, `${name}Answer`);
      const { data = {}, meta = {} } = properties;
      const more = i ? String(i + 1) : '';
      const fields = `data: ${this.#types.typeOf(data, `${name}Data${more}`)}\nmeta: ${this.#types.typeOf(meta, `${name}Meta${more}`)}\n`;
      this.#types.define(`${name}Answer${more}`, 'object', fields);
      return `${name}Answer${more}`;
    });
    return texts.join(' | ') || 'bytes';
  }

  /** Type of the items if the operation answers a page of a list; else undefined. */
  #item(operation: ServedOperation): string | undefined {
    const [{ properties: { data = {}, meta = {} } = {} } = {}, ...others] = listAnswers(operation);
    const takes = new Set(this.#parametersOf(operation).map(({ name }) => name));
    const paged = takes.has('limit') && (takes.has('offset') || takes.has('before')) && meta.properties?.hasMore;
    if (!paged || others.length || operation.method !== 'get') return undefined;
    const lists = data.type === 'array' ? [data] : (data.anyOf ?? data.oneOf ?? []);
    if (!lists.length || lists.some(({ type }) => type !== 'array')) return undefined;
    const hint = `${pascal(operation.operationId)}Data`;
    return [...new Set(lists.map((one) => this.#types.typeOf(one, hint).replace(/^list\[(.*)\]$/, '$1')))].join(' | ');
  }

  #exceptions(): string {
    const codes = this.#errorCodes();
    const details = this.#errorCode()['x-details'] ?? {};
    const classes = codes.map((code) => {
      const { $ref } = details[code] ?? {};
      const field = $ref ? `\n    details: ${pythonName($ref)}\n` : '';
      return `class ${exceptionOf(code)}(Refusal):\n    """A refusal with the code \`${code}\`; the page of errors has its cause and remedy."""\n${field}`;
    });
    const rows = codes.map((code) => `    "${code}": ${exceptionOf(code)},`);
    return `${classes.join('\n\n')}\n\nREFUSALS: dict[str, type[Refusal]] = {\n${rows.join('\n')}\n}`;
  }

  text(): string {
    const filters = `FILTER_NAMES: tuple[str, ...] = (${[...this.#filters].map((name) => JSON.stringify(name)).join(', ')})`;
    const exported = [...this.#types.names(), ...this.#errorCodes().map(exceptionOf), 'FILTER_NAMES'].sort();
    const all = `__all__ = [\n${exported.map((name) => `    "${name}",`).join('\n')}\n]`;
    const resources = resourcesText(this.#methods);
    const parts = [
      HEAD,
      all,
      this.#types.text(),
      this.#exceptions(),
      filters,
      routesText(this.#methods),
      removeAsync(resources),
      resources,
    ];
    return `${parts.join('\n\n')}\n`;
  }
}

/** Schemas that are defined in `HEAD` or by `#defineShared`. */
const RENAMED_BY_HAND = new Set(['Warning']);

/** Generates the text of the module. @param document OpenAPI */
export const generatePythonClient = (document: unknown): string => new PythonModule(document as Described).text();

export const readCommittedPythonClient = (): string => readFileSync(FILE, 'utf8');
export const writePythonClient = (document: unknown): void => writeFileSync(FILE, generatePythonClient(document));
