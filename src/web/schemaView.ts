/** JSON Schema for readers: type in words, description, and nested fields in collapsed sections. */
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { inlineToHtml } from './guides.ts';
import { type Document, type Json, nameOf, resolve } from './openapiView.ts';

const SHOWN_VALUES = 8;
/** Deeper fields are only in openapi.json. */
const DEPTH_MAX = 6;

const RECORDS = '/docs/reference/records';
/** Pages of schemas that have their own. */
const PAGES: Readonly<Record<string, string>> = {
  CompactProject: `${RECORDS}#CompactProject`,
  StandardProject: `${RECORDS}#StandardProject`,
  FullProject: `${RECORDS}#FullProject`,
  Filters: '/docs/reference/filters',
  OrderedFilters: '/docs/reference/filters',
  ExportFilters: '/docs/reference/filters',
};

const pageOf = (schema: Json) => (schema.$ref ? PAGES[nameOf(schema)] : undefined);

export function valuesInWords(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => `<code>${escapeHtml(String(value))}</code>`);
  const more = values.slice(SHOWN_VALUES).map((value) => `<code>${escapeHtml(String(value))}</code>`);
  return more.length
    ? `${shown.join(', ')} <details class="inline"><summary>and ${more.length} more</summary>${more.join(', ')}</details>`
    : shown.join(', ');
}

const bounded = (bound: unknown) => bound !== undefined && bound !== Number.MAX_SAFE_INTEGER;

function rangeInWords(low: unknown, high: unknown, what: string): string {
  if (low !== undefined && bounded(high)) return `${low} to ${high}${what}`;
  if (bounded(high)) return `at most ${high}${what}`;
  return low !== undefined && low !== 0 ? `at least ${low}${what}` : '';
}

function boundsInWords(schema: Json): string {
  const { minimum, maximum, minItems, maxItems, minLength, maxLength, format } = schema;
  const parts = [
    format,
    rangeInWords(minimum, maximum, ''),
    rangeInWords(minItems, maxItems, ' values'),
    rangeInWords(minLength, maxLength, ' characters'),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} unless sent`]),
  ];
  return parts.filter(Boolean).join(', ');
}

/** The alternatives of a schema; none if it has only one form. */
const alternativesOf = ({ anyOf, oneOf }: Json) => (anyOf ?? oneOf ?? []) as Json[];

/** Renders the schemas of one document as HTML. */
export class SchemaView {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  /** The type in words, as one line of HTML. */
  typeInWords(given: Json): string {
    const page = pageOf(given);
    if (page) return `<a href="${page}">${nameOf(given)}</a>`;
    const schema = resolve(this.#document, given);
    const alternatives = alternativesOf(schema);
    if (alternatives.length) return [...new Set(alternatives.map((one) => this.typeInWords(one)))].join(' or ');
    if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`;
    const types = [schema.type].flat().filter(Boolean).map(String);
    const items = schema.items as Json | undefined;
    const name = types.map((type) => (type === 'array' && items ? `list of ${this.typeInWords(items)}` : type)).join(' or ');
    const values = Array.isArray(schema.enum) ? `: ${valuesInWords(schema.enum.filter((value) => value !== null))}` : '';
    const bounds = boundsInWords(schema);
    return `${name || 'any'}${bounds ? ` (${escapeHtml(bounds)})` : ''}${values}`;
  }

  /** The object that a schema describes: itself, its items, or the alternative to null; undefined for any other schema. */
  #objectOf(given: Json, depth = 0): Json | undefined {
    if (pageOf(given) || depth > 2) return undefined;
    const schema = resolve(this.#document, given);
    if (schema.properties) return schema;
    const below = [schema.items as Json | undefined, ...alternativesOf(schema), ...((schema.allOf ?? []) as Json[])];
    for (const one of below) {
      const found = one && this.#objectOf(one, depth + 1);
      if (found) return found;
    }
    return undefined;
  }

  /** Whether a schema has fields to list. */
  hasFields = (schema: Json): boolean => this.#objectOf(schema) !== undefined;

  /** How an object's shape is introduced: `object`, `list` or its alternatives. */
  #shapeInWords(given: Json): string {
    const { type } = resolve(this.#document, given);
    const names = [type ?? 'object'].flat().map((one) => (one === 'array' ? 'list of objects' : String(one)));
    return names.join(' or ');
  }

  /**
   * A list of fields with their nested fields, as HTML; empty for a schema without fields.
   * @param level depth of nested fields that are shown at once; deeper ones are collapsed
   */
  fieldList(schema: Json, level = 1, depth = 0): string {
    const object = this.#objectOf(schema);
    if (!object || depth > DEPTH_MAX) return '';
    const required = (object.required ?? []) as readonly string[];
    const rows = Object.entries(object.properties as Json).map(([name, value]) => {
      const field = value as Json;
      const { description } = { ...resolve(this.#document, field), ...field };
      const text = description ? ` ${inlineToHtml(String(description).replaceAll('\n\n', ' '))}` : '';
      const below = this.fieldList(field, level, depth + 1);
      const type = below ? this.#shapeInWords(field) : this.typeInWords(field);
      const optional = required.includes(name) ? '' : ' <span class="type">optional</span>';
      const fields = below && depth + 1 >= level ? `<details><summary>Fields of ${escapeHtml(name)}</summary>${below}</details>` : below;
      return `<li><code>${escapeHtml(name)}</code> <span class="type">${type}</span>${optional}${text}${fields}</li>`;
    });
    return `<ul class="fields">${rows.join('')}</ul>`;
  }
}
