/** Splits lists of counties or cities, in which 'Boulder, CO' is one place although values are also separated by commas. Pure. */

import { type ComparedName, findNearestPlaces, type NearestValues, readNames } from '../domain/nearestNames.ts';
import type { City, County, Places } from '../domain/places.ts';
import { LIST_VALUES_MAX } from './raw.ts';

type Found = County | City;

/** A list with more parts has too many values, however its parts belong together. */
const PARTS_MAX = 2 * LIST_VALUES_MAX;

const isName = (text: string | undefined): text is string => text !== undefined && !/^\d*$/.test(text);

/**
 * Splits a comma-separated list of places, keeping a name and the state after it together. A word that names both a state and a place
 * belongs to the name before it if that place is in that state ('Seattle, Washington'); otherwise it is a place of its own ('Denver, New
 * York').
 * @param find places by name
 */
export function splitPlaces(places: Places, find: (text: string) => readonly Found[]): (text: string) => string[] {
  return (text) => {
    const parts = text.split(',').map((part) => part.trim());
    if (parts.length > PARTS_MAX) return parts;
    const pairAt = (i: number) => {
      const [name, state] = [parts[i], parts[i + 1]];
      return isName(name) && isName(state) && places.findState(state) ? `${name}, ${state}` : undefined;
    };
    const isFound = (pair: string | undefined) => pair !== undefined && find(pair).length > 0;
    const values: string[] = [];
    for (let i = 0; i < parts.length; i++) {
      const pair = pairAt(i);
      const together = isFound(pair) ? !isFound(pairAt(i + 1)) : pair !== undefined && !find(parts[i + 1] as string).length;
      values.push(together ? (pair as string) : (parts[i] as string));
      if (together) i++;
    }
    return values;
  };
}

/** Splits a comma-separated list of states, in which 'Washington, DC' is one: both words together name the state of the last. */
export const splitStates =
  (places: Places) =>
  (text: string): string[] => {
    const states: string[] = [];
    for (const part of text.split(',')) {
      const together = `${states.at(-1)},${part}`;
      const state = places.findState(part);
      if (state && places.findState(together) === state) states.splice(-1, 1, together);
      else states.push(part);
    }
    return states;
  };

type Level = 'county' | 'city';

const KIND = / (?:County|Parish|Borough|Municipio)$/;

const KNOWN = new WeakMap<Places, Map<string, readonly ComparedName[]>>();

/**
 * Distinct names of counties or cities, computed once. Names of all cities are too many to compare with a text, so only those with the same
 * first letter are returned.
 */
function listNames(places: Places, level: Level, stateId: number | undefined, text: string): readonly ComparedName[] {
  const letter = level === 'city' && stateId === undefined ? text.slice(0, 1).toLowerCase() : '';
  if (!/^[a-z]?$/.test(letter)) return [];
  const known = KNOWN.get(places) ?? new Map<string, readonly ComparedName[]>();
  KNOWN.set(places, known);
  const key = `${level} ${stateId} ${letter}`;
  const all: readonly Found[] = level === 'county' ? places.counties : places.cities;
  const make = () => {
    const chosen = all.filter(
      (place) => (stateId === undefined || place.stateId === stateId) && place.name.slice(0, 1).toLowerCase().startsWith(letter),
    );
    const otherNames = ({ id }: Found) => [...places.formerNamesOf(level, id), ...places.aliasesOf(level, id)];
    const named = Map.groupBy(chosen, ({ name }) => name);
    return readNames(
      [...named].map(([name, all]) => ({
        value: name,
        names: [name, ...all.flatMap(otherNames)].flatMap((one) => [one, one.replace(KIND, '')]),
      })),
    );
  };
  const names = known.get(key) ?? make();
  known.set(key, names);
  return names;
}

const NEAREST_LISTED = 3;

const isNumber = (text: string) => /^\d+$/.test(text.trim());

function findNearestNumbers(level: Level, sought: number, places: Places, stateIds: readonly number[]): string[] {
  const all: readonly Found[] = level === 'county' ? places.counties : places.cities;
  return all
    .filter(({ stateId }) => !stateIds.length || stateIds.includes(stateId))
    .map(({ id }) => id)
    .sort((a, b) => Math.abs(a - sought) - Math.abs(b - sought))
    .slice(0, NEAREST_LISTED)
    .map(String);
}

/**
 * By how many letters a suggestion may differ from a name that some place has: by none from that of a city where a county was asked for, or the
 * other way round (McKinney is not Kinney County), and by one from that of a place in another state (Manchester is not Winchester).
 */
function countMistakesOfName(level: Level, name: string, places: Places, stateIds: readonly number[]): number | undefined {
  const isCounty = level === 'county';
  const others = isCounty ? places.findCities(name, { stateIds }) : places.findCounties(name, { stateIds });
  if (others.length) return 0;
  return (isCounty ? places.findCounties(name) : places.findCities(name)).length ? 1 : undefined;
}

/**
 * Places whose names are similar to a text, within the state that the text names, if any. Of cities of all states none is suggested, since
 * one with another first letter may be nearer.
 * @param stateIds the state that narrows them, or none
 */
export function findSimilarPlaces(level: Level, text: string, places: Places, stateIds: readonly number[]): NearestValues {
  if (isNumber(text)) return { nearest: findNearestNumbers(level, Number(text), places, stateIds) };
  const state = places.findStateBehind(text);
  const sought = state ? text.slice(0, text.lastIndexOf(',')) : text;
  const stateId = state?.id ?? stateIds[0];
  const most = countMistakesOfName(level, sought, places, stateId === undefined ? [] : [stateId]);
  const { didYouMean, nearest = [] } = findNearestPlaces(sought, listNames(places, level, stateId, sought), most);
  const isOneMeant = didYouMean !== undefined && (level === 'county' || stateId !== undefined);
  const full = (name: string) => (state ? `${name}, ${state.abbreviation}` : name);
  return { didYouMean: isOneMeant ? full(didYouMean) : undefined, nearest: nearest.map(full) };
}

export function findSimilarStates(text: string, { states }: Places): NearestValues {
  if (isNumber(text)) return {};
  return findNearestPlaces(text, readNames(states.map(({ name, abbreviation }) => ({ value: name, names: [name, abbreviation] }))));
}

/** Path of the route that lists the counties (and under them the cities) that a list may name. */
export const findPlacesRoute = ([stateId, ...more]: readonly number[]): string =>
  stateId === undefined || more.length ? '/v1/locations/states' : `/v1/locations/states/${stateId}/counties`;
