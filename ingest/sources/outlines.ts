/** Which county a point lies in, by the outlines of us-atlas, which are exact to about 100 metres. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';

type Ring = [longitude: number, latitude: number][];

interface Outline {
  countyId: number;
  polygons: Ring[][];
}

/** Whether a ray from the point to the east crosses the rings an odd number of times. */
function lies(longitude: number, latitude: number, rings: readonly Ring[]): boolean {
  let inside = false;
  for (const ring of rings) {
    for (const [i, [x, y]] of ring.entries()) {
      const [px, py] = ring.at(i - 1) as Ring[number];
      if (y > latitude !== py > latitude && longitude < ((px - x) * (latitude - y)) / (py - y) + x) inside = !inside;
    }
  }
  return inside;
}

function readOutlines(stateId: number): Outline[] {
  const topology = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('us-atlas/counties-10m.json'), 'utf8'));
  const { features } = feature(topology, topology.objects.counties) as unknown as {
    features: { id: string; geometry: { type: string; coordinates: unknown } }[];
  };
  return features
    .filter(({ id }) => Math.floor(Number(id) / 1000) === stateId)
    .map(({ id, geometry: { type, coordinates } }) => ({
      countyId: Number(id),
      polygons: (type === 'Polygon' ? [coordinates] : coordinates) as Ring[][],
    }));
}

/** Finds the county of points of one state. */
export function countyFinder(stateId: number): (latitude: number, longitude: number) => number | null {
  let outlines: Outline[] | undefined;
  return (latitude, longitude) => {
    outlines ??= readOutlines(stateId);
    return outlines.find(({ polygons }) => polygons.some((rings) => lies(longitude, latitude, rings)))?.countyId ?? null;
  };
}
