/** The cursor from which a walk continues after a copy that was made of one moment. Pure. */
import type { LineageMark } from '../../core/domain/lineage.ts';
import type { TimeAndId } from '../../core/store/elastic/changeFeed.ts';
import { bindingOf, writeCursor } from './cursor.ts';
import type { SyncRequest } from './request.ts';

/** What the copy reflects. */
interface CopiedMoment {
  /** newest lastUpdated of any record, milliseconds since 1970 */
  newestChange: number;
  lastRemoval: TimeAndId;
  /** of the index that was copied; null if nothing was loaded yet */
  mark: LineageMark | null;
  /** whose date windows selected the records, `YYYY-MM-DD` */
  day: string;
}

/** Greater than every id, so that everything of a time lies before. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

/** Like the cursor at the end of a walk that produced the copy: later changes and removals follow. */
export function cursorAfterCopy(
  { meaning, selection }: Pick<SyncRequest, 'meaning' | 'selection'>,
  { newestChange, lastRemoval, mark, day }: CopiedMoment,
  secret: string,
): string {
  const end: TimeAndId = [newestChange, AFTER_ALL];
  const position = {
    after: end,
    departed: end,
    removed: lastRemoval,
    seen: Math.max(newestChange, lastRemoval[0]),
    highWater: newestChange,
    unlisted: false,
    pageSpanMs: null,
    day,
    rollover: null,
  };
  return writeCursor(position, bindingOf(meaning, selection.scope), secret, mark);
}
