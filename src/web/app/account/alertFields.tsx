/** The fields of an alert's settings: what it watches, and when and how much. */
import { filtersInAddress } from '../shared/filterWords.ts';
import { Field, TextField } from '../shared/inputs.tsx';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { PartCard } from '../shared/ui.tsx';
import type { AlertDraft } from './alertDraft.ts';
import { CadenceFields } from './cadenceFields.tsx';
import { CriteriaChips, isSameSearch } from './criteria.tsx';

const RECORDS_PER_RUN_MAX = 1000;
const REQUIREMENT_CHARACTERS_MAX = 500;

export interface AlertPartProps {
  draft: AlertDraft;
  edit: (change: Partial<AlertDraft>) => void;
}

/** What it looks for: filters, and a requirement in plain words. */
export function WatchFields({ draft: { filters, requirement }, edit }: AlertPartProps) {
  const { state } = usePage();
  const removeFilter = (name: string) => edit({ filters: Object.fromEntries(Object.entries(filters).filter(([one]) => one !== name)) });
  const hasOthers = Object.keys(state.filters).length > 0 && !isSameSearch(state.filters, filtersInAddress(filters));
  return (
    <PartCard title="What it watches">
      <CriteriaChips filters={filters} onRemove={removeFilter} />
      <p class="actions">
        <StateLink to={{ tab: 'map', filters: filtersInAddress(filters), view: null, project: null }}>Change on the map</StateLink>
        {hasOthers && (
          <button type="button" onClick={() => edit({ filters: state.filters })}>
            Take the filters of the map
          </button>
        )}
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
    </PartCard>
  );
}

/** When it runs, and how much a run may deliver and cost. */
export const RhythmFields = ({ draft, edit }: AlertPartProps) => (
  <PartCard title="Rhythm and limits">
    <div class="row">
      <CadenceFields id="rhythm" cadence={draft.cadence} onChange={(cadence) => edit({ cadence })} />
    </div>
    <p class="note">At 06:00 US Mountain Time.</p>
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
