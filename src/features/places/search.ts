/** `GET /locations/search`: finds places while a person types. */
import { lazily } from '../../core/domain/lazily.ts';
import { type FoundPlace, PLACE_KINDS, type PlaceKind, PlaceSearch } from '../../core/domain/placeSearch.ts';
import type { Places } from '../../core/domain/places.ts';
import { environmentOf, type OperationAnswer } from '../../core/search/services.ts';
import type { PlaceCounts } from './store.ts';

export const FOUND_MAX = 20;
export const FOUND_USUAL = 10;
export const TYPED_CHARACTERS_MAX = 100;

export interface PlaceSearchServices {
  places: Places;
  now: () => Date;
  counts: PlaceCounts;
  /** built at the first request, since most processes never need it */
  search: () => PlaceSearch;
}

export const makePlaceSearch = (places: Places) => lazily(() => new PlaceSearch(places));

/** A place as clients see it; `recordCount` is null if it is unknown. */
export type FoundPlaceView = ReturnType<typeof viewPlace>;

function viewPlace(places: Places, { kind, place }: FoundPlace, recordCount: number | null) {
  const { id, name } = place;
  if ('abbreviation' in place) return { kind, id, label: name, stateId: id, countyId: null, recordCount };
  const countyId = 'countyId' in place ? place.countyId : id;
  return { kind, id, label: places.labelOf(place), stateId: place.stateId, countyId, recordCount };
}

/** The places that a text may mean, best first. @param kinds all by default */
export async function searchPlaces(
  services: PlaceSearchServices,
  { q, kinds = PLACE_KINDS, limit = FOUND_USUAL }: { q: string; kinds?: readonly PlaceKind[]; limit?: number },
): Promise<OperationAnswer<FoundPlaceView[]>> {
  const { places, counts, search } = services;
  const known = await counts.read(environmentOf(services).today);
  const data = search()
    .find(q, kinds, limit)
    .map((found) => viewPlace(places, found, known && (known[found.kind].get(found.place.id) ?? 0)));
  return { data, meta: { creditsUsed: 0, pageCount: data.length } };
}
