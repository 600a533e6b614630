/** From a statement to the parts in which it is kept, and back. Pure. */
import type { ProjectStatement } from '../../src/domain/record/statement.ts';
import { COMPACT_KEYS, FULL_KEYS, IDENTITY_KEYS, type ProjectContent } from '../../src/domain/record/storedProject.ts';

const compactKeys: ReadonlySet<string> = new Set(COMPACT_KEYS);
const fullKeys: ReadonlySet<string> = new Set(FULL_KEYS);

/** Splits a statement by the representation that first serves each field; null and absent are the same and are dropped. */
export function toContent(statement: ProjectStatement): ProjectContent {
  const compact: Record<string, unknown> = {};
  const standard: Record<string, unknown> = {};
  const full: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(statement)) {
    if (value === null || value === undefined) continue;
    const part = compactKeys.has(key) ? compact : fullKeys.has(key) ? full : standard;
    part[key] = value;
  }
  return { compact: compact as unknown as ProjectContent['compact'], standard, full };
}

export const toStatement = (stored: ProjectContent): ProjectStatement => ({ ...stored.standard, ...stored.full, ...stored.compact });

/** The statement of a project that a new generation has not covered: identity and classification, nothing else. */
export function identityOf(statement: ProjectStatement): ProjectStatement {
  const kept = Object.fromEntries(IDENTITY_KEYS.flatMap((key) => (statement[key] === undefined ? [] : [[key, statement[key]]])));
  return { ...(kept as Partial<ProjectStatement>), id: statement.id };
}
