/** The parameters of the map and its tiles. Pure. */
import { ApiError } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import { pickControls } from '../../core/filter/controls.ts';
import type { RawParameters } from '../../core/filter/parse.ts';
import type { Box } from '../../core/query/clauses.ts';
import type { Tile } from '../../core/query/grid.ts';
import { parseSelection, type Selection, withoutIgnored } from '../../core/search/select.ts';
import type { Environment } from '../../core/search/services.ts';

export const MAP_CONTROLS = pickControls('view');
/** Parameters of pages, which a map ignores, so that a search becomes its map by changing the path. */
const IGNORED_BY_MAP = ['limit', 'offset', 'page', 'sort', 'order', 'representation', 'deliveryMode'] as const;

export interface MapRequest {
  selection: Selection;
  /** the visible rectangle; that around all matches by default */
  view: Box | undefined;
}

/** @throws ApiError with every problem of the request */
export function parseMap(raw: RawParameters, principal: Principal, environment: Environment, controls = MAP_CONTROLS): MapRequest {
  const { selection, controls: values } = parseSelection(withoutIgnored(IGNORED_BY_MAP, raw), controls, principal, environment, () => []);
  return { selection, view: values.view };
}

export interface TileRequest {
  selection: Selection;
  tile: Tile;
}

/** @throws ApiError `resource_not_found` for a tile that does not exist, or every problem of the request */
export function parseTile(raw: RawParameters, tile: Tile, principal: Principal, environment: Environment): TileRequest {
  const { zoom, x, y } = tile;
  if (x >= 2 ** zoom || y >= 2 ** zoom)
    throw new ApiError('resource_not_found', `There is no tile ${zoom}/${x}/${y}: x and y of zoom ${zoom} end at ${2 ** zoom - 1}`);
  return { tile, selection: parseMap(raw, principal, environment, NO_CONTROLS).selection };
}

/** The matches whose tiles are described, and the query string of each tile's URL. */
export interface TilesRequest {
  selection: Selection;
  query: string;
}

/** @throws ApiError with every problem of the request */
export function parseTiles(raw: RawParameters, principal: Principal, environment: Environment): TilesRequest {
  const { selection } = parseMap(raw, principal, environment, NO_CONTROLS);
  const sent = [...withoutIgnored(IGNORED_BY_MAP, raw)].flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, String(value)]),
  );
  return { selection, query: new URLSearchParams(sent).toString() };
}

const NO_CONTROLS = {};
