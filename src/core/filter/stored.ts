/** Filters that were stored before the catalogue of today. Pure. */
import type { Places } from '../domain/places.ts';
import type { Controls } from './controls.ts';
import { CANONICAL } from './names.ts';
import { type ParameterReading, readParameters } from './parse.ts';
import { splitPlaces } from './placeList.ts';
import { parseList } from './raw.ts';

/** Replaces counties that were divided by their parts; a list without one stays as it is. */
function replaceDividedCounties(value: unknown, places: Places): unknown {
  const texts = parseList(
    [value],
    splitPlaces(places, (text) => places.findCounties(text)),
  );
  if (!('value' in texts)) return value;
  const today = texts.value.flatMap((text): (string | number)[] => {
    const parts = places.formerCalled('county', text)?.successorIds ?? [];
    return parts.length > 1 ? [...parts] : [text];
  });
  return today.length > texts.value.length ? today : value;
}

const mendValue = (name: string, value: unknown, places: Places): unknown =>
  CANONICAL.get(name) === 'counties' ? replaceDividedCounties(value, places) : value;

/** Stored filters as a request would name them today: whoever stored them cannot answer a refusal as ambiguous. */
export const mendStored = (filters: object, places: Places): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, mendValue(name, value, places)]));

/** Parses parameters that were stored. */
export const readStored = (
  parameters: readonly (readonly [string, readonly unknown[]])[],
  controls: Controls,
  places: Places,
): ParameterReading =>
  readParameters(
    new Map(parameters.map(([name, values]) => [name, values.map((value) => mendValue(name, value, places))])),
    controls,
    places,
  );
