/** Places by what a person types: beginnings of names, and one misspelling (src/docs/filters.md). Pure. */
import { foldName, namesOfCity, namesOfCounty } from './placeNames.ts';
import { type City, type County, PLACE_LEVELS, type PlaceLevel, type Places, type State } from './places.ts';

export const PLACE_KINDS = PLACE_LEVELS;
export type PlaceKind = PlaceLevel;

export interface FoundPlace {
  kind: PlaceKind;
  place: State | County | City;
}

interface Entry extends FoundPlace {
  stateId: number;
  /** folded, each way in which it is called */
  names: readonly string[];
  /** people: of a state all, of a county those of its largest city */
  size: number;
}

/** How well a name fits what was typed; the smaller the better. */
const FIT = { whole: 0, beginning: 1, laterWord: 2, misspelt: 3, none: 4 } as const;
type Fit = (typeof FIT)[keyof typeof FIT];

const MISSPELT_LETTERS_MIN = 4;
/** Misspelt matches that are added if other places match letter for letter. */
const MISSPELT_BESIDE_OTHERS = 3;

/** Whether a name begins with the text but for one letter that is wrong, missing or too many, or two that are exchanged. */
export function beginsMisspelt(name: string, text: string): boolean {
  let same = 0;
  while (same < text.length && text[same] === name[same]) same++;
  const goesOn = (inText: number, inName: number) => name.startsWith(text.slice(inText), inName);
  const isExchanged = text[same] === name[same + 1] && text[same + 1] === name[same];
  return goesOn(same + 1, same + 1) || goesOn(same, same + 1) || goesOn(same + 1, same) || (isExchanged && goesOn(same + 2, same + 2));
}

function fitOf(name: string, text: string): Fit {
  if (name.startsWith(text)) return name.length === text.length ? FIT.whole : FIT.beginning;
  if (name.includes(` ${text}`)) return FIT.laterWord;
  return text.length >= MISSPELT_LETTERS_MIN && beginsMisspelt(name, text) ? FIT.misspelt : FIT.none;
}

/** What was typed, read one way: the name, and the states that were typed behind it. */
interface Reading {
  name: string;
  /** null for any */
  stateIds: ReadonlySet<number> | null;
}

export class PlaceSearch {
  readonly #states: readonly State[];
  readonly #entries: readonly Entry[];

  constructor(places: Places) {
    this.#states = places.states;
    this.#entries = makeEntries(places);
  }

  /** Best first: whole names, then beginnings, then later words, then misspellings; the larger place first. @param limit of places */
  find(typed: string, kinds: readonly PlaceKind[], limit: number): FoundPlace[] {
    const readings = this.#readTyped(typed);
    const found: { entry: Entry; fit: Fit }[] = [];
    for (const entry of this.#entries) {
      if (!kinds.includes(entry.kind)) continue;
      const fit = findBestFit(entry, readings);
      if (fit !== FIT.none) found.push({ entry, fit });
    }
    found.sort(
      (a, b) => a.fit - b.fit || b.entry.size - a.entry.size || rankOf(b.entry) - rankOf(a.entry) || a.entry.place.id - b.entry.place.id,
    );
    const exact = found.findIndex(({ fit }) => fit === FIT.misspelt);
    const most = exact > 0 ? Math.min(limit, exact + MISSPELT_BESIDE_OTHERS) : limit;
    return found.slice(0, most).map(({ entry: { kind, place } }) => ({ kind, place }));
  }

  /** `boulder, c` is a name and a state that begins so; `boulder co` is both a name and a name with a state. */
  #readTyped(typed: string): Reading[] {
    const [, beforeComma = typed, tail = ''] = /^(.*),(.*)$/s.exec(typed) ?? [];
    const names = listNameReadings(beforeComma);
    const state = removeFoldedParts(tail);
    if (state) return names.map((name) => ({ name, stateIds: this.#findStatesTyped(state) }));
    const words = removeFoldedParts(beforeComma).split(' ');
    const withState = words.flatMap((_, i): Reading[] => {
      const stateIds = i > 0 ? this.#findStatesCalled((name) => name === words.slice(i).join(' ')) : new Set<number>();
      return stateIds.size ? listNameReadings(words.slice(0, i).join(' ')).map((name) => ({ name, stateIds })) : [];
    });
    return [...names.map((name) => ({ name, stateIds: null })), ...withState];
  }

  /** States with this name, or else those with a name that begins with it. */
  #findStatesTyped(text: string): Set<number> {
    const called = this.#findStatesCalled((name) => name === text);
    return called.size ? called : this.#findStatesCalled((name) => name.startsWith(text));
  }

  #findStatesCalled(is: (name: string) => boolean): Set<number> {
    const called = this.#states.filter(({ name, abbreviation }) => is(name.toLowerCase()) || is(abbreviation.toLowerCase()));
    return new Set(called.map(({ id }) => id));
  }
}

/** Without what folds away: in the abbreviation of a state `mt` is no mount. */
const removeFoldedParts = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'.-]+/gu, ' ')
    .trim();

/** The folded name; if its last word may be an abbreviation or the beginning of a word, both readings: `st` is Saint and Sterling. */
function listNameReadings(text: string): string[] {
  const folded = foldName(text);
  const [, last] = /(?:^|[^a-z])(st|ft|mt)$/i.exec(text) ?? [];
  const names = last ? [folded, folded.replace(/\b\w+$/, last.toLowerCase())] : [folded];
  return names.filter(Boolean);
}

function findBestFit({ names, stateId }: Entry, readings: readonly Reading[]): Fit {
  let best: Fit = FIT.none;
  for (const { name: text, stateIds } of readings) {
    if (stateIds && !stateIds.has(stateId)) continue;
    for (const name of names) {
      const fit = fitOf(name, text);
      if (fit < best) best = fit;
    }
  }
  return best;
}

/** Of places of one size, which are a place and the county that it is the largest of, the place comes first. */
const rankOf = ({ kind }: Entry) => PLACE_KINDS.indexOf(kind);

function makeEntries(places: Places): Entry[] {
  const called = (kind: PlaceKind, { id, name }: County | City) => [name, ...places.aliasesOf(kind, id), ...places.formerNamesOf(kind, id)];
  const people = new Map<number, number>();
  const largest = new Map<number, number>();
  for (const { stateId, countyId, population } of places.cities) {
    people.set(stateId, (people.get(stateId) ?? 0) + population);
    largest.set(countyId, Math.max(largest.get(countyId) ?? 0, population));
  }
  const states = places.states.map((place): Entry => {
    const names = [...[place.name, ...places.aliasesOf('state', place.id)].map(foldName), place.abbreviation.toLowerCase()];
    return { kind: 'state', place, stateId: place.id, names, size: people.get(place.id) ?? 0 };
  });
  const counties = places.counties.map((place): Entry => {
    const { id, stateId } = place;
    return { kind: 'county', place, stateId, names: called('county', place).flatMap(namesOfCounty), size: largest.get(id) ?? 0 };
  });
  const cities = places.cities.map((place): Entry => {
    const { stateId, population: size } = place;
    const [, ...within] = places.labelOf(place).split(', ').toReversed();
    const names = [...called('city', place).flatMap(namesOfCity), ...(within.length > 1 ? [foldName(within.toReversed().join(' '))] : [])];
    return { kind: 'city', place, stateId, names, size };
  });
  return [...states, ...counties, ...cities];
}
