// Counts of the selection by month, Building Type, status and county: each a chart and a table.
import { ask } from './api.ts';
import { html } from './html.js';
import { Empty, Loading, Notice, Table, useAnswer } from './ui.tsx';
import { number, shortNumber } from './words.ts';

const FACETS = [
  {
    dimension: 'meetingDate',
    title: 'Projects by month of their meeting',
    head: 'Month',
    kind: 'columns',
    body: { interval: 'month', order: { by: 'key', direction: 'desc' }, limit: 60 },
    cut: 'The latest 60 months are shown.',
  },
  {
    dimension: 'propertyType',
    title: 'Projects by Building Type',
    head: 'Building Type',
    kind: 'bars',
    body: { limit: 10 },
    note: 'A project of several types counts in each.',
  },
  {
    dimension: 'status',
    title: 'Projects by status',
    head: 'Status',
    kind: 'bars',
    body: { limit: 12 },
    note: 'Unknown: no decision is recorded. Not stated: the data does not say.',
  },
  { dimension: 'county', title: 'Projects by county', head: 'County', kind: 'bars', body: { limit: 15 }, cut: 'The 15 largest are shown.' },
];

/** @param {number} most a count @returns {number} the axis' maximum: an even number at or above it, so that its half is whole */
function scaleOf(most) {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [2, 4, 6, 8, 10].map((times) => times * step).find((top) => top >= most) ?? most;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 220, 44, 26];

/** @typedef {{label: string, count: number | null}} Group a null count is withheld, or 0 */

/** @param {{groups: Group[], title: string}} given */
function Columns({ groups, title }) {
  const top = scaleOf(Math.max(...groups.map(({ count }) => count ?? 0)));
  const wide = (WIDTH - LEFT) / groups.length;
  const y = (/** @type {number} */ count) => (HEIGHT - BOTTOM) * (1 - count / top) + 8;
  const every = Math.ceil(groups.length / 9);
  return html`<svg class="columns" viewBox=${`0 0 ${WIDTH} ${HEIGHT + 8}`} role="img" aria-label=${`${title}: the table has the numbers`}>
    ${[0, 0.5, 1].map(
      (part) => html`<g><line x1=${LEFT} x2=${WIDTH} y1=${y(top * part)} y2=${y(top * part)} class="grid" />
      <text x=${LEFT - 8} y=${y(top * part) + 4} text-anchor="end">${shortNumber(top * part)}</text></g>`,
    )}
    ${groups.map(
      ({ label, count }, i) => html`<g>
      ${count !== null && html`<rect x=${LEFT + i * wide + wide * 0.14} width=${wide * 0.72} y=${y(count)} height=${Math.max(1, y(0) - y(count))} rx="2"><title>${label}: ${number(count)}</title></rect>`}
      ${i % every === 0 && html`<text class=${(i / every) % 2 ? 'between' : ''} x=${LEFT + (i + 0.5) * wide} y=${HEIGHT + 2} text-anchor="middle">${label}</text>`}</g>`,
    )}
  </svg>`;
}

/** @param {{groups: Group[], most?: number}} given `most`: the value of a full bar, equal in charts that are compared */
export function Bars({ groups, most = Math.max(...groups.map(({ count }) => count ?? 0)) }) {
  return html`<ul class="bars" aria-hidden="true">${groups.map(
    ({ label, count }) => html`<li><span class="name">${label}</span>
    <span class="track">${count !== null && html`<span class="bar" style=${{ width: `${(100 * count) / most}%` }}></span>`}</span><span class="value">${count === null ? '–' : number(count)}</span></li>`,
  )}</ul>`;
}

/** @param {string} month its first day @returns {string} */
const monthName = (month) =>
  new Date(`${month}T00:00:00Z`).toLocaleDateString('en-US', { month: 'short', year: '2-digit', timeZone: 'UTC' });

const NOT_STATED = 'Not stated';

/**
 * Every month from the first to the last; a withheld one is a gap. The group without a month comes last.
 * @param {{key: string | null, count: number}[]} found
 */
function countByMonth(found) {
  const counts = new Map(found.map(({ key, count }) => [key, count]));
  const months = found.flatMap(({ key }) => key ?? []).sort();
  const [first = '', last = ''] = [months[0], months.at(-1)];
  /** @type {Group[]} */
  const groups = [];
  for (let month = first; month && month <= last; month = nextMonth(month))
    groups.push({ label: monthName(month), count: counts.get(month) ?? null });
  const without = counts.get(null);
  return without === undefined ? groups : [...groups, { label: NOT_STATED, count: without }];
}

/** @param {string} month its first day */
function nextMonth(month) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
}

/** @param {{dimension: string, kind: string}} facet @param {any[]} found @returns {Group[]} */
const groupsOf = ({ dimension, kind }, found) =>
  kind === 'columns'
    ? countByMonth(found.map(({ keys, count }) => ({ key: keys[dimension], count })))
    : found.map(({ labels, count }) => ({ label: labels[dimension] || NOT_STATED, count }));

/** @param {{facet: typeof FACETS[number], filters: Record<string, string>}} given */
function Chart({ facet, filters }) {
  const { dimension, title, head, kind, body, note, cut } = facet;
  const { answer, problem, again } = useAnswer(
    (signal) => ask('/analytics/aggregate', { method: 'POST', body: { filters, groupBy: [dimension], ...body }, signal }),
    [JSON.stringify(filters)],
  );
  const groups = groupsOf(facet, answer?.data.groups ?? []);
  const shown = groups.flatMap(({ label, count }) => (count === null ? [] : [[label, number(count)]]));
  const hides = answer?.meta.suppressedGroups;
  return html`<section class="card chart"><h2>${title}</h2>
    ${problem && html`<${Notice} problem=${problem} again=${again} />`}
    ${!answer && !problem && html`<${Loading} />`}
    ${answer && !groups.length && html`<${Empty}>${hides ? 'Too few projects to show any group: each needs 5.' : 'Nothing matches the filters.'}<//>`}
    ${
      groups.length > 0 &&
      html`${kind === 'columns' ? html`<${Columns} groups=${groups} title=${title} />` : html`<${Bars} groups=${groups} />`}
      <details><summary>Table</summary><${Table} label=${title} heads=${[head, 'Projects']} numbers=${[1]} rows=${shown} /></details>`
    }
    ${groups.length > 0 && note && html`<p class="note">${note}</p>`}
    ${groups.length > 0 && hides && html`<p class="note">Groups of fewer than 5 projects are not shown, nor those that would give them away.</p>`}
    ${answer?.meta.truncated && cut && html`<p class="note">${cut}</p>`}
  </section>`;
}

/** Says which meetings the figures include, if the filters do not. @param {Record<string, string>} filters */
export const windowNote = (filters) =>
  filters.dateRange || filters.meetingDateFrom || filters.meetingDateTo || filters.projectIds
    ? ''
    : 'Meetings of the last year; the filters of the map choose others. ';

/** @param {import('./tabs.tsx').TabProps} given */
export const Charts = ({ state: { filters } }) => html`<div class="sheet"><h1>Charts</h1>
  <p class="lead">Counts of what matches the filters. ${windowNote(filters)}Free of charge.</p>
  <div class="grid">${FACETS.map((facet) => html`<${Chart} key=${facet.dimension} facet=${facet} filters=${filters} />`)}</div></div>`;
