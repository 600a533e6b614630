/** The rhythm of an alert: how often, and on which day. */
import type { SavedAlert } from '../shared/answers.ts';
import { optionsOf, Select } from '../shared/inputs.tsx';
import { WEEKDAYS } from './alertDraft.ts';

type Cadence = SavedAlert['cadence'];

const FREQUENCIES: Readonly<Record<Cadence['frequency'], string>> = { daily: 'Every day', weekly: 'Every week', monthly: 'Every month' };
/** Days that every month has. */
const DAYS = Array.from({ length: 28 }, (_, i) => String(i + 1));

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
      <Select
        id={`${id}-often`}
        label="How often"
        value={frequency}
        options={optionsOf(FREQUENCIES)}
        onChange={(name) => choose(name as Cadence['frequency'])}
      />
      {frequency === 'weekly' && (
        <Select
          id={`${id}-weekday`}
          label="On"
          value={String(weekday ?? 1)}
          options={WEEKDAYS.map((label, i) => ({ value: String(i + 1), label }))}
          onChange={(next) => onChange({ ...cadence, weekday: Number(next) })}
        />
      )}
      {frequency === 'monthly' && (
        <Select
          id={`${id}-day`}
          label="On day"
          value={String(day ?? 1)}
          options={DAYS.map((one) => ({ value: one, label: one }))}
          onChange={(next) => onChange({ ...cadence, day: Number(next) })}
        />
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
