/** Reads shapes from GeoJSON (RFC 7946), and writes them. Pure. */
import type { Corner } from '../shared/shapes.ts';
import {
  boxOfRing,
  boxShape,
  CORNERS_MAX,
  circleShape,
  type DrawnShape,
  longitudeOnMap,
  polygonShape,
  ringOfShape,
} from '../shared/shapes.ts';
import { collectionOf, type DrawnFeatures, featureOf } from './geoJson.ts';

/** Shapes that a text is read for at most. */
const SHAPES_MAX = 100;
const TEXT_BYTES_MAX = 5_000_000;

interface ReadShapes {
  shapes: DrawnShape[];
  /** sentences about parts of the text that a search cannot use */
  notes: string[];
}

/** GeoJSON that cannot be read: what is wrong where, and what helps. */
export class GeoJsonError extends Error {}

interface Polygon {
  /** such as `Feature 3` */
  place: string;
  rings: unknown;
  properties: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const POLYGONS_ONLY = 'A search takes areas: Polygon, MultiPolygon, or Features and collections of them.';

/** The polygons of a GeoJSON object, at any depth. */
function findPolygons(value: unknown, place: string, properties: Record<string, unknown> = {}): Polygon[] {
  if (!isObject(value) || typeof value.type !== 'string')
    throw new GeoJsonError(`${place} is no GeoJSON object: it has no "type". ${POLYGONS_ONLY}`);
  const list = (name: string): unknown[] => {
    const found = value[name];
    if (!Array.isArray(found)) throw new GeoJsonError(`${place} is a ${value.type} without a list "${name}".`);
    return found;
  };
  const numbered = (word: string) => (one: unknown, i: number) => findPolygons(one, `${word} ${i + 1}`, properties);
  switch (value.type) {
    case 'FeatureCollection':
      return list('features').flatMap(numbered('Feature'));
    case 'GeometryCollection':
      return list('geometries').flatMap((one, i) => findPolygons(one, `${place}, geometry ${i + 1}`, properties));
    case 'Feature':
      if (value.geometry === null) throw new GeoJsonError(`${place} has no geometry. Remove it, or give it one.`);
      return findPolygons(value.geometry, place, isObject(value.properties) ? value.properties : {});
    case 'Polygon':
      return [{ place, rings: list('coordinates'), properties }];
    case 'MultiPolygon':
      return list('coordinates').map((rings, i) => ({ place: `${place}, polygon ${i + 1}`, rings, properties: {} }));
    default:
      throw new GeoJsonError(`${place} is a ${value.type}. ${POLYGONS_ONLY}`);
  }
}

/** One corner: longitude, then latitude; a height is left out. */
function readCorner(value: unknown, place: string): Corner {
  const [lng, lat] = Array.isArray(value) ? value : [];
  if (typeof lng !== 'number' || typeof lat !== 'number') throw new GeoJsonError(`${place} is no pair of numbers [longitude, latitude].`);
  if (Math.abs(lng) > 180 || Math.abs(lat) > 90)
    throw new GeoJsonError(
      `${place} is [${lng}, ${lat}], which is no place in degrees. GeoJSON has the longitude first, in WGS 84: convert other projections.`,
    );
  return [lng, lat];
}

function readRing({ place, rings }: Polygon): Corner[] {
  const outer: unknown = Array.isArray(rings) ? rings[0] : undefined;
  if (!Array.isArray(outer)) throw new GeoJsonError(`${place} has no ring of coordinates.`);
  const ring = outer.map((corner, i) => readCorner(corner, `${place}, corner ${i + 1}`));
  const [first, last] = [ring[0], ring.at(-1)];
  if (ring.length < 4) throw new GeoJsonError(`${place} has ${ring.length} corners; a ring has at least 4, the last equal to the first.`);
  if (ring.length > CORNERS_MAX)
    throw new GeoJsonError(`${place} has ${ring.length} corners; a search takes at most ${CORNERS_MAX}. Simplify it first.`);
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1])
    throw new GeoJsonError(`${place} is not closed: its last corner has to equal its first.`);
  return ring;
}

const sameRing = (a: readonly Corner[], b: readonly Corner[]) =>
  a.length === b.length &&
  a.every(([lng, lat], i) => Math.abs(lng - (b[i]?.[0] ?? 999)) < 1e-5 && Math.abs(lat - (b[i]?.[1] ?? 999)) < 1e-5);

const NAME_LENGTH_MAX = 100;

/** A shape with the name that the Feature gives it. */
function shapeOfPolygon(polygon: Polygon): DrawnShape {
  const { name } = polygon.properties;
  const given = typeof name === 'string' ? name.trim().slice(0, NAME_LENGTH_MAX) : '';
  return { ...unnamedShape(polygon), ...(given ? { name: given } : {}) };
}

/** The rectangle or circle that we wrote, unless its corners were changed since; otherwise a polygon. */
function unnamedShape(polygon: Polygon): DrawnShape {
  const ring = readRing(polygon);
  const { shape, lat, lng, radiusMeters } = polygon.properties;
  if (shape === 'rectangle') {
    const box = boxShape(boxOfRing(ring));
    if (sameRing(ring, ringOfShape(box))) return box;
  }
  if (shape === 'circle' && typeof lat === 'number' && typeof lng === 'number' && typeof radiusMeters === 'number') {
    const circle = circleShape({ lat, lng, radiusMeters });
    if (sameRing(ring, ringOfShape(circle))) return circle;
  }
  return polygonShape(ring);
}

/** Reads the areas of a GeoJSON text. @throws GeoJsonError */
export function readGeoJson(text: string): ReadShapes {
  if (text.length > TEXT_BYTES_MAX) throw new GeoJsonError('The text is longer than 5 MB. Keep only the areas to search in.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new GeoJsonError(`This is no JSON (${error instanceof Error ? error.message : error}). Paste the whole GeoJSON text.`);
  }
  const crs = isObject(value) && isObject(value.crs) ? JSON.stringify(value.crs) : '';
  if (crs && !/CRS84|4326/.test(crs))
    throw new GeoJsonError(`Its coordinates are in another reference system (${crs.slice(0, 120)}). Convert them to WGS 84 degrees.`);
  const polygons = findPolygons(value, isObject(value) && value.type === 'Feature' ? 'The Feature' : 'The text');
  if (polygons.length === 0) throw new GeoJsonError(`It has no area. ${POLYGONS_ONLY}`);
  if (polygons.length > SHAPES_MAX) throw new GeoJsonError(`It has ${polygons.length} areas; the map takes ${SHAPES_MAX}. Remove some.`);
  const holes = polygons.filter(({ rings }) => Array.isArray(rings) && rings.length > 1);
  const notes = holes.map(({ place }) => `${place} has holes, which no search can leave out: what lies in them is found too.`);
  return { shapes: polygons.map(shapeOfPolygon), notes };
}

/** Shapes as GeoJSON: rectangles and circles as polygons, with properties that say what they are. */
export function writeGeoJson(shapes: readonly DrawnShape[]): DrawnFeatures {
  return collectionOf(
    shapes.map((shape) => {
      const ring = ringOfShape(shape).map(([lng, lat]): Corner => [longitudeOnMap(lng), lat]);
      const geometry = { type: 'Polygon' as const, coordinates: [ring] };
      const named: Record<string, string> = shape.name ? { name: shape.name } : {};
      if (shape.filter === 'circle') return featureOf(geometry, { ...named, shape: 'circle', ...JSON.parse(shape.text) });
      return featureOf(geometry, { ...named, shape: shape.filter === 'bbox' ? 'rectangle' : 'polygon' });
    }),
  );
}
