/** Landing page, conformance and collections of OGC API - Features, Part 1 (17-069r4) and Part 3 (19-079r2). */

import { CRS84 } from '../../core/filter/geometry.ts';
import { innerAggregate } from '../../core/query/facets.ts';
import type { Actor } from '../../core/search/actor.ts';
import type { Selection } from '../../core/search/select.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import type { AnswerLink } from '../../http/declaration.ts';
import { GEOJSON } from '../../http/geoJson.ts';
import { OGC_ROOT } from '../../http/roots.ts';
import { findExtent, type MapSelection, type MapServices, selectForMap } from '../map/index.ts';
import type { SyncRequest } from '../sync/index.ts';
import { featuresOf, MEETING_DAY } from './request.ts';

const JSON_TYPE = 'application/json';
export const SCHEMA_TYPE = 'application/schema+json';
const GREGORIAN = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';
const SPEC = 'http://www.opengis.net/spec';
const QUERYABLES_REL = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';
const DESCRIPTION =
  'US land-use projects (rezonings, site plans, permits) with a place and a hearing, read from the minutes of city and county meetings. A page costs what a search costs.';

type TypedLink = AnswerLink & { type: string; title: string };

const COLLECTION = `${OGC_ROOT}/collections/projects`;

export type FeatureFields = Pick<SyncRequest, 'representation' | 'withDerived'>;

export const queryablesUrl = (publicUrl: string) => `${publicUrl}${COLLECTION}/queryables`;

export const schemaUrl = (publicUrl: string, { representation, withDerived }: FeatureFields) =>
  `${publicUrl}${COLLECTION}/schema?representation=${representation}${withDerived ? '&include=derived' : ''}`;

export const collectionLink = (publicUrl: string): TypedLink => ({
  rel: 'collection',
  href: `${publicUrl}${COLLECTION}`,
  type: JSON_TYPE,
  title: 'The collection',
});

export function makeLandingPage(publicUrl: string) {
  const link = (rel: string, path: string, title: string, type = JSON_TYPE): TypedLink => ({
    rel,
    href: `${publicUrl}${path}`,
    type,
    title,
  });
  return {
    title: 'Land-use projects',
    description: DESCRIPTION,
    links: [
      link('self', OGC_ROOT, 'This page'),
      link('service-desc', '/openapi.json', 'The definition of the API, as OpenAPI 3.1'),
      link('service-doc', '/docs/guides/gis', 'How to use it from QGIS, GDAL and Python', 'text/html'),
      link('conformance', `${OGC_ROOT}/conformance`, 'The classes of the standard that it conforms to'),
      link('data', `${OGC_ROOT}/collections`, 'The collections'),
    ],
  };
}

const CLASSES = {
  'ogcapi-features-1/1.0': ['core', 'geojson'],
  'ogcapi-features-3/1.0': ['queryables', 'filter', 'features-filter'],
  'cql2/1.0': ['cql2-text', 'basic-cql2'],
};

export const CONFORMANCE = {
  conformsTo: Object.entries(CLASSES).flatMap(([part, names]) => names.map((name) => `${SPEC}/${part}/conf/${name}`)),
};

export interface OgcServices extends MapServices {
  aggregations: AggregationStore;
}

/**
 * Times of the first and the last hearing; null if there is none. If records cost credits, exact days would reveal when a single record was
 * heard, so the first and the last day of their years are shown instead.
 */
async function readHearingDays({ services, query, actor, isMetered }: MapSelection): Promise<(string | null)[]> {
  const ends = { first: { min: { field: MEETING_DAY } }, last: { max: { field: MEETING_DAY } } };
  const { answer } = await services.aggregations.aggregate(query, ends, actor);
  const [first, last] = Object.keys(ends).map((name) => innerAggregate(answer, name).value);
  return isMetered ? [coarsenDay(first, '01-01'), coarsenDay(last, '12-31')] : [coarsenDay(first), coarsenDay(last)];
}

/** @param dayOfYear `MM-DD`, shown instead of the exact day */
function coarsenDay(time: unknown, dayOfYear?: string): string | null {
  if (typeof time !== 'number') return null;
  const exact = new Date(time).toISOString();
  return dayOfYear ? `${exact.slice(0, 4)}-${dayOfYear}T00:00:00.000Z` : exact;
}

/** The collection, with the extent of a selection in place and time, no more exact than on the map. @throws ApiError */
export async function describeCollection(
  services: OgcServices,
  actor: Actor,
  { selection, ...fields }: FeatureFields & { selection: Selection },
) {
  const { publicUrl } = services;
  const look = await selectForMap(services, actor, { ...selection, query: featuresOf(selection.query) });
  const [box, days] = await Promise.all([findExtent(look), readHearingDays(look)]);
  const link = (rel: string, path: string, type: string, title: string): TypedLink => ({ rel, href: `${publicUrl}${path}`, type, title });
  return {
    id: 'projects',
    title: 'Projects',
    description: DESCRIPTION,
    itemType: 'feature',
    crs: [CRS84],
    ...(box
      ? {
          extent: {
            spatial: { bbox: [[box.west, box.south, box.east, box.north]], crs: CRS84 },
            temporal: { interval: [days], trs: GREGORIAN },
          },
        }
      : {}),
    links: [
      link('self', COLLECTION, JSON_TYPE, 'This collection'),
      link('items', `${COLLECTION}/items`, GEOJSON, 'The projects'),
      // Older versions of GDAL, such as 3.6, read only the second spelling.
      ...['describedby', 'describedBy'].map((rel) => ({
        rel,
        href: schemaUrl(publicUrl, fields),
        type: SCHEMA_TYPE,
        title: 'The schema of a feature',
      })),
      { rel: QUERYABLES_REL, href: queryablesUrl(publicUrl), type: SCHEMA_TYPE, title: 'The properties that `filter` compares' },
      link('service-doc', '/docs/guides/gis', 'text/html', 'How to use it'),
    ],
  };
}

/** The list of collections. @throws ApiError */
export async function listCollections(services: OgcServices, actor: Actor, request: Parameters<typeof describeCollection>[2]) {
  const self = { rel: 'self', href: `${services.publicUrl}${OGC_ROOT}/collections`, type: JSON_TYPE, title: 'This list' };
  return { links: [self], collections: [await describeCollection(services, actor, request)] };
}
