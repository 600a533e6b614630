/** The matches on a map: counted by tile, or single projects if there are few. */
import { representRecord } from '../../core/domain/record/represent.ts';
import type { Area, Ring } from '../../core/filter/geometry.ts';
import { areaClause } from '../../core/filter/place.ts';
import type { FilterValues } from '../../core/filter/table.ts';
import { allOf, type Box, boxClause, type Clause, terms } from '../../core/query/clauses.ts';
import { type Aggregations, innerAggregate } from '../../core/query/facets.ts';
import {
  boxAround,
  boxAroundCircle,
  boxAroundRing,
  boxOfMost,
  boxOfNamedTile,
  type CountedBox,
  centreOfTile,
  extentAggregations,
  gridAggregations,
  isTileIn,
  LOCATION,
  readCells,
  readExtent,
  type TileCell,
  wholeTiles,
  zoomOfFourTiles,
  zoomOfTiles,
} from '../../core/query/grid.ts';
import type { Actor } from '../../core/search/actor.ts';
import { pricedSelection } from '../../core/search/byIds.ts';
import { makeHeldClause, paidClause } from '../../core/search/held.ts';
import type { Selection } from '../../core/search/select.ts';
import type { OperationAnswer, ProjectServices } from '../../core/search/services.ts';
import { NOBODY } from '../../core/search/shownPeople.ts';
import { evidenceWarning, readUnconfirmed, unconfirmedAggregations } from '../../core/search/unconfirmedFilters.ts';
import type { CountObserver } from '../../core/store/callWatch.ts';
import type { AggregationStore } from '../../core/store/elastic/aggregations.ts';
import type { MapRequest } from './request.ts';

/** Most projects that a view shows one by one. */
export const POINTS_MAX = 250;
/** Deepest zoom of the tiles by which unpaid records are counted. Such a tile is about as wide as a county, and counts of counties are free too. */
export const UNPAID_ZOOM_MAX = 10;

/** A project on the map: fields of its compact representation. */
export interface MapPoint {
  id: number;
  projectName: string | null;
  address: string | null;
  city: string | null;
  county: string | null;
  state: string | null;
  latitude: number | null;
  longitude: number | null;
  propertyType: string | null;
  propertyTypeLabel: string | null;
  status: string | null;
  statusLabel: string | null;
  /** `YYYY-MM-DD` */
  meetingDate: string | null;
}

export const POINT_FIELDS: readonly (keyof MapPoint)[] = [
  ...(['id', 'projectName', 'address', 'city', 'county', 'state', 'latitude', 'longitude'] as const),
  ...(['propertyType', 'propertyTypeLabel', 'status', 'statusLabel', 'meetingDate'] as const),
];

export interface MapServices extends ProjectServices {
  aggregations: AggregationStore;
  /** called with each count of unpaid records in a tile */
  counted?: CountObserver | undefined;
}

export interface MapViewData {
  /** null if no match has a location; around most matches where none was asked for */
  view: Box | null;
  /** around all matches; the same where a view was asked for */
  extent: Box | null;
  matchCount: number;
  /** of each of `areas`, in their order; empty without that filter */
  areaCounts: number[];
  inView: number;
  unlocated: number;
  tileZoom: number;
  cells: (Omit<TileCell, 'countyId' | 'states'> & { county: string | null; states: { stateId: number; label: string; count: number }[] })[];
  projects: MapPoint[];
}

/** The records of a map, and who asks for it. */
export interface MapSelection {
  services: MapServices;
  actor: Actor;
  selection: Selection;
  query: Clause;
  /** whether the plan pays for records; only those that the pool holds in their current revision are then shown singly */
  isMetered: boolean;
}

/** Restricts a selection to what the plan may see on a map. @throws ApiError `service_unavailable` */
export async function selectForMap(services: MapServices, actor: Actor, selection: Selection): Promise<MapSelection> {
  const { principal } = actor;
  if (!principal.plan.recordCredit) return { services, actor, selection, query: selection.query, isMetered: false };
  // A filter by ids matches only records that the pool holds; otherwise the map would reveal where an unpaid record is. With other filters
  // they must be held as they are now, since a match says what they state now.
  const clauseOf = pricedSelection(selection, principal.plan) === selection ? makeHeldClause : paidClause;
  const held = selection.filters.projectIds && (await clauseOf(services, principal, selection.query, actor.signal));
  const query = held ? allOf([selection.query, held]) : selection.query;
  return { services, actor, selection, query, isMetered: true };
}

/** `GET /projects/map`: free of charge at any balance, like the count. @throws ApiError */
export async function mapProjects(
  services: MapServices,
  actor: Actor,
  { selection, view: askedView }: MapRequest,
): Promise<OperationAnswer<MapViewData>> {
  const look = await selectForMap(services, actor, selection);
  const { query } = look;
  const asked = askedView ? readView(look, askedView) : undefined;
  asked?.catch(() => undefined); // awaited later; the query below may fail first
  const { total, answer } = await services.aggregations.aggregate(
    query,
    { ...extentAggregations(!asked), ...unconfirmedAggregations(selection), ...areaAggregations(selection.filters) },
    actor,
  );
  const areaCounts = (innerAggregate(answer, 'areas').buckets ?? []).map(({ doc_count: count = 0 }) => count);
  for (const count of look.isMetered ? areaCounts : []) services.counted?.(actor.principal.teamId, count);
  const extent = askedView ?? coarsenExtent(look, readExtent(answer));
  const unlocated = innerAggregate(answer, 'unlocated').doc_count ?? 0;
  const seen = extent ? await (asked ?? readView(look, extent)) : NO_CONTENTS;
  const most = askedView ? undefined : await readMost(look, seen);
  return {
    data: { view: extent, extent, matchCount: total, areaCounts, unlocated, ...seen, ...most },
    meta: {
      creditsUsed: 0,
      warnings: [...selection.warnings, ...evidenceWarning(readUnconfirmed(answer))],
      appliedDefaults: selection.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

/** Counts the matches in each of several areas. */
const areaAggregations = ({ areas }: FilterValues): Aggregations =>
  areas ? { areas: { filters: { filters: areas.map(areaClause) } } } : {};

/** The rectangle around the matches that a map may show; null if none has a location. @throws ApiError */
export async function findExtent(look: MapSelection): Promise<Box | null> {
  const { answer } = await look.services.aggregations.aggregate(look.query, extentAggregations(true), look.actor);
  return coarsenExtent(look, readExtent(answer));
}

type MapContents = Pick<MapViewData, 'inView' | 'tileZoom' | 'cells' | 'projects'>;

const NO_CONTENTS: MapContents = { inView: 0, tileZoom: 0, cells: [], projects: [] };

/** The rectangle that may be shown. If records cost credits, the exact one would locate a single record, so it is widened to whole tiles. */
function coarsenExtent({ isMetered, selection }: MapSelection, extent: Box | undefined): Box | null {
  if (!extent) return null;
  return isMetered ? wholeTiles(extent, limitUnpaidZoom(selection.filters)) : extent;
}

const listPlaces = ({ cells, projects }: MapContents): CountedBox[] => [
  ...cells.map(({ tile, count }) => ({ box: boxOfNamedTile(tile), count })),
  ...projects.flatMap(({ latitude, longitude }) =>
    latitude === null || longitude === null
      ? []
      : [{ box: { north: latitude, south: latitude, east: longitude, west: longitude }, count: 1 }],
  ),
];

/** The view around most of what is seen, from its places alone, so that it tells no more of a record than they do; undefined where none is far. */
async function readMost(look: MapSelection, seen: MapContents): Promise<(MapContents & { view: Box }) | undefined> {
  const coarse = boxOfMost(listPlaces(seen));
  if (!coarse) return undefined;
  const nearer = await readView(look, coarse);
  return { ...nearer, view: coarsenExtent(look, boxAround(listPlaces(nearer))) ?? coarse };
}

/** The counted tiles or the projects in a rectangle. @param tileZoom zoom of the counted tiles */
export async function readView(look: MapSelection, view: Box, tileZoom = zoomOfTiles(view)): Promise<MapContents> {
  if (look.isMetered) return readPaidAndUnpaid(look, view, tileZoom);
  const query = allOf([look.query, boxClause(LOCATION, view)]);
  const { total, answer } = await look.services.aggregations.aggregate(query, gridAggregations(view, tileZoom), look.actor);
  if (total > POINTS_MAX) return { inView: total, tileZoom, cells: addPlaceNames(readCells(answer), look), projects: [] };
  return { inView: total, tileZoom, cells: [], projects: total ? await readPoints(look, query) : [] };
}

/** Shows paid records as on plans without charges for records, and counts unpaid ones by whole tiles, at `limitUnpaidZoom` at most. */
async function readPaidAndUnpaid(look: MapSelection, view: Box, tileZoom: number): Promise<MapContents> {
  const { services, actor, selection } = look;
  const zoom = Math.min(tileZoom, limitUnpaidZoom(selection.filters));
  const tiles = wholeTiles(view, zoom);
  const inTiles = allOf([look.query, boxClause(LOCATION, tiles)]);
  const paid = await paidClause(services, actor.principal, inTiles, actor.signal);
  const paidInView = allOf([paid, boxClause(LOCATION, view)]);
  const { answer } = await services.aggregations.aggregate(
    inTiles,
    {
      paid: { filter: paidInView, aggs: gridAggregations(view, tileZoom) },
      unpaid: { filter: { bool: { must_not: [paid] } }, aggs: gridAggregations(tiles, zoom) },
    },
    actor,
  );
  const ofPaid = innerAggregate(answer, 'paid');
  const paidCount = ofPaid.doc_count ?? 0;
  const unpaid = readCells(innerAggregate(answer, 'unpaid')).filter(({ tile }) => isTileIn(tile, tiles));
  for (const { count } of unpaid) services.counted?.(actor.principal.teamId, count);
  const onMiddles = unpaid.map((cell) => ({ ...cell, ...centreOfTile(cell.tile) }));
  const cells = paidCount > POINTS_MAX ? mergeCells(readCells(ofPaid), onMiddles) : onMiddles;
  return {
    inView: paidCount + unpaid.reduce((sum, { count }) => sum + count, 0),
    tileZoom,
    cells: addPlaceNames(cells, look),
    projects:
      paidCount && paidCount <= POINTS_MAX ? await readPoints(look, await makeIdsClause(look, allOf([look.query, paidInView]))) : [],
  };
}

/** A clause with the ids of the few matches, since a search for records cannot take all ids that a pool holds. */
async function makeIdsClause({ services, actor }: MapSelection, query: Clause): Promise<Clause> {
  return terms('id', await services.store.ids(query, POINTS_MAX, actor.signal));
}

/** Adds up the cells of paid and unpaid records, largest first. A tile with both is placed where its paid records are. */
function mergeCells(paid: readonly TileCell[], unpaid: readonly TileCell[]): TileCell[] {
  const cells = new Map(unpaid.map((cell) => [cell.tile, cell]));
  for (const cell of paid) {
    const other = cells.get(cell.tile);
    const countyId = other && other.count > cell.count ? other.countyId : cell.countyId;
    cells.set(cell.tile, {
      ...cell,
      countyId,
      count: cell.count + (other?.count ?? 0),
      states: addStates(cell.states, other?.states ?? []),
    });
  }
  return [...cells.values()].sort((a, b) => b.count - a.count);
}

function addStates(paid: TileCell['states'], unpaid: TileCell['states']): TileCell['states'] {
  const counts = new Map(paid.map(({ stateId, count }) => [stateId, count]));
  for (const { stateId, count } of unpaid) counts.set(stateId, (counts.get(stateId) ?? 0) + count);
  return [...counts].map(([stateId, count]) => ({ stateId, count })).sort((a, b) => b.count - a.count);
}

/** The rectangle around a shape; its east may lie beyond 180. */
function boxAroundArea({ bbox, circle, polygon }: Area): Box {
  if (bbox) return bbox.east < bbox.west ? { ...bbox, east: bbox.east + 360 } : bbox;
  return circle ? boxAroundCircle(circle) : boxAroundRing(polygon as Ring);
}

/**
 * Deepest zoom for unpaid records. It lets a drawn shape, or all areas together, touch four tiles at most, since a comb-shaped polygon over
 * more would locate every record.
 */
function limitUnpaidZoom({ bbox, circle, polygon, areas = [] }: FilterValues): number {
  const single: Area[] = [...(bbox ? [{ bbox }] : []), ...(circle ? [{ circle }] : []), ...(polygon ? [{ polygon }] : [])];
  const together = boxAround(areas.map((area) => ({ box: boxAroundArea(area) })));
  const boxes = [...single.map(boxAroundArea), ...(together ? [together] : [])];
  return boxes.length ? Math.min(UNPAID_ZOOM_MAX, Math.max(...boxes.map(zoomOfFourTiles))) : UNPAID_ZOOM_MAX;
}

const addPlaceNames = (cells: readonly TileCell[], { services }: MapSelection) => cells.map((cell) => withPlaceNames(cell, services));

function withPlaceNames({ countyId, states, ...cell }: TileCell, { places }: MapServices): MapViewData['cells'][number] {
  const county = countyId === null ? undefined : places.county(countyId);
  const named = states.map(({ stateId, count }) => ({ stateId, label: places.state(stateId)?.name ?? String(stateId), count }));
  return { ...cell, county: county ? places.labelOf(county) : null, states: named };
}

/** Newest meeting first. */
async function readPoints({ services, actor, selection }: MapSelection, query: Clause): Promise<MapPoint[]> {
  const { hits } = await services.store.page({
    query,
    sort: [{ id: 'desc' }],
    size: POINTS_MAX,
    representation: 'compact',
    count: false,
    signal: actor.signal,
  });
  const options = {
    representation: 'compact' as const,
    publicUrl: services.publicUrl,
    meetingCap: selection.meetingCap,
    today: selection.context.today,
    matchedOn: () => [],
    companyDetails: false,
    people: NOBODY,
  };
  const points = hits.map(({ project }) => {
    const record = representRecord(project, options);
    return Object.fromEntries(POINT_FIELDS.map((name) => [name, record[name]])) as unknown as MapPoint;
  });
  return points.sort((a, b) => (b.meetingDate ?? '').localeCompare(a.meetingDate ?? ''));
}
