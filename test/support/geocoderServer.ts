/** A geocoder on loopback that answers as Pelias or as Nominatim does, from a list of houses. */
import type { ServerResponse } from 'node:http';
import { answerOnLoopback } from '../../scripts/lib/loopback.ts';

interface KnownHouse {
  number: string;
  latitude: number;
  longitude: number;
}

export interface GeocoderServer {
  /** of its search */
  url: string;
  asked: string[];
  stop(): Promise<void>;
}

const bodies = {
  pelias: (houses: readonly KnownHouse[]) => ({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', geometry: { type: 'Point', coordinates: [-105.2, 40] }, properties: { layer: 'street', accuracy: 'centroid' } },
      ...houses.map(({ number, latitude, longitude }) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
        properties: { layer: 'address', accuracy: 'point', housenumber: number, confidence: 1 },
      })),
    ],
  }),
  nominatim: (houses: readonly KnownHouse[]) => [
    { lat: '40.0', lon: '-105.2', addresstype: 'city', address: { city: 'Boulder' } },
    ...houses.map(({ number, latitude, longitude }) => ({
      lat: String(latitude),
      lon: String(longitude),
      addresstype: 'place',
      address: { house_number: number, road: 'Oak Street' },
    })),
  ],
};

/** @param houses what it finds for words, by a part of them @param reply answers in its place */
export async function startGeocoder(
  form: keyof typeof bodies,
  houses: Readonly<Record<string, KnownHouse>>,
  reply?: (response: ServerResponse) => void,
): Promise<GeocoderServer> {
  const asked: string[] = [];
  const { url, stop } = await answerOnLoopback((request, response) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const words = query.get(form === 'pelias' ? 'text' : 'q') ?? '';
    asked.push(words);
    if (reply) return reply(response);
    const found = Object.entries(houses).flatMap(([part, house]) => (words.includes(part) ? [house] : []));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(bodies[form](found)));
  });
  return { url: `${url}/search`, asked, stop };
}
