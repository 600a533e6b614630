// Counts of the selection by month, Building Type, status and county: each a chart and a table.
import { ask } from './api.js';
import { html } from './html.js';
import { Empty, Loading, Notice, Table, useAnswer } from './ui.js';
import { counted, number, shortNumber } from './words.js';

const FACETS = [
  {
    dimension: 'meetingDate',
    title: 'By month of the meeting',
    kind: 'columns',
    body: { interval: 'month', order: { by: 'key', direction: 'asc' }, limit: 60 },
  },
  { dimension: 'propertyType', title: 'By Building Type', kind: 'bars', body: { limit: 10 } },
  { dimension: 'status', title: 'By status', kind: 'bars', body: { limit: 12 } },
  { dimension: 'county', title: 'By county', kind: 'bars', body: { limit: 15 } },
];

/** @param {number} most a round number at or above it */
function scaleOf(most) {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 2.5, 5, 10].map((times) => times * step).find((top) => top >= most) ?? most;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 220, 44, 26];

/** @param {{groups: {label: string, count: number}[], title: string}} given */
function Columns({ groups, title }) {
  const top = scaleOf(Math.max(...groups.map(({ count }) => count)));
  const wide = (WIDTH - LEFT) / groups.length;
  const y = (/** @type {number} */ count) => (HEIGHT - BOTTOM) * (1 - count / top) + 8;
  const every = Math.ceil(groups.length / 9);
  return html`<svg class="columns" viewBox=${`0 0 ${WIDTH} ${HEIGHT + 8}`} role="img" aria-label=${`${title}: the table has the numbers`}>
    ${[0, 0.5, 1].map(
      (part) => html`<g><line x1=${LEFT} x2=${WIDTH} y1=${y(top * part)} y2=${y(top * part)} class="grid" />
      <text x=${LEFT - 8} y=${y(top * part) + 4} text-anchor="end">${shortNumber(top * part)}</text></g>`,
    )}
    ${groups.map(
      (
        { label, count },
        i,
      ) => html`<g><rect x=${LEFT + i * wide + wide * 0.14} width=${wide * 0.72} y=${y(count)} height=${Math.max(1, y(0) - y(count))} rx="2"><title>${label}: ${number(count)}</title></rect>
      ${i % every === 0 && html`<text x=${LEFT + (i + 0.5) * wide} y=${HEIGHT + 2} text-anchor="middle">${label}</text>`}</g>`,
    )}
  </svg>`;
}

/** @param {{groups: {label: string, count: number}[]}} given */
export function Bars({ groups }) {
  const most = Math.max(...groups.map(({ count }) => count));
  return html`<ul class="bars" aria-hidden="true">${groups.map(
    ({ label, count }) => html`<li><span class="name">${label}</span>
    <span class="track"><span class="bar" style=${{ width: `${(100 * count) / most}%` }}></span></span><span class="value">${number(count)}</span></li>`,
  )}</ul>`;
}

/** @param {string} month first day @returns {string} */
const monthName = (month) =>
  new Date(`${month}T00:00:00Z`).toLocaleDateString('en-US', { month: 'short', year: '2-digit', timeZone: 'UTC' });

/** @param {{facet: typeof FACETS[number], filters: Record<string, string>}} given */
function Chart({ facet: { dimension, title, kind, body }, filters }) {
  const { answer, problem, again } = useAnswer(
    (signal) => ask('/analytics/aggregate', { method: 'POST', body: { filters, groupBy: [dimension], ...body }, signal }),
    [JSON.stringify(filters)],
  );
  const groups = (answer?.data.groups ?? []).map((/** @type {any} */ { keys, labels, count }) => ({
    label: dimension === 'meetingDate' && keys.meetingDate ? monthName(keys.meetingDate) : labels[dimension] || 'Not stated',
    count,
  }));
  return html`<section class="card chart"><h2>${title}</h2>
    ${problem && html`<${Notice} problem=${problem} again=${again} />`}
    ${!answer && !problem && html`<${Loading} />`}
    ${answer && !groups.length && html`<${Empty}>There is no group of 5 or more.<//>`}
    ${
      groups.length > 0 &&
      html`${kind === 'columns' ? html`<${Columns} groups=${groups} title=${title} />` : html`<${Bars} groups=${groups} />`}
      <details><summary>Table</summary><${Table} label=${title} heads=${[title.replace('By ', '').replace(/^./, (c) => c.toUpperCase()), 'Projects']} numbers=${[1]} rows=${groups.map((/** @type {any} */ { label, count }) => [label, number(count)])} /></details>`
    }
    ${answer?.meta.suppressedGroups && html`<p class="note">Groups of fewer than 5 are hidden.</p>`}
    ${answer?.meta.truncated && html`<p class="note">The largest ${groups.length} are shown.</p>`}
  </section>`;
}

/** @param {{filters: Record<string, string>, matchCount: number | null}} given */
export const Charts = ({ filters, matchCount }) => html`<div class="sheet"><h1>Charts</h1>
  <p class="lead">${matchCount === null ? 'Counts of what matches the filters.' : `${counted(matchCount, 'project')} ${matchCount === 1 ? 'matches' : 'match'} the filters.`} Free of charge.</p>
  <div class="grid">${FACETS.map((facet) => html`<${Chart} key=${facet.dimension} facet=${facet} filters=${filters} />`)}</div></div>`;
