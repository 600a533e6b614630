/** The fields of an alert's settings: what it watches, when and how much, and whom it mails to. */
import type { SavedAlert } from '../shared/answers.ts';
import { CriteriaChips, isSameSearch } from '../shared/criteria.tsx';
import { Check, Field, optionsOf, Select, TextField } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { Badge, Button, PartCard, SmallAction } from '../shared/ui.tsx';
import { date, filtersInAddress } from '../shared/words.ts';
import { type AlertDraft, RUN_TIME, WEEKDAYS } from './alertDraft.ts';

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
      <Check
        id={`${id}-before-hearings`}
        checked={cadence.beforeHearings}
        onChange={() => onChange({ ...cadence, beforeHearings: !cadence.beforeHearings })}
        label="Also on the day before a hearing"
      />
    </>
  );
}

const STATES = { active: 'Gets mails', unconfirmed: 'Asked, has not answered yet', stopped: 'Stopped the mails' } as const;

interface AlertMailsProps extends AlertPartProps {
  alert: SavedAlert;
  /** resumes the mails to the reader, who stopped them */
  onResume: () => Promise<void>;
}

export function AlertMails({ alert, draft, edit, onResume }: AlertMailsProps) {
  const recipients = alert.notify.recipients ?? [];
  return (
    <PartCard title="Mails">
      <Check checked={draft.email} onChange={() => edit({ email: !draft.email })} label="A digest of each run to whoever sees the alert" />
      <TextField
        id="mail-to"
        label="Also to these addresses, one a line"
        rows={2}
        value={draft.emailTo}
        onChange={(emailTo) => edit({ emailTo })}
      />
      <p class="note">An address outside the team is asked once whether it wants them.</p>
      {recipients.length > 0 && (
        <ul class="recipients">
          {recipients.map(({ address, state, since }) => (
            <li key={address}>
              {address} <Badge token={state} label={STATES[state]} /> <span class="note">since {date(since)}</span>
            </li>
          ))}
        </ul>
      )}
      {recipients.some(({ state }) => state === 'stopped') && (
        <p class="actions">
          <SmallAction work={onResume}>Resume the mails to me</SmallAction>
        </p>
      )}
    </PartCard>
  );
}

const RECORDS_PER_RUN_MAX = 1000;
const REQUIREMENT_CHARACTERS_MAX = 500;

interface AlertPartProps {
  draft: AlertDraft;
  edit: (change: Partial<AlertDraft>) => void;
}

/** What it looks for: filters, and a requirement in plain words. */
export function WatchFields({ draft: { filters, requirement, includeNewlyRead }, edit }: AlertPartProps) {
  const { state } = usePage();
  const removeFilters = (names: readonly string[]) =>
    edit({ filters: Object.fromEntries(Object.entries(filters).filter(([one]) => !names.includes(one))) });
  const hasOthers = Object.keys(state.filters).length > 0 && !isSameSearch(state.filters, filtersInAddress(filters));
  return (
    <PartCard title="What it watches">
      <CriteriaChips filters={filters} onRemove={removeFilters} />
      <p class="actions">
        <StateLink to={{ tab: 'map', filters: filtersInAddress(filters), view: null, project: null }}>Change on the map</StateLink>
        {hasOthers && <Button onClick={() => edit({ filters: state.filters })}>Take the filters of the map</Button>}
      </p>
      <TextField
        id="requirement"
        label="And what else a record has to satisfy, in plain words"
        rows={2}
        maxLength={REQUIREMENT_CHARACTERS_MAX}
        placeholder="with a retention pond"
        value={requirement}
        onChange={(text) => edit({ requirement: text })}
      />
      <Check
        id="newly-read"
        checked={includeNewlyRead}
        onChange={() => edit({ includeNewlyRead: !includeNewlyRead })}
        label="Also old cases that are newly read"
      />
    </PartCard>
  );
}

/** When it runs, and how much a run may deliver and cost. */
export const RhythmFields = ({ draft, edit }: AlertPartProps) => (
  <PartCard title="Rhythm and limits">
    <div class="row">
      <CadenceFields id="rhythm" cadence={draft.cadence} onChange={(cadence) => edit({ cadence })} />
    </div>
    <p class="note">At {RUN_TIME}.</p>
    <div class="row">
      <Field
        id="per-run"
        label="Records a run, at most"
        type="number"
        min={1}
        max={RECORDS_PER_RUN_MAX}
        value={draft.maxRecordsPerRun}
        onChange={(maxRecordsPerRun) => edit({ maxRecordsPerRun })}
      />
      {(usePage().account.creditRate > 0 || draft.maxCredits) && (
        <Field
          id="max-credits"
          label="Credits a run, at most"
          type="number"
          min={1}
          placeholder="no limit"
          value={draft.maxCredits}
          onChange={(maxCredits) => edit({ maxCredits })}
        />
      )}
    </div>
  </PartCard>
);
