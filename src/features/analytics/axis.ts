/** Axes: the groups of a dimension, and the coarser groups that contain them. Pure. */
import type { Places } from '../../core/domain/places.ts';
import { FINISHED_OUTCOMES } from '../../core/domain/process/tokens.ts';
import { assetClasses, propertySubtypes } from '../../core/domain/vocabulary.ts';
import { facetOf, type Grouping, type GroupKey } from '../../core/query/dimensions.ts';
import { startsOfLongerIntervals } from '../../core/query/intervals.ts';
import { type Axis, makeLayeredAxis } from './levelTables.ts';

/** The Building Type of a subtype or an asset class. */
const typeOf = (token: string) => (propertySubtypes.find(token) ?? assetClasses.find(token))?.type ?? token;

/** The coarser groups that contain a group, coarsest first: state and county of a city, year and quarter of a month. */
function listGroupsAbove({ dimension, interval }: Grouping, key: GroupKey, places: Places): (string | number)[] {
  if (interval) return startsOfLongerIntervals(interval, String(key));
  if (dimension === 'county') return [places.county(Number(key))?.stateId ?? `state of ${key}`];
  if (dimension === 'city') {
    const city = places.city(Number(key));
    return [city?.stateId ?? `state of ${key}`, city?.countyId ?? `county of ${key}`];
  }
  if (dimension === 'propertySubtype') return [typeOf(String(key))];
  if (dimension === 'assetClass') return [typeOf(String(key)), assetClasses.find(String(key))?.subtype ?? `subtype of ${key}`];
  return [];
}

/** The coarser group of an outcome, which is a sum in odds. */
const groupOfOutcome = (key: GroupKey): string => (FINISHED_OUTCOMES.some((outcome) => outcome === key) ? 'finished' : 'open');

/** The axis of a dimension. The group without a value has no coarser group; among outcomes it counts as open. */
export function makeAxis(grouping: Grouping, keys: readonly GroupKey[], places: Places): Axis {
  const above = keys.map((key) => {
    if (facetOf(grouping.dimension).kind === 'outcome') return [groupOfOutcome(key)];
    return key === null ? [] : listGroupsAbove(grouping, key, places);
  });
  const depth = Math.max(0, ...above.map(({ length }) => length));
  const levels = Array.from({ length: depth }, (_, level) => {
    const numbers = new Map<string | number | null, number>();
    return above.map((groups) => {
      const group = groups[level] ?? null;
      if (!numbers.has(group)) numbers.set(group, numbers.size);
      return numbers.get(group) as number;
    });
  });
  return makeLayeredAxis(keys.length, levels);
}
