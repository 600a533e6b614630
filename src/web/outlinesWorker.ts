/** On a thread of its own: the borders of a layer, each once, as GeoJSON. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { mesh } from 'topojson-client';
import { type Layer, topologyOf } from './outlines.ts';

/** About 100 metres; the outlines are no finer. */
const DIGITS = 3;

const layer = workerData as Layer;
const topology = JSON.parse(readFileSync(topologyOf(layer), 'utf8'));
const borders = mesh(topology, topology.objects[layer]);
const rounded = borders.coordinates.map((line) => line.map((point) => point.map((degrees) => Number(degrees.toFixed(DIGITS)))));
parentPort?.postMessage(JSON.stringify({ type: borders.type, coordinates: rounded }));
