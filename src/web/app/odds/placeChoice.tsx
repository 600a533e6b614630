/** Chooses the state and the county whose projects are counted: the filters of the address. */
import { valuesOf } from '../shared/filterRows.ts';
import { useAnswer } from '../shared/hooks.ts';
import { Select } from '../shared/inputs.tsx';
import { usePage } from '../shared/page.ts';
import { listCounties } from '../shared/placeNames.ts';
import { withFilters } from '../shared/state.ts';

export function PlaceChoice() {
  const { state, go, words } = usePage();
  const { states = '', counties = '' } = state.filters;
  const chosen = words?.states.find(({ id, abbreviation }) => states === String(id) || states === abbreviation);
  const known = useAnswer(async () => (chosen ? listCounties(String(chosen.id)) : []), [chosen?.id]);
  const options = (all: string, several: string, ids: string, named: readonly { id: string | number; name: string }[]) => [
    { value: '', label: all },
    ...(valuesOf(ids).length > 1 ? [{ value: ids, label: `${valuesOf(ids).length} ${several}` }] : []),
    ...named.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <>
      <Select
        id="odds-state"
        label="State"
        class="chart-measure"
        value={chosen ? String(chosen.id) : states}
        options={options('All states', 'states', states, words?.states ?? [])}
        onChange={(id) => go(withFilters(state, { states: id || null, counties: null, cities: null }))}
      />
      {(chosen || counties) && (
        <Select
          id="odds-county"
          label="County"
          class="chart-measure"
          value={counties}
          options={options('All counties', 'counties', counties, known.answer ?? [])}
          onChange={(id) => go(withFilters(state, { counties: id || null, cities: null }))}
        />
      )}
    </>
  );
}
