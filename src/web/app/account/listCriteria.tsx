/** The criteria of an open list of filters: in words, how many they find, and changed by those of the map. */
import { useRef } from 'preact/hooks';
import type { SavedList } from '../shared/answers.ts';
import { ask, type FailedRequest } from '../shared/api.ts';
import { type Criteria, filtersInAddress } from '../shared/filterWords.ts';
import { StateLink } from '../shared/links.tsx';
import { queryOf } from '../shared/state.ts';
import type { TabProps } from '../shared/tabs.tsx';
import { showToast } from '../shared/toasts.tsx';
import { Action, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';
import { CriteriaChips, isSameSearch } from './criteria.tsx';

interface ListCriteriaProps extends Pick<TabProps, 'state' | 'go' | 'words'> {
  list: SavedList;
  onChange: (filters: Criteria) => Promise<void>;
  onProblem: (problem: FailedRequest | null) => void;
}

export function ListCriteria({ list, state, go, words, onChange, onProblem }: ListCriteriaProps) {
  const filters: Criteria = list.filters ?? {};
  const { sort = null, order = null, ...searched } = filtersInAddress({ ...filters, ...(list.polygon ? { polygon: list.polygon } : {}) });
  const { answer, problem, again } = useAnswer((signal) => ask(`/projects/count${queryOf(searched)}`, { signal }), [queryOf(searched)]);
  const latest = useRef(filters);
  latest.current = filters;
  const replace = async (next: Criteria, said: string, back: () => Criteria = () => filters) => {
    await onChange(next);
    showToast(said, () => onChange(back()));
  };
  const removeFilter = (name: string) =>
    replace(
      Object.fromEntries(Object.entries(filters).filter(([one]) => one !== name)),
      'The filter is taken away.',
      // Others may have been taken away since.
      () => ({ ...latest.current, [name]: filters[name] }),
    ).catch(onProblem);
  const hasOthers = list.kind === 'filter' && Object.keys(state.filters).length > 0 && !isSameSearch(state.filters, searched);
  return (
    <section class="card part-card">
      <h2>What it finds</h2>
      <CriteriaChips filters={filters} words={words} onRemove={removeFilter} />
      {list.polygon && <p class="note">Within a shape drawn on the map.</p>}
      {problem ? (
        <Notice problem={problem} again={again} />
      ) : answer ? (
        <p>{countInWords(answer.data.matchCount, 'project')} now.</p>
      ) : (
        <Loading />
      )}
      <p class="actions">
        <StateLink {...{ state, go }} to={{ tab: 'map', filters: searched, view: null, project: null }}>
          Show or change on the map
        </StateLink>
        {hasOthers && (
          <Action
            onProblem={onProblem}
            work={() =>
              replace(
                { ...state.filters, ...(sort ? { sort } : {}), ...(order ? { order } : {}) },
                'The list has the filters of the map now.',
              )
            }
          >
            Take the filters of the map
          </Action>
        )}
      </p>
    </section>
  );
}
