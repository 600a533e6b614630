/** Places of records by name in the catalogue, and coordinates within the state that the source names. What is unknown or ambiguous is left out and noted. Pure. */
import type { City, County, Places } from '../../src/core/domain/places.ts';
import { findCountyAt, measureOutside } from '../../src/core/store/files/outlines.ts';
import boxes from './adapters/rules/state_boxes.json' with { type: 'json' };

interface StatedPlace {
  county?: string | null;
  city?: string | null;
  latitude?: unknown;
  longitude?: unknown;
}

/** The fields of a project draft, and notes: `county_unresolved`, `city_unresolved`, `bad_coordinates`. */
interface Location extends Position {
  state: string;
  stateId: number;
  county: string | null;
  countyId: number | null;
  city: string | null;
  cityId: number | null;
}

/** The only candidate; null if there are none or several. */
const only = <T>(found: readonly T[]): T | null => (found.length === 1 ? (found[0] as T) : null);

/** How far outside the stated county a point may lie: outlines and addresses at borders are not exact. */
const BORDER_METRES = 2000;

/** Finds counties, cities and points of one state. */
export class Locator {
  readonly #places: Places;
  readonly #state: { state: string; stateId: number };

  /** @throws Error when the state is unknown */
  constructor(places: Places, abbreviation: string) {
    const state = places.findState(abbreviation);
    if (!state) throw new Error(`The catalogue of places lacks the state ${abbreviation}`);
    this.#places = places;
    this.#state = { state: state.abbreviation, stateId: state.id };
  }

  /** The county: as stated, else that of the city, else that of the point. A point in another county than the stated one is left out. */
  find({ county: countyName, city: cityName, ...coordinates }: StatedPlace): Location {
    const named = countyName ? only(this.#places.findCounties(countyName, { stateIds: [this.#state.stateId] })) : null;
    const { notes, ...position } = toPosition(this.#state.state, coordinates.latitude, coordinates.longitude, named);
    // A postal city beyond the border of the stated county is not taken.
    const scopes = named ? [named] : [null, this.#countyOf(position)];
    const city = (cityName && scopes.map((scope) => this.#city(cityName, scope)).find(Boolean)) || null;
    const county = named ?? (city ? (this.#places.county(city.countyId) ?? null) : this.#countyOf(position));
    return {
      ...this.#state,
      county: county?.name ?? null,
      countyId: county?.id ?? null,
      city: city?.name ?? null,
      cityId: city?.id ?? null,
      ...position,
      notes: [...notes, ...(countyName && !named ? ['county_unresolved'] : []), ...(cityName && !city ? ['city_unresolved'] : [])],
    };
  }

  #city(name: string, county: County | null): City | null {
    return only(this.#places.findCities(name, { stateIds: [this.#state.stateId], ...(county && { countyIds: [county.id] }) }));
  }

  #countyOf({ latitude, longitude }: Omit<Position, 'notes'>): County | null {
    if (latitude === null || longitude === null) return null;
    return this.#places.county(findCountyAt({ latitude, longitude }, this.#state.stateId) ?? 0) ?? null;
  }
}

interface Position {
  latitude: number | null;
  longitude: number | null;
  /** `bad_coordinates` where the source gives a point outside its state or county */
  notes: string[];
}

type Box = { south: number; north: number; west: number; east: number };
const BOXES: Record<string, Box> = boxes;

/** The point, if it lies in the bounding box of the state (USPS abbreviation) and in the county, if one is given; otherwise null with a note. Two empty values give null without a note. */
function toPosition(state: string, latitude: unknown, longitude: unknown, county: County | null = null): Position {
  const none = { latitude: null, longitude: null };
  if (String(latitude ?? '') === '' && String(longitude ?? '') === '') return { ...none, notes: [] };
  const box = BOXES[state];
  if (!box) throw new Error(`No box for the state ${state} in adapters/rules/state_boxes.json`);
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  const isInBox = point.latitude >= box.south && point.latitude <= box.north && point.longitude >= box.west && point.longitude <= box.east;
  return isInBox && !isInOtherCounty(point, county) ? { ...point, notes: [] } : { ...none, notes: ['bad_coordinates'] };
}

/** Whether a point is in another county than the stated one. Islands that the outlines lack are in none. */
function isInOtherCounty(point: { latitude: number; longitude: number }, county: County | null): boolean {
  if (!county || [county.id, undefined].includes(findCountyAt(point, county.stateId))) return false;
  return measureOutside(point, { countyId: county.id }, BORDER_METRES) === Number.POSITIVE_INFINITY;
}
