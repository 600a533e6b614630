/** The map's style: outlines and names of places, clusters, projects, drawn shapes. Pure. */
import type { ExpressionSpecification, LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { settings } from '../shared/settings.ts';
import type { Theme } from '../shared/theme.ts';
import type { MapBackground } from './background.ts';
import { COUNT_STEPS, EDGE_PIXELS, RADII } from './clusters.ts';
import { type DrawnFeatures, NOTHING_DRAWN } from './geoJson.ts';
import { OTHER_COLOUR, THEMES, TYPE_COLOURS } from './palette.ts';
import { restrictionLayers } from './restrictionLayer.ts';

const FONT = ['sans-serif'];

/** The zoom from which counties have outlines. */
export const COUNTIES_ZOOM = 4.5;

/** The absolute URL of a path, since the renderer's worker has another base. */
const addressOf = (path: string) => new URL(path, location.origin).href;
export const countiesAddress = () => addressOf(settings.outlines.counties);

const data = (given: string | DrawnFeatures = NOTHING_DRAWN): SourceSpecification => ({ type: 'geojson', data: given });

/** A value by the count of a cluster: the first below 10, the second below 100, the third below 1,000, otherwise the last. */
const stepsByCount = <T extends string | number>(few: T, some: T, many: T, most: T): ExpressionSpecification => [
  'step',
  ['get', 'count'],
  few,
  COUNT_STEPS[0],
  some,
  COUNT_STEPS[1],
  many,
  COUNT_STEPS[2],
  most,
];

const typeColour = (theme: Theme): ExpressionSpecification =>
  [
    'match',
    ['get', 'type'],
    ...Object.entries(TYPE_COLOURS).flatMap(([type, colours]) => [type, colours[theme]]),
    OTHER_COLOUR[theme],
  ] as unknown as ExpressionSpecification;

/** The layer and the source of the ground that the map draws itself. */
export const SEA = 'sea';
export const GROUND = 'ground';

/** Zoom from which land, lakes and rivers are too coarse to be drawn. */
const GROUND_ZOOM_MAX = 8.5;

/** What lies below everything. @param isOwn whether the map draws land and water itself */
function groundLayers(theme: Theme, isOwn: boolean): LayerSpecification[] {
  const { land, water } = THEMES[theme];
  const common = { source: GROUND, maxzoom: GROUND_ZOOM_MAX };
  const isKind = (kind: string): ExpressionSpecification => ['==', ['get', 'kind'], kind];
  const paper: LayerSpecification = { id: 'paper', type: 'background', paint: { 'background-color': land } };
  if (!isOwn) return [paper];
  return [
    paper,
    // Shown once the land that lies on it is loaded.
    { id: SEA, type: 'background', maxzoom: GROUND_ZOOM_MAX, layout: { visibility: 'none' }, paint: { 'background-color': water } },
    { ...common, id: 'land', type: 'fill', filter: isKind('land'), paint: { 'fill-color': land } },
    { ...common, id: 'lakes', type: 'fill', filter: isKind('lake'), paint: { 'fill-color': water } },
    {
      ...common,
      id: 'rivers',
      type: 'line',
      filter: isKind('river'),
      paint: { 'line-color': water, 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.6, 8, 2.4] },
    },
  ];
}

function outlineLayers(theme: Theme): LayerSpecification[] {
  const { county, state } = THEMES[theme];
  const layout = { 'line-join': 'round' } as const;
  return [
    {
      id: 'counties',
      type: 'line',
      source: 'counties',
      layout,
      minzoom: COUNTIES_ZOOM,
      paint: { 'line-color': county, 'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.4, 8, 1] },
    },
    {
      id: 'states',
      type: 'line',
      source: 'states',
      layout,
      paint: { 'line-color': state, 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.7, 8, 1.6] },
    },
  ];
}

function nameLayers(theme: Theme): LayerSpecification[] {
  const { text, halo } = THEMES[theme];
  const paint = { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.4 };
  const name = { 'text-field': ['get', 'name'] as ExpressionSpecification, 'text-font': FONT };
  return [
    {
      id: 'cities',
      type: 'symbol',
      source: 'names',
      minzoom: 4.5,
      paint,
      filter: ['all', ['==', ['get', 'kind'], 'city'], ['<', ['get', 'rank'], ['step', ['zoom'], 60, 5.5, 220, 6.5, 700, 7.5, 1e6]]],
      layout: { ...name, 'text-size': 11.5, 'symbol-sort-key': ['get', 'rank'], 'text-padding': 6 },
    },
    {
      id: 'state-names',
      type: 'symbol',
      source: 'names',
      minzoom: 3,
      maxzoom: 6.5,
      filter: ['==', ['get', 'kind'], 'state'],
      layout: { ...name, 'text-size': 11, 'text-letter-spacing': 0.12, 'text-transform': 'uppercase', 'text-padding': 4 },
      paint: { ...paint, 'text-opacity': 0.85 },
    },
  ];
}

/** Shapes: what is searched in stands out, the others are thin. */
function shapeLayers(theme: Theme): LayerSpecification[] {
  const { shape } = THEMES[theme];
  const searchedOr = (searched: number, kept: number): ExpressionSpecification => ['case', ['get', 'searched'], searched, kept];
  return [
    {
      id: 'shape-fill',
      type: 'fill',
      source: 'shape',
      paint: { 'fill-color': shape, 'fill-opacity': searchedOr(0.1, 0.03) },
    },
    {
      id: 'shape',
      type: 'line',
      source: 'shape',
      paint: { 'line-color': shape, 'line-width': searchedOr(2.2, 1.2), 'line-opacity': searchedOr(1, 0.7), 'line-dasharray': [2, 1] },
    },
  ];
}

function clusterLayers(theme: Theme, font: string[]): LayerSpecification[] {
  const { few, some, many, most, onFew, onCell, edge } = THEMES[theme];
  const textColour = theme === 'light' ? stepsByCount(onFew, onCell, onCell, onCell) : stepsByCount(onFew, onFew, onCell, onCell);
  return [
    {
      id: 'cells',
      type: 'circle',
      source: 'cells',
      paint: {
        'circle-color': stepsByCount(few, some, many, most),
        'circle-radius': stepsByCount(...RADII),
        'circle-stroke-color': edge,
        'circle-stroke-width': EDGE_PIXELS,
      },
    },
    {
      id: 'counts',
      type: 'symbol',
      source: 'cells',
      paint: { 'text-color': textColour },
      layout: {
        'text-field': ['get', 'label'],
        'text-font': font,
        'text-size': 11.5,
        'text-allow-overlap': true,
        'text-ignore-placement': true,
      },
    },
  ];
}

function projectLayers(theme: Theme): LayerSpecification[] {
  const { edge, mark } = THEMES[theme];
  return [
    {
      id: 'points',
      type: 'circle',
      source: 'points',
      paint: {
        'circle-color': typeColour(theme),
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, 4.5, 12, 8],
        'circle-stroke-color': edge,
        'circle-stroke-width': 1.4,
      },
    },
    {
      id: 'open',
      type: 'circle',
      source: 'open',
      paint: { 'circle-radius': 13, 'circle-color': 'rgba(0,0,0,0)', 'circle-stroke-color': mark, 'circle-stroke-width': 3 },
    },
  ];
}

/** @param background what the operator put below our layers */
export function styleOf(theme: Theme, background: MapBackground | null): StyleSpecification {
  return {
    version: 8,
    ...background?.more,
    sources: {
      ...background?.sources,
      ...(background ? {} : { [GROUND]: data(addressOf(settings.outlines.ground)) }),
      states: data(addressOf(settings.outlines.states)),
      counties: data(), // loaded at that zoom, since there are many
      names: data(addressOf(settings.outlines.names)),
      restrictions: data(),
      shape: data(),
      cells: data(),
      points: data(),
      open: data(),
    },
    layers: [
      ...groundLayers(theme, !background),
      ...(background?.layersIn(theme) ?? []),
      ...outlineLayers(theme),
      ...(background?.hasNames || background?.more.glyphs ? [] : nameLayers(theme)),
      ...restrictionLayers(theme),
      ...shapeLayers(theme),
      ...clusterLayers(theme, background?.font ?? FONT),
      ...projectLayers(theme),
    ],
  };
}
