/** The criteria of an open list of filters: in words, how many they find, and changed by those of the map. */
import { useRef } from 'preact/hooks';
import type { SavedList } from '../shared/answers.ts';
import { type Criteria, filtersInAddress } from '../shared/filterWords.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { asProblem } from '../shared/problems.ts';
import { toFilters } from '../shared/state.ts';
import { showToast } from '../shared/toasts.tsx';
import { Action, Loading, Notice, useProblems } from '../shared/ui.tsx';
import { useCall } from '../shared/useAnswer.ts';
import { countInWords } from '../shared/words.ts';
import { CriteriaChips, isSameSearch } from './criteria.tsx';

interface ListCriteriaProps {
  list: SavedList;
  onChange: (filters: Criteria) => Promise<void>;
}

export function ListCriteria({ list, onChange }: ListCriteriaProps) {
  const { state } = usePage();
  const { report } = useProblems();
  const filters: Criteria = list.filters ?? {};
  const { sort = null, order = null, ...searched } = filtersInAddress({ ...filters, ...(list.polygon ? { polygon: list.polygon } : {}) });
  const { answer, problem, again } = useCall('countProjects', toFilters(searched));
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
    ).catch((error) => report(asProblem(error)));
  const takeFilters = () =>
    replace({ ...state.filters, ...(sort ? { sort } : {}), ...(order ? { order } : {}) }, 'The list has the filters of the map now.');
  const hasOthers = list.kind === 'filter' && Object.keys(state.filters).length > 0 && !isSameSearch(state.filters, searched);
  return (
    <section class="card part-card">
      <h2>What it finds</h2>
      <CriteriaChips filters={filters} onRemove={removeFilter} />
      {list.polygon && <p class="note">Within a shape drawn on the map.</p>}
      {problem ? (
        <Notice problem={problem} again={again} />
      ) : answer ? (
        <p>{countInWords(answer.data.matchCount, 'project')} now.</p>
      ) : (
        <Loading />
      )}
      <p class="actions">
        <StateLink to={{ tab: 'map', filters: searched, view: null, project: null }}>Show or change on the map</StateLink>
        {hasOthers && <Action work={takeFilters}>Take the filters of the map</Action>}
      </p>
    </section>
  );
}
