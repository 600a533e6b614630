/** Shapes on the map: each is a filter of the API, a ring for drawing, and a measured area. Pure. */
import { EARTH_METERS } from '../../../core/domain/distance.ts';
import { unwrapRing } from '../../../core/domain/ring.ts';
import { ringOfCircle, type TileBox } from './state.ts';
import { countInWords } from './words.ts';

export type Corner = [longitude: number, latitude: number];

export const SHAPE_FILTERS = ['polygon', 'bbox', 'circle'] as const;

/** A shape, as the filter that searches in it. */
export interface DrawnShape {
  filter: (typeof SHAPE_FILTERS)[number];
  /** the filter's value: JSON */
  text: string;
  /** as its reader calls it */
  name?: string;
}

/** Most shapes that one search takes. */
export const SEARCHED_MAX = 10;

interface CircleShape {
  lat: number;
  lng: number;
  radiusMeters: number;
}

const RADIUS_METERS = { min: 100, max: 500_000 };
/** Most corners of a polygon in the API, including the repeated last one. */
export const CORNERS_MAX = 1000;
/** Degrees of about a metre. */
const DECIMALS = 5;
const RADIAN = Math.PI / 180;
const SQUARE_METERS = { acre: 4_046.8564224, squareKilometer: 1e6 };

/** A longitude from -180 to 180. */
export const wrapLongitude = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** A longitude as filters take it: unchanged where it is on the map. */
export const longitudeOnMap = (degrees: number): number => (Math.abs(degrees) > 180 ? wrapLongitude(degrees) : degrees);

const roundDegrees = (degrees: number): number => Number(degrees.toFixed(DECIMALS));

const shapeOf = (filter: DrawnShape['filter'], value: object): DrawnShape => ({ filter, text: JSON.stringify(value) });

/** @param ring closed or not; it is closed */
export function polygonShape(ring: readonly Corner[]): DrawnShape {
  const rounded = ring.map(([lng, lat]): Corner => [roundDegrees(longitudeOnMap(lng)), roundDegrees(lat)]);
  const corners = rounded.filter(([lng, lat], i) => i === 0 || lng !== rounded[i - 1]?.[0] || lat !== rounded[i - 1]?.[1]);
  const [first, last] = [corners[0], corners.at(-1)];
  const isClosed = first && last && corners.length > 1 && first[0] === last[0] && first[1] === last[1];
  return shapeOf('polygon', isClosed || !first ? corners : [...corners, first]);
}

export const boxShape = ({ north, south, east, west }: TileBox): DrawnShape =>
  shapeOf('bbox', { north: roundDegrees(north), south: roundDegrees(south), east: roundDegrees(east), west: roundDegrees(west) });

export const circleShape = ({ lat, lng, radiusMeters }: CircleShape): DrawnShape =>
  shapeOf('circle', {
    lat: roundDegrees(lat),
    lng: roundDegrees(lng),
    radiusMeters: Math.max(RADIUS_METERS.min, Math.min(RADIUS_METERS.max, Math.round(radiusMeters))),
  });

/** The rectangle around a ring. */
export function boxOfRing(ring: readonly Corner[]): TileBox {
  const longitudes = ring.map(([lng]) => lng);
  const latitudes = ring.map(([, lat]) => lat);
  return { north: Math.max(...latitudes), south: Math.min(...latitudes), east: Math.max(...longitudes), west: Math.min(...longitudes) };
}

/** The rectangle around rectangles; null around none. An east beyond 180 lies behind the antimeridian. */
export function boxAround(boxes: readonly TileBox[]): TileBox | null {
  if (!boxes.length) return null;
  const corners = boxes.flatMap(({ north, south, west, east }): Corner[] => {
    const turn = west < -180 ? 360 : 0;
    return [
      [west + turn, south],
      [(east < west ? east + 360 : east) + turn, north],
    ];
  });
  return boxOfRing(corners);
}

const isNumbers = (...values: unknown[]) => values.every((value) => typeof value === 'number' && Number.isFinite(value));

/** Whether a filter's value can be drawn. Problems of other values are reported by the API. */
function isDrawable({ filter, text }: DrawnShape): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (filter === 'polygon')
    return Array.isArray(value) && value.length > 3 && value.every((one) => Array.isArray(one) && isNumbers(one[0], one[1]));
  const { north, south, east, west, lat, lng, radiusMeters } = (value ?? {}) as Partial<TileBox & CircleShape>;
  return filter === 'bbox' ? isNumbers(north, south, east, west) : isNumbers(lat, lng, radiusMeters);
}

/** The shapes of the filter `areas`. What is no list of areas is refused by the API. */
function areasOf(text: string | undefined): DrawnShape[] {
  try {
    return (JSON.parse(text ?? '[]') as (Record<string, object> & { name?: string })[]).flatMap((area) =>
      SHAPE_FILTERS.flatMap((filter) =>
        area[filter] ? [{ ...shapeOf(filter, area[filter]), ...(area.name ? { name: area.name } : {}) }] : [],
      ),
    );
  } catch {
    return [];
  }
}

/** The shapes that filters hold: the areas, then single shapes, in which records have to lie as well. */
export const shapesOf = (filters: Readonly<Record<string, string>>): DrawnShape[] =>
  [...areasOf(filters.areas), ...SHAPE_FILTERS.flatMap((filter) => (filters[filter] ? [{ filter, text: filters[filter] }] : []))].filter(
    isDrawable,
  );

/** The change of filters after which records in any of these shapes are searched for; of none, all. */
export function filtersOfShapes(shapes: readonly DrawnShape[]): Record<string, string | null> {
  const areas = shapes.map(({ filter, text, name }) => ({ ...(name ? { name } : {}), [filter]: JSON.parse(text) }));
  return { polygon: null, bbox: null, circle: null, areas: areas.length ? JSON.stringify(areas) : null };
}

export const isSameShape = (a: DrawnShape, b: DrawnShape): boolean => a.filter === b.filter && a.text === b.text;

/** Radius of a circle in metres; null of another shape. */
export const radiusOf = ({ filter, text }: DrawnShape): number | null => (filter === 'circle' ? JSON.parse(text).radiusMeters : null);

/** The closed ring of a shape. An east beyond 180 lies behind the antimeridian. */
export function ringOfShape({ filter, text }: DrawnShape): Corner[] {
  const value = JSON.parse(text);
  if (filter === 'polygon') return unwrapRing(value);
  if (filter === 'circle') return ringOfCircle(value);
  const { north, south, west }: TileBox = value;
  const east = value.east < west ? value.east + 360 : value.east;
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

export const boxOfShape = (shape: DrawnShape): TileBox => boxOfRing(ringOfShape(shape));

/** The area of a ring on a sphere in square metres, its edges straight on a flat map (an error below 1 %). */
function areaOfRing(ring: readonly Corner[]): number {
  const sum = ring.reduce((total, [lng, lat], i) => {
    const [nextLng, nextLat] = ring[(i + 1) % ring.length] ?? [lng, lat];
    return total + (nextLng - lng) * RADIAN * (2 + Math.sin(lat * RADIAN) + Math.sin(nextLat * RADIAN));
  }, 0);
  return Math.abs((sum * EARTH_METERS ** 2) / 2);
}

/** The area of a shape on a sphere, in square metres. */
export function areaOfShape(shape: DrawnShape): number {
  if (shape.filter !== 'circle') return areaOfRing(ringOfShape(shape));
  const { radiusMeters }: CircleShape = JSON.parse(shape.text);
  return 2 * Math.PI * EARTH_METERS ** 2 * (1 - Math.cos(radiusMeters / EARTH_METERS));
}

const figures = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

/** `12.3 acres, 0.0498 km²`, three digits of each. */
export function wordsOfArea(squareMeters: number): string {
  const acres = squareMeters / SQUARE_METERS.acre;
  return `${figures.format(acres)} acres, ${figures.format(squareMeters / SQUARE_METERS.squareKilometer)} km²`;
}

/** `2.5 km`, `250 m` */
export const wordsOfLength = (meters: number): string =>
  meters < 1000 ? `${figures.format(meters)} m` : `${figures.format(meters / 1000)} km`;

/** `Polygon of 5 corners`, `Circle of 2.5 km`, `Rectangle`. */
export function wordsOfShape({ filter, text }: DrawnShape): string {
  const value = JSON.parse(text);
  if (filter === 'bbox') return 'Rectangle';
  if (filter === 'polygon') return `Polygon of ${countInWords(value.length - 1, 'corner')}`;
  return `Circle of ${wordsOfLength(value.radiusMeters)}`;
}

export type ShapeNames = ReadonlyMap<string, string>;

export const keyOfShape = ({ filter, text }: DrawnShape) => `${filter} ${text}`;

export const nameOfShape = (shape: DrawnShape, names: ShapeNames): string => shape.name ?? names.get(keyOfShape(shape)) ?? 'an area';

/** What the shapes of a filter are called, such as `Downtown or area near Dallas`; empty if it holds none. */
export function nameAreas(filter: string, text: string, names: ShapeNames): readonly string[] {
  return shapesOf({ [filter]: text }).map((shape) => nameOfShape(shape, names));
}
