// The map style: outlines and names of places, clusters, projects, drawn shapes. Pure.

import { THEMES, TYPE_COLOURS } from './palette.js';
import { settings } from './settings.ts';

const FONT = ['sans-serif'];
/** @type {any} */
export const EMPTY = { type: 'FeatureCollection', features: [] };

/** Counts at which a cluster's colour changes. */
export const STEPS = [10, 100, 1000];

/** The absolute URL of a path, since the renderer's worker has another base. @param {string} path */
const addressOf = (path) => new URL(path, location.origin).href;

/** @param {'light' | 'dark'} theme */
const typeColour = (theme) => [
  'match',
  ['get', 'type'],
  ...Object.entries(TYPE_COLOURS).flatMap(([type, colours]) => [type, colours[theme]]),
  theme === 'light' ? '#3a4652' : '#d0d7dd',
];

/** The zoom from which counties have outlines. */
export const COUNTIES_ZOOM = 4.5;
export const countiesAddress = () => addressOf(settings.outlines.counties);

/**
 * @param {'light' | 'dark'} theme
 * @returns {any}
 */
export function styleOf(theme) {
  const c = THEMES[theme];
  const [ten = 0, hundred = 0, thousand = 0] = STEPS;
  const stepsByCount = (/** @type {string[]} */ ...colours) => [
    'step',
    ['get', 'count'],
    colours[0],
    ten,
    colours[1],
    hundred,
    colours[2],
    thousand,
    colours[3],
  ];
  const onCell =
    theme === 'light' ? stepsByCount(c.onFew, c.onCell, c.onCell, c.onCell) : stepsByCount(c.onFew, c.onFew, c.onCell, c.onCell);
  const data = (/** @type {any} */ at = EMPTY) => ({ type: 'geojson', data: at });
  const line = (/** @type {string} */ source, /** @type {string} */ colour, /** @type {any} */ width, more = {}) => ({
    id: source,
    type: 'line',
    source,
    layout: { 'line-join': 'round' },
    paint: { 'line-color': colour, 'line-width': width },
    ...more,
  });
  return {
    version: 8,
    sources: {
      states: data(addressOf(settings.outlines.states)),
      counties: data(), // loaded at that zoom, since there are many
      names: data(addressOf(settings.outlines.names)),
      shape: data(),
      corners: data(),
      cells: data(),
      points: data(),
      open: data(),
    },
    layers: [
      { id: 'land', type: 'background', paint: { 'background-color': c.land } },
      line('counties', c.county, ['interpolate', ['linear'], ['zoom'], 4, 0.4, 8, 1], { minzoom: COUNTIES_ZOOM }),
      line('states', c.state, ['interpolate', ['linear'], ['zoom'], 3, 0.7, 8, 1.6]),
      {
        id: 'cities',
        type: 'symbol',
        source: 'names',
        minzoom: 4.5,
        filter: ['all', ['==', ['get', 'kind'], 'city'], ['<', ['get', 'rank'], ['step', ['zoom'], 60, 5.5, 220, 6.5, 700, 7.5, 1e6]]],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': 11.5,
          'symbol-sort-key': ['get', 'rank'],
          'text-padding': 6,
        },
        paint: { 'text-color': c.text, 'text-halo-color': c.halo, 'text-halo-width': 1.4 },
      },
      {
        id: 'state-names',
        type: 'symbol',
        source: 'names',
        minzoom: 3,
        maxzoom: 6.5,
        filter: ['==', ['get', 'kind'], 'state'],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': 11,
          'text-letter-spacing': 0.12,
          'text-transform': 'uppercase',
          'text-padding': 4,
        },
        paint: { 'text-color': c.text, 'text-halo-color': c.halo, 'text-halo-width': 1.4, 'text-opacity': 0.85 },
      },
      {
        id: 'shape-fill',
        type: 'fill',
        source: 'shape',
        filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': c.shape, 'fill-opacity': 0.1 },
      },
      { id: 'shape', type: 'line', source: 'shape', paint: { 'line-color': c.shape, 'line-width': 2.2, 'line-dasharray': [2, 1] } },
      {
        id: 'corners',
        type: 'circle',
        source: 'corners',
        paint: { 'circle-radius': 4.5, 'circle-color': c.shape, 'circle-stroke-color': c.edge, 'circle-stroke-width': 1.5 },
      },
      {
        id: 'cells',
        type: 'circle',
        source: 'cells',
        paint: {
          'circle-color': stepsByCount(c.few, c.some, c.many, c.most),
          'circle-radius': ['step', ['get', 'count'], 11, ten, 14, hundred, 18, thousand, 23],
          'circle-stroke-color': c.edge,
          'circle-stroke-width': 1.5,
        },
      },
      {
        id: 'counts',
        type: 'symbol',
        source: 'cells',
        layout: {
          'text-field': ['get', 'label'],
          'text-font': FONT,
          'text-size': 11.5,
          'text-allow-overlap': true,
          'text-ignore-placement': true,
        },
        paint: { 'text-color': onCell },
      },
      {
        id: 'points',
        type: 'circle',
        source: 'points',
        paint: {
          'circle-color': typeColour(theme),
          'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, 4.5, 12, 8],
          'circle-stroke-color': c.edge,
          'circle-stroke-width': 1.4,
        },
      },
      {
        id: 'open',
        type: 'circle',
        source: 'open',
        paint: { 'circle-radius': 13, 'circle-color': 'rgba(0,0,0,0)', 'circle-stroke-color': c.mark, 'circle-stroke-width': 3 },
      },
    ],
  };
}
