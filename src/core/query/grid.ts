/** Counts the projects of a rectangle by tiles of a web map (EPSG:3857): the aggregations, and how their answer is read. Pure. */
import { type ReadonlyRing, unwrapRing } from '../domain/ring.ts';
import type { Box, Circle } from './clauses.ts';
import { type Aggregate, type Aggregations, innerAggregate } from './facets.ts';

/** Approximate number of tiles in a rectangle, without those that only touch it. */
const TILES_TARGET = 256;
/** Most tiles along one side, which bounds the tiles of a narrow strip. */
const SIDE_MAX = 64;
/** More tiles than a rectangle can touch: `TILES_TARGET`, one row and one column. */
const TILES_MAX = TILES_TARGET + 2 * SIDE_MAX + 1;
/** The deepest zoom; a tile is then about 5 metres wide. */
const ZOOM_MAX = 22;
/** The latitude where Web Mercator ends. */
const LATITUDE_MAX = 85.05112878;
const METERS_PER_DEGREE = 111_195;

export const LOCATION = 'derived.location';
const COUNTY = 'derived.countyId';
const STATE = 'derived.stateId';
/** More than there are states and territories. */
const STATES_MAX = 60;

export interface TileCell {
  /** `zoom/x/y` */
  tile: string;
  /** centroid of its projects, in degrees */
  latitude: number;
  longitude: number;
  count: number;
  /** the most frequent county of its projects; null when none states one */
  countyId: number | null;
  /** its projects by the state that they state, most first */
  states: { stateId: number; count: number }[];
}

/** A tile of a web map. The world is `2^zoom` tiles wide; `x` counts from the west and `y` from the north. */
export interface Tile {
  zoom: number;
  x: number;
  y: number;
}

/** The deepest zoom that a request may ask for. */
export const TILE_ZOOM_MAX = ZOOM_MAX;

/** Position from north to south on the map, from 0 to 1. */
function southing(latitude: number): number {
  const sine = Math.sin((Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The latitude of a position from 0 (north) to 1 (south). */
const latitudeAt = (part: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * part))) * 180) / Math.PI;

export function boxOfTile({ zoom, x, y }: Tile): Box {
  const tiles = 2 ** zoom;
  const longitude = (column: number) => (360 * column) / tiles - 180;
  return { north: latitudeAt(y / tiles), south: latitudeAt((y + 1) / tiles), west: longitude(x), east: longitude(x + 1) };
}

/** The position of a point in a tile, as fractions of its width and height: at least 0 and below 1 inside. */
export function positionInTile({ zoom, x, y }: Tile, { latitude, longitude }: { latitude: number; longitude: number }): [number, number] {
  const tiles = 2 ** zoom;
  return [((longitude + 180) / 360) * tiles - x, southing(latitude) * tiles - y];
}

/** Reads a tile's name, `zoom/x/y`. */
function tileOf(name: string): Tile {
  const [zoom = 0, x = 0, y = 0] = name.split('/').map(Number);
  return { zoom, x, y };
}

/** Whether a tile contains the centre of another tile, named `zoom/x/y`. Either may be the smaller one. */
export function isCentredIn(name: string, { zoom, x, y }: Tile): boolean {
  const inner = tileOf(name);
  const times = 2 ** (inner.zoom - zoom);
  return Math.floor((inner.x + 0.5) / times) === x && Math.floor((inner.y + 0.5) / times) === y;
}

/** The rectangle of a tile, named `zoom/x/y`. */
export const boxOfNamedTile = (name: string): Box => boxOfTile(tileOf(name));

/** The centre of a tile, named `zoom/x/y`, in degrees. */
export function centreOfTile(name: string): { latitude: number; longitude: number } {
  const { zoom, x, y } = tileOf(name);
  const tiles = 2 ** zoom;
  return { latitude: roundDegrees(latitudeAt((y + 0.5) / tiles)), longitude: roundDegrees((360 * (x + 0.5)) / tiles - 180) };
}

/** The smallest rectangle of whole tiles that contains a box. It includes the pole when the box passes the edge of the map. */
export function wholeTiles({ north, south, east, west }: Box, zoom: number): Box {
  const tiles = 2 ** zoom;
  const column = (longitude: number) => Math.min(tiles - 1, Math.floor(((longitude + 180) / 360) * tiles));
  const row = (latitude: number) => Math.max(0, Math.min(tiles - 1, Math.floor(southing(latitude) * tiles)));
  const first = boxOfTile({ zoom, x: column(west), y: row(north) });
  const last = boxOfTile({ zoom, x: column(east), y: row(south) });
  // The western and eastern edges are in one column, and the box goes the long way round: it covers every column.
  const isAround = east < west && column(east) >= column(west);
  return {
    north: row(north) === 0 ? 90 : first.north,
    south: row(south) === tiles - 1 ? -90 : last.south,
    east: isAround ? 180 : last.east,
    west: isAround ? -180 : first.west,
  };
}

/** Whether a tile, named `zoom/x/y`, is inside a rectangle of whole tiles. A tile that only touches it is not. */
export function isTileIn(name: string, { north, south, east, west }: Box): boolean {
  const { latitude, longitude } = centreOfTile(name);
  const isBetween = east < west ? longitude > west || longitude < east : longitude > west && longitude < east;
  return isBetween && latitude < north && latitude > south;
}

/** Width and height of a rectangle, as fractions of the map of the world. */
function sidesOf({ north, south, east, west }: Box): { width: number; height: number } {
  return { width: (east < west ? east + 360 - west : east - west) / 360, height: southing(south) - southing(north) };
}

/** The deepest zoom at which a rectangle touches at most four tiles. */
export function zoomOfFourTiles(box: Box): number {
  const { width, height } = sidesOf(box);
  return Math.max(0, Math.min(ZOOM_MAX, Math.floor(-Math.log2(Math.max(width, height)))));
}

export function boxAroundCircle({ lat, lng, radiusMeters }: Circle): Box {
  const up = radiusMeters / METERS_PER_DEGREE;
  const across = up / Math.max(0.01, Math.cos((Math.abs(lat) * Math.PI) / 180));
  return { north: Math.min(90, lat + up), south: Math.max(-90, lat - up), east: lng + across, west: lng - across };
}

/** The rectangle around a ring on a flat map; its sides may lie beyond ±180 where the ring crosses the antimeridian. */
export function boxAroundRing(ring: ReadonlyRing): Box {
  const unwrapped = unwrapRing(ring);
  const longitudes = unwrapped.map(([longitude]) => longitude);
  const latitudes = unwrapped.map(([, latitude]) => latitude);
  return { north: Math.max(...latitudes), south: Math.min(...latitudes), east: Math.max(...longitudes), west: Math.min(...longitudes) };
}

/**
 * The zoom at which a rectangle has about `TILES_TARGET` tiles. It depends only on the size of the rectangle, so that it stays the same
 * when a map is moved.
 */
export function zoomOfTiles(box: Box): number {
  const { width, height } = sidesOf(box);
  const wanted = Math.min(Math.log2(TILES_TARGET / (width * height)) / 2, Math.log2(SIDE_MAX / Math.max(width, height)));
  return Math.max(0, Math.min(ZOOM_MAX, Math.floor(wanted)));
}

export const gridAggregations = (box: Box, zoom: number): Aggregations => ({
  tiles: {
    geotile_grid: {
      field: LOCATION,
      precision: zoom,
      size: TILES_MAX,
      bounds: { top_left: { lat: box.north, lon: box.west }, bottom_right: { lat: box.south, lon: box.east } },
    },
    aggs: {
      middle: { geo_centroid: { field: LOCATION } },
      county: { terms: { field: COUNTY, size: 1 } },
      states: { terms: { field: STATE, size: STATES_MAX } },
    },
  },
});

/** Counts the matches without a location. @param withExtent also computes the smallest rectangle around the others */
export const extentAggregations = (withExtent: boolean): Aggregations => ({
  unlocated: { missing: { field: LOCATION } },
  ...(withExtent ? { extent: { geo_bounds: { field: LOCATION, wrap_longitude: false } } } : {}),
});

interface Corner {
  lat: number;
  lon: number;
}

/** The rectangle around all matches with a location; undefined when there are none. */
export function readExtent(answer: Aggregate): Box | undefined {
  const { bounds } = innerAggregate(answer, 'extent') as { bounds?: { top_left: Corner; bottom_right: Corner } };
  return bounds && { north: bounds.top_left.lat, west: bounds.top_left.lon, south: bounds.bottom_right.lat, east: bounds.bottom_right.lon };
}

/** Records at a place: in a tile, or in a rectangle without width and height. */
export interface CountedBox {
  box: Box;
  count: number;
}

/** The share of the records that a view around most of them may leave out, and the fewest records of which it leaves one out. */
const FAR = { share: 0.05, fewest: 5 };
/** What is nearer than this to the others is not left out. */
const FAR_DEGREES = 1;

/** The ends of what is left where `few` records are taken away at either end. */
function rangeWithout(few: number, spans: readonly { from: number; to: number; count: number }[]): [from: number, to: number] {
  const findFirst = (sorted: typeof spans) => {
    let left = few;
    return sorted.find(({ count }) => {
      left -= count;
      return left < 0;
    });
  };
  const first = findFirst(spans.toSorted((a, b) => a.from - b.from));
  const last = findFirst(spans.toSorted((a, b) => b.to - a.to));
  return [first?.from ?? 0, last?.to ?? 0];
}

/**
 * The rectangle around most records, where a few others are farther from them than they lie apart; undefined where no few do. It follows from
 * what is given alone.
 */
export function boxOfMost(places: readonly CountedBox[]): Box | undefined {
  const total = places.reduce((sum, { count }) => sum + count, 0);
  const few = total < FAR.fewest ? 0 : Math.max(1, Math.floor(total * FAR.share));
  if (!few) return undefined;
  const [west, east] = rangeWithout(
    few,
    places.map(({ box, count }) => ({ from: box.west, to: box.east, count })),
  );
  const [south, north] = rangeWithout(
    few,
    places.map(({ box, count }) => ({ from: box.south, to: box.north, count })),
  );
  const [aside, above] = [Math.max(FAR_DEGREES, east - west), Math.max(FAR_DEGREES, north - south)];
  const near = places.filter(
    ({ box }) => box.east >= west - aside && box.west <= east + aside && box.north >= south - above && box.south <= north + above,
  );
  const left = total - near.reduce((sum, { count }) => sum + count, 0);
  return left > 0 && left <= few ? boxAround(near) : undefined;
}

/** The rectangle around rectangles; undefined around none. */
export function boxAround(places: readonly Pick<CountedBox, 'box'>[]): Box | undefined {
  if (!places.length) return undefined;
  const sides = (side: keyof Box) => places.map(({ box }) => box[side]);
  return {
    north: Math.max(...sides('north')),
    south: Math.min(...sides('south')),
    east: Math.max(...sides('east')),
    west: Math.min(...sides('west')),
  };
}

/** Rounds degrees to about ten centimetres. */
const roundDegrees = (degrees = 0) => Number(degrees.toFixed(6));

/** The tiles that hold projects, largest count first. */
export function readCells(answer: Aggregate): TileCell[] {
  const { buckets = [] } = innerAggregate(answer, 'tiles');
  return buckets.map((bucket) => {
    const { location } = innerAggregate(bucket, 'middle') as { location?: Corner };
    const [county] = innerAggregate(bucket, 'county').buckets ?? [];
    return {
      tile: String(bucket.key),
      latitude: roundDegrees(location?.lat),
      longitude: roundDegrees(location?.lon),
      count: bucket.doc_count ?? 0,
      countyId: county ? Number(county.key) : null,
      states: (innerAggregate(bucket, 'states').buckets ?? []).map(({ key, doc_count: count = 0 }) => ({ stateId: Number(key), count })),
    };
  });
}
