import { Type } from 'typebox';
import { object } from '../../core/domain/record/field.ts';
import { TILE_ZOOM_MAX } from '../../core/query/grid.ts';
import { environmentOf } from '../../core/search/services.ts';
import { bare, file, type Route, route } from '../../http/declaration.ts';
import { SELECTION_ERRORS } from '../../http/pageSchemas.ts';
import { tilePart } from '../../http/pathParameters.ts';
import { makeMapTile, type TileServices } from './mapTile.ts';
import { parseTile, parseTiles } from './request.ts';
import { describeTiles } from './tileJson.ts';

const COLUMNS_MAX = 2 ** TILE_ZOOM_MAX - 1;

/** `GET /tiles/{z}/{x}/{y}.mvt`. */
export const tileRoutes = (services: TileServices): Route[] => [
  route('Projects', 'getTile', 'GET /tiles/{z}/{x}/{y}.mvt', {
    summary: 'A vector tile of the matches, for maps of your own',
    description:
      'Layer `clusters` (`count`, `county`, `tile`), and where few projects may be shown, layer `projects`, by the rule of `GET /projects/map`. A tile where nothing lies has no bytes. No delivery, no charge.',
    params: {
      z: tilePart('zoom', `Zoom, 0 to ${TILE_ZOOM_MAX}`, TILE_ZOOM_MAX, 5),
      x: tilePart('column', 'Column from the west', COLUMNS_MAX, 6),
      y: tilePart('row', 'Row from the north', COLUMNS_MAX, 12),
    },
    query: {
      table: {
        filters: true,
        controls: {},
        parse: (sent, { principal, params }) => {
          const { z: zoom, x, y } = params as Record<'z' | 'x' | 'y', number>;
          return parseTile(sent, { zoom, x, y }, principal, environmentOf(services));
        },
      },
    },
    lifetime: { seconds: 60, scope: 'private' },
    answers: [file('application/vnd.mapbox-vector-tile')],
    errors: [...SELECTION_ERRORS, 'service_unavailable'],
    example: { path: '/v1/tiles/5/6/12.mvt?states=CO' },
    handle: ({ actor, query }) => makeMapTile(services, actor, query),
  }),
];

const zoom = Type.Integer({ minimum: 0, maximum: TILE_ZOOM_MAX });
const tileJson = object({
  tilejson: Type.Literal('3.0.0'),
  name: Type.String(),
  description: Type.String(),
  scheme: Type.Literal('xyz'),
  tiles: Type.Array(Type.String()),
  minzoom: zoom,
  maxzoom: zoom,
  bounds: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'west, south, east, north' }),
  vector_layers: Type.Array(
    object({
      id: Type.String(),
      description: Type.String(),
      minzoom: zoom,
      maxzoom: zoom,
      fields: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    }),
  ),
});

/** `GET /tiles.json`, from the root of the service. */
export const tileJsonRoutes = (services: TileServices): Route[] => [
  route('GIS', 'getTileJson', 'GET /tiles.json', {
    summary: 'TileJSON of the vector tiles: where they are, what they hold',
    description:
      'For programs that take the address of a TileJSON 3.0.0 document. Filters that are sent here are in the address of the tiles. `bounds` lies around the matches; where records cost a credit it consists of whole tiles, as on the map.',
    query: {
      table: {
        filters: true,
        controls: {},
        parse: (sent, { principal }) => parseTiles(sent, principal, environmentOf(services)),
      },
    },
    answers: [bare(tileJson)],
    errors: [...SELECTION_ERRORS, 'service_unavailable'],
    example: { path: '/tiles.json?states=CO' },
    handle: async ({ actor, query }) => ({ data: await describeTiles(services, actor, query) }),
  }),
];
