/** The criteria of a saved search in words; each can be removed. */
import { useShapeNames } from './areaNames.ts';
import { useAnswer } from './hooks.ts';
import { usePage, type Words } from './page.ts';
import { namePlaces } from './placeNames.ts';
import { nameAreas, shapesOf } from './shapes.ts';
import { queryOf } from './state.ts';
import { type Criteria, filtersInAddress, nameInWords, valueInWords } from './words.ts';

const valuesOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : String(value).split(',')).map((one) => one.trim()).filter(Boolean);

/** A value of a filter by the vocabularies. */
function valueByWords(filter: string, value: string, words: Words | null): string {
  const { states = [], taxonomy = [], statuses = [] } = words ?? {};
  if (filter === 'states') return states.find(({ id, abbreviation }) => String(id) === value || abbreviation === value)?.name ?? value;
  const terms = [...statuses, ...taxonomy, ...taxonomy.flatMap(({ subtypes }) => subtypes)];
  return terms.find(({ token }) => token === value)?.label ?? valueInWords(value);
}

const WORDED = ['states', 'status', 'propertyTypes', 'propertySubtypes', 'counties', 'cities'];

/** Each filter with its name and values in words. */
function useCriteriaWords(filters: Criteria): [name: string, text: string][] {
  const { words } = usePage();
  const numbered = { counties: valuesOf(filters.counties ?? ''), cities: valuesOf(filters.cities ?? '') };
  const places = useAnswer(() => namePlaces(numbered), [JSON.stringify(numbered)]);
  const texts = filtersInAddress(filters);
  const areas = useShapeNames(shapesOf(texts));
  const writeValue = (name: string, value: unknown) => nameAreas(name, texts[name] ?? '', areas).join(' or ') || writeWords(name, value);
  const writeWords = (name: string, value: unknown) =>
    WORDED.includes(name)
      ? valuesOf(value)
          .map((one) => places.answer?.get(`${name} ${one}`) ?? valueByWords(name, one, words))
          .join(', ')
      : valueInWords(value);
  return Object.entries(filters).map(([name, value]) => [name, `${nameInWords(name)}: ${writeValue(name, value)}`]);
}

const EVERYTHING = 'Everything of the licence';

/** Filters in one line. */
export function CriteriaWords({ filters }: { filters: Criteria }) {
  const entries = useCriteriaWords(filters);
  return <>{entries.length ? entries.map(([, text]) => text).join('; ') : EVERYTHING}</>;
}

/** Filters as chips, each with a button that removes it. */
export function CriteriaChips({ filters, onRemove }: { filters: Criteria; onRemove: (name: string) => void }) {
  const entries = useCriteriaWords(filters);
  if (!entries.length) return <p>{EVERYTHING}.</p>;
  return (
    <ul class="chips">
      {entries.map(([name, text]) => (
        <li key={name}>
          <button type="button" class="chip" onClick={() => onRemove(name)}>
            <span>{text}</span> <span aria-hidden="true">×</span>
            <span class="hidden">, take this filter away</span>
          </button>
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
