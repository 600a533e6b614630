/** The values of fields before and after each stored change of a record. Pure. */
import { type FieldName, fieldOf } from '../../core/domain/record/fields.ts';
import { type FetchedProject, representRecord, type ViewOptions } from '../../core/domain/record/represent.ts';
import type { EarlierRevision } from '../../core/domain/record/storedProject.ts';

/** A changed field with its values in the full representation, or only its name if they are unknown or may not be shown. */
export type FieldChange = { name: string } | { name: string; before: unknown; after: unknown };

/** One change of a record, from a revision to the next. */
export interface RevisionChange {
  /** ISO 8601 */
  at: string;
  fromRevision: string;
  toRevision: string;
  fields: FieldChange[];
}

/** A record as it was in one revision. */
interface Revision {
  record: FetchedProject;
  /** fields whose values in this revision were not stored */
  unstored: ReadonlySet<string>;
}

/** The revision before a change, from the one after it. */
function restoreRevisionBefore({ record, unstored }: Revision, { changed, stated }: EarlierRevision): Revision {
  const kept = new Set([...unstored].filter((name) => !changed.includes(name)));
  if (!stated) return { record, unstored: new Set([...kept, ...changed]) };
  const before: Record<string, unknown> = { ...record };
  for (const name of changed as FieldName[]) {
    const { tier } = fieldOf(name);
    before[tier] = { ...(before[tier] as object), [name]: stated[name] };
  }
  return { record: before as unknown as FetchedProject, unstored: kept };
}

interface Shown {
  view: Omit<ViewOptions, 'representation'>;
  /** whether the values of a revision may be shown */
  mayShow: (revision: string) => boolean;
  /** fields whose values are never shown */
  withheld: readonly FieldName[];
}

/**
 * The changes of a record, newest first.
 * @param record in its current revision, with all tiers
 * @param earlier replaced revisions, oldest first
 */
export function listFieldChanges(
  record: FetchedProject,
  earlier: readonly EarlierRevision[],
  { view, mayShow, withheld }: Shown,
): RevisionChange[] {
  const show = (revision: Revision) => representRecord(revision.record, { ...view, representation: 'full' });
  let after: Revision = { record, unstored: new Set() };
  let shownAfter = show(after);
  let to = record.contentRevision;
  const changes: RevisionChange[] = [];
  for (const step of earlier.toReversed()) {
    const before = restoreRevisionBefore(after, step);
    const shownBefore = show(before);
    const areShown = mayShow(step.revision) && mayShow(to);
    const hidden = new Set<string>([...withheld, ...before.unstored, ...after.unstored]);
    const isHidden = (name: string) => hidden.has(name) || hidden.has(fieldOf(name as FieldName).fallback ?? '');
    const fields = step.changed.map((name) =>
      areShown && !isHidden(name) ? { name, before: shownBefore[name], after: shownAfter[name] } : { name },
    );
    changes.push({ at: step.replacedAt, fromRevision: step.revision, toRevision: to, fields });
    [after, shownAfter, to] = [before, shownBefore, step.revision];
  }
  return changes.reverse();
}
