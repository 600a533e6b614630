/** JSON Schema as a reader sees it: type in words, description, and the fields below in a fold. */
import { escapeHtml } from '../core/domain/escapeHtml.ts';
import { inlineToHtml } from './guides.ts';

export type Json = Record<string, unknown>;

const SHOWN_VALUES = 16;
/** Deeper than this, a reader is better served by openapi.json. */
const DEPTH_MAX = 6;

export const nameOf = ({ $ref }: Json) => String($ref).split('/').at(-1) ?? '';

function valuesInWords(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => `<code>${escapeHtml(String(value))}</code>`);
  return `${shown.join(', ')}${values.length > SHOWN_VALUES ? ` and ${values.length - SHOWN_VALUES} more` : ''}`;
}

function boundsInWords({ minimum, maximum, minItems, maxItems, maxLength, format }: Json): string {
  const range = (low: unknown, high: unknown, what: string) => {
    if (low !== undefined && high !== undefined && high !== Number.MAX_SAFE_INTEGER) return `${low} to ${high}${what}`;
    if (high !== undefined && high !== Number.MAX_SAFE_INTEGER) return `at most ${high}${what}`;
    return low !== undefined && low !== 0 ? `at least ${low}${what}` : '';
  };
  const parts = [format, range(minimum, maximum, ''), range(minItems, maxItems, ' values'), range(undefined, maxLength, ' characters')];
  return parts.filter(Boolean).join(', ');
}

/** HTML, one line. */
export function typeInWords(schema: Json): string {
  if (schema.$ref) return `<a href="#${nameOf(schema)}">${nameOf(schema)}</a>`;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeInWords).join(' or ');
  if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`;
  const types = [schema.type].flat().filter(Boolean).map(String);
  const items = schema.items as Json | undefined;
  const name = types.map((type) => (type === 'array' && items ? `list of ${typeInWords(items)}` : type)).join(' or ');
  const values = Array.isArray(schema.enum) ? `: ${valuesInWords(schema.enum.filter((value) => value !== null))}` : '';
  const bounds = boundsInWords(schema);
  return `${name || 'any'}${bounds ? ` (${bounds})` : ''}${values}`;
}

/** Fields of an object, or of the objects in a list. */
function fieldsOf(schema: Json): Json | undefined {
  return (schema.properties ?? (schema.items as Json | undefined)?.properties) as Json | undefined;
}

/** A list of fields, each with those below it. HTML; empty for what has no fields. */
export function fieldList(schema: Json, depth = 0): string {
  const fields = fieldsOf(schema);
  if (!fields || depth > DEPTH_MAX) return '';
  const rows = Object.entries(fields).map(([name, value]) => {
    const field = value as Json;
    const text = field.description ? ` ${inlineToHtml(String(field.description).replaceAll('\n\n', ' '))}` : '';
    const type = field.properties || fieldsOf(field) ? [field.type].flat().join(' or ') : typeInWords(field);
    return `<li><code>${escapeHtml(name)}</code> <span class="type">${type}</span>${text}${fieldList(field, depth + 1)}</li>`;
  });
  return `<ul class="fields">${rows.join('')}</ul>`;
}
