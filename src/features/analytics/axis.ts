/** The axis that the groups of a dimension make, and the coarser groups that contain them. Pure. */
import type { Places } from '../../core/domain/places.ts';
import { assetClasses, propertySubtypes } from '../../core/domain/vocabulary.ts';
import type { Grouping, GroupKey } from '../../core/query/dimensions.ts';
import { intervalsAbove } from '../../core/query/intervals.ts';
import { type Axis, layered } from './table.ts';

/** The Building Type above a subtype or an asset class. */
const typeOf = (token: string) => (propertySubtypes.find(token) ?? assetClasses.find(token))?.type ?? token;

/** The groups of coarser levels that contain a group, coarsest first: of a city its state and county, of a month its year and quarter. */
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

/** The axis that the groups of a dimension make. What is not stated has no coarser group but itself. */
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
