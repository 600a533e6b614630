/** The report of a load as a page of its own: findings, a map of what went, and figures by place. It loads nothing from elsewhere. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';
import { escapeHtml } from '../src/core/domain/escapeHtml.ts';
import type { Places } from '../src/core/domain/places.ts';
import type { LoadFinding } from './findings/finding.ts';
import { namePlace } from './findings/placeFigures.ts';
import type { LoadReport, ReportedPlace } from './findings/types.ts';

/** Outlines of us-atlas that are projected already, with Alaska and Hawaii beside the other states. */
const OUTLINES = createRequire(import.meta.url).resolve('us-atlas/counties-albers-10m.json');
const [WIDTH, HEIGHT] = [975, 610];

type Outlines = Parameters<typeof mesh>[0];
type Outline = Outlines['objects'][string];

const number = new Intl.NumberFormat('en-US');

const STYLE = `
body{margin:2rem auto;max-width:78rem;padding:0 1.25rem;background:#fdfdfb;color:#1d2630;font:1rem/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:0 0 .3rem}h2{font-size:1.2rem;margin:2rem 0 .5rem}
.soft{color:#5a6775}
.findings{padding:0;list-style:none}.findings li{margin:.5rem 0;padding:.5rem .8rem;border-left:4px solid #c99700;background:#f2f4f3}
.findings .refuse{border-color:#a02c2c}.findings small{display:block;overflow-wrap:anywhere}
svg{width:100%;height:auto;border:1px solid #dfe3e6;background:#fff}
.same{fill:#d5dfe4}.new{fill:#8fbfa3}.less{fill:#efc27b}.lost{fill:#c65a3c}.gone{fill:#7d1d1d}
.county{stroke:#fff;stroke-width:.3}.states{fill:none;stroke:#8a949d;stroke-width:.6}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;padding:0;list-style:none;font-size:.9rem}
.legend svg{width:.9rem;height:.9rem;margin-right:.4rem;vertical-align:-.1rem;border:0}
table{display:block;overflow-x:auto;border-collapse:collapse;font-size:.9rem}th,td{padding:.25rem .6rem;border-bottom:1px solid #dfe3e6;text-align:left;vertical-align:top}
td.count,th.count{text-align:right;white-space:nowrap}tr.body td:first-child{padding-left:2.6rem}tr.in-state td:first-child{padding-left:1.6rem}`;

/** How a place compares with what is served, in the order of the legend. */
const CHANGES = {
  same: 'states as many records as are served, or more',
  new: 'has records for the first time',
  less: 'states fewer',
  lost: 'states less than seven tenths of them',
  gone: 'states none',
} as const;
const LOST_SHARE = 0.7;

function changeOf({ records: { now, served } }: ReportedPlace): keyof typeof CHANGES {
  if (served === 0) return 'new';
  if (now === 0) return 'gone';
  if (now >= served) return 'same';
  return now < LOST_SHARE * served ? 'lost' : 'less';
}

const countText = ({ now, served }: ReportedPlace['records']) => `${number.format(now)} of ${number.format(served)}`;

function findingHtml({ code, severity, text, examples }: LoadFinding): string {
  const ids = examples.length ? `<small class="soft">such as ${examples.join(', ')}</small>` : '';
  return `<li class="${severity}"><b>${code}</b> ${severity === 'refuse' ? '(refused unless accepted)' : '(warning)'}: ${escapeHtml(text)}${ids}</li>`;
}

/** The path of an outline in the drawing. */
function pathOf(rings: readonly (readonly number[][])[], end: 'Z' | ''): string {
  return rings.map((ring) => `M${ring.map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`).join('L')}${end}`).join('');
}

function mapHtml(report: LoadReport, places: Places): string {
  const outlines: Outlines = JSON.parse(readFileSync(OUTLINES, 'utf8'));
  const { counties, states } = outlines.objects as { counties: Outline; states: Outline };
  const shapes = feature(outlines, counties);
  const byCounty = new Map(report.places.filter((one) => one.countyId !== null && !one.decisionBody).map((one) => [one.countyId, one]));
  const drawn = ('features' in shapes ? shapes.features : []).flatMap(({ id, geometry }) => {
    const place = byCounty.get(Number(id));
    byCounty.delete(Number(id));
    if (!place || (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon')) return [];
    const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
    const title = escapeHtml(`${namePlace(places, place)}: ${countText(place.records)} records`);
    return [`<path class="county ${changeOf(place)}" d="${pathOf(rings, 'Z')}"><title>${title}</title></path>`];
  });
  const borders = mesh(outlines, states as Parameters<typeof mesh>[1]).coordinates;
  const legend = Object.entries(CHANGES).map(
    ([name, text]) => `<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="${name}" width="1" height="1"/></svg>${text}</li>`,
  );
  const undrawn = [...byCounty.values()].map((place) => `${namePlace(places, place)} (${countText(place.records)})`);
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Counties by how many of their served records are stated">${drawn.join('')}<path class="states" d="${pathOf(borders, '')}"/></svg>
<ul class="legend">${legend.join('')}</ul>${undrawn.length ? `<p class="soft">Not on the map: ${escapeHtml(undrawn.join('; '))}</p>` : ''}`;
}

const FIELDS_SHOWN = 8;

/** The fields of which a place states less than is served, most lost first. */
function fallenFields({ fields }: ReportedPlace): string {
  const fallen = Object.entries(fields)
    .filter(([, { now, served }]) => now < served)
    .sort(([, a], [, b]) => b.served - b.now - (a.served - a.now));
  const more = fallen.length > FIELDS_SHOWN ? ` and ${fallen.length - FIELDS_SHOWN} more` : '';
  return fallen
    .slice(0, FIELDS_SHOWN)
    .map(([name, { now, served }]) => `${name} ${served} → ${now}`)
    .join(', ')
    .concat(more);
}

function placeRow(place: ReportedPlace, places: Places): string {
  const level = place.decisionBody ? 'body' : place.countyId === null ? '' : 'in-state';
  return `<tr class="${level}"><td>${escapeHtml(namePlace(places, place))}</td><td class="count">${number.format(place.records.served)}</td><td class="count">${number.format(place.records.now)}</td><td>${escapeHtml(fallenFields(place))}</td></tr>`;
}

/** @returns the whole page */
export function makeReportPage(report: LoadReport, places: Places): string {
  const { generation, base, records, findings } = report;
  const compared = base === null ? 'Nothing was served before.' : `Compared with generation ${base}, which was served.`;
  const { carriedOver, ...changes } = records;
  const counts = Object.entries({ ...changes, 'carried over': carriedOver }).map(([what, count]) => `${number.format(count)} ${what}`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Report of generation ${generation}</title><style>${STYLE}</style></head>
<body><h1>Report of generation ${generation}</h1>
<p class="soft">${compared} Records: ${counts.join(', ')}.</p>
<h2>Findings</h2>
${findings.length ? `<ul class="findings">${findings.map(findingHtml).join('\n')}</ul>` : '<p>None.</p>'}
<h2>What went, by county</h2>
${mapHtml(report, places)}
<h2>Figures</h2>
<table><thead><tr><th>Place</th><th class="count">served</th><th class="count">stated now</th><th>fields of which less is stated</th></tr></thead>
<tbody>${report.places.map((place) => placeRow(place, places)).join('\n')}</tbody></table></body></html>
`;
}
