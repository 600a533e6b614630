/** The rhythm of an alert: how often, and on which day. */

import type { SavedAlert } from '../shared/answers.ts';
import { WEEKDAYS } from './alertDraft.ts';

type Cadence = SavedAlert['cadence'];

const FREQUENCIES: Readonly<Record<Cadence['frequency'], string>> = { daily: 'Every day', weekly: 'Every week', monthly: 'Every month' };
const LAST_DAY = 28;

interface CadenceFieldsProps {
  /** begins the ids of the fields */
  id: string;
  cadence: Cadence;
  onChange: (cadence: Cadence) => void;
}

export function CadenceFields({ id, cadence, onChange }: CadenceFieldsProps) {
  const { frequency, weekday, day } = cadence;
  const choose = (next: Cadence['frequency']) =>
    onChange({
      ...cadence,
      frequency: next,
      weekday: next === 'weekly' ? (weekday ?? 1) : null,
      day: next === 'monthly' ? (day ?? 1) : null,
    });
  return (
    <>
      <div class="field">
        <label for={`${id}-often`}>How often</label>
        <select id={`${id}-often`} value={frequency} onChange={(event) => choose(event.currentTarget.value as Cadence['frequency'])}>
          {Object.entries(FREQUENCIES).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {frequency === 'weekly' && (
        <div class="field">
          <label for={`${id}-weekday`}>On</label>
          <select
            id={`${id}-weekday`}
            value={weekday ?? 1}
            onChange={(event) => onChange({ ...cadence, weekday: Number(event.currentTarget.value) })}
          >
            {WEEKDAYS.map((name, i) => (
              <option key={name} value={i + 1}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      {frequency === 'monthly' && (
        <div class="field">
          <label for={`${id}-day`}>On day</label>
          <select id={`${id}-day`} value={day ?? 1} onChange={(event) => onChange({ ...cadence, day: Number(event.currentTarget.value) })}>
            {Array.from({ length: LAST_DAY }, (_, i) => (
              <option key={i} value={i + 1}>
                {i + 1}
              </option>
            ))}
          </select>
        </div>
      )}
      <label class="check">
        <input
          id={`${id}-before-hearings`}
          type="checkbox"
          checked={cadence.beforeHearings}
          onChange={(event) => onChange({ ...cadence, beforeHearings: event.currentTarget.checked })}
        />{' '}
        Also on the day before a hearing
      </label>
    </>
  );
}
