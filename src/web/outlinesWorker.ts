/** Runs on a worker thread: the borders of a layer, without duplicates, as GeoJSON. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { mesh } from 'topojson-client';
import { type Layer, topologyOf } from './outlines.ts';

/** Decimal digits of coordinates: about 100 metres, the precision of the outlines. */
const DIGITS = 3;

const layer = workerData as Layer;
const topology = JSON.parse(readFileSync(topologyOf(layer), 'utf8'));
const borders = mesh(topology, topology.objects[layer]);
const rounded = borders.coordinates.map((line) => line.map((point) => point.map((degrees) => Number(degrees.toFixed(DIGITS)))));
parentPort?.postMessage(JSON.stringify({ type: borders.type, coordinates: rounded }));
