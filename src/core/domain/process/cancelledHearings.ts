/** Hearings ahead that a record stated, and that a later version of it moved or dropped before their day. Days are `YYYY-MM-DD`. Pure. */
import { bodyKeysOf, readBodyKey, readMeetingKey } from '../record/bodyMeetings.ts';
import type { ProjectStatement } from '../record/statement.ts';
import type { EarlierRevision } from '../record/storedProject.ts';
import { collectHearings } from './hearings.ts';

type Statement = Partial<ProjectStatement>;

/** The statements that were replaced, newest first, as far back as the values of all changes are remembered. */
function* listReplacedStatements(statement: Statement, earlier: readonly EarlierRevision[]): Generator<Statement> {
  let was = statement;
  for (const { changed, stated } of earlier.toReversed()) {
    if (!stated) return;
    was = { ...was, ...Object.fromEntries(changed.map((name) => [name, stated[name] ?? null])) };
    yield was;
  }
}

/** Whether two keys may be of one meeting: where one of them does not name the body, the day alone tells. */
function mayBeSameMeeting(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [readMeetingKey(one), readMeetingKey(other)];
  return first.date === second.date && [first, second].some(({ bodyKey }) => readBodyKey(bodyKey).body === null);
}

/**
 * Keys of the meetings from `today` on that the record was to be heard at, and is not any more.
 * @param earlier replaced revisions, oldest first
 */
export function listCancelledMeetings(statement: Statement, earlier: readonly EarlierRevision[], today: string): string[] {
  if (!earlier.length) return [];
  const { bodyMeetings } = bodyKeysOf(statement);
  const cancelled = [...listReplacedStatements(statement, earlier)].flatMap((was) => {
    const day = was.nextMeetingDate;
    if (!day || day < today) return [];
    return bodyKeysOf(was).bodyMeetings.filter((key) => key.startsWith(day) && !bodyMeetings.some((kept) => mayBeSameMeeting(key, kept)));
  });
  return [...new Set(cancelled)];
}

/**
 * The day of the next hearing that was last stated and that no version names any more; null if there is none. It is cancelled if it is ahead.
 * @param earlier replaced revisions, oldest first
 */
export function findDroppedHearing(statement: Statement, earlier: readonly Pick<EarlierRevision, 'changed' | 'stated'>[]): string | null {
  if (statement.nextMeetingDate) return null;
  const step = earlier.findLast(({ changed }) => changed.includes('nextMeetingDate'));
  const day = step?.stated?.nextMeetingDate;
  return typeof day === 'string' && !collectHearings(statement).includes(day) ? day : null;
}
