/** The planning regions of Connecticut with the cities and towns of the catalogue that lie in each. Pure. */
import { bareCityName } from '../../src/core/domain/placeNames.ts';
import regionTowns from './regionTowns.json' with { type: 'json' };
import type { Subdivision } from './sources.ts';
import type { CityInCounty, Town } from './towns.ts';

const CONNECTICUT = 9;
const fold = (name: string) => bareCityName(name);
const meanOf = (numbers: readonly number[]) => Number((numbers.reduce((sum, one) => sum + one, 0) / numbers.length).toFixed(4));

/** @param subdivisions the towns, whose names a city's code of its town leads to; a code that none has is that of a city of this name */
export function makePlanningRegions(cities: readonly CityInCounty[], towns: readonly Town[], subdivisions: readonly Subdivision[]) {
  const townOf = new Map(subdivisions.map(({ geoid, name }) => [geoid, fold(name)]));
  const inState = cities.filter(({ state }) => state === 'CT').sort((a, b) => b.population - a.population);
  const listed = new Set(Object.values(regionTowns).flatMap(({ towns: names }) => names.split(', ').map(fold)));
  const cityOf = new Map(
    inState.filter(({ name }) => listed.has(fold(name))).map(({ fips, subdivision, name }) => [`${fips}${subdivision}`, fold(name)]),
  );
  const placed = [
    ...inState.map(({ id, fips, subdivision }) => {
      const code = `${fips}${subdivision}`;
      return { id, town: townOf.get(code) ?? cityOf.get(code) };
    }),
    ...towns.map(({ geoid, name }) => ({ id: Number(geoid), town: geoid.startsWith('09') ? fold(name) : undefined })),
  ];
  return Object.entries(regionTowns).map(([id, { name, towns: names }]) => {
    const its = new Set(names.split(', ').map(fold));
    const lying = placed.filter(({ town }) => town !== undefined && its.has(town)).map((one) => one.id);
    const centred = inState.filter((city) => lying.includes(city.id));
    const latitude = meanOf(centred.map((city) => Number(city.latitude)));
    const longitude = meanOf(centred.map((city) => Number(city.longitude)));
    return { id: Number(id), name, stateId: CONNECTICUT, latitude, longitude, cityIds: lying.sort((a, b) => a - b) };
  });
}
