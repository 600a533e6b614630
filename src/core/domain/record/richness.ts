import { fieldOf, STATED_NAMES } from './fields.ts';
import type { ProjectStatement } from './statement.ts';

/** What an extraction can state of a project beyond its identity, place and use. */
const ATTRIBUTES = STATED_NAMES.filter((name) => fieldOf(name).rich);

const isStated = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined);

/**
 * Share of the extracted attributes that a record states, 0 to 100 (served as `dataRichness`).
 * @param parts the statement, whole or in parts
 */
export function computeRichness(...parts: readonly Partial<ProjectStatement>[]): number {
  const stated = ATTRIBUTES.filter((key) => parts.some((part) => isStated(part[key])));
  return Math.round((100 * stated.length) / ATTRIBUTES.length);
}
