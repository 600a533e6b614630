import { Type } from 'typebox';
import { nullable, object, place } from '../../core/domain/record/field.ts';
import { environmentOf } from '../../core/search/services.ts';
import { json, type Route, route } from '../../http/declaration.ts';
import { filterEchoSchemas, MATCH_WARNINGS, SELECTION_ERRORS } from '../../http/pageSchemas.ts';
import { whole } from '../../http/schemas.ts';
import { type MapServices, mapProjects, POINTS_MAX, UNPAID_ZOOM_MAX } from './mapProjects.ts';
import { MAP_CONTROLS, parseMap } from './request.ts';

const degrees = Type.Number();
const text = nullable(Type.String());

const box = object({ north: degrees, south: degrees, east: degrees, west: degrees });
const cell = object({
  tile: Type.String({ description: 'zoom/x/y of a web map (EPSG:3857)' }),
  latitude: Type.Number({
    description: 'The middle of its projects; of a tile that holds none that was paid for, where records cost, the middle of the tile',
  }),
  longitude: degrees,
  count: whole,
  states: Type.Array(object({ stateId: whole, label: Type.String(), count: whole }), {
    description: 'Its projects by state, most first; those that state none are in `count` alone',
  }),
  county: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'In which most of them lie' }),
});
const point = object({
  id: place,
  projectName: text,
  address: text,
  city: text,
  county: text,
  state: text,
  latitude: nullable(degrees),
  longitude: nullable(degrees),
  propertyType: text,
  propertyTypeLabel: text,
  status: text,
  statusLabel: text,
  meetingDate: text,
});
const mapView = object({
  view: nullable({ ...box, description: 'What is looked at; around most matches where no view was asked for' }),
  extent: nullable({ ...box, description: 'Around all matches; the same as `view` where one was asked for' }),
  matchCount: whole,
  areaCounts: Type.Array(whole, { description: 'Matches in each of `areas`, in their order' }),
  inView: whole,
  unlocated: Type.Integer({ minimum: 0, description: 'Matches without a location: they are on no map' }),
  tileZoom: whole,
  cells: Type.Array(cell),
  projects: Type.Array(point, { maxItems: POINTS_MAX }),
});

/** `GET /projects/map`. */
export const projectMapRoutes = (services: MapServices): Route[] => [
  route('Projects', 'mapProjects', 'GET /projects/map', {
    summary: 'Where the matches lie: counts by tile, and few projects one by one',
    description: `At most about 250 tiles a view. Where at most ${POINTS_MAX} projects may be shown, they come one by one instead: all of them where records are free, those that your pool was delivered as they are now where records cost a credit. Of records that it has not paid for whole tiles are counted, at the deepest of zoom ${UNPAID_ZOOM_MAX}, on whose middle they lie; of a drawn shape, or of all areas together, at most four. No delivery, no charge.`,
    query: {
      table: {
        filters: true,
        controls: MAP_CONTROLS,
        parse: (sent, { principal }) => parseMap(sent, principal, environmentOf(services)),
      },
    },
    answers: [json(mapView, { meta: object({ creditsUsed: whole, ...filterEchoSchemas(...MATCH_WARNINGS) }) })],
    errors: [...SELECTION_ERRORS, 'service_unavailable'],
    example: { path: '/v1/projects/map?states=CO&view=-109.1,36.9,-102,41.1' },
    handle: ({ actor, query }) => mapProjects(services, actor, query),
  }),
];
