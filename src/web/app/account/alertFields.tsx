/** The fields of an alert's settings: what it watches, and when and how much. */

import { filtersInAddress } from '../shared/filterWords.ts';
import { StateLink } from '../shared/links.tsx';
import type { TabProps } from '../shared/tabs.tsx';
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
export function WatchFields({ draft, edit, state, go, words }: AlertPartProps & Pick<TabProps, 'state' | 'go' | 'words'>) {
  const { filters, requirement } = draft;
  const removeFilter = (name: string) => edit({ filters: Object.fromEntries(Object.entries(filters).filter(([one]) => one !== name)) });
  const hasOthers = Object.keys(state.filters).length > 0 && !isSameSearch(state.filters, filtersInAddress(filters));
  return (
    <section class="card part-card">
      <h2>What it watches</h2>
      <CriteriaChips filters={filters} words={words} onRemove={removeFilter} />
      <p class="actions">
        <StateLink {...{ state, go }} to={{ tab: 'map', filters: filtersInAddress(filters), view: null, project: null }}>
          Change on the map
        </StateLink>
        {hasOthers && (
          <button type="button" onClick={() => edit({ filters: state.filters })}>
            Take the filters of the map
          </button>
        )}
      </p>
      <div class="field">
        <label for="requirement">And what else a record has to satisfy, in plain words</label>
        <textarea
          id="requirement"
          rows={2}
          maxLength={REQUIREMENT_CHARACTERS_MAX}
          placeholder="with a retention pond"
          value={requirement}
          onInput={(event) => edit({ requirement: event.currentTarget.value })}
        />
      </div>
    </section>
  );
}

/** When it runs, and how much a run may deliver and cost. */
export const RhythmFields = ({ draft, edit, isMetered }: AlertPartProps & { isMetered: boolean }) => (
  <section class="card part-card">
    <h2>Rhythm and limits</h2>
    <div class="row">
      <CadenceFields id="rhythm" cadence={draft.cadence} onChange={(cadence) => edit({ cadence })} />
    </div>
    <p class="note">At 06:00 US Mountain Time.</p>
    <div class="row">
      <div class="field">
        <label for="per-run">Records a run, at most</label>
        <input
          id="per-run"
          type="number"
          min={1}
          max={RECORDS_PER_RUN_MAX}
          value={draft.maxRecordsPerRun}
          onInput={(event) => edit({ maxRecordsPerRun: event.currentTarget.value })}
        />
      </div>
      {(isMetered || draft.maxCredits) && (
        <div class="field">
          <label for="max-credits">Credits a run, at most</label>
          <input
            id="max-credits"
            type="number"
            min={1}
            placeholder="no limit"
            value={draft.maxCredits}
            onInput={(event) => edit({ maxCredits: event.currentTarget.value })}
          />
        </div>
      )}
    </div>
  </section>
);
