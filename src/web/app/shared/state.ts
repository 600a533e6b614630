/**
 * The state of the page is its address, and the address is the API call: `/map?states=CO` shows what `/v1/projects/search?states=CO`
 * answers. Pure.
 */
import type { Filters } from '../../../clients/client/generated.ts';

/** Tabs in the order of the navigation. */
export const TABS = [
  'map',
  'table',
  'ask',
  'charts',
  'odds',
  'compare',
  'hearings',
  'match',
  'exports',
  'alerts',
  'lists',
  'webhooks',
  'keys',
  'connections',
  'receipts',
] as const;
export type TabName = (typeof TABS)[number];

const isTab = (name: string): name is TabName => (TABS as readonly string[]).includes(name);

/** What is open in the tab of lists while a search gets its name there. */
export const NEW_LIST = 'new';

/** Parameters of the page; every other one is a filter of the API. */
const OWN = ['view', 'project', 'tab', 'open', 'sort', 'order', 'columns', 'metric', 'by', 'places', 'a', 'b', 'ask', 'job', 'brief'];
const VIEW = /^-?[\d.]+(,-?[\d.]+){3}$/;

export interface PageState {
  /** by the names of the query parameters */
  filters: Readonly<Record<string, string>>;
  /** west,south,east,north in degrees */
  view: string | null;
  /** the open record */
  project: number | null;
  tab: TabName;
  /** id of the alert or list that is open in its tab */
  open: string | null;
  /** order of the table, in the API's values; null for the default */
  sort: string | null;
  order: string | null;
  /** fields of the table, separated by commas; null for the default ones */
  columns: string | null;
  /** the measure of the charts, such as `sum_acreage`; null counts projects */
  metric: string | null;
  /** the dimension of the odds, such as `requestType`; null means decision bodies */
  by: string | null;
  /** places of a comparison, such as `states:8`; the first is the one that others are compared with */
  places: readonly string[];
  /** the question of the tab Ask */
  question: string | null;
  /** id of the search that answers it */
  job: string | null;
  /** id of the site brief that is shown in place of a tab */
  brief: string | null;
}

/** `places=states:8,counties:8013`; addresses of two places, `a` and `b`, are still read. */
function placesIn(query: URLSearchParams): string[] {
  const named = [query.get('places') ?? '', query.get('a') ?? '', query.get('b') ?? ''].join(',').split(',');
  return [...new Set(named)].filter((place) => /^(states|counties|cities):\d+$/.test(place));
}

export function readAddress({ pathname, search }: { pathname: string; search: string }): PageState {
  const query = new URLSearchParams(search);
  const filters: Record<string, string> = {};
  for (const name of new Set(query.keys())) if (!OWN.includes(name)) filters[name] = query.getAll(name).join(',');
  const project = Number(query.get('project'));
  const tab = query.get('tab') ?? (pathname === '/exports' ? 'exports' : 'map');
  const view = query.get('view') ?? '';
  return {
    filters,
    view: VIEW.test(view) ? view : null,
    project: Number.isInteger(project) && project > 0 ? project : null,
    tab: isTab(tab) ? tab : 'map',
    open: query.get('open'),
    sort: query.get('sort'),
    order: query.get('order'),
    columns: query.get('columns'),
    metric: query.get('metric'),
    by: query.get('by'),
    places: placesIn(query),
    question: query.get('ask'),
    job: query.get('job'),
    brief: query.get('brief'),
  };
}

/** A readable query string: commas and colons are not encoded. */
export function queryOf(parameters: Readonly<Record<string, string | number | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text ? `?${text}` : '';
}

export function toAddress({ filters, tab, places, question, view, project, ...own }: PageState): string {
  const other = { places: places.join(','), ask: question, view, project };
  return `/map${queryOf({ ...filters, tab: tab === 'map' ? null : tab, ...own, ...other })}`;
}

/** Filters of the address as operations take them: the service reads texts of values, too. */
export const toFilters = (texts: Readonly<Record<string, string>>): Filters =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as object;

/** Values by the names of filters; null removes a filter. */
export type FilterChange = Readonly<Record<string, string | null>>;

/**
 * The state after a change of filters; null removes one. A change of place resets the view, so that the map moves to the matches.
 */
export function withFilters(state: PageState, change: FilterChange): PageState {
  const filters: Record<string, string> = { ...state.filters };
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') delete filters[name];
    else filters[name] = value;
  }
  const moves = Object.keys(change).some((name) => ['states', 'counties', 'cities'].includes(name));
  return { ...state, filters, project: null, view: moves ? null : state.view };
}

/** A rectangle in degrees, as the filter `bbox` takes it. */
export interface TileBox {
  north: number;
  south: number;
  east: number;
  west: number;
}

/** `west,south,east,north`, as a view is written. */
export const sidesOf = ({ west, south, east, north }: TileBox): string => [west, south, east, north].join(',');

/** The rectangle of a tile, as the filter `bbox` takes it. @param tile `zoom/x/y` */
export function boxOfTile(tile: string): TileBox {
  const [zoom = 0, x = 0, y = 0] = tile.split('/').map(Number);
  const size = 2 ** zoom;
  const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / size))) * 180) / Math.PI;
  const rounded = (degrees: number) => Number(degrees.toFixed(6));
  return {
    north: rounded(latitude(y)),
    south: rounded(latitude(y + 1)),
    east: rounded(((x + 1) / size) * 360 - 180),
    west: rounded((x / size) * 360 - 180),
  };
}

/** A circle as a polygon's ring, for drawing. */
export function ringOfCircle({ lat, lng, radiusMeters }: { lat: number; lng: number; radiusMeters: number }): [number, number][] {
  const height = radiusMeters / 111_320;
  const width = height / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
  return Array.from({ length: 65 }, (_, i) => {
    const angle = (i / 64) * 2 * Math.PI;
    return [lng + width * Math.cos(angle), lat + height * Math.sin(angle)];
  });
}
