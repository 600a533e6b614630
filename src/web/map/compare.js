// Two places under the same filters, side by side.
import { ask } from './api.js';
import { Bars } from './charts.js';
import { Choice } from './filters.js';
import { html } from './html.js';
import { Loading, Notice, Table, useAnswer } from './ui.js';
import { number } from './words.js';

const METRICS = [
  { op: 'sum', field: 'totalUnitCount' },
  { op: 'median', field: 'totalUnitCount' },
  { op: 'sum', field: 'acreage' },
  { op: 'median', field: 'acreage' },
];
const FIGURES = [
  ['count', 'Projects'],
  ['sum_totalUnitCount', 'Units in all'],
  ['median_totalUnitCount', 'Median units'],
  ['sum_acreage', 'Acres in all'],
  ['median_acreage', 'Median acres'],
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
  return (await ask('/analytics/aggregate', { method: 'POST', body, signal })).data;
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
  return value === null || value === undefined ? 'too few' : number(Math.round(value * 10) / 10);
};

/** @param {{figures: any, title: string}} given */
const Statuses = ({ figures, title }) =>
  html`<section class="card chart"><h2>${title}</h2>${figures.groups.length ? html`<${Bars} groups=${figures.groups.map((/** @type {any} */ { labels, count }) => ({ label: labels.status || 'Not stated', count }))} />` : html`<p class="empty">Fewer than 5 projects of each status.</p>`}</section>`;

/** @param {{filters: Record<string, string>, a: string | null, b: string | null, states: any[], onChange: (change: {a?: string, b?: string}) => void}} given */
export function Compare({ filters, a, b, states, onChange }) {
  const ready = Boolean(a && b);
  const { answer, problem, loading, again } = useAnswer(
    async (signal) => (ready ? Promise.all([a, b].map((place) => figuresOf(place, filters, signal))) : null),
    [a, b, JSON.stringify(filters)],
  );
  return html`<div class="sheet"><h1>Compare two places</h1><p class="lead">The other filters apply to both. Free of charge; figures that rest on fewer than 5 projects are left out.</p>
    <div class="grid"><div class="card"><${PlaceChoice} id="a" label="First place" place=${a} states=${states} onChange=${(/** @type {string} */ place) => onChange({ a: place })} /></div>
      <div class="card"><${PlaceChoice} id="b" label="Second place" place=${b} states=${states} onChange=${(/** @type {string} */ place) => onChange({ b: place })} /></div></div>
    ${problem && html`<${Notice} problem=${problem} again=${again} />`}
    ${ready && loading && !answer && html`<${Loading} />`}
    ${!ready && html`<p class="empty">Choose two places to see them side by side.</p>`}
    ${
      answer &&
      html`<${Table} label="Figures of both places" heads=${['Figure', 'First place', 'Second place']} numbers=${[1, 2]}
      rows=${FIGURES.map(([name = '', label]) => [label, figure(answer[0], name), figure(answer[1], name)])} />
      <div class="grid"><${Statuses} figures=${answer[0]} title="First place, by status" /><${Statuses} figures=${answer[1]} title="Second place, by status" /></div>`
    }
  </div>`;
}
