/** TileJSON 3.0.0, which tells map libraries and desktop programs the addresses and layers of the vector tiles. */
import { TILE_ZOOM_MAX } from '../../core/query/grid.ts';
import type { Actor } from '../../core/search/actor.ts';
import { API_ROOT } from '../../http/roots.ts';
import { findExtent, type MapServices, POINT_FIELDS, selectForMap } from './mapProjects.ts';
import type { TilesRequest } from './request.ts';

const ZOOMS = { minzoom: 0, maxzoom: TILE_ZOOM_MAX };

/** The layers and their fields; the value of a field is the name of its type. */
const LAYERS = [
  {
    id: 'clusters',
    description: 'Matches counted by place, where they are not shown one by one',
    ...ZOOMS,
    fields: { count: 'Number', county: 'String', tile: 'String' },
  },
  {
    id: 'projects',
    description: 'Matches one by one, where few lie and the plan may see them',
    ...ZOOMS,
    fields: Object.fromEntries(
      POINT_FIELDS.filter((name) => name !== 'latitude' && name !== 'longitude').map((name) => [name, name === 'id' ? 'Number' : 'String']),
    ),
  },
];

export interface TileJson {
  tilejson: '3.0.0';
  name: string;
  description: string;
  scheme: 'xyz';
  tiles: string[];
  minzoom: number;
  maxzoom: number;
  /** west, south, east, north; the world if nothing matches */
  bounds: number[];
  vector_layers: { id: string; description: string; minzoom: number; maxzoom: number; fields: Record<string, string> }[];
}

/** `GET /tiles.json`. @throws ApiError `search_unavailable`, `service_unavailable` */
export async function describeTiles(services: MapServices, actor: Actor, { selection, query }: TilesRequest): Promise<TileJson> {
  const box = await findExtent(await selectForMap(services, actor, selection));
  return {
    tilejson: '3.0.0',
    name: 'Land-use projects',
    description: 'Where projects of the Land Use Intelligence API lie',
    scheme: 'xyz',
    tiles: [`${services.publicUrl}${API_ROOT}/tiles/{z}/{x}/{y}.mvt${query && `?${query}`}`],
    ...ZOOMS,
    bounds: box ? [box.west, box.south, box.east, box.north] : [-180, -90, 180, 90],
    vector_layers: LAYERS,
  };
}
