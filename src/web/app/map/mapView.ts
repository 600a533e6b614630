/** The map, drawn by MapLibre from the API's answer. The list next to it contains the same as text. */
import type {
  GeoJSONSource,
  LngLatBounds,
  MapGeoJSONFeature,
  Map as MapLibre,
  MapMouseEvent,
  PaddingOptions,
  PointLike,
} from 'maplibre-gl';
import type { MapProjectsData } from '../../../clients/client/generated.ts';
import { metersBetween } from '../../../core/domain/distance.ts';
import { settings } from '../shared/settings.ts';
import { boxOfShape, type DrawnShape, isSameShape, ringOfShape, wrapLongitude } from '../shared/shapes.ts';
import { observeTheme, themeNow } from '../shared/theme.ts';
import { shortNumber } from '../shared/words.ts';
import { type AttributionPart, partsOfAttribution } from './attribution.ts';
import { type MapBackground, readBackground } from './background.ts';
import { clustersOf, type MapCluster } from './clusters.ts';
import { collectionOf, type DrawnFeatures, featureOf, NOTHING_DRAWN, pointAt } from './geoJson.ts';
import { RESTRICTION_LAYERS } from './restrictionLayer.ts';
import { type DrawingEvents, type DrawingKind, type DrawingStatus, ShapeDrawing } from './shapeDrawing.ts';
import { drawRarelyWhileMoving } from './softwareDrawing.ts';
import { COUNTIES_ZOOM, countiesAddress, GROUND, SEA, styleOf } from './style.ts';

type Renderer = typeof import('maplibre-gl');

interface TrustedTypes {
  defaultPolicy: object | null;
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string | null }): object;
}

/** The renderer passes the worker's URL as a plain text where trusted types require a checked one; only our own files are allowed. */
function trustOwnFiles(): void {
  const { trustedTypes: types } = globalThis as { trustedTypes?: TrustedTypes };
  if (!types || types.defaultPolicy) return;
  types.createPolicy('default', {
    createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
  });
}

export const canDraw = (): boolean => Boolean(document.createElement('canvas').getContext('webgl2'));

/** west, south, east, north in degrees */
type Sides = [number, number, number, number];

const COUNTRY: Sides = [-125, 24.4, -66.5, 49.6];
/** How often clusters are rearranged per level of zoom. */
const CLUSTER_STEPS = 4;
const SETTLED_MS = 180;
const FIT_MS = 500;
const ZOOM_MAX = 18;
/** Deepest zoom to which the map zooms by itself. */
const FIT_ZOOM_MAX = 14;

/** Zoom at which a place is shown with the streets around it. */
const PLACE_ZOOM = 12;

/** Whether the reader asked for less movement. */
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** @returns `west,south,east,north` */
function viewOf(bounds: LngLatBounds): string {
  const [west, south, east, north] = [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  const sides = east - west >= 360 ? [-180, 180] : [wrapLongitude(west), wrapLongitude(east)];
  return [sides[0], Math.max(-90, south), sides[1], Math.min(90, north)].map((degrees) => Number(degrees?.toFixed(4))).join(',');
}

/** @param view `west,south,east,north`; a west greater than east crosses the antimeridian */
function boundsOf(view: string): Sides {
  const [west = 0, south = 0, east = 0, north = 0] = view.split(',').map(Number);
  return [west, south, east < west ? east + 360 : east, north];
}

export interface MapEvents extends Pick<DrawingEvents, 'drawn'> {
  /** @param view `west,south,east,north` */
  moved: (view: string) => void;
  /** a project was chosen */
  opened: (id: number) => void;
  /** the area or point of restrictions was chosen */
  restrictionsOpened: (ids: number[]) => void;
  entered: (cluster: MapCluster) => void;
  /** attributions of the base map */
  credited: (parts: AttributionPart[]) => void;
  /** the circles that are drawn at present */
  arranged: (clusters: MapCluster[]) => void;
}

export class MapView {
  readonly #map: MapLibre;
  readonly #events: MapEvents;
  readonly #background: MapBackground | null;
  #theme = themeNow();
  #answer: MapProjectsData | null = null;
  #clusters: MapCluster[] = [];
  /** the zoom for which the circles are arranged */
  #clusterZoom = Number.NaN;
  #shapes: readonly DrawnShape[] = [];
  #isSearched: (shape: DrawnShape) => boolean = () => false;
  #status: DrawingStatus | null = null;
  readonly #observers = new Set<(status: DrawingStatus | null) => void>();
  #openAt = NOTHING_DRAWN;
  #restrictions = NOTHING_DRAWN;
  #drawing: ShapeDrawing | null = null;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #hasCounties = false;
  /** zoom and centre after the latest move: a change of the map's size is none */
  #camera = '';

  static async open(container: HTMLElement, view: string | null, events: MapEvents): Promise<MapView> {
    trustOwnFiles();
    const renderer = await import('maplibre-gl');
    renderer.setWorkerUrl(settings.worker);
    const background = await readBackground(renderer).catch((error: Error) => {
      events.credited([{ text: `The background could not be loaded: ${error.message}. Projects and outlines are complete.` }]);
      return null;
    });
    return new MapView(renderer, container, view, background, events);
  }

  constructor(renderer: Renderer, container: HTMLElement, view: string | null, background: MapBackground | null, events: MapEvents) {
    this.#events = events;
    this.#background = background;
    this.#map = new renderer.Map({
      container,
      style: styleOf(this.#theme, this.#background),
      bounds: view ? boundsOf(view) : COUNTRY,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      maxPitch: 0,
      maxZoom: ZOOM_MAX,
      minZoom: 1.5,
      fadeDuration: 0,
    });
    this.#map.touchZoomRotate.disableRotation();
    drawRarelyWhileMoving(this.#map);
    for (const unit of ['imperial', 'metric'] as const)
      this.#map.addControl(new renderer.ScaleControl({ unit, maxWidth: 110 }), 'bottom-right');
    this.#map.getCanvas().setAttribute('aria-label', 'Map. Arrow keys move it, plus and minus zoom; the list says what it shows.');
    this.#listen();
  }

  #listen(): void {
    const readCamera = () => [this.#map.getZoom(), ...this.#map.getCenter().toArray()].join();
    this.#camera = readCamera();
    this.#map.on('moveend', (event) => {
      const camera = readCamera();
      const isFit = 'isFit' in event && event.isFit === true;
      if (isFit) clearTimeout(this.#settling);
      if (camera === this.#camera) return;
      this.#camera = camera;
      if (isFit) return;
      clearTimeout(this.#settling);
      this.#settling = setTimeout(() => this.#events.moved(this.view), SETTLED_MS);
    });
    if (this.#background) this.#map.on('sourcedata', ({ sourceDataType }) => sourceDataType === 'metadata' && this.#credit());
    this.#map.on('click', (event) => this.#click(event));
    this.#map.on('mousemove', (event) => this.#hover(event));
    this.#map.on('style.load', () => {
      this.#hasCounties = false;
      this.#counties();
      this.#show();
    });
    this.#map.on('idle', () => {
      const isHidden = this.#map.getLayer(SEA) && this.#map.getLayoutProperty(SEA, 'visibility') === 'none';
      if (isHidden && this.#map.isSourceLoaded(GROUND)) this.#map.setLayoutProperty(SEA, 'visibility', 'visible');
    });
    this.#map.on('zoom', () => {
      this.#counties();
      if (this.#zoomOfClusters() === this.#clusterZoom) return;
      this.#arrange();
      this.#show();
    });
    this.#repeatFailedSources();
    const stopFollowing = observeTheme(() => {
      this.#theme = themeNow();
      this.#drawing?.stop();
      this.#map.setStyle(styleOf(this.#theme, this.#background));
    });
    this.#map.on('remove', stopFollowing);
  }

  /** Loads outlines and tiles again that failed for want of a network. */
  #repeatFailedSources(): void {
    const failed = new Set<string>();
    this.#map.on('error', (event) => {
      console.error(event.error.message);
      if ('sourceId' in event) failed.add(String(event.sourceId));
    });
    const repeat = () => {
      for (const name of failed) {
        const { type, data } = this.#map.getSource(name)?.serialize() ?? {};
        if (type === 'geojson') this.#set(name, data);
        else if (type) this.#map.refreshTiles(name);
      }
      failed.clear();
    };
    addEventListener('online', repeat);
    this.#map.on('remove', () => removeEventListener('online', repeat));
  }

  /** Reports the distinct attributions of the base map. */
  #credit(): void {
    const given = Object.keys(this.#background?.sources ?? {}).map((name) => this.#map.getSource(name)?.attribution);
    const texts = [...new Set(given.filter((text): text is string => Boolean(text)))];
    this.#events.credited(texts.flatMap((text) => partsOfAttribution(text)));
  }

  /** @returns `west,south,east,north` */
  get view(): string {
    return viewOf(this.#map.getBounds());
  }

  /** Margin in pixels around what is fitted: for the buttons, and for the legend, of as many lines as it has. */
  get #clear(): PaddingOptions {
    const legend = this.#map.getContainer().parentElement?.querySelector('.legend')?.clientHeight ?? 0;
    return { top: 70, bottom: 45 + legend, left: 40, right: 60 };
  }

  /** @param view `west,south,east,north` */
  fitTo(view: string): void {
    this.#fit(view, 0, false);
  }

  /**
   * Fits the map to the rectangle of an answer, leaving room for buttons and legend. The user did not move the map, so no request follows.
   * @param view `west,south,east,north`
   * @param isFirst no view that a reader saw is left, so that nothing moves
   */
  fit(view: string, isFirst: boolean): void {
    this.#fit(view, this.#clear, true, isFirst);
  }

  #fit(view: string, padding: PaddingOptions | number, isFit: boolean, isAtOnce = false): void {
    this.#map.fitBounds(
      boundsOf(view),
      { padding, maxZoom: isFit ? FIT_ZOOM_MAX : ZOOM_MAX, animate: !isAtOnce && !isStill(), duration: FIT_MS },
      { isFit },
    );
  }

  /** @param by number of levels */
  zoom(by: number): void {
    this.#map.zoomTo(this.#map.getZoom() + by);
  }

  answer(answer: MapProjectsData): void {
    this.#answer = answer;
    this.#arrange();
    this.#show();
  }

  /** The zoom for which circles are arranged: rounded down to a step, so that they keep their arrangement until the next step, and never overlap. */
  #zoomOfClusters(): number {
    return Math.floor(this.#map.getZoom() * CLUSTER_STEPS) / CLUSTER_STEPS;
  }

  #arrange(): void {
    this.#clusterZoom = this.#zoomOfClusters();
    this.#clusters = clustersOf(this.#answer?.cells ?? [], this.#clusterZoom);
    this.#events.arranged(this.#clusters);
  }

  /** @param isSearched whether a shape is among the filters */
  shapes(shapes: readonly DrawnShape[], isSearched: (shape: DrawnShape) => boolean): void {
    this.#shapes = shapes;
    this.#isSearched = isSearched;
    this.#show();
  }

  fitShape(shape: DrawnShape): void {
    const { west, south, east, north } = boxOfShape(shape);
    this.#map.fitBounds([west, south, east, north], { padding: this.#clear, maxZoom: ZOOM_MAX, animate: !isStill(), duration: FIT_MS });
  }

  /** Draws restrictions, each with its id as `restriction`. */
  restrictions(drawn: DrawnFeatures): void {
    this.#restrictions = drawn;
    this.#set('restrictions', drawn);
  }

  /** Marks the place of the open record, and goes there if it is not in view. */
  mark(at: { longitude: number | null; latitude: number | null } | null): void {
    const point = at?.longitude != null && at.latitude != null ? pointAt(at.longitude, at.latitude) : null;
    this.#openAt = point ? collectionOf([featureOf(point)]) : NOTHING_DRAWN;
    this.#show();
    if (point && !this.#map.getBounds().contains(point.coordinates)) this.goTo(point.coordinates);
  }

  /** Shows a place with the streets around it. @param center longitude and latitude */
  goTo(center: [number, number]): void {
    this.#map.flyTo({ center, zoom: Math.max(this.#map.getZoom(), PLACE_ZOOM), animate: !isStill(), duration: FIT_MS });
  }

  async loadDrawing(): Promise<void> {
    const changed = (status: DrawingStatus | null) => {
      const isOther = this.#status?.edited !== status?.edited;
      this.#status = status;
      if (isOther) this.#show();
      for (const observe of this.#observers) observe(status);
    };
    this.#drawing ??= await ShapeDrawing.load(this.#map, { changed, drawn: this.#events.drawn });
  }

  /** Calls a function at each change of the drawing. @returns a function that stops this */
  observeDrawing(observe: (status: DrawingStatus | null) => void): () => void {
    this.#observers.add(observe);
    return () => void this.#observers.delete(observe);
  }

  /** Begins to draw a shape. @param kind null cancels the drawing */
  draw(kind: DrawingKind | null): void {
    if (kind) this.#drawing?.begin(kind, this.#theme);
    else this.#drawing?.stop();
  }

  /** @returns why the shape cannot be edited; null if it can */
  edit(shape: DrawnShape): string | null {
    return this.#drawing?.edit(shape, this.#theme) ?? null;
  }

  /** Finishes editing, and keeps the shape. */
  finish(): void {
    this.#drawing?.finish();
  }

  finishCircle(radiusMeters: number): void {
    this.#drawing?.finishCircle(radiusMeters);
  }

  /** Undoes the last corner or change. */
  undo(): void {
    this.#drawing?.undo();
  }

  /** The centre of the view, and its distance in metres to the nearest edge. */
  middle(): { lng: number; lat: number; meters: number } {
    const { lng, lat } = this.#map.getCenter();
    const bounds = this.#map.getBounds();
    const metersTo = (longitude: number, latitude: number) => metersBetween({ latitude: lat, longitude: lng }, { latitude, longitude });
    return { lng: wrapLongitude(lng), lat, meters: Math.min(metersTo(bounds.getEast(), lat), metersTo(lng, bounds.getNorth())) };
  }

  close(): void {
    clearTimeout(this.#settling);
    this.#drawing?.stop();
    this.#map.remove();
  }

  #counties(): void {
    if (this.#hasCounties || this.#map.getZoom() < COUNTIES_ZOOM || !this.#map.getSource('counties')) return;
    this.#hasCounties = true;
    this.#set('counties', countiesAddress());
  }

  #show(): void {
    if (!this.#map.getSource('cells')) return;
    const { projects = [] } = this.#answer ?? {};
    this.#set(
      'cells',
      collectionOf(
        this.#clusters.map(({ longitude, latitude, tile, count }) =>
          featureOf(pointAt(longitude, latitude), { tile, count, label: shortNumber(count) }),
        ),
      ),
    );
    this.#set(
      'points',
      collectionOf(
        projects.flatMap(({ id, longitude, latitude, propertyType }) =>
          longitude === null || latitude === null ? [] : [featureOf(pointAt(longitude, latitude), { id, type: propertyType })],
        ),
      ),
    );
    this.#set('open', this.#openAt);
    this.#set('restrictions', this.#restrictions);
    const edited = this.#status?.edited;
    const shown = this.#shapes.filter((shape) => !edited || !isSameShape(shape, edited));
    this.#set(
      'shape',
      collectionOf(
        shown.map((shape) => featureOf({ type: 'Polygon', coordinates: [ringOfShape(shape)] }, { searched: this.#isSearched(shape) })),
      ),
    );
  }

  #set(source: string, data: DrawnFeatures | string): void {
    this.#map.getSource<GeoJSONSource>(source)?.setData(data);
  }

  /** What is drawn around a click, topmost first. */
  #found({ point: { x, y } }: MapMouseEvent): MapGeoJSONFeature[] {
    const around: [PointLike, PointLike] = [
      [x - 4, y - 4],
      [x + 4, y + 4],
    ];
    return this.#map.queryRenderedFeatures(around, { layers: ['points', 'cells', ...RESTRICTION_LAYERS] });
  }

  #hover(event: MapMouseEvent): void {
    if (this.#map.isMoving() || this.#drawing?.takesClicks || !this.#map.getLayer('cells')) return;
    this.#map.getCanvas().style.cursor = this.#found(event).length ? 'pointer' : '';
  }

  #click(event: MapMouseEvent): void {
    if (this.#drawing?.takesClicks) return;
    const all = this.#found(event);
    const found = all.find(({ source }) => source !== 'restrictions');
    const restrictions = [...new Set(all.map(({ properties }) => Number(properties.restriction)))];
    if (!found && all.length) this.#events.restrictionsOpened(restrictions);
    if (found?.layer.id === 'points') this.#events.opened(Number(found.properties.id));
    const cluster = this.#clusters.find(({ tile }) => tile === found?.properties.tile);
    if (found?.layer.id === 'cells' && cluster) this.#events.entered(cluster);
  }
}
