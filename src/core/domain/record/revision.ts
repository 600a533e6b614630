/**
 * Revisions. A revision names the content that some plan is served before any unlock: what the full representation shows, without what is
 * computed, the meeting date, and anything about delivery.
 */
import { hash } from 'node:crypto';
import type { Field } from './field.ts';
import { fieldOf, STATED_NAMES, type StatedName } from './fields.ts';
import { shownOf } from './represent.ts';
import type { ProjectStatement } from './statement.ts';

type Statement = Readonly<Record<string, unknown>>;

/** A text that is equal for equal content, whatever the order of keys; nulls count as absent. No two contents share one. */
function canonicalText(value: unknown): string {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (value === null || typeof value !== 'object') return `=${value}`;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    const entry = (value as Statement)[key];
    if (entry !== null && entry !== undefined) text += `${key}=${canonicalText(entry)},`;
  }
  return `${text}}`;
}

/** The text of what is shown of a field. */
function textOf({ content, unordered }: Field): (shown: unknown) => string {
  const one = content ? (stated: unknown) => canonicalText(content(stated)) : canonicalText;
  if (!content && !unordered) return one;
  const listText = (texts: string[]) => (unordered ? texts.sort().join() : `[${texts.join()}]`);
  return (shown) => (Array.isArray(shown) ? listText(shown.map(one)) : one(shown));
}

interface Content {
  name: StatedName;
  field: Field;
  text: (shown: unknown) => string;
}

/** The fields that are content, ascending: neither computed nor exempt, as the meeting date is, whose correction never bills. */
const CONTENT: readonly Content[] = STATED_NAMES.filter((name) => !fieldOf(name).unrevised)
  .toSorted()
  .map((name) => ({ name, field: fieldOf(name), text: textOf(fieldOf(name)) }));

/** What is shown of one field; empty where nothing is. */
function shownText(statement: ProjectStatement, { name, field, text }: Content): string {
  const shown = shownOf(statement, name, field);
  return shown === null || shown === undefined ? '' : text(shown);
}

/** Tells hashes of the served content from those of the scheme before, which are hexadecimal. */
const SCHEME = 'v2';
const HEX_DIGITS = 30;

/** Hash of the content that is served: the same for statements that no answer can tell apart. */
export function contentHash(statement: ProjectStatement): string {
  let content = '';
  for (const field of CONTENT) {
    const text = shownText(statement, field);
    if (text) content += `${field.name}=${text},`;
  }
  return SCHEME + hash('sha256', content, 'hex').slice(0, HEX_DIGITS);
}

export const isContentHash = (revision: string) => revision.startsWith(SCHEME);

/** What the scheme before named a content: a hash of the whole statement, with what no answer shows. */
export function olderRevision({ meetingDate: _, ...statement }: ProjectStatement): string {
  return hash('sha256', canonicalText(statement), 'hex').slice(0, 32);
}

/** Names of the fields in which answers about two statements differ, ascending. */
export function changedFields(before: ProjectStatement, after: ProjectStatement): string[] {
  return CONTENT.filter((field) => shownText(before, field) !== shownText(after, field)).map(({ name }) => name);
}
