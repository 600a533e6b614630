/**
 * Determines the revision of a record that replaces another version. A revision names a content: it stays while the content is the same, and a
 * record that returns to an earlier content gets that content's name again. Pools that paid for a content thus never pay for it again.
 */

import { findChangedFields, hashContent } from '../../src/core/domain/record/revision.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import type { EarlierRevision, StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { toStatement } from './projectContent.ts';

export type RevisionName = Pick<StoredProject, 'contentRevision' | 'contentHash'>;

interface Revised extends RevisionName {
  /** true if no answer can tell the statement from the replaced version */
  unchanged: boolean;
}

/** @param textHash of the line that makes the statement: what other rules or places make of the same line keeps its name, and bills nobody */
export function reviseRecord(before: StoredProject | undefined, statement: ProjectStatement, textHash?: string): Revised {
  const hash = hashContent(statement);
  if (!before) return { contentRevision: hash, unchanged: false };
  const unchanged = hashVersion(before) === hash;
  const isSameLine = textHash !== undefined && before.textHash === textHash;
  if (unchanged || isSameLine) return { ...toRevisionName(before.contentRevision, hash), unchanged };
  return { ...toRevisionName(findEarlierName(before.earlierRevisions ?? [], hash) ?? hash, hash), unchanged: false };
}

/** The revision of a version that is served again in place of `now`; equal content keeps its name. */
export function restoreRevision(now: StoredProject | undefined, version: StoredProject): Revised {
  const hash = hashVersion(version);
  const unchanged = now !== undefined && hashVersion(now) === hash;
  return { ...toRevisionName(unchanged ? now.contentRevision : version.contentRevision, hash), unchanged };
}

const toRevisionName = (contentRevision: string, hash: string): RevisionName => ({
  contentRevision,
  ...(contentRevision === hash ? {} : { contentHash: hash }),
});

const hashVersion = ({ contentRevision, contentHash: hash = contentRevision }: RevisionName): string => hash;

const findEarlierName = (known: readonly EarlierRevision[], hash: string): string | undefined =>
  known.findLast(({ revision, contentHash = revision }) => contentHash === hash)?.revision;

/** Number of replaced revisions that a record remembers; the oldest are dropped. */
const EARLIER_REVISIONS_MAX = 20;
/** Characters of JSON that a record keeps of their values; those of the oldest are dropped. */
const EARLIER_VALUES_MAX = 100_000;

/**
 * The earlier revisions that a record remembers when it replaces `before`.
 * @param after returns the new statement, if it is needed
 * @param at time of the change
 */
export function listEarlierRevisions(
  before: StoredProject | undefined,
  after: () => ProjectStatement,
  { contentRevision }: RevisionName,
  at: string,
): EarlierRevision[] {
  if (!before) return [];
  const known = before.earlierRevisions ?? [];
  if (before.contentRevision === contentRevision) return known;
  const hash = hashVersion(before);
  const statement = toStatement(before);
  const replaced = known.at(-1);
  // A return to an earlier content reverts the changes that `before` made.
  const changed = replaced?.revision === contentRevision ? replaced.changed : findChangedFields(statement, after());
  const { contentRevision: revision, contentHash } = toRevisionName(before.contentRevision, hash);
  const stated = pickStatedValues(statement, changed);
  const last = { revision, ...(contentHash ? { contentHash } : {}), replacedAt: at, changed, stated };
  return limitValues([...known, last].slice(-EARLIER_REVISIONS_MAX));
}

/** Number of served revisions that a record remembers; later ones are not added. */
const SERVED_REVISIONS_MAX = 200;

/**
 * The served revisions that a record remembers when it replaces `before`, or when that is removed.
 * @param servedUntil newest time of change that was served, milliseconds since 1970; of a set that waits for its activation, later versions never were
 */
export function listServedRevisions(before: StoredProject, { contentRevision }: Partial<RevisionName>, servedUntil = Infinity): string[] {
  const { contentRevision: replaced, servedRevisions: known = [], lastUpdated } = before;
  const isAdded = replaced !== contentRevision && !known.includes(replaced) && Date.parse(lastUpdated) <= servedUntil;
  return isAdded && known.length < SERVED_REVISIONS_MAX ? [...known, replaced] : known;
}

/** The values that a statement has for the given fields; null is left out like an absent value. */
const pickStatedValues = (statement: ProjectStatement, names: readonly string[]) =>
  Object.fromEntries(Object.entries(statement).filter(([name, value]) => names.includes(name) && value !== null && value !== undefined));

/** Drops the values of older revisions if all values together would take too much space. */
function limitValues(revisions: readonly EarlierRevision[]): EarlierRevision[] {
  let room = EARLIER_VALUES_MAX;
  return revisions
    .toReversed()
    .map(({ stated, ...revision }) => {
      room -= stated ? JSON.stringify(stated).length : 0;
      return stated && room >= 0 ? { ...revision, stated } : revision;
    })
    .reverse();
}
