/** Previous and next record of the results that the panel was opened from. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { areKeysOff, isTyping } from '../shared/singleKeys.ts';
import { number } from '../shared/words.ts';

export interface RecordResults {
  /** ids in the order in which they are shown */
  ids: readonly number[];
  open: (id: number) => void;
}

/** The keys of the steps, as in the table of records. */
const STEP_KEYS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Steps by keys that are pressed within the panel. */
export function useStepKeys(panel: RefObject<HTMLElement | null>, id: number, results: RecordResults | undefined) {
  useEffect(() => {
    const step = (event: KeyboardEvent) => {
      const by =
        event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || areKeysOff() ? undefined : STEP_KEYS[event.key];
      const to = by && results?.ids[results.ids.indexOf(id) + by];
      if (!results || !to || !results.ids.includes(id)) return;
      event.stopPropagation();
      results.open(to);
    };
    panel.current?.addEventListener('keydown', step);
    return () => panel.current?.removeEventListener('keydown', step);
  });
}

/** Nothing where the record is not among the results. */
export function Steps({ id, results: { ids, open } }: { id: number; results: RecordResults }) {
  const at = ids.indexOf(id);
  if (at < 0 || ids.length < 2) return null;
  const step = (to: number | undefined, label: string, arrow: string) => (
    <button type="button" class="quiet small" disabled={to === undefined} aria-label={label} onClick={() => to && open(to)}>
      {arrow}
    </button>
  );
  return (
    <nav class="steps" aria-label="Records of the results">
      {step(ids[at - 1], 'Previous record (k)', '←')}
      <span class="note">
        {number(at + 1)} of {number(ids.length)}
      </span>
      {step(ids[at + 1], 'Next record (j)', '→')}
    </nav>
  );
}
