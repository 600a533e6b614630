/** The one table of filters: parsing, errors, the Elasticsearch query, echoes and documentation all follow from it. */
import { courseFilters } from './course.ts';
import type { AnyFilter, ValuesOf } from './entry.ts';
import { placeFilters } from './place.ts';
import { sizeFilters } from './size.ts';
import { stageFilters } from './stage.ts';
import { textFilters } from './text.ts';
import { timeFilters } from './time.ts';
import { useFilters } from './use.ts';

/** The filters by subject, as pages group them. */
export const FILTER_SUBJECTS = {
  Place: placeFilters,
  'Land use': useFilters,
  'Status and decisions': stageFilters,
  'Course of the case': courseFilters,
  Dates: timeFilters,
  Size: sizeFilters,
  'Words and names': textFilters,
} as const satisfies Readonly<Record<string, Readonly<Record<string, AnyFilter>>>>;

export const FILTERS = {
  ...placeFilters,
  ...useFilters,
  ...stageFilters,
  ...courseFilters,
  ...timeFilters,
  ...sizeFilters,
  ...textFilters,
};

export type FilterName = keyof typeof FILTERS;
export type FilterValues = ValuesOf<typeof FILTERS>;

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
export const filterOf = (name: FilterName): AnyFilter => FILTERS[name];

const PLACES: ReadonlyMap<FilterName, number> = new Map(FILTER_NAMES.map((name, i) => [name, i]));

export function namesIn(filters: FilterValues): FilterName[] {
  const names = (Object.keys(filters) as FilterName[]).filter((name) => filters[name] !== undefined);
  return names.sort((a, b) => (PLACES.get(a) ?? 0) - (PLACES.get(b) ?? 0));
}

/** Filters that were removed. One of them is refused as an unknown parameter, with its own message (src/docs/filters.md). */
export const REMOVED: Readonly<Record<string, string>> = Object.fromEntries(
  ['ownerTypes', 'ownerType', 'createdAtFrom', 'createdAtTo', 'createdFrom', 'createdTo', 'createdSince'].map((name) => [
    name,
    `The filter '${name}' was removed; leave it out`,
  ]),
);
