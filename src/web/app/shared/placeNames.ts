/** Names of counties and cities by their numbers, from files that the browser keeps: requests of the API would count against the key. */
import { onceRead } from './api.ts';
import { settings } from './settings.ts';

type NamedKind = keyof typeof settings.placeNames;
const NAMES: Readonly<Record<NamedKind, () => Promise<Record<string, string>>>> = {
  counties: onceRead(settings.placeNames.counties),
  cities: onceRead(settings.placeNames.cities),
};

const isNamedKind = (kind: string): kind is NamedKind => Object.hasOwn(NAMES, kind);

/** @param values numbers by `counties` and `cities`; others are left out @returns names such as `Boulder County, CO`, by `counties 8013` */
export async function namePlaces(values: Readonly<Record<string, readonly string[]>>): Promise<Map<string, string>> {
  const named = Object.entries(values).map(async ([kind, of]) => {
    const ids = of.filter((value) => /^\d+$/.test(value));
    if (!isNamedKind(kind) || !ids.length) return [];
    const names = await NAMES[kind]();
    return ids.flatMap((id): [string, string][] => (names[id] === undefined ? [] : [[`${kind} ${id}`, names[id]]]));
  });
  return new Map((await Promise.all(named)).flat());
}

/** The counties of a state by name: their numbers begin with that of the state (FIPS). */
export async function listCounties(state: string): Promise<{ id: string; name: string }[]> {
  const named = Object.entries(await NAMES.counties()).filter(([id]) => Math.floor(Number(id) / 1_000) === Number(state));
  return named.map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}
