/**
 * A geocoder of the operator's over HTTP, with the answers of Pelias (GeoJSON) or Nominatim (a list): the point of a house, or none. What stands
 * for a street, a town or a ZIP code is no answer.
 */
import { readStreetAddresses } from '../domain/streetAddress.ts';
import { type CallSettings, ProviderCalls, ProviderUnavailable } from './providerCalls.ts';

const ANSWER_BYTES_MAX = 1024 * 1024;

const GEOCODER_SETTINGS: CallSettings = { timeoutMs: 5_000, retries: 2, pauseMs: 500, patienceMs: 20_000, failures: 4, restMs: 30_000 };

/** Degrees, WGS 84. */
export interface GeocodedPoint {
  latitude: number;
  longitude: number;
}

/** The geocoder did not answer, or with neither of the two forms. */
export class GeocoderUnavailable extends ProviderUnavailable {}

/** A house of an answer. */
interface House extends GeocodedPoint {
  number: string;
}

type Answered = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Answered => value !== null && typeof value === 'object';

/** @see https://github.com/pelias/documentation/blob/master/response.md */
function readPelias({ features }: { features: readonly unknown[] }): House[] {
  return features.flatMap((feature) => {
    if (!isObject(feature) || !isObject(feature.properties) || !isObject(feature.geometry)) return [];
    const { layer, accuracy, housenumber } = feature.properties;
    const [longitude, latitude] = Array.isArray(feature.geometry.coordinates) ? feature.geometry.coordinates : [];
    return layer === 'address' && accuracy !== 'centroid' && housenumber
      ? [{ latitude: Number(latitude), longitude: Number(longitude), number: String(housenumber) }]
      : [];
  });
}

/** @see https://nominatim.org/release-docs/latest/api/Output/ */
function readNominatim(places: readonly unknown[]): House[] {
  return places.flatMap((place) => {
    if (!isObject(place) || !isObject(place.address) || !place.address.house_number) return [];
    return [{ latitude: Number(place.lat), longitude: Number(place.lon), number: String(place.address.house_number) }];
  });
}

const isPoint = ({ latitude, longitude }: GeocodedPoint) => Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;

export class Geocoder {
  readonly #url: string;
  readonly #calls: ProviderCalls;
  readonly #timeoutMs: number;

  /** @param url of its search: `https://host/v1/search` of Pelias, `https://host/search` of Nominatim */
  constructor({ url, settings = GEOCODER_SETTINGS }: { url: string; settings?: CallSettings }) {
    this.#url = url;
    this.#timeoutMs = settings.timeoutMs;
    const failures = { Unavailable: GeocoderUnavailable, Unusable: GeocoderUnavailable, Counted: GeocoderUnavailable };
    this.#calls = new ProviderCalls({ name: 'geocoder', url, bytesMax: ANSWER_BYTES_MAX, settings, ...failures });
  }

  /**
   * The point of an address; null if the geocoder knows no house with its number, or if it has none.
   * @param within words for the place: `Boulder, CO` @throws GeocoderUnavailable, and the signal's reason
   */
  async find(address: string, within: string, signal: AbortSignal): Promise<GeocodedPoint | null> {
    const numbers = new Set(readStreetAddresses(address).flatMap((one) => one.numbers));
    if (!numbers.size) return null;
    const houses = await this.#calls.run(() => this.#ask(`${address}, ${within}`, signal), signal);
    const house = houses.find((one) => isPoint(one) && numbers.has(one.number.toLowerCase()));
    return house ? { latitude: house.latitude, longitude: house.longitude } : null;
  }

  async #ask(words: string, signal: AbortSignal): Promise<House[]> {
    const url = new URL(this.#url);
    // The first two are of Pelias, the others of Nominatim; each ignores those that it does not know.
    const query = { text: words, 'boundary.country': 'USA', q: words, format: 'jsonv2', addressdetails: '1', countrycodes: 'us' };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(this.#timeoutMs)]);
      const answer = await this.#calls.fetch(url.href, { headers: { Accept: 'application/json' }, signal: within });
      if (answer.status !== 200) {
        await answer.body?.cancel();
        throw this.#calls.refusalFailure(answer.status, answer.headers);
      }
      const found = this.#calls.parse(await answer.text());
      if (Array.isArray(found)) return readNominatim(found);
      if (isObject(found) && Array.isArray(found.features)) return readPelias({ features: found.features });
      throw new GeocoderUnavailable('The answer of the geocoder is neither that of Pelias nor that of Nominatim');
    } catch (error) {
      if (error instanceof GeocoderUnavailable) throw error;
      signal.throwIfAborted();
      throw this.#calls.silenceFailure(error as Error);
    }
  }
}
