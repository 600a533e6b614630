/** What is below the table: how many rows are shown of how many, what the next ones cost, and the button that pays for them. */
import { countInWords, number } from '../words.ts';
import type { RecordPages } from './recordPages.tsx';
import { PAGE_RECORDS, REACH_RECORDS } from './recordPages.tsx';

interface FootProps {
  pages: RecordPages;
  /** every match; null while it is not known */
  matchCount: number | null;
  balance: number;
  /** Shows the keys of the table. */
  onKeys: () => void;
}

function shownWords({ records, loading, hasMore, offer, problem }: RecordPages, matchCount: number | null): string {
  if (problem && !records.length) return 'No row could be read';
  if (hasMore && offer === null && !records.length) return 'Reading the first rows …';
  const total = matchCount === null || matchCount === records.length ? '' : ` of ${number(matchCount)}`;
  const shown = `${countInWords(records.length, 'row')}${total} shown`;
  if (loading) return `${shown}, reading more …`;
  if (hasMore) return offer === null ? `${shown}, more as you scroll` : shown;
  if (matchCount !== null && matchCount > REACH_RECORDS)
    return `${shown}: a search reaches ${number(REACH_RECORDS)}. Filter for fewer, or export them`;
  return records.length ? `${shown}, all there are` : shown;
}

export function Foot({ pages, matchCount, balance, onKeys }: FootProps) {
  const { offer, records, loading, buy } = pages;
  const left = Math.min(PAGE_RECORDS, Math.max(1, (matchCount ?? Number.POSITIVE_INFINITY) - pages.offset));
  const next = `${records.length ? 'the next' : 'the first'} ${countInWords(left, 'row')}`;
  return (
    <footer class="table-foot">
      <p role="status">{shownWords(pages, matchCount)}</p>
      {offer !== null && (
        <>
          <p>
            Reading {next} costs <strong>{countInWords(offer, 'credit')}</strong>
            {offer < left && `, since your team holds the other ${number(left - offer)}`}. Your balance is {number(balance)}; nothing is
            charged before you press the button.
          </p>
          <button type="button" class="primary" disabled={loading} onClick={() => buy(offer)}>
            Show {next} for {countInWords(offer, 'credit')}
          </button>
        </>
      )}
      <button type="button" class="small quiet keys-button" onClick={onKeys}>
        Keys (?)
      </button>
    </footer>
  );
}
