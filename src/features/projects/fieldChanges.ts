/** What fields of a record were and became from one remembered revision to the next. Pure. */
import { type FieldName, fieldOf } from '../../core/domain/record/fields.ts';
import { type FetchedProject, represent, type ViewOptions } from '../../core/domain/record/represent.ts';
import type { EarlierRevision } from '../../core/domain/record/storedProject.ts';

/** A field that changed: its values as the full representation shows them, or its name alone. */
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
  /** fields of which it is not remembered what they were */
  forgotten: ReadonlySet<string>;
}

/** The record as it was before a change. @param after as it was after it */
function revisionBefore({ record, forgotten }: Revision, { changed, stated }: EarlierRevision): Revision {
  const kept = new Set([...forgotten].filter((name) => !changed.includes(name)));
  if (!stated) return { record, forgotten: new Set([...kept, ...changed]) };
  const before: Record<string, unknown> = { ...record };
  for (const name of changed as FieldName[]) {
    const { tier } = fieldOf(name);
    before[tier] = { ...(before[tier] as object), [name]: stated[name] };
  }
  return { record: before as unknown as FetchedProject, forgotten: kept };
}

interface Shown {
  view: Omit<ViewOptions, 'representation'>;
  /** whether the values of a revision may be shown */
  mayShow: (revision: string) => boolean;
  /** fields of which no value is shown */
  withheld: readonly FieldName[];
}

/**
 * The changes that led to the present content.
 * @param record with all its parts
 * @param earlier replaced revisions, oldest first, the last of which was replaced by the present one
 */
export function fieldChanges(
  record: FetchedProject,
  earlier: readonly EarlierRevision[],
  { view, mayShow, withheld }: Shown,
): RevisionChange[] {
  const show = (revision: Revision) => represent(revision.record, { ...view, representation: 'full' });
  let after: Revision = { record, forgotten: new Set() };
  let shownAfter = show(after);
  let to = record.contentRevision;
  const changes: RevisionChange[] = [];
  for (const step of earlier.toReversed()) {
    const before = revisionBefore(after, step);
    const shownBefore = show(before);
    const areShown = mayShow(step.revision) && mayShow(to);
    const hidden = new Set<string>([...withheld, ...before.forgotten, ...after.forgotten]);
    const isHidden = (name: string) => hidden.has(name) || hidden.has(fieldOf(name as FieldName).fallback ?? '');
    const fields = step.changed.map((name) =>
      areShown && !isHidden(name) ? { name, before: shownBefore[name], after: shownAfter[name] } : { name },
    );
    changes.push({ at: step.replacedAt, fromRevision: step.revision, toRevision: to, fields });
    [after, shownAfter, to] = [before, shownBefore, step.revision];
  }
  return changes.reverse();
}
