// The state of the page is its address, and the address is the API call: `/map?states=CO` shows what `/v1/projects/search?states=CO`
// answers. Pure.

export const TABS = ['map', 'charts', 'compare', 'exports', 'alerts', 'lists', 'webhooks', 'keys', 'receipts'];
/** Parameters of the page; every other one is a filter of the API. */
const OWN = ['view', 'project', 'tab', 'a', 'b'];
const VIEW = /^-?[\d.]+(,-?[\d.]+){3}$/;

/**
 * @typedef {object} State
 * @property {Record<string, string>} filters by the names of the query parameters
 * @property {string | null} view west,south,east,north in degrees
 * @property {number | null} project the open record
 * @property {string} tab
 * @property {string | null} a first place of a comparison, such as `states:8`
 * @property {string | null} b
 */

/**
 * @param {{pathname: string, search: string}} address
 * @returns {State}
 */
export function readAddress({ pathname, search }) {
  const query = new URLSearchParams(search);
  /** @type {Record<string, string>} */
  const filters = {};
  for (const name of new Set(query.keys())) if (!OWN.includes(name)) filters[name] = query.getAll(name).join(',');
  const project = Number(query.get('project'));
  const tab = query.get('tab') ?? (pathname === '/exports' ? 'exports' : 'map');
  const view = query.get('view') ?? '';
  return {
    filters,
    view: VIEW.test(view) ? view : null,
    project: Number.isInteger(project) && project > 0 ? project : null,
    tab: TABS.includes(tab) ? tab : 'map',
    a: query.get('a'),
    b: query.get('b'),
  };
}

/**
 * A readable query string: commas and colons are not encoded.
 * @param {Record<string, string | number | null | undefined>} parameters
 */
export function queryOf(parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return text ? `?${text}` : '';
}

/** @param {State} state */
export function toAddress({ filters, view, project, tab, a, b }) {
  return `/map${queryOf({ ...filters, tab: tab === 'map' ? null : tab, a, b, view, project })}`;
}

/**
 * The state after a change of filters; null removes one. A change of place resets the view, so that the map moves to the matches.
 * @param {State} state
 * @param {Record<string, string | null>} change
 * @returns {State}
 */
export function withFilters(state, change) {
  const filters = { ...state.filters };
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') delete filters[name];
    else filters[name] = value;
  }
  const moves = Object.keys(change).some((name) => ['states', 'counties', 'cities'].includes(name));
  return { ...state, filters, project: null, view: moves ? null : state.view };
}

/**
 * The rectangle of a tile, as the filter `bbox` takes it.
 * @param {string} tile `zoom/x/y`
 */
export function boxOfTile(tile) {
  const [zoom = 0, x = 0, y = 0] = tile.split('/').map(Number);
  const size = 2 ** zoom;
  const latitude = (/** @type {number} */ row) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / size))) * 180) / Math.PI;
  const box = { north: latitude(y), south: latitude(y + 1), east: ((x + 1) / size) * 360 - 180, west: (x / size) * 360 - 180 };
  return /** @type {{north: number, south: number, east: number, west: number}} */ (
    Object.fromEntries(Object.entries(box).map(([name, degrees]) => [name, Number(degrees.toFixed(6))]))
  );
}

/**
 * A circle as a polygon's ring, for drawing.
 * @param {{lat: number, lng: number, radiusMeters: number}} circle
 * @returns {[number, number][]}
 */
export function ringOfCircle({ lat, lng, radiusMeters }) {
  const height = radiusMeters / 111_320;
  const width = height / Math.max(0.01, Math.cos((lat * Math.PI) / 180));
  return Array.from({ length: 65 }, (_, i) => {
    const angle = (i / 64) * 2 * Math.PI;
    return [lng + width * Math.cos(angle), lat + height * Math.sin(angle)];
  });
}

/**
 * The distance of two points in metres, on a sphere.
 * @param {[number, number]} a longitude, latitude
 * @param {[number, number]} b
 */
export function metersBetween([lng1, lat1], [lng2, lat2]) {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((lat2 - lat1) * rad) / 2) ** 2 + Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * Math.sin(((lng2 - lng1) * rad) / 2) ** 2;
  return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h));
}
