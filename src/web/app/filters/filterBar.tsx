/** The bar above every tab that shows records: a box that completes filters, a chip for each, and all of them in a panel. */
import { useState } from 'preact/hooks';
import { usePage } from '../shared/page.ts';
import { type FilterChange, withFilters } from '../shared/state.ts';
import { Notice } from '../shared/ui.tsx';
import { FilterChips } from './filterChips.tsx';
import { FilterPanel } from './filterPanel.tsx';
import { FilterProblems } from './filterProblems.tsx';
import { type FilterCatalogue, type FilterTexts, rowOf, withOwnNames } from './filterRows.ts';
import { SearchBox } from './searchBox.tsx';
import { type FilterUse, useCatalogue, usePlaceNames, useProblems } from './useFilters.ts';

/** The change of the address: filters that it has under other names get their own. */
function changeOfAddress(catalogue: FilterCatalogue, sent: FilterTexts, own: FilterTexts, change: FilterChange): FilterChange {
  const renamed = Object.keys(sent).filter((name) => (rowOf(catalogue, name)?.name ?? name) !== name);
  const names = renamed.map((name) => rowOf(catalogue, name)?.name ?? name);
  return {
    ...Object.fromEntries(renamed.map((name) => [name, null])),
    ...Object.fromEntries(names.map((name) => [name, own[name] ?? null])),
    ...change,
  };
}

/** @param given `dateRange`: the period of meetings that counts in this tab unless one is chosen; that of a search where it is not given */
export function FilterBar({ dateRange }: { dateRange?: string | undefined }) {
  const { state, go, words } = usePage();
  const [edited, setEdited] = useState<string | null>(null);
  const [isPanelOpen, setIsPanelOpen] = useState(false);
  const { answer: catalogue, problem, again } = useCatalogue();
  const filters = catalogue ? withOwnNames(catalogue, state.filters) : state.filters;
  const states = words?.states ?? [];
  const places = usePlaceNames(filters, states);
  const problems = useProblems(catalogue, state.filters);
  if (problem) return <Notice problem={problem} again={again} />;
  if (!catalogue) return <div class="filter-bar" />;
  const onChange = (change: FilterChange) => go(withFilters(state, changeOfAddress(catalogue, state.filters, filters, change)));
  const use: FilterUse = {
    catalogue,
    filters,
    places,
    states,
    problems,
    onChange,
    dateRange: dateRange ?? catalogue.defaultDateRange,
  };
  const clear = () => go({ ...state, filters: {}, view: null, project: null });
  const count = Object.keys(filters).length;
  return (
    <section class="filter-bar" aria-label="Filters">
      <SearchBox use={use} onOpen={setEdited} />
      <FilterChips use={use} edited={edited} onEdit={setEdited} />
      <p class="filter-actions">
        {count > 0 && (
          <button type="button" class="quiet small" onClick={clear}>
            Clear
          </button>
        )}
        <button
          type="button"
          class="small"
          aria-haspopup="dialog"
          onClick={() => {
            setEdited(null);
            setIsPanelOpen(true);
          }}
        >
          All filters
        </button>
      </p>
      <FilterProblems use={use} />
      {isPanelOpen && <FilterPanel use={use} onClear={clear} onClose={() => setIsPanelOpen(false)} />}
    </section>
  );
}
