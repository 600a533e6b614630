/** Runs on a worker thread: a layer as GeoJSON. Borders are lines without duplicates; the ground has land, lakes and rivers. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { feature, mesh } from 'topojson-client';
import { type Layer, listTopologies } from './outlines.ts';

/** Decimal digits of coordinates: about 100 metres, the precision of the outlines; of the ground, a kilometre. */
const DIGITS = { states: 3, counties: 3, ground: 2 };

const layer = workerData as Layer;
const [first, second] = listTopologies(layer).map((file) => JSON.parse(readFileSync(file, 'utf8')));

const collect = (topology: typeof first, object: string, kind: string) => {
  const { features } = feature(topology, topology.objects[object]) as unknown as { features: { geometry: object }[] };
  return features.map(({ geometry }) => ({ type: 'Feature', properties: { kind }, geometry }));
};
const ground = () => ({
  type: 'FeatureCollection',
  features: [...collect(first, 'land', 'land'), ...collect(second, 'lakes', 'lake'), ...collect(second, 'rivers', 'river')],
});
const made = layer === 'ground' ? ground() : mesh(first, first.objects[layer]);
parentPort?.postMessage(JSON.stringify(made, (_, value) => (typeof value === 'number' ? Number(value.toFixed(DIGITS[layer])) : value)));
