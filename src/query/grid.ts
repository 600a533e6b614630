/** Projects of a rectangle counted by the tiles of a web map (EPSG:3857): the aggregations, and how their answer is read. Pure. */
import type { Box } from './clauses.ts';
import { type Aggregate, type Aggregations, inner } from './facets.ts';

/** Tiles that a rectangle is cut into, about; those that it only touches come on top. */
const TILES_TARGET = 256;
/** Tiles along one side: with it a narrow strip has no more of them. */
const SIDE_MAX = 64;
/** More than a rectangle can touch: `TILES_TARGET`, a row and a column. */
const TILES_MAX = TILES_TARGET + 2 * SIDE_MAX + 1;
/** A tile of it is 5 metres wide. */
const ZOOM_MAX = 22;
/** Where the map of the world ends. */
const LATITUDE_MAX = 85.05112878;

export const LOCATION = 'derived.location';
const COUNTY = 'derived.countyId';

export interface Cell {
  /** `zoom/x/y` */
  tile: string;
  /** the middle of its projects, in degrees */
  latitude: number;
  longitude: number;
  count: number;
  /** the county of most of them; null where none is stated */
  countyId: number | null;
}

/** A tile of a web map: `zoom` halves the world so often, `x` counts from the west and `y` from the north. */
export interface Tile {
  zoom: number;
  x: number;
  y: number;
}

/** The deepest zoom of a tile that is asked for. */
export const TILE_ZOOM_MAX = ZOOM_MAX;

/** From 0 in the north to 1 in the south. */
function southing(latitude: number): number {
  const sine = Math.sin((Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** The latitude that lies so far south. */
const latitudeAt = (part: number) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * part))) * 180) / Math.PI;

export function boxOfTile({ zoom, x, y }: Tile): Box {
  const tiles = 2 ** zoom;
  const longitude = (column: number) => (360 * column) / tiles - 180;
  return { north: latitudeAt(y / tiles), south: latitudeAt((y + 1) / tiles), west: longitude(x), east: longitude(x + 1) };
}

/** Where a point lies in a tile: parts of its width and height, from 0 to below 1 inside. */
export function placeInTile({ zoom, x, y }: Tile, { latitude, longitude }: { latitude: number; longitude: number }): [number, number] {
  const tiles = 2 ** zoom;
  return [((longitude + 180) / 360) * tiles - x, southing(latitude) * tiles - y];
}

/** Whether a tile, as `zoom/x/y`, lies in another one. */
export function liesInTile(inner: string, { zoom, x, y }: Tile): boolean {
  const [depth = 0, column = 0, row = 0] = inner.split('/').map(Number);
  const times = 2 ** (depth - zoom);
  return Math.floor(column / times) === x && Math.floor(row / times) === y;
}

/** The zoom at which a rectangle has about `TILES_TARGET` tiles: it depends on how much of the world it shows, so that it stays as a map is moved. */
export function zoomOfTiles({ north, south, east, west }: Box): number {
  const width = (east < west ? east + 360 - west : east - west) / 360;
  const height = southing(south) - southing(north);
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
    aggs: { middle: { geo_centroid: { field: LOCATION } }, county: { terms: { field: COUNTY, size: 1 } } },
  },
});

/** How many matches have no location. @param withExtent and the smallest rectangle around the others */
export const extentAggregations = (withExtent: boolean): Aggregations => ({
  unlocated: { missing: { field: LOCATION } },
  ...(withExtent ? { extent: { geo_bounds: { field: LOCATION, wrap_longitude: false } } } : {}),
});

interface Corner {
  lat: number;
  lon: number;
}

/** Undefined where no match has a location. */
export function extentOf(answer: Aggregate): Box | undefined {
  const { bounds } = inner(answer, 'extent') as { bounds?: { top_left: Corner; bottom_right: Corner } };
  return bounds && { north: bounds.top_left.lat, west: bounds.top_left.lon, south: bounds.bottom_right.lat, east: bounds.bottom_right.lon };
}

/** To about ten centimetres. */
const rounded = (degrees = 0) => Number(degrees.toFixed(6));

/** The tiles that hold projects, most first. */
export function cellsOf(answer: Aggregate): Cell[] {
  const { buckets = [] } = inner(answer, 'tiles');
  return buckets.map((bucket) => {
    const { location } = inner(bucket, 'middle') as { location?: Corner };
    const [county] = inner(bucket, 'county').buckets ?? [];
    return {
      tile: String(bucket.key),
      latitude: rounded(location?.lat),
      longitude: rounded(location?.lon),
      count: bucket.doc_count ?? 0,
      countyId: county ? Number(county.key) : null,
    };
  });
}
