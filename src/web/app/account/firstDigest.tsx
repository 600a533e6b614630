/** What the first run of an alert would bring, before it is saved: its digest where records are free, else its number, its price and what is held. */
import { useState } from 'preact/hooks';
import { useCall } from '../shared/hooks.ts';
import { usePage } from '../shared/page.ts';
import { toFilters } from '../shared/state.ts';
import { Button, Pending, Table } from '../shared/ui.tsx';
import { countInWords, number, windowNote } from '../shared/words.ts';
import { RECORD_HEADS, recordCells } from './records.tsx';

/** Records that a run of a new alert delivers at most, and those of them that are shown. */
const RUN_RECORDS = 100;
const SHOWN_RECORDS = 10;

/** The digest, in the order of a run: the newest meeting first. */
function FreeDigest() {
  const { filters } = usePage().state;
  const found = useCall('searchProjects', { ...toFilters(filters), representation: 'compact', limit: SHOWN_RECORDS });
  const records = Array.isArray(found.answer?.data) ? found.answer.data : [];
  if (!found.answer) return <Pending asked={found} what="Making the first digest" />;
  const matchCount = ('matchCount' in found.answer.meta && found.answer.meta.matchCount) || records.length;
  const delivered = Math.min(RUN_RECORDS, matchCount);
  return (
    <>
      <p role="status">
        The first run would bring {countInWords(delivered, 'project')}
        {matchCount > delivered && ` of ${number(matchCount)}; the rest waits for the runs after`}, free on your plan. Later ones bring what
        is new or has changed.
      </p>
      {records.length > 0 && <Table label="The first digest" heads={RECORD_HEADS} rows={records.map((record) => recordCells(record))} />}
      {delivered > records.length && <p class="note">The newest {number(records.length)} are shown.</p>}
    </>
  );
}

/** Number and price, and the titles that the team holds; the map names no others. */
function PricedDigest() {
  const { state, account } = usePage();
  const price = useCall('countProjects', toFilters(state.filters));
  const held = useCall('mapProjects', toFilters(state.filters));
  const known = held.answer?.data.projects.slice(0, SHOWN_RECORDS) ?? [];
  if (!price.answer || !held.answer) return <Pending asked={price.answer ? held : price} what="Asking for the price" />;
  const { matchCount, billableRecordCount, creditsRequired, creditRate } = price.answer.data;
  const heldCount = matchCount - billableRecordCount;
  const delivered = Math.min(RUN_RECORDS, matchCount);
  return (
    <>
      <p role="status">
        The first run would bring {countInWords(delivered, 'project')} of {number(matchCount)}, for{' '}
        <strong>at most {countInWords(Math.min(creditsRequired, delivered * creditRate), 'credit')}</strong>. Your balance is{' '}
        {number(account.balance)}.
      </p>
      <p class="note">
        {heldCount
          ? `Your team holds ${number(heldCount)} of all as they are`
          : 'Your team holds none of them yet, so that no title is shown'}
        {heldCount > 0 && known.length > 0 && '; of those on the map:'}
      </p>
      {known.length > 0 && <Table label="Held already" heads={RECORD_HEADS} rows={known.map((record) => recordCells(record))} />}
    </>
  );
}

export function FirstDigest() {
  const { state, account } = usePage();
  const filters = JSON.stringify(state.filters);
  const [askedFor, askFor] = useState('');
  const Digest = account.creditRate ? PricedDigest : FreeDigest;
  if (askedFor !== filters) return <Button onClick={() => askFor(filters)}>Show the first digest</Button>;
  return (
    <div class="part-card">
      <Digest />
      <p class="note">{windowNote(state.filters)}</p>
    </div>
  );
}
