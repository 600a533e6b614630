/** Shown if nothing matches: for each filter, a button that removes it, with the number of matches that the search then has. */
import { callCached } from '../shared/api.ts';
import { fieldText, type PlaceNames } from '../shared/chips.ts';
import { useCatalogue, usePlaceNames } from '../shared/criteria.tsx';
import { type FilterCatalogue, type FilterTexts, fieldsOf, withOwnNames } from '../shared/filterRows.ts';
import { useAnswer } from '../shared/hooks.ts';
import { StateLink } from '../shared/links.tsx';
import { usePage } from '../shared/page.ts';
import { isDearer } from '../shared/problems.ts';
import { type FilterChange, toFilters, withFilters } from '../shared/state.ts';
import { Button, Empty, Loading, Notice } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';

interface Suggestion {
  without: string;
  matchCount: number;
}

/** The change of a suggestion, and the text of its button. */
function suggestionOf(
  catalogue: FilterCatalogue,
  filters: FilterTexts,
  places: PlaceNames,
  { without, matchCount }: Suggestion,
): { text: string; change: FilterChange } {
  const records = countInWords(matchCount, 'project');
  if (without === 'dateRange') return { text: `All dates: ${records}`, change: { dateRange: 'all' } };
  const field = fieldsOf(catalogue).find(({ rows }) => rows.some(({ name }) => name === without));
  const value = field && fieldText(catalogue, field, { [without]: filters[without] ?? '' }, places);
  return { text: `Without ${field?.label ?? without}${value ? `: ${value}` : ''}: ${records}`, change: { [without]: null } };
}

export function NothingFound() {
  const { state, go } = usePage();
  const { answer: catalogue } = useCatalogue();
  const filters = catalogue ? withOwnNames(catalogue, state.filters) : state.filters;
  const places = usePlaceNames(filters);
  const { answer, problem, loading, again } = useAnswer(
    async (signal): Promise<Suggestion[]> => {
      const asked = { ...toFilters(state.filters), representation: 'compact', limit: 1 };
      // Free, in case something matches by now.
      const { meta } = await callCached('searchProjects', asked, { signal, maxCredits: 0 });
      return 'suggestions' in meta ? (meta.suggestions ?? []) : [];
    },
    [JSON.stringify(state.filters)],
  );
  if (loading || !catalogue) return <Loading what="Looking for what is in the way" />;
  if (problem && isDearer(problem))
    return (
      <Empty>
        There are matches that your team has not read. <StateLink to={{ tab: 'table' }}>The table</StateLink> has them, with their price.
      </Empty>
    );
  if (problem) return <Notice problem={problem} again={again} />;
  const helpful = (answer ?? []).filter(({ matchCount }) => matchCount > 0);
  return (
    <Empty>
      {helpful.length
        ? 'No project matches all of these filters. '
        : 'No project matches these filters, nor with any one of them taken away.'}
      {helpful.length > 0 && (
        <span class="suggestions">
          {helpful.map((suggestion) => {
            const { text, change } = suggestionOf(catalogue, filters, places, suggestion);
            return (
              <Button key={suggestion.without} onClick={() => go(withFilters({ ...state, filters }, change))}>
                {text}
              </Button>
            );
          })}
        </span>
      )}
    </Empty>
  );
}
