/** The filters of a search in words, as the bar of filters has them; each can be removed. */
import { onceRead } from './api.ts';
import { useShapeNames } from './areaNames.ts';
import { chipsOf, type FilterChip, type PlaceNames } from './chips.ts';
import { type FilterCatalogue, type FilterTexts, valuesOf } from './filterRows.ts';
import { type Asked, useAnswer } from './hooks.ts';
import { usePage } from './page.ts';
import { namePlaces } from './placeNames.ts';
import { settings } from './settings.ts';
import { shapesOf } from './shapes.ts';
import { queryOf } from './state.ts';
import { Button } from './ui.tsx';
import { type Criteria, filtersInAddress } from './words.ts';

const readCatalogue = onceRead<FilterCatalogue>(settings.filters);

/** Every filter; read once. */
export const useCatalogue = (): Asked<FilterCatalogue> => useAnswer(readCatalogue, []);

/** The names of the places and areas that filters have by number, and of all states. */
export function usePlaceNames(filters: FilterTexts): PlaceNames {
  const states = usePage().words?.states ?? [];
  const numbered = { counties: valuesOf(filters.counties), cities: valuesOf(filters.cities) };
  const { answer } = useAnswer(() => namePlaces(numbered), [JSON.stringify(numbered)]);
  const ofStates = states.flatMap(({ id, abbreviation, name }) =>
    [String(id), abbreviation, abbreviation.toLowerCase()].map((value): [string, string] => [`states ${value}`, name]),
  );
  const areas = useShapeNames(shapesOf(filters));
  return new Map([...ofStates, ...(answer ?? []), ...areas]);
}

/** A chip for each filter; none before the filters are known. */
export function useCriteriaChips(filters: Criteria): FilterChip[] {
  const { answer: catalogue } = useCatalogue();
  const texts = filtersInAddress(filters);
  const places = usePlaceNames(texts);
  return catalogue ? chipsOf(catalogue, texts, places) : [];
}

const EVERYTHING = 'Everything of the licence';

export function CriteriaWords({ filters }: { filters: Criteria }) {
  const chips = useCriteriaChips(filters);
  return <>{Object.keys(filters).length ? chips.map(({ label, text }) => `${label}: ${text}`).join('; ') : EVERYTHING}</>;
}

/** Filters as chips, each with a button that removes it: both ends of a range together. */
export function CriteriaChips({ filters, onRemove }: { filters: Criteria; onRemove: (names: readonly string[]) => void }) {
  const chips = useCriteriaChips(filters);
  if (!Object.keys(filters).length) return <p>{EVERYTHING}.</p>;
  return (
    <ul class="chips">
      {chips.map(({ key, label, text, names }) => (
        <li key={key}>
          <Button kind="chip" onClick={() => onRemove(names)}>
            <span>
              {label}: {text}
            </span>{' '}
            <span aria-hidden="true">×</span>
            <span class="hidden">, take this filter away</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Whether two searches have the same filters, however their values are written. */
export const isSameSearch = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean =>
  queryOf(sorted(one)) === queryOf(sorted(other));

const sorted = (filters: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
