/** What a map shows of a match set: how many lie in each tile, and where there are few, the projects themselves. */
import { type FetchedProject, represent } from '../../domain/record/represent.ts';
import { revisionHash } from '../../domain/record/revisionHash.ts';
import { pickControls } from '../../filter/controls.ts';
import type { RawParameters } from '../../filter/parse.ts';
import type { Box, Clause } from '../../query/clauses.ts';
import { allOf, inBox } from '../../query/clauses.ts';
import { inner } from '../../query/facets.ts';
import { type Cell, cellsOf, extentAggregations, extentOf, gridAggregations, LOCATION, zoomOfTiles } from '../../query/grid.ts';
import type { Actor } from '../../search/actor.ts';
import { heldClause } from '../../search/held.ts';
import { NOBODY } from '../../search/people.ts';
import { type Selection, select, without } from '../../search/select.ts';
import { type Answer, environmentOf, type ProjectServices } from '../../search/services.ts';
import type { AggregationStore } from '../../store/elastic/aggregations.ts';
import { withholdFrom } from './withhold.ts';

/** Projects that one view shows one by one. */
export const POINTS_MAX = 250;

export const MAP_CONTROLS = pickControls('view');
/** What shapes a page and not the set, so that a search becomes its map by changing the path. */
export const IGNORED_BY_MAP = ['limit', 'offset', 'page', 'sort', 'order', 'representation', 'deliveryMode'] as const;

/** A project on the map: fields of its compact representation. */
export interface Point {
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

const POINT_FIELDS: readonly (keyof Point)[] = [
  ...(['id', 'projectName', 'address', 'city', 'county', 'state', 'latitude', 'longitude'] as const),
  ...(['propertyType', 'propertyTypeLabel', 'status', 'statusLabel', 'meetingDate'] as const),
];

export interface MapServices extends ProjectServices {
  aggregations: AggregationStore;
}

export interface MapView {
  /** null where no match has a location */
  view: Box | null;
  matchCount: number;
  inView: number;
  unlocated: number;
  tileZoom: number;
  cells: (Omit<Cell, 'countyId'> & { county: string | null })[];
  projects: Point[];
}

/** What is looked at, and who looks. */
export interface Look {
  services: MapServices;
  actor: Actor;
  selection: Selection;
  query: Clause;
  /** matches what the pool holds; undefined where records are free */
  held: Clause | undefined;
}

/** What may be shown one by one, and what an id may name. @throws ApiError `service_unavailable` */
export async function lookAt(services: MapServices, actor: Actor, selection: Selection): Promise<Look> {
  const held = actor.principal.plan.recordCredit ? await heldClause(services.holdings, actor.principal) : undefined;
  // Where records cost, an id names only what the pool holds: anything else would tell where a record lies that was not paid for.
  const query = held && selection.filters.projectIds ? allOf([selection.query, held]) : selection.query;
  return { services, actor, selection, query, held };
}

/** `GET /projects/map`: free of charge at any balance, like the count. @throws ApiError */
export async function mapProjects(services: MapServices, actor: Actor, raw: RawParameters): Promise<Answer<MapView>> {
  const parsed = select(without(IGNORED_BY_MAP, raw), MAP_CONTROLS, actor.principal, environmentOf(services), () => []);
  const { selection, controls } = parsed;
  const look = await lookAt(services, actor, selection);
  const { query } = look;
  const asked = controls.view ? inView(look, controls.view) : undefined;
  asked?.catch(() => undefined); // the other question may fail first
  const { total, answer } = await services.aggregations.aggregate(query, extentAggregations(!asked), actor.signal);
  const view = controls.view ?? extentOf(answer) ?? null;
  const unlocated = inner(answer, 'unlocated').doc_count ?? 0;
  const seen = view ? await (asked ?? inView(look, view)) : NOTHING_SEEN;
  return {
    data: { view, matchCount: total, unlocated, ...seen },
    meta: {
      creditsUsed: 0,
      warnings: selection.warnings,
      appliedDefaults: selection.appliedDefaults,
      appliedFilters: selection.appliedFilters,
    },
  };
}

type Seen = Pick<MapView, 'inView' | 'tileZoom' | 'cells' | 'projects'>;

const NOTHING_SEEN: Seen = { inView: 0, tileZoom: 0, cells: [], projects: [] };

/** What lies in a rectangle. @param tileZoom of the tiles that are counted */
export async function inView(look: Look, view: Box, tileZoom = zoomOfTiles(view)): Promise<Seen> {
  const { services, actor, held } = look;
  const query = allOf([look.query, inBox(LOCATION, view)]);
  const aggs = { ...gridAggregations(view, tileZoom), ...(held ? { held: { filter: held } } : {}) };
  const { total, answer } = await services.aggregations.aggregate(query, aggs, actor.signal);
  const shown = (cells: Cell[]) => cells.map((cell) => withCounty(cell, services));
  const showable = held ? (inner(answer, 'held').doc_count ?? 0) : total;
  const cells = cellsOf(answer);
  if (!showable || showable > POINTS_MAX) return { inView: total, tileZoom, cells: shown(cells), projects: [] };
  const projects = await pointsOf(look, held ? allOf([query, held]) : query);
  const ids = projects.map(({ id }) => id);
  return { inView: total, tileZoom, cells: held ? shown(await cellsWithout(look, { view, query, ids, tileZoom })) : [], projects };
}

/** The tiles without what the map shows one by one. */
async function cellsWithout(
  { services, actor }: Look,
  { view, query, ids, tileZoom }: { view: Box; query: Clause; ids: number[]; tileZoom: number },
): Promise<Cell[]> {
  const { answer } = await services.aggregations.aggregate(withholdFrom(query, ids), gridAggregations(view, tileZoom), actor.signal);
  return cellsOf(answer);
}

function withCounty({ countyId, ...cell }: Cell, { places }: MapServices): MapView['cells'][number] {
  const county = countyId === null ? undefined : places.county(countyId);
  return { ...cell, county: county ? places.labelOf(county) : null };
}

/** Those that the pool was delivered as they are now. */
async function unchanged({ holdings }: MapServices, { principal }: Actor, projects: readonly FetchedProject[]): Promise<FetchedProject[]> {
  const { revisionHashes } = await holdings.of(principal.teamId);
  return projects.filter(({ id, contentRevision }) => revisionHashes.has(revisionHash(id, contentRevision)));
}

/** Newest meeting first. On metered plans those that the pool was delivered as they are now: another revision has not been paid for. */
async function pointsOf({ services, actor, selection, held }: Look, query: Clause): Promise<Point[]> {
  const { hits } = await services.store.page({
    query,
    sort: [{ id: 'desc' }],
    size: POINTS_MAX,
    representation: 'compact',
    count: false,
    signal: actor.signal,
  });
  const options = {
    ...{ representation: 'compact' as const, publicUrl: services.publicUrl, meetingCap: selection.meetingCap },
    ...{ matchedOn: () => [], companyDetails: false, people: NOBODY },
  };
  const projects = hits.map(({ project }) => project);
  const points = (held ? await unchanged(services, actor, projects) : projects).map((project) => {
    const record = represent(project, options);
    return Object.fromEntries(POINT_FIELDS.map((name) => [name, record[name]])) as unknown as Point;
  });
  return points.sort((a, b) => (b.meetingDate ?? '').localeCompare(a.meetingDate ?? ''));
}
