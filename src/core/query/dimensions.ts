/** The fields of the record table that have a facet: dimensions to group by, and measurements to aggregate. Pure. */
import type { Places } from '../domain/places.ts';
import { FIELD_NAMES, type FieldName, fieldOf } from '../domain/record/fields.ts';
import { assetClasses, GOVERNMENT_DECISIONS, propertySubtypes, propertyTypes } from '../domain/vocabulary.ts';
import { type Interval, intervalLabel } from './intervals.ts';

export const DIMENSIONS = FIELD_NAMES.filter((name) => fieldOf(name).facet !== undefined && fieldOf(name).facet !== 'measurement');
export const MEASUREMENTS = FIELD_NAMES.filter((name) => fieldOf(name).facet === 'measurement');

export const OPERATIONS = ['count', 'sum', 'avg', 'median', 'min', 'max'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A dimension, as a request groups by it. */
export interface Grouping {
  dimension: FieldName;
  /** only for a date */
  interval?: Interval;
}

export const isDate = (dimension: FieldName) => ['day', 'moment'].includes(fieldOf(dimension).facet ?? '');

/** Whether a project counts in one group of a dimension only. It may count in several by land use, hearing or earlier statement. */
export const liesInOneGroup = (dimension: FieldName) => ['place', 'moment'].includes(fieldOf(dimension).facet ?? '');

/** The words of a camel-case name, such as `Property type`. */
export const nameInWords = (name: FieldName): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** A token, the id of a place, or the first day of an interval; null for the group of projects that state nothing. */
export type GroupKey = string | number | null;

const NOT_STATED = 'Not stated';

function placeLabel(dimension: FieldName, id: number, places: Places): string {
  if (dimension === 'state') return places.state(id)?.name ?? String(id);
  const place = dimension === 'county' ? places.county(id) : places.city(id);
  return place ? places.labelOf(place) : String(id);
}

/** The label of a group. */
export function groupLabel({ dimension, interval }: Grouping, key: GroupKey, places: Places): string {
  if (key === null) return NOT_STATED;
  if (interval) return intervalLabel(interval, String(key));
  const { facet, vocabulary } = fieldOf(dimension);
  return facet === 'place' ? placeLabel(dimension, Number(key), places) : (vocabulary?.label(String(key)) ?? String(key));
}

/** Tokens under Government Decisions, which no answer shows without `includeGovernmentDecisions`. */
export function governmentTokens(dimension: FieldName): string[] {
  if (dimension === 'propertyType') return propertyTypes.terms.map(({ token }) => token).filter((token) => token === GOVERNMENT_DECISIONS);
  const terms = dimension === 'propertySubtype' ? propertySubtypes.terms : assetClasses.terms;
  return terms.filter(({ type }) => type === GOVERNMENT_DECISIONS).map(({ token }) => token);
}
