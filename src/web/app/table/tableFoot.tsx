/** What is below the table: how many rows are shown of how many, what the next ones cost, and the button that pays for them. */
import { usePage } from '../shared/page.ts';
import { Button, MoreCredits, PrimaryButton, SmallButton } from '../shared/ui.tsx';
import { countInWords, number } from '../shared/words.ts';
import { ALL_MAX, PAGE_RECORDS, REACH_RECORDS, type RecordPages } from './recordPages.tsx';

interface FootProps {
  pages: RecordPages;
  /** every match; null while it is not known */
  matchCount: number | null;
  /** Shows the keys of the table. */
  onKeys: () => void;
}

function shownWords(
  { records, loading, hasMore, offer, exhausted, problem }: RecordPages,
  matchCount: number | null,
  isFree: boolean,
): string {
  if (problem && !records.length) return 'No row could be read';
  if (hasMore && offer === null && !exhausted && !records.length) return 'Reading the first rows …';
  const total = matchCount === null || matchCount === records.length ? '' : ` of ${number(matchCount)}`;
  const shown = `${countInWords(records.length, 'row')}${total} shown`;
  if (loading) return `${shown}, reading more …`;
  if (hasMore) return offer === null && isFree ? `${shown}, more as you scroll` : shown;
  if (matchCount !== null && matchCount > REACH_RECORDS)
    return `${shown}: a search reaches ${number(REACH_RECORDS)}. Filter for fewer, or export them`;
  return records.length ? `${shown}, all there are` : shown;
}

/** The price of the next rows, and the button that pays for as many of them as the balance does. */
function Offer({ pages, offer, matchCount }: Omit<FootProps, 'onKeys'> & { offer: number }) {
  const { records, loading, buy } = pages;
  const { balance, creditRate } = usePage().account;
  // Each new record costs one credit, so that a page at the price of all of its rows is whole.
  const left = matchCount === null && offer < PAGE_RECORDS ? null : Math.min(PAGE_RECORDS, (matchCount ?? Infinity) - pages.offset);
  const which = records.length ? 'the next' : 'the first';
  const next = left === null ? `${which} rows, ${PAGE_RECORDS} at most,` : `${which} ${countInWords(left, 'row')}`;
  const [credits, rows] = offer > balance ? [balance, Math.floor(balance / creditRate)] : [offer, PAGE_RECORDS];
  const bought = rows < PAGE_RECORDS ? `${which} ${countInWords(rows, 'row')}` : left === null ? 'them' : next;
  return (
    <>
      <p>
        Reading {next} costs <strong>{countInWords(offer, 'credit')}</strong>
        {left !== null && offer < left && `, since your team holds the other ${number(left - offer)}`}. Your balance is {number(balance)}
        {rows > 0 ? '; nothing is charged before you press the button.' : '.'}
      </p>
      {rows > 0 && (
        <PrimaryButton disabled={loading} onClick={() => buy(credits, rows)}>
          Show {bought} for {countInWords(credits, 'credit')}
        </PrimaryButton>
      )}
      {offer > balance && <MoreCredits />}
    </>
  );
}

/** Reads all rows, where they are free and not too many. */
export function ReadAll({ pages, matchCount }: Pick<FootProps, 'pages' | 'matchCount'>) {
  const { creditRate } = usePage().account;
  if (!pages.hasMore || creditRate > 0 || matchCount === null) return null;
  if (matchCount > ALL_MAX) return <span>Filter for at most {number(ALL_MAX)} to read all of them.</span>;
  return <SmallButton onClick={pages.readAll}>Read all {number(matchCount)} rows</SmallButton>;
}

export function Foot({ pages, matchCount, onKeys }: FootProps) {
  const { account } = usePage();
  const { offer, exhausted, hasMore, loading } = pages;
  const isOut = exhausted || (account.creditRate > account.balance && hasMore && offer === null && !loading);
  return (
    <footer class="table-foot">
      <p role="status">{shownWords(pages, matchCount, account.creditRate === 0)}</p>
      <ReadAll {...{ pages, matchCount }} />
      {offer !== null && <Offer {...{ pages, offer, matchCount }} />}
      {isOut && (
        <p>
          <strong>Your team has no credits left: it cannot read records that are new to it.</strong> <MoreCredits />
        </p>
      )}
      <Button kind="small quiet keys-button" onClick={onKeys}>
        Keys (?)
      </Button>
    </footer>
  );
}
