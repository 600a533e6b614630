// The map, drawn by MapLibre from the API's answer. The list next to it has everything on it as text.
import { settings } from './settings.ts';
import { metersBetween, ringOfCircle } from './state.ts';
import { COUNTIES_ZOOM, countiesAddress, EMPTY, styleOf } from './style.js';
import { shortNumber } from './words.ts';

/** The renderer passes the worker's URL as a plain text where trusted types require a checked one; only our own files are allowed. */
function trustOwnFiles() {
  /** @type {any} */
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (!types || types.defaultPolicy) return;
  types.createPolicy('default', {
    createScriptURL: (/** @type {string} */ url) => (new URL(url, location.href).origin === location.origin ? url : null),
  });
}

export const canDraw = () => Boolean(document.createElement('canvas').getContext('webgl2'));

/** @returns {'light' | 'dark'} */
export const themeNow = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

/** @type {[number, number, number, number]} */
const COUNTRY = [-125, 24.4, -66.5, 49.6];
const SETTLED_MS = 180;
/** Margin in pixels around the fitted rectangle. */
const CLEAR = { top: 70, bottom: 70, left: 40, right: 60 };
/** A click this near to the first corner closes the ring. */
const NEAR_PIXELS = 12;

/** @param {any} geometry @param {object} properties */
const feature = (geometry, properties = {}) => ({ type: 'Feature', geometry, properties });
/** @param {any[]} features */
const collection = (features) => ({ type: 'FeatureCollection', features });
/** @param {number} longitude @param {number} latitude */
const point = (longitude, latitude) => ({ type: 'Point', coordinates: [longitude, latitude] });

/** @param {number} degrees */
const wrapped = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** @param {any} bounds of the renderer @returns {string} `west,south,east,north` */
function viewOf(bounds) {
  const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  const sides = east - west >= 360 ? [-180, 180] : [wrapped(west), wrapped(east)];
  return [sides[0], Math.max(-90, south), sides[1], Math.min(90, north)].map((degrees) => Number(degrees?.toFixed(4))).join(',');
}

/** @param {string} view @returns {[number, number, number, number]} a west greater than east crosses the antimeridian */
function boundsOf(view) {
  const [west = 0, south = 0, east = 0, north = 0] = view.split(',').map(Number);
  return [west, south, east < west ? east + 360 : east, north];
}

/**
 * @typedef {object} Hears
 * @property {(view: string) => void} moved
 * @property {(id: number) => void} opened a project was chosen
 * @property {(cell: any) => void} entered a cluster was chosen
 * @property {(filter: {polygon: string} | {circle: string} | null) => void} drawn null where it was given up
 */

export class MapView {
  #map;
  #hears;
  #theme = themeNow();
  /** @type {any} */
  #answer = null;
  /** @type {any} */
  #shape = null;
  /** @type {any} */
  #openAt = null;
  /** @type {{kind: 'polygon' | 'circle', corners: [number, number][]} | null} */
  #drawing = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #settling;
  #hasCounties = false;

  /**
   * @param {HTMLElement} container
   * @param {string | null} view
   * @param {Hears} hears
   */
  static async open(container, view, hears) {
    trustOwnFiles();
    const renderer = await import('maplibre-gl');
    renderer.setWorkerUrl(settings.worker);
    return new MapView(renderer, container, view, hears);
  }

  /**
   * @param {typeof import('maplibre-gl')} renderer
   * @param {HTMLElement} container
   * @param {string | null} view
   * @param {Hears} hears
   */
  constructor(renderer, container, view, hears) {
    this.#hears = hears;
    this.#map = new renderer.Map({
      container,
      style: styleOf(this.#theme),
      bounds: view ? boundsOf(view) : COUNTRY,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      maxPitch: 0,
      maxZoom: 18,
      minZoom: 1.5,
      fadeDuration: 0,
    });
    this.#map.touchZoomRotate.disableRotation();
    this.#map.getCanvas().setAttribute('aria-label', 'Map. Arrow keys move it, plus and minus zoom; the list says what it shows.');
    this.#map.on('moveend', (/** @type {any} */ event) => {
      if (event.isFit) return;
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => this.#hears.moved(this.view), SETTLED_MS);
    });
    this.#map.on('click', (event) => this.#click(event));
    this.#map.on('dblclick', (event) => this.#drawing && event.preventDefault());
    this.#map.on('mousemove', (event) => this.#hover(event));
    this.#map.on('style.load', () => {
      this.#hasCounties = false;
      this.#counties();
      this.#show();
    });
    this.#map.on('zoom', () => this.#counties());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.#theme = themeNow();
      this.#map.setStyle(styleOf(this.#theme));
    });
  }

  /** @returns {string} `west,south,east,north` */
  get view() {
    return viewOf(this.#map.getBounds());
  }

  /** Resolves when the map has been drawn. */
  drawn() {
    return this.#map.loaded() && !this.#map.isMoving()
      ? Promise.resolve()
      : new Promise((resolve) => this.#map.once('idle', () => resolve(undefined)));
  }

  /** @param {string} view */
  look(view) {
    this.#fit(view, 0, false);
  }

  /**
   * Fits the map to the rectangle of an answer, leaving room for buttons and legend. The user did not move the map, so no request follows.
   * @param {string} view
   */
  fit(view) {
    this.#fit(view, CLEAR, true);
  }

  /** @param {string} view @param {any} padding @param {boolean} isFit */
  #fit(view, padding, isFit) {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#map.fitBounds(boundsOf(view), { padding, maxZoom: 14, animate: !still, duration: 500 }, { isFit });
  }

  /** @param {number} by number of levels */
  zoom(by) {
    this.#map.zoomTo(this.#map.getZoom() + by);
  }

  /** @param {any} answer `data` of GET /projects/map */
  answer(answer) {
    this.#answer = answer;
    this.#show();
  }

  /** Draws the shape that the filters contain. @param {Record<string, string>} filters */
  shape({ polygon, circle, bbox }) {
    const rings = [
      ...(polygon ? [JSON.parse(polygon)] : []),
      ...(circle ? [ringOfCircle(JSON.parse(circle))] : []),
      ...(bbox ? [ringOfBox(JSON.parse(bbox))] : []),
    ];
    this.#shape = collection(rings.map((ring) => feature({ type: 'Polygon', coordinates: [ring] })));
    this.#show();
  }

  /** @param {{longitude: number | null, latitude: number | null} | null} at */
  mark(at) {
    this.#openAt = at?.longitude != null && at.latitude != null ? collection([feature(point(at.longitude, at.latitude))]) : null;
    this.#show();
  }

  /** Begins drawing a shape. @param {'polygon' | 'circle' | null} kind null cancels it */
  draw(kind) {
    this.#drawing = kind ? { kind, corners: [] } : null;
    this.#map.getCanvas().style.cursor = kind ? 'crosshair' : '';
    if (kind) {
      this.#map.doubleClickZoom.disable();
      this.#map.getCanvas().focus(); // so that Enter closes the ring instead of pressing the button again
    } else this.#map.doubleClickZoom.enable();
    this.#show();
  }

  /** The centre of the view, and its distance to the nearer edge. */
  middle() {
    const { lng, lat } = this.#map.getCenter();
    const bounds = this.#map.getBounds();
    const far = Math.min(metersBetween([lng, lat], [bounds.getEast(), lat]), metersBetween([lng, lat], [lng, bounds.getNorth()]));
    return { lng: wrapped(lng), lat, meters: far };
  }

  close() {
    clearTimeout(this.#settling);
    this.#map.remove();
  }

  #counties() {
    if (this.#hasCounties || this.#map.getZoom() < COUNTIES_ZOOM || !this.#map.getSource('counties')) return;
    this.#hasCounties = true;
    this.#set('counties', countiesAddress());
  }

  #show() {
    if (!this.#map.getSource('cells')) return;
    const { cells = [], projects = [] } = this.#answer ?? {};
    const placed = projects.filter((/** @type {any} */ project) => project.latitude !== null && project.longitude !== null);
    this.#set(
      'cells',
      collection(
        cells.map((/** @type {any} */ cell) => feature(point(cell.longitude, cell.latitude), { ...cell, label: shortNumber(cell.count) })),
      ),
    );
    this.#set(
      'points',
      collection(
        placed.map((/** @type {any} */ one) => feature(point(one.longitude, one.latitude), { id: one.id, type: one.propertyType })),
      ),
    );
    this.#set('open', this.#openAt ?? EMPTY);
    this.#set(
      'shape',
      this.#drawing
        ? collection(this.#drawing.corners.length > 1 ? [feature({ type: 'LineString', coordinates: this.#drawing.corners })] : [])
        : (this.#shape ?? EMPTY),
    );
    this.#set('corners', collection((this.#drawing?.corners ?? []).map(([lng, lat]) => feature(point(lng, lat)))));
  }

  /** @param {string} source @param {any} data */
  #set(source, data) {
    /** @type {any} */ (this.#map.getSource(source))?.setData(data);
  }

  /** @param {any} event */
  #found(event) {
    const { x, y } = event.point;
    const [first] = this.#map.queryRenderedFeatures(
      [
        [x - 4, y - 4],
        [x + 4, y + 4],
      ],
      { layers: ['points', 'cells'] },
    );
    return first;
  }

  /** @param {any} event */
  #hover(event) {
    if (this.#drawing || !this.#map.getLayer('cells')) return;
    this.#map.getCanvas().style.cursor = this.#found(event) ? 'pointer' : '';
  }

  /** @param {any} event */
  #click(event) {
    if (this.#drawing) return this.#corner(event);
    const found = this.#found(event);
    if (!found) return undefined;
    if (found.layer.id === 'points') return this.#hears.opened(Number(found.properties.id));
    return this.#hears.entered(this.#answer.cells.find((/** @type {any} */ cell) => cell.tile === found.properties.tile));
  }

  /** @param {any} event */
  #corner({ lngLat, point: at }) {
    const drawing = this.#drawing;
    if (!drawing) return;
    /** @type {[number, number]} */
    const corner = [Number(wrapped(lngLat.lng).toFixed(5)), Number(lngLat.lat.toFixed(5))];
    const isNear = (/** @type {[number, number] | undefined} */ other) => {
      if (!other) return false;
      const { x, y } = this.#map.project(other);
      return Math.hypot(x - at.x, y - at.y) < NEAR_PIXELS;
    };
    const { kind, corners } = drawing;
    if (kind === 'circle' && corners[0]) {
      const radiusMeters = Math.max(100, Math.min(500_000, Math.round(metersBetween(corners[0], corner))));
      return this.#finish({ circle: JSON.stringify({ lat: corners[0][1], lng: corners[0][0], radiusMeters }) });
    }
    if (kind === 'polygon' && corners.length > 2 && (isNear(corners[0]) || isNear(corners.at(-1)))) return this.finishPolygon();
    if (isNear(corners.at(-1))) return;
    corners.push(corner);
    this.#show();
  }

  /** Closes the ring, if it has at least three corners. */
  finishPolygon() {
    const corners = this.#drawing?.corners ?? [];
    if (corners.length < 3) return;
    this.#finish({ polygon: JSON.stringify([...corners, corners[0]]) });
  }

  /** @param {{polygon: string} | {circle: string}} filter */
  #finish(filter) {
    this.draw(null);
    this.#hears.drawn(filter);
  }
}

/** @param {{north: number, south: number, east: number, west: number}} box */
const ringOfBox = ({ north, south, east, west }) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
