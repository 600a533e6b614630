/** Places of records by name in the catalogue, and coordinates within the state that the source names. What is unknown or ambiguous is left out and noted. Pure. */
import type { County, Places } from '../../src/core/domain/places.ts';
import boxes from './adapters/rules/state_boxes.json' with { type: 'json' };

export interface Location {
  state: string;
  stateId: number;
  county: string | null;
  countyId: number | null;
  city: string | null;
  cityId: number | null;
  notes: string[];
}

/** Resolves the county and city names of one state, each name once. */
export class Locator {
  readonly #places: Places;
  readonly #abbreviation: string;
  readonly #stateId: number;
  readonly #known = new Map<string, Location>();

  /** @throws Error when the state is unknown */
  constructor(places: Places, abbreviation: string) {
    const state = places.findState(abbreviation);
    if (!state) throw new Error(`The catalogue of places lacks the state ${abbreviation}`);
    this.#places = places;
    this.#abbreviation = state.abbreviation;
    this.#stateId = state.id;
  }

  /**
   * The county and the city within it. Without a county name the city's own county is taken.
   * Notes: `county_unresolved`, `city_unresolved`.
   */
  find(countyName: string | null, cityName: string | null): Location {
    const key = `${countyName}\n${cityName}`;
    const known = this.#known.get(key) ?? this.#resolve(countyName, cityName);
    this.#known.set(key, known);
    return known;
  }

  #resolve(countyName: string | null, cityName: string | null): Location {
    const notes: string[] = [];
    let county = countyName ? this.#one(this.#places.findCounties(countyName, { stateIds: [this.#stateId] })) : null;
    if (countyName && !county) notes.push('county_unresolved');
    const narrow = { stateIds: [this.#stateId], ...(county && { countyIds: [county.id] }) };
    const city = cityName ? this.#one(this.#places.findCities(cityName, narrow)) : null;
    if (cityName && !city) notes.push('city_unresolved');
    if (city && !county) county = this.#places.county(city.countyId) ?? null;
    return { ...this.#state(), ...this.#county(county), city: city?.name ?? null, cityId: city?.id ?? null, notes };
  }

  /** The only candidate; null if there are none or several. */
  #one<T>(found: readonly T[]): T | null {
    return found.length === 1 ? (found[0] as T) : null;
  }

  #state() {
    return { state: this.#abbreviation, stateId: this.#stateId };
  }

  #county(county: County | null) {
    return { county: county?.name ?? null, countyId: county?.id ?? null };
  }
}

/** The fields of a project draft. */
export function placeFields({ notes: _, ...fields }: Location) {
  return fields;
}

interface Position {
  latitude: number | null;
  longitude: number | null;
  /** `bad_coordinates` where the source gives a point outside its state */
  notes: string[];
}

type Box = { south: number; north: number; west: number; east: number };
const BOXES: Record<string, Box> = boxes;

/** The point, if it lies in the bounding box of the state (USPS abbreviation); otherwise null with a note. Two empty values give null without a note. */
export function toPosition(state: string, latitude: unknown, longitude: unknown): Position {
  const none = { latitude: null, longitude: null };
  if (String(latitude ?? '') === '' && String(longitude ?? '') === '') return { ...none, notes: [] };
  const box = BOXES[state];
  if (!box) throw new Error(`No box for the state ${state} in adapters/rules/state_boxes.json`);
  const [lat, lng] = [Number(latitude), Number(longitude)];
  const inside = lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east;
  return inside ? { latitude: lat, longitude: lng, notes: [] } : { ...none, notes: ['bad_coordinates'] };
}
