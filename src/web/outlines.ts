/** What the map is drawn on: outlines of states and counties (us-atlas, from the Census Bureau), and names of places. No outside request. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Places } from '../core/domain/places.ts';
import { type Asset, assetOf } from './assets.ts';

const require = createRequire(import.meta.url);
export const LAYERS = ['states', 'counties'] as const;
export type Layer = (typeof LAYERS)[number];

/** Cities below it are named on no map. */
const POPULATION_MIN = 25_000;

/** Where the outlines of a layer stand, as TopoJSON. */
export const topologyOf = (layer: Layer) => require.resolve(`us-atlas/${layer}-10m.json`);

/** Made on a thread of its own, since it takes half a second, when it is first asked for, and once. */
function meshOf(layer: Layer): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => {
    made ??= new Promise<string>((resolve, reject) => {
      const worker = new Worker(new URL('./outlinesWorker.ts', import.meta.url), { workerData: layer });
      worker.once('message', resolve);
      worker.once('error', reject);
    });
    made.catch(() => {
      made = undefined;
    });
    return made;
  };
}

const feature = (name: string, kind: string, rank: number, { latitude, longitude }: { latitude: number; longitude: number }) => ({
  type: 'Feature',
  properties: { name, kind, rank },
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
});

/** GeoJSON points with their names; the lower its rank, the sooner a place is named. */
function names(places: Places): string {
  const cities = places.cities.filter(({ population }) => population >= POPULATION_MIN).sort((a, b) => b.population - a.population);
  return JSON.stringify({
    type: 'FeatureCollection',
    features: [
      ...places.states.map((state) => feature(state.name, 'state', 0, state)),
      ...cities.map((city, rank) => feature(city.name, 'city', rank + 1, city)),
    ],
  });
}

/** By the name under which the page asks for each. */
export function outlineAssets(places: Places): Record<Layer | 'names', Asset> {
  const named = names(places);
  const [states, counties] = LAYERS.map((layer) => assetOf(`${layer}.json`, readFileSync(topologyOf(layer), 'utf8'), meshOf(layer)));
  return { states: states as Asset, counties: counties as Asset, names: assetOf('names.json', named) };
}
