/** An alert that watches one record. */
import { useState } from 'preact/hooks';
import type { Frequency } from '../../../clients/client/generated.ts';
import { call } from '../shared/api.ts';
import { nameOfRecord, type ReadRecord } from '../shared/facts.ts';
import { optionsOf, Select } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action } from '../shared/ui.tsx';
import { moment } from '../shared/words.ts';
import type { RecordFormProps } from './recordForm.ts';

const RHYTHMS: Readonly<Record<Frequency, string>> = { daily: 'Every day', weekly: 'Every Monday', monthly: 'On the 1st of the month' };
const NAME_MAX = 100;

/** On plans that are not nationwide an alert names a place, too. */
function watchedFilters({ id, countyId, stateId }: ReadRecord, isNationwide: boolean) {
  if (isNationwide) return { projectIds: [id] };
  return { projectIds: [id], ...(countyId ? { counties: [countyId] } : stateId ? { states: [stateId] } : {}) };
}

export function WatchForm({ record, onDone }: RecordFormProps) {
  const { account } = usePage();
  const [frequency, setFrequency] = useState<Frequency>('weekly');
  const watch = async () => {
    const body = {
      name: `Changes of ${nameOfRecord(record)}`.slice(0, NAME_MAX),
      filters: watchedFilters(record, account.plan.geography === 'nationwide'),
      cadence: { frequency },
    };
    const { id, nextRunAt } = (await call('createAlert', { body })).data;
    showToast(`Watched. The alert runs first on ${moment(nextRunAt)}.`, () => call('deleteAlert', { id }));
    onDone();
  };
  return (
    <>
      <div class="row">
        <Select
          id="record-rhythm"
          label="Look for changes"
          value={frequency}
          options={optionsOf(RHYTHMS)}
          onChange={(name) => setFrequency(name as Frequency)}
        />
        <Action kind="primary" work={watch}>
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
