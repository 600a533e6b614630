// Two places under the same filters, side by side.
import { ask } from './api.ts';
import { Bars, windowNote } from './charts.js';
import { Choice } from './filters/choice.tsx';
import { html } from './html.js';
import { Loading, Notice, Table, useAnswer } from './ui.tsx';
import { number } from './words.ts';

const METRICS = [
  { op: 'sum', field: 'totalUnitCount' },
  { op: 'median', field: 'totalUnitCount' },
  { op: 'sum', field: 'acreage' },
  { op: 'median', field: 'acreage' },
];
const FIGURES = [
  ['count', 'Projects'],
  ['sum_totalUnitCount', 'Dwelling units in total'],
  ['median_totalUnitCount', 'Dwelling units, median project'],
  ['sum_acreage', 'Acres in total'],
  ['median_acreage', 'Acres, median project'],
];

/** `states:8` → `{states: '8'}`. @param {string | null} place @returns {Record<string, string>} */
export const placeFilter = (place) => {
  const [, name = '', id = ''] = /^(states|counties):(\w+)$/.exec(place ?? '') ?? [];
  return name ? { [name]: id } : {};
};

/** @param {string | null} place @param {Record<string, string>} filters @param {AbortSignal} signal */
async function figuresOf(place, filters, signal) {
  const { states: _s, counties: _c, cities: _t, ...rest } = filters;
  const body = { filters: { ...rest, ...placeFilter(place) }, groupBy: ['status'], metrics: METRICS };
  const [{ data }, name] = await Promise.all([ask('/analytics/aggregate', { method: 'POST', body, signal }), nameOf(place, signal)]);
  return { ...data, name };
}

/** `Colorado`, `Boulder County, CO`. @param {string | null} place @param {AbortSignal} signal */
async function nameOf(place, signal) {
  const { states, counties } = placeFilter(place);
  const { name, state } = (await ask(counties ? `/locations/counties/${counties}` : `/locations/states/${states}`, { signal })).data;
  return state ? `${name}, ${state}` : name;
}

/** @param {{id: string, label: string, place: string | null, states: any[], onChange: (place: string) => void}} given */
function PlaceChoice({ id, label, place, states, onChange }) {
  const chosen = placeFilter(place);
  const known = useAnswer(
    async (signal) => (chosen.counties ? (await ask(`/locations/counties/${chosen.counties}`, { signal })).data : null),
    [chosen.counties],
  );
  const stateId = Number(chosen.states ?? known.answer?.stateId ?? 0);
  const counties = useAnswer(
    async (signal) => (stateId ? (await ask(`/locations/states/${stateId}/counties`, { signal })).data : []),
    [stateId],
  );
  return html`<div class="pair"><${Choice} id=${`${id}-state`} label=${label} value=${stateId ? String(stateId) : ''}
      options=${[['', 'Choose a state'], ...states.filter(({ entitled }) => entitled).map(({ id: number, name }) => [String(number), name])]}
      onChange=${(/** @type {string} */ value) => onChange(value ? `states:${value}` : '')} />
    <${Choice} id=${`${id}-county`} label="County" value=${chosen.counties ?? ''} disabled=${!stateId}
      options=${[['', 'The whole state'], ...(counties.answer ?? []).map((/** @type {any} */ county) => [String(county.id), county.name])]}
      onChange=${(/** @type {string} */ value) => onChange(value ? `counties:${value}` : `states:${stateId}`)} /></div>`;
}

/** @param {any} figures @param {string} name */
const figure = (figures, name) => {
  const value = name === 'count' ? figures.totals?.count : figures.totals?.metrics[name];
  if (value === null || value === undefined) return name === 'count' ? 'fewer than 5' : 'too few';
  return number(Math.round(value * 10) / 10);
};

/** The statuses of both places in one order, so that a row of one chart is a row of the other. @param {any[]} both @returns {string[]} */
function statusesOf(both) {
  const counts = new Map();
  for (const { groups } of both)
    for (const { labels, count } of groups)
      counts.set(labels.status || 'Not stated', (counts.get(labels.status || 'Not stated') ?? 0) + count);
  return [...counts].sort(([, one], [, other]) => other - one).map(([status]) => status);
}

/** @param {{figures: any, statuses: string[], most: number}} given */
function Statuses({ figures, statuses, most }) {
  const counts = new Map(figures.groups.map((/** @type {any} */ { labels, count }) => [labels.status || 'Not stated', count]));
  const groups = statuses.map((label) => ({ label, count: counts.get(label) ?? null }));
  return html`<section class="card chart"><h2>${figures.name}: projects by status</h2>
    ${figures.groups.length ? html`<${Bars} groups=${groups} most=${most} />` : html`<p class="empty">No status has 5 projects or more here.</p>`}</section>`;
}

/** @param {{both: any[]}} given */
function Figures({ both }) {
  const statuses = statusesOf(both);
  const most = Math.max(1, ...both.flatMap(({ groups }) => groups.map((/** @type {any} */ { count }) => count)));
  const [projects = [], ...others] = FIGURES.map(([name = '', label = '']) => [label, ...both.map((figures) => figure(figures, name))]);
  const ofStatuses = statuses.map((status) => [`Projects: ${status}`, ...both.map(({ groups }) => countOf(groups, status))]);
  return html`<${Table} label="Figures of both places" heads=${['Figure', ...both.map(({ name }) => name)]} numbers=${[1, 2]}
      rows=${[projects, ...ofStatuses, ...others]} />
    <div class="grid">${both.map((figures) => html`<${Statuses} figures=${figures} statuses=${statuses} most=${most} />`)}</div>
    <p class="note">Units and acres rest on the projects that state them. A dash is none, or too few to be shown.</p>`;
}

/** @param {any[]} groups @param {string} status */
const countOf = (groups, status) => {
  const found = groups.find(({ labels }) => (labels.status || 'Not stated') === status);
  return found ? number(found.count) : '–';
};

/** @param {import('./tabs.tsx').TabProps} given */
export function Compare({ state, go, words }) {
  const { filters, a, b } = state;
  const states = words?.states ?? [];
  const change = (/** @type {{a?: string, b?: string}} */ places) => go({ ...state, ...places });
  const ready = Boolean(a && b);
  const { answer, problem, loading, again } = useAnswer(
    async (signal) => (ready ? Promise.all([a, b].map((place) => figuresOf(place, filters, signal))) : null),
    [a, b, JSON.stringify(filters)],
  );
  return html`<div class="sheet"><h1>Compare two places</h1><p class="lead">The other filters of the map apply to both. ${windowNote(filters)}Free of charge; a figure that would rest on fewer than 5 projects is not shown.</p>
    <div class="grid"><div class="card"><${PlaceChoice} id="a" label="First place" place=${a} states=${states} onChange=${(/** @type {string} */ place) => change({ a: place })} /></div>
      <div class="card"><${PlaceChoice} id="b" label="Second place" place=${b} states=${states} onChange=${(/** @type {string} */ place) => change({ b: place })} /></div></div>
    ${problem && html`<${Notice} problem=${problem} again=${again} />`}
    ${ready && loading && !answer && html`<${Loading} />`}
    ${!ready && html`<p class="empty">Choose two places to see them side by side.</p>`}
    ${answer && html`<${Figures} both=${answer} />`}
  </div>`;
}
