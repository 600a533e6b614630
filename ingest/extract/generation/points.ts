/** Points of addresses by the operator's geocoder; without one, or without its answer, a record has none. */
import { countiesOfCity, type Places } from '../../../src/core/domain/places.ts';
import type { GeocodedPoint, Geocoder } from '../../../src/core/providers/geocoder.ts';
import { findCountyAt, measureOutside } from '../../../src/core/store/files/outlines.ts';
import type { BodyPlaceNames } from './bodies.ts';
import type { KeptValues } from './extractedFiles.ts';
import type { PointCounts } from './types.ts';

/** How far outside a county a point may lie: outlines, and cities at borders, are not exact. */
const BORDER_METRES = 2000;

export class PointFinder {
  readonly counts: PointCounts = { asked: 0, found: 0, unknown: 0, outside: 0, failed: 0 };
  readonly #geocoder: Geocoder;
  readonly #kept: KeptValues;
  readonly #places: Places;
  readonly #signal: AbortSignal;

  constructor(geocoder: Geocoder, kept: KeptValues, places: Places, signal: AbortSignal) {
    this.#geocoder = geocoder;
    this.#kept = kept;
    this.#places = places;
    this.#signal = signal;
  }

  async find(address: string, place: BodyPlaceNames): Promise<GeocodedPoint | null> {
    const { city, county, state } = place;
    const within = [city ?? county, state].filter(Boolean).join(', ');
    this.counts.asked += 1;
    let point = this.#kept.read<GeocodedPoint | null>([address, within]);
    if (point === undefined) {
      try {
        point = await this.#geocoder.find(address, within, this.#signal);
      } catch {
        this.#signal.throwIfAborted();
        this.counts.failed += 1;
        return null;
      }
      this.#kept.keep([address, within], point);
    }
    if (!point) this.counts.unknown += 1;
    else if (!this.#isInPlace(point, place)) this.counts.outside += 1;
    else {
      this.counts.found += 1;
      return point;
    }
    return null;
  }

  #isInPlace(point: GeocodedPoint, { stateId, countyId, cityId }: BodyPlaceNames): boolean {
    const city = cityId ? this.#places.city(cityId) : undefined;
    const counties = countyId ? [countyId] : city ? countiesOfCity(city) : [];
    const at = findCountyAt(point, stateId);
    if (!counties.length) return at !== undefined;
    return counties.some(
      (id) => id === at || Number.isFinite(measureOutside(point, { countyId: id }, BORDER_METRES) ?? Number.POSITIVE_INFINITY),
    );
  }
}
