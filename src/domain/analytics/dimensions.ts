/** What analytics can group by and reckon with: the fields of the record table that have a facet. Pure. */
import type { Places } from '../places.ts';
import { FIELD_NAMES, type FieldName, fieldOf } from '../record/fields.ts';
import { assetClasses, GOVERNMENT_DECISIONS, propertySubtypes, propertyTypes } from '../vocabulary.ts';
import { type Interval, intervalLabel, intervalsAbove } from './intervals.ts';
import { type Axis, layered } from './table.ts';

export const DIMENSIONS = FIELD_NAMES.filter((name) => fieldOf(name).facet !== undefined && fieldOf(name).facet !== 'measurement');
export const MEASUREMENTS = FIELD_NAMES.filter((name) => fieldOf(name).facet === 'measurement');

export const OPERATIONS = ['count', 'sum', 'avg', 'median', 'min', 'max'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A dimension as a request groups by it. */
export interface Grouping {
  dimension: FieldName;
  /** of a date */
  interval?: Interval;
}

export const isDate = (dimension: FieldName) => ['day', 'moment'].includes(fieldOf(dimension).facet ?? '');

/** False where a project may lie in several groups: in those of each of its uses, of each of its hearings, and of all that was stated earlier. */
export const liesInOneGroup = (dimension: FieldName) => ['place', 'moment'].includes(fieldOf(dimension).facet ?? '');

/** `Property type` */
export const nameInWords = (name: FieldName): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** A token, the id of a place, or the first day of an interval; null for what is not stated. */
export type GroupKey = string | number | null;

const NOT_STATED = 'Not stated';

function placeLabel(dimension: FieldName, id: number, places: Places): string {
  if (dimension === 'state') return places.state(id)?.name ?? String(id);
  const place = dimension === 'county' ? places.county(id) : places.city(id);
  return place ? places.labelOf(place) : String(id);
}

/** What a group is called. */
export function groupLabel({ dimension, interval }: Grouping, key: GroupKey, places: Places): string {
  if (key === null) return NOT_STATED;
  if (interval) return intervalLabel(interval, String(key));
  const { facet, vocabulary } = fieldOf(dimension);
  return facet === 'place' ? placeLabel(dimension, Number(key), places) : (vocabulary?.label(String(key)) ?? String(key));
}

/** The Building Type above a subtype or an asset class. */
const typeOf = (token: string) => (propertySubtypes.find(token) ?? assetClasses.find(token))?.type ?? token;

/** The groups of coarser levels in which a group lies, coarsest first: of a city its state and county, of a month its year and quarter. */
function groupsAbove({ dimension, interval }: Grouping, key: GroupKey, places: Places): (string | number)[] {
  if (interval) return intervalsAbove(interval, String(key));
  if (dimension === 'county') return [places.county(Number(key))?.stateId ?? `state of ${key}`];
  if (dimension === 'city') {
    const city = places.city(Number(key));
    return [city?.stateId ?? `state of ${key}`, city?.countyId ?? `county of ${key}`];
  }
  if (dimension === 'propertySubtype') return [typeOf(String(key))];
  if (dimension === 'assetClass') return [typeOf(String(key)), assetClasses.find(String(key))?.subtype ?? `subtype of ${key}`];
  return [];
}

/** The axis that the groups of a dimension make. What is not stated lies in no coarser group but itself. */
export function axisOf(grouping: Grouping, keys: readonly GroupKey[], places: Places): Axis {
  const above = keys.map((key) => (key === null ? [] : groupsAbove(grouping, key, places)));
  const depth = Math.max(0, ...above.map(({ length }) => length));
  const levels = Array.from({ length: depth }, (_, level) => {
    const numbers = new Map<string | number | null, number>();
    return above.map((groups) => {
      const group = groups[level] ?? null;
      if (!numbers.has(group)) numbers.set(group, numbers.size);
      return numbers.get(group) as number;
    });
  });
  return layered(keys.length, levels);
}

/** Tokens that no answer shows without `includeGovernmentDecisions`: what lies under Govt. Decisions, which is no Building Type. */
export function governmentTokens(dimension: FieldName): string[] {
  if (dimension === 'propertyType') return propertyTypes.terms.map(({ token }) => token).filter((token) => token === GOVERNMENT_DECISIONS);
  const terms = dimension === 'propertySubtype' ? propertySubtypes.terms : assetClasses.terms;
  return terms.filter(({ type }) => type === GOVERNMENT_DECISIONS).map(({ token }) => token);
}
