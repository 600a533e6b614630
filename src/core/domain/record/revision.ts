/**
 * Revisions. A revision identifies the content that some plan is served before any unlock: the full representation without computed fields,
 * the meeting date and delivery.
 */
import { hash } from 'node:crypto';
import type { Field } from './field.ts';
import { fieldOf, STATED_NAMES, type StatedName } from './fields.ts';
import { readShownValue } from './represent.ts';
import type { ProjectStatement } from './statement.ts';

type Statement = Readonly<Record<string, unknown>>;

const SORTED_KEPT = 1_000;
/** Of objects with the same keys in the same order, which most are: sorting costs more than all else. No key holds U+0000. */
const sorted = new Map<string, readonly string[]>();

function sortKeys(value: object): readonly string[] {
  const keys = Object.keys(value);
  const names = keys.join('\0');
  const known = sorted.get(names);
  if (known) return known;
  if (sorted.size >= SORTED_KEPT) sorted.clear();
  keys.sort();
  sorted.set(names, keys);
  return keys;
}

/** Text that is equal exactly for equal content, whatever the order of keys; null counts as absent. */
function writeCanonicalText(value: unknown): string {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (value === null || typeof value !== 'object') return `=${value}`;
  if (Array.isArray(value)) return `[${value.map(writeCanonicalText).join()}]`;
  let text = '{';
  for (const key of sortKeys(value)) {
    const entry = (value as Statement)[key];
    if (entry !== null && entry !== undefined) text += `${key}=${writeCanonicalText(entry)},`;
  }
  return `${text}}`;
}

function makeTextWriter({ content, unordered }: Field): (shown: unknown) => string {
  const one = content ? (stated: unknown) => writeCanonicalText(content(stated)) : writeCanonicalText;
  if (!content && !unordered) return one;
  const listText = (texts: string[]) => (unordered ? texts.sort().join() : `[${texts.join()}]`);
  return (shown) => (Array.isArray(shown) ? listText(shown.map(one)) : one(shown));
}

interface Content {
  name: StatedName;
  field: Field;
  text: (shown: unknown) => string;
}

/** The fields that count for a revision, ascending: not computed, and not `unrevised` like the meeting date. */
const CONTENT: readonly Content[] = STATED_NAMES.filter((name) => !fieldOf(name).unrevised)
  .toSorted()
  .map((name) => ({ name, field: fieldOf(name), text: makeTextWriter(fieldOf(name)) }));

/** Text of the shown value of a field; empty if there is none. */
function writeShownText(statement: ProjectStatement, { name, field, text }: Content): string {
  const shown = readShownValue(statement, name, field);
  return shown === null || shown === undefined ? '' : text(shown);
}

/** Prefix that distinguishes these hashes from those of another scheme. */
const SCHEME = 'v2';
const HEX_DIGITS = 30;

/** Hash of the served content: equal for statements that no answer can distinguish. */
export function hashContent(statement: ProjectStatement): string {
  let content = '';
  for (const field of CONTENT) {
    const text = writeShownText(statement, field);
    if (text) content += `${field.name}=${text},`;
  }
  return SCHEME + hash('sha256', content, 'hex').slice(0, HEX_DIGITS);
}

/** Names of the fields that answers show differently for two statements, ascending. */
export function findChangedFields(before: ProjectStatement, after: ProjectStatement): string[] {
  return CONTENT.filter((field) => writeShownText(before, field) !== writeShownText(after, field)).map(({ name }) => name);
}
