/** An alert that watches one record. */
import { useState } from 'preact/hooks';
import type { Frequency } from '../../../clients/client/generated.ts';
import { ask, type DataOf, newIdempotencyKey } from '../shared/api.ts';
import { nameOfRecord, type ReadRecord } from '../shared/facts.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action } from '../shared/ui.tsx';
import { moment } from '../shared/words.ts';
import { useProofs } from './proofs.tsx';
import type { RecordFormProps } from './recordForm.ts';

type WatchingAlert = DataOf<'getAlert'>;

const RHYTHMS: Readonly<Record<Frequency, string>> = { daily: 'Every day', weekly: 'Every Monday', monthly: 'On the 1st of the month' };
const NAME_MAX = 100;

/** On plans that are not nationwide an alert names a place, too. */
function watchedFilters({ id, countyId, stateId }: ReadRecord, isNationwide: boolean) {
  if (isNationwide) return { projectIds: [id] };
  return { projectIds: [id], ...(countyId ? { counties: [countyId] } : { states: [stateId] }) };
}

export function WatchForm({ record, onDone, onProblem }: RecordFormProps) {
  const { account } = useProofs();
  const [frequency, setFrequency] = useState<Frequency>('weekly');
  const watch = async () => {
    const body = {
      name: `Changes of ${nameOfRecord(record)}`.slice(0, NAME_MAX),
      filters: watchedFilters(record, account.plan.geography === 'nationwide'),
      cadence: { frequency },
    };
    const made: WatchingAlert = (await ask('/alerts', { method: 'POST', body, headers: { 'Idempotency-Key': newIdempotencyKey() } })).data;
    showToast(`Watched. The alert runs first on ${moment(made.nextRunAt)}.`, () => ask(`/alerts/${made.id}`, { method: 'DELETE' }));
    onDone();
  };
  return (
    <>
      <div class="row">
        <div class="field">
          <label for="record-rhythm">Look for changes</label>
          <select id="record-rhythm" value={frequency} onChange={(event) => setFrequency(event.currentTarget.value as Frequency)}>
            {Object.entries(RHYTHMS).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <Action kind="primary" work={watch} onProblem={onProblem}>
          Watch it
        </Action>
      </div>
      <p class="note">
        An alert with a mail when the record has changed. Saving it is free
        {account.creditRate > 0 ? '; a run that brings a change charges 1 credit, another run nothing.' : ', and so are its runs.'}
      </p>
    </>
  );
}
