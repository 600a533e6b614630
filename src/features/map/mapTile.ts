/** A vector tile (Mapbox Vector Tile 2.1) of the matches, for customers' own maps. */
import { fromVectorTileJs, GeoJSONWrapper } from '@maplibre/vt-pbf';
import { boxOfTile, isCentredIn, positionInTile, type Tile } from '../../core/query/grid.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { ServedVersion } from '../../core/store/elastic/servedVersion.ts';
import { type MapPoint, type MapServices, type MapViewData, readView, selectForMap } from './mapProjects.ts';
import type { TileRequest } from './request.ts';

/** Units along a side of a tile. */
const EXTENT = 4096;
const FORMAT = { version: 2, extent: EXTENT };
/** Clusters form a grid of 8 by 8 in a tile: one in 64 pixels of a tile of 512. */
const GRID_ZOOMS = 3;

export interface TileServices extends MapServices {
  served: ServedVersion;
}

interface MapTile {
  /** identifies the content, for the ETag */
  version: string;
  /** @throws ApiError `search_unavailable` */
  make(): Promise<Uint8Array>;
}

/** `GET /tiles/{z}/{x}/{y}.mvt`: the content of `GET /projects/map` for a tile, in the layers `clusters` and `projects`; free as well. */
export async function makeMapTile(services: TileServices, actor: Actor, { tile, selection }: TileRequest): Promise<MapTile> {
  const { zoom, x, y } = tile;
  // Read before the tile. A change in between makes the tile newer than its version, which costs another transfer, and never older.
  const version = JSON.stringify([
    await services.served.current(actor.signal),
    ...[selection.query, selection.meetingCap, zoom, x, y],
    await readHeldVersion(services, actor),
  ]);
  return {
    version,
    make: async () => encodeTile(tile, await readView(await selectForMap(services, actor, selection), boxOfTile(tile), zoom + GRID_ZOOMS)),
  };
}

/** The version of the pool's holdings; null on plans without charges for records, which all see the same. */
async function readHeldVersion({ holdings }: TileServices, { principal }: Actor): Promise<string | null> {
  if (!principal.plan.recordCredit) return null;
  return `${principal.teamId} ${(await holdings.revisions(principal.teamId)).version}`;
}

type Tags = Record<string, string | number>;

interface Feature {
  id?: number;
  type: 1;
  tags: Tags;
  geometry: [number, number][];
}

/** Tags without nulls, which the format does not have. */
const toTags = (values: Readonly<Record<string, string | number | null>>): Tags =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string | number] => entry[1] !== null));

function toClusterFeature(tile: Tile, { tile: name, count, county, states: _, ...middle }: MapViewData['cells'][number]): Feature {
  return { type: 1, tags: toTags({ tile: name, count, county }), geometry: [toTileUnits(positionInTile(tile, middle))] };
}

const toTileUnits = ([x, y]: readonly [number, number]): [number, number] => [Math.round(EXTENT * x), Math.round(EXTENT * y)];

/** Null for a project on the eastern or southern edge, which belongs to the next tile. */
function toProjectFeature(tile: Tile, { id, latitude, longitude, ...words }: MapPoint): Feature | null {
  if (latitude === null || longitude === null) return null;
  const [x, y] = positionInTile(tile, { latitude, longitude });
  if (Math.min(x, y) < 0 || Math.max(x, y) >= 1) return null;
  return { id, type: 1, tags: toTags({ id, ...words }), geometry: [toTileUnits([x, y])] };
}

/** The bytes of a tile, without empty layers; none for an empty tile. */
function encodeTile(tile: Tile, { cells, projects }: Pick<MapViewData, 'cells' | 'projects'>): Uint8Array {
  const clusters = cells.filter((cell) => isCentredIn(cell.tile, tile)).map((cell) => toClusterFeature(tile, cell));
  const layers = { clusters, projects: projects.flatMap((project) => toProjectFeature(tile, project) ?? []) };
  const filled = Object.entries(layers).filter(([, features]) => features.length);
  return fromVectorTileJs({
    layers: Object.fromEntries(filled.map(([name, features]) => [name, Object.assign(new GeoJSONWrapper(features, FORMAT), { name })])),
  });
}
