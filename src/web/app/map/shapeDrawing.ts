/** Drawing and editing one shape with the pointer, by Terra Draw. */
import type { Map as MapLibre } from 'maplibre-gl';
import type { GeoJSONStoreFeatures, HexColor, TerraDraw } from 'terra-draw';
import { metersBetween } from '../../../core/domain/distance.ts';
import type { Corner } from '../shared/shapes.ts';
import {
  areaOfShape,
  boxOfRing,
  boxShape,
  circleShape,
  type DrawnShape,
  polygonShape,
  radiusOf,
  ringOfShape,
  wrapLongitude,
} from '../shared/shapes.ts';
import type { Theme } from '../shared/theme.ts';
import { THEMES } from './palette.ts';

/** The names of Terra Draw's modes. */
export type DrawingKind = 'polygon' | 'rectangle' | 'circle';

const KIND_OF: Readonly<Record<DrawnShape['filter'], DrawingKind>> = { polygon: 'polygon', bbox: 'rectangle', circle: 'circle' };

/** What is being drawn or edited. */
export interface DrawingStatus {
  kind: DrawingKind;
  /** the shape that is edited; null if a new one is drawn */
  edited: DrawnShape | null;
  /** whether there is something to undo */
  canUndo: boolean;
  /** area so far in square metres; null if there is none */
  area: number | null;
  /** radius so far in metres; null of another shape than a circle */
  radiusMeters: number | null;
}

export interface DrawingEvents {
  /** called with null at the end */
  changed: (status: DrawingStatus | null) => void;
  /** @param replaced the shape that was edited; null for a new one */
  drawn: (shape: DrawnShape, replaced: DrawnShape | null) => void;
}

/** Pixels around a corner that count as the corner. */
const NEAR_PIXELS = 12;
/** Decimals of degrees that Terra Draw takes. */
const DECIMALS_MAX = 9;
const roundForDrawing = (degrees: number) => Number(degrees.toFixed(DECIMALS_MAX));
/** Milliseconds within which the click that ends a shape also reaches the map. */
const CLICK_MS = 350;

/** A ring shifted by whole turns, so that its first corner is between -180 and 180 degrees. */
const ringOnWorld = (ring: readonly Corner[]): Corner[] => {
  const shift = wrapLongitude(ring[0]?.[0] ?? 0) - (ring[0]?.[0] ?? 0);
  return ring.map(([lng, lat]) => [lng + shift, lat]);
};

/** The shape of a drawn feature; undefined before it has an area. */
function shapeOfFeature(kind: DrawingKind, { geometry }: GeoJSONStoreFeatures): DrawnShape | undefined {
  const [drawn] = geometry.type === 'Polygon' ? geometry.coordinates : [];
  if (!drawn || drawn.length < 4) return undefined;
  const ring = ringOnWorld(drawn as Corner[]);
  const box = boxOfRing(ring);
  if (kind === 'rectangle') return boxShape({ ...box, east: wrapLongitude(box.east), west: wrapLongitude(box.west) });
  if (kind === 'polygon') return polygonShape(ring);
  const [longitude, latitude] = [(box.east + box.west) / 2, (box.north + box.south) / 2];
  const radiusMeters = metersBetween({ latitude, longitude }, { latitude: box.north, longitude });
  return circleShape({ lng: wrapLongitude(longitude), lat: latitude, radiusMeters });
}

async function loadLibrary() {
  const [library, { TerraDrawMapLibreGLAdapter }] = await Promise.all([import('terra-draw'), import('terra-draw-maplibre-gl-adapter')]);
  return { ...library, TerraDrawMapLibreGLAdapter };
}
type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** The modes of Terra Draw in the map's colours. */
function modesOf({ TerraDrawPolygonMode, TerraDrawRectangleMode, TerraDrawCircleMode, TerraDrawSelectMode }: Library, theme: Theme) {
  const { shape, edge } = THEMES[theme] as Readonly<Record<'shape' | 'edge', HexColor>>;
  const area = { fillColor: shape, fillOpacity: 0.12, outlineColor: shape, outlineWidth: 2.5 } as const;
  const handle = {
    selectionPointColor: shape,
    selectionPointOutlineColor: edge,
    selectionPointWidth: 6,
    selectionPointOutlineWidth: 2,
  } as const;
  const drag = { drawInteraction: 'click-move-or-drag', pointerDistance: NEAR_PIXELS } as const;
  return [
    new TerraDrawPolygonMode({
      pointerDistance: NEAR_PIXELS,
      keyEvents: { cancel: null, finish: 'Enter' },
      showCoordinatePoints: true,
      styles: {
        ...area,
        closingPointColor: shape,
        closingPointOutlineColor: edge,
        closingPointWidth: 6,
        closingPointOutlineWidth: 2,
        coordinatePointColor: shape,
        coordinatePointOutlineColor: edge,
        coordinatePointWidth: 4,
        coordinatePointOutlineWidth: 1.5,
      },
    }),
    new TerraDrawRectangleMode({ ...drag, keyEvents: { cancel: null, finish: 'Enter' }, styles: area }),
    new TerraDrawCircleMode({ ...drag, keyEvents: { cancel: null, finish: 'Enter' }, projection: 'globe', styles: area }),
    new TerraDrawSelectMode({
      pointerDistance: NEAR_PIXELS,
      allowManualDeselection: false,
      keyEvents: { deselect: null, delete: null, rotate: null, scale: null },
      flags: {
        polygon: { feature: { draggable: true, coordinates: { midpoints: { draggable: true }, draggable: true, deletable: true } } },
        rectangle: { feature: { draggable: true, coordinates: { resizable: 'opposite' } } },
        circle: { feature: { draggable: true, coordinates: { resizable: 'center-fixed' } } },
      },
      styles: {
        ...handle,
        selectedPolygonColor: shape,
        selectedPolygonFillOpacity: 0.12,
        selectedPolygonOutlineColor: shape,
        selectedPolygonOutlineWidth: 2.5,
        midPointColor: edge,
        midPointOutlineColor: shape,
        midPointWidth: 4,
        midPointOutlineWidth: 1.5,
      },
    }),
  ];
}

export class ShapeDrawing {
  readonly #library: Library;
  readonly #map: MapLibre;
  readonly #events: DrawingEvents;
  #work: { draw: TerraDraw; kind: DrawingKind; edited: DrawnShape | null; versions: GeoJSONStoreFeatures['geometry'][] } | null = null;

  #endedAt = Number.NEGATIVE_INFINITY;

  static async load(map: MapLibre, events: DrawingEvents): Promise<ShapeDrawing> {
    return new ShapeDrawing(await loadLibrary(), map, events);
  }

  constructor(library: Library, map: MapLibre, events: DrawingEvents) {
    this.#library = library;
    this.#map = map;
    this.#events = events;
  }

  /** Captures the pointer while dragging, also over buttons on the map. */
  readonly #capture = ({ pointerId }: PointerEvent) => this.#map.getCanvas().setPointerCapture(pointerId);

  /** Whether a click on the map belongs to a drawing. */
  get takesClicks(): boolean {
    return this.#work !== null || performance.now() - this.#endedAt < CLICK_MS;
  }

  /** Begins a new shape. */
  begin(kind: DrawingKind, theme: Theme): void {
    this.#start(kind, null, theme).setMode(kind);
    this.#tell();
  }

  /** Shows handles on a shape; `finish` keeps what was changed. @returns why the library refuses the shape; null if it does not */
  edit(shape: DrawnShape, theme: Theme): string | null {
    const kind = KIND_OF[shape.filter];
    const draw = this.#start(kind, shape, theme);
    const id = draw.getFeatureId();
    const coordinates = [ringOfShape(shape).map(([lng, lat]): Corner => [roundForDrawing(lng), roundForDrawing(lat)])];
    const [added] = draw.addFeatures([{ id, type: 'Feature', geometry: { type: 'Polygon', coordinates }, properties: { mode: kind } }]);
    if (!added?.valid) {
      this.stop();
      return added?.reason ?? 'unknown';
    }
    draw.selectFeature(id);
    this.#remember();
    return null;
  }

  /** Stores the present state of the edited shape for `undo`. */
  #remember(): void {
    const feature = this.#feature();
    if (feature) this.#work?.versions.push(feature.geometry);
    this.#tell();
  }

  #start(kind: DrawingKind, edited: DrawnShape | null, theme: Theme): TerraDraw {
    this.stop();
    const { TerraDraw, TerraDrawMapLibreGLAdapter, TerraDrawModeUndoRedo } = this.#library;
    const draw = new TerraDraw({
      adapter: new TerraDrawMapLibreGLAdapter({ map: this.#map }),
      modes: modesOf(this.#library, theme),
      undoRedo: { modeLevel: new TerraDrawModeUndoRedo() },
    });
    draw.start();
    draw.on('change', () => this.#tell());
    draw.on('history', () => this.#tell());
    draw.on('finish', (_, { action }) => (action === 'draw' ? this.finish() : this.#remember()));
    this.#work = { draw, kind, edited, versions: [] };
    this.#map.getCanvas().addEventListener('pointerdown', this.#capture);
    this.#map.getCanvas().focus(); // so that Enter ends the shape instead of pressing the button again
    return draw;
  }

  /** The feature that is the shape, not a handle. */
  #feature(): GeoJSONStoreFeatures | undefined {
    return this.#work?.draw
      .getSnapshot()
      .find(({ geometry, properties }) => geometry.type === 'Polygon' && properties.mode === this.#work?.kind);
  }

  #shape(): DrawnShape | undefined {
    const feature = this.#feature();
    return this.#work && feature ? shapeOfFeature(this.#work.kind, feature) : undefined;
  }

  #tell(): void {
    if (!this.#work) return;
    const { draw, kind, edited, versions } = this.#work;
    const canUndo = edited ? versions.length > 1 : draw.canUndo();
    const shape = this.#shape();
    this.#events.changed({ kind, edited, canUndo, area: shape ? areaOfShape(shape) : null, radiusMeters: shape ? radiusOf(shape) : null });
  }

  /** Undoes the last corner, or the last change of an edited shape. */
  undo(): void {
    if (!this.#work) return;
    const { draw, edited, versions } = this.#work;
    const id = this.#feature()?.id;
    if (!edited) draw.undo();
    else if (id !== undefined && versions.length > 1) {
      versions.pop();
      const before = versions.at(-1);
      draw.deselectFeature(id);
      if (before) draw.updateFeatureGeometry(id, before);
      draw.selectFeature(id); // with handles at its corners as they are now
    }
    this.#map.getCanvas().focus();
    this.#tell();
  }

  /** Ends the drawing with the drawn shape, if it has an area. */
  finish(): void {
    const shape = this.#shape();
    const edited = this.#work?.edited ?? null;
    if (!shape) return;
    this.stop();
    this.#events.drawn(shape, edited);
  }

  /** Ends the drawing with a circle of this radius around the drawn one's middle, or the map's where none is drawn. */
  finishCircle(radiusMeters: number): void {
    const shape = this.#shape();
    const edited = this.#work?.edited ?? null;
    const { lng, lat } = shape ? JSON.parse(shape.text) : this.#map.getCenter();
    this.stop();
    this.#events.drawn(circleShape({ lat, lng: wrapLongitude(lng), radiusMeters }), edited);
  }

  /** Ends the drawing without a shape. */
  stop(): void {
    if (!this.#work) return;
    this.#map.getCanvas().removeEventListener('pointerdown', this.#capture);
    this.#work.draw.stop();
    this.#work = null;
    this.#endedAt = performance.now();
    this.#map.getCanvas().style.cursor = '';
    this.#events.changed(null);
  }
}
