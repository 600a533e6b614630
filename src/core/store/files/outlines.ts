/** In which county points lie, and how far outside counties and states, by their outlines (us-atlas, from the Census Bureau; exact to about 100 metres). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';

const METRES_A_DEGREE = 111_320;

interface Point {
  latitude: number;
  longitude: number;
}

/** A closed line: longitude and latitude of each vertex in turn. */
type Ring = Float64Array;

interface Outline {
  west: number;
  south: number;
  east: number;
  north: number;
  rings: readonly Ring[];
}

type Outlines = ReadonlyMap<number, Outline>;

function toOutline(polygons: readonly number[][][][]): Outline {
  const rings = polygons.flat().map((ring) => Float64Array.from(ring.flat()));
  const outline = { west: 180, south: 90, east: -180, north: -90, rings };
  for (const [longitude = 0, latitude = 0] of polygons.flat(2)) {
    outline.west = Math.min(outline.west, longitude);
    outline.east = Math.max(outline.east, longitude);
    outline.south = Math.min(outline.south, latitude);
    outline.north = Math.max(outline.north, latitude);
  }
  return outline;
}

/** A feature of GeoJSON. */
interface Area {
  id: string;
  geometry: { type: 'Polygon'; coordinates: number[][][] } | { type: 'MultiPolygon'; coordinates: number[][][][] };
}

const listPolygons = (geometry: Area['geometry']) => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates);

let read: Record<'states' | 'counties', Outlines> | undefined;

/** Outlines by FIPS number, read once a process, in a twentieth of a second. */
function readOutlines(): Record<'states' | 'counties', Outlines> {
  if (read) return read;
  const file = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  const topology = JSON.parse(readFileSync(file, 'utf8'));
  const outlinesOf = (layer: 'states' | 'counties') => {
    const { features } = feature(topology, topology.objects[layer]) as unknown as { features: Area[] };
    return new Map(features.map(({ id, geometry }) => [Number(id), toOutline(listPolygons(geometry))]));
  };
  read = { states: outlinesOf('states'), counties: outlinesOf('counties') };
  return read;
}

/** The county's outline, or the state's where the county is not known, or too new to have one. */
function findOutline({ stateId, countyId }: { stateId?: number | null; countyId?: number | null }): Outline | undefined {
  const { states, counties } = readOutlines();
  return (countyId ? counties.get(countyId) : undefined) ?? (stateId ? states.get(stateId) : undefined);
}

/** The number of the county in which a point lies. @param stateId looks among the counties of this state only */
export function findCountyAt(point: Point, stateId?: number): number | undefined {
  for (const [id, outline] of readOutlines().counties)
    if ((stateId === undefined || stateOfCounty(id) === stateId) && isWithinBounds(outline, point) && contains(outline, point)) return id;
  return undefined;
}

/** The first two of the five digits of a county's number. */
const stateOfCounty = (countyId: number) => Math.floor(countyId / 1000);

/** Whether a point is on land, as far as the outlines know: they have no small islands. */
export const isOnLand = (point: Point): boolean => findCountyAt(point) !== undefined;

const isWithinBounds = ({ west, south, east, north }: Outline, { latitude, longitude }: Point) =>
  latitude >= south && latitude <= north && longitude >= west && longitude <= east;

/**
 * Metres from a point to the county, or without one to the state: 0 inside, infinite beyond `limit`; undefined where neither is known.
 * @param limit metres up to which the distance is measured
 */
export function measureOutside(
  point: Point,
  place: { stateId?: number | null; countyId?: number | null },
  limit: number,
): number | undefined {
  const outline = findOutline(place);
  if (!outline) return undefined;
  const { latitude, longitude } = point;
  const [north, east] = [limit / METRES_A_DEGREE, limit / (METRES_A_DEGREE * Math.cos((latitude * Math.PI) / 180))];
  const isNear =
    latitude >= outline.south - north &&
    latitude <= outline.north + north &&
    longitude >= outline.west - east &&
    longitude <= outline.east + east;
  if (!isNear) return Number.POSITIVE_INFINITY;
  if (contains(outline, point)) return 0;
  const metres = Math.min(...outline.rings.map((ring) => measureToRing(ring, point)));
  return metres <= limit ? metres : Number.POSITIVE_INFINITY;
}

/** Whether a line from the point to the east crosses the rings an odd number of times. */
function contains({ rings }: Outline, { latitude, longitude }: Point): boolean {
  let isInside = false;
  for (const ring of rings) {
    let [x, y] = [ring[0] as number, ring[1] as number];
    for (let i = 2; i < ring.length; i += 2) {
      const [nextX, nextY] = [ring[i] as number, ring[i + 1] as number];
      if (y > latitude !== nextY > latitude && longitude < x + ((nextX - x) * (latitude - y)) / (nextY - y)) isInside = !isInside;
      x = nextX;
      y = nextY;
    }
  }
  return isInside;
}

/** Metres to the nearest edge, on a plane: exact enough for some kilometres. */
function measureToRing(ring: Ring, { latitude, longitude }: Point): number {
  const scaleX = METRES_A_DEGREE * Math.cos((latitude * Math.PI) / 180);
  let nearest = Number.POSITIVE_INFINITY;
  let [x, y] = [((ring[0] as number) - longitude) * scaleX, ((ring[1] as number) - latitude) * METRES_A_DEGREE];
  for (let i = 2; i < ring.length; i += 2) {
    const [nextX, nextY] = [((ring[i] as number) - longitude) * scaleX, ((ring[i + 1] as number) - latitude) * METRES_A_DEGREE];
    const [dx, dy] = [nextX - x, nextY - y];
    const squared = dx * dx + dy * dy;
    const along = squared === 0 ? 0 : Math.max(0, Math.min(1, -(x * dx + y * dy) / squared));
    nearest = Math.min(nearest, (x + along * dx) ** 2 + (y + along * dy) ** 2);
    x = nextX;
    y = nextY;
  }
  return Math.sqrt(nearest);
}
