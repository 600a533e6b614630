/** Converts a statement to the parts in which it is stored, and back. Pure. */
import type { Tier } from '../../src/core/domain/record/field.ts';
import { fieldOf, IDENTITY, STATED_NAMES } from '../../src/core/domain/record/fields.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import type { ProjectContent } from '../../src/core/domain/record/storedProject.ts';

const PART_OF: ReadonlyMap<string, Tier> = new Map(STATED_NAMES.map((name) => [name, fieldOf(name).tier]));

/** Splits a statement by the representation that first serves each field; null and absent are the same and are dropped. */
export function toContent(statement: ProjectStatement): ProjectContent {
  const content: Record<Tier, Record<string, unknown>> = { compact: {}, standard: {}, full: {} };
  for (const key in statement) {
    const value = statement[key as keyof ProjectStatement];
    if (value !== null && value !== undefined) content[PART_OF.get(key) ?? 'standard'][key] = value;
  }
  return content as unknown as ProjectContent;
}

export const toStatement = (stored: ProjectContent): ProjectStatement => ({ ...stored.standard, ...stored.full, ...stored.compact });

/** The statement of a project that a new generation does not cover: identity and classification only. */
export function reduceToIdentity(statement: ProjectStatement): ProjectStatement {
  const kept = Object.fromEntries(IDENTITY.flatMap((key) => (statement[key] === undefined ? [] : [[key, statement[key]]])));
  return { ...(kept as Partial<ProjectStatement>), id: statement.id };
}
