/** Suite `analytics`: the API compared with the plain aggregations that somebody would send to Elasticsearch by hand, and a search while analysts ask. */
import { Option } from 'commander';
import { GOVERNMENT_DECISIONS, propertyTypes } from '../../../../src/core/domain/vocabulary.ts';
import { someOf } from '../../../../src/terminal/program.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { median, milliseconds, p99, type ReportColumn, ratio, tableOfFigures } from '../../../lib/report.ts';
import { pathsOf, REQUESTS_PER_CELL } from '../cells.ts';
import type { Corpus } from '../corpus.ts';
import type { CorpusPlace } from '../loaded.ts';
import { apiRequest, generateLoad, makeTarget, newTally, type Request, sendAndRead } from '../loadGenerator.ts';
import { type Cell, type Measured, measureCells, type Sides, sidesColumns, tablesOf, twoDecimals } from '../measure.ts';
import { type Bench, corpusText, type LoadOptions, loadOptions, type Suite } from '../suite.ts';

const USUAL_SIZE = 1_000_000;
const ANALYSTS = 10;
const SEARCHES = 4;

const terms = (field: string, aggs?: object) => ({ terms: { field, size: 10_000 }, ...(aggs ? { aggs } : {}) });
const termsByUse = (aggs?: object) => ({
  nested: { path: 'derived.landUses' },
  aggs: { groups: terms('derived.landUses.type', { projects: { reverse_nested: {}, ...(aggs ? { aggs } : {}) } }) },
});
const months = { date_histogram: { field: 'derived.evidence.meetingDate', calendar_interval: 'month', min_doc_count: 1 } };

interface Asked {
  title: string;
  body: object;
  /** what each request selects */
  within: 'country' | 'state' | 'polygon';
  /** the aggregations that answer it by hand */
  plain: object;
}

const CELLS = {
  one: { title: 'By status', within: 'country', body: { groupBy: ['status'] }, plain: { a: terms('derived.evidence.status') } },
  two: {
    title: 'By state and status',
    within: 'country',
    body: { groupBy: ['state', 'status'] },
    plain: { a: terms('derived.stateId', { b: terms('derived.evidence.status') }) },
  },
  month: {
    title: 'By county and month of a state',
    within: 'state',
    body: { groupBy: ['county', 'meetingDate'], limit: 1000 },
    plain: { a: terms('derived.countyId', { b: months }) },
  },
  median: {
    title: 'Median by county',
    within: 'country',
    body: { groupBy: ['county'], metrics: [{ op: 'median', field: 'acreage' }] },
    plain: { a: terms('derived.countyId', { m: { percentiles: { field: 'derived.acreage', percents: [50] } } }) },
  },
  polygon: { title: 'In a polygon, by type', body: { groupBy: ['propertyType'] }, within: 'polygon', plain: { a: termsByUse() } },
} as const satisfies Record<string, Asked>;
type Name = keyof typeof CELLS;
const NAMES = Object.keys(CELLS) as Name[];

interface Options extends LoadOptions {
  analyses: Name[];
}

const WINDOWS = ['last_3_months', 'last_6_months', 'last_1_year', 'since_jan_2025', 'all'];

/** Types and windows of the whole country, states, or polygons: another for each request. */
function filtersOf(name: Name, corpus: Corpus): object[] {
  const { within }: Asked = CELLS[name];
  if (within === 'state') return corpus.places.states.map(({ id }) => ({ states: [id], dateRange: 'all' }));
  if (within === 'country')
    return propertyTypes.terms
      .filter(({ token }) => token !== GOVERNMENT_DECISIONS)
      .flatMap(({ token }) => WINDOWS.map((dateRange) => ({ propertyTypes: [token], dateRange })));
  const polygons = pathsOf('polygon', corpus).map((of) => new URL(of, 'http://host').searchParams.get('polygon') ?? '');
  return polygons.map((polygon) => ({ polygon: JSON.parse(polygon), dateRange: 'all' }));
}

function cellOf(name: Name, corpus: Corpus, key: string): Omit<Cell, 'raw'> {
  const filters = filtersOf(name, corpus);
  const api = Array.from({ length: Math.min(REQUESTS_PER_CELL, filters.length) }, (_, i): Request => {
    const body = JSON.stringify({ ...CELLS[name].body, filters: filters[i] });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return { method: 'POST', path: '/v1/analytics/aggregate', headers, body };
  });
  return { name, api };
}

/** The same query as the API sends, with the aggregations that somebody would write by hand. */
function handWritten({ name, api, raw }: Cell): Cell {
  const plain = (request: Request): Request => {
    const { query, size, track_total_hits } = JSON.parse(request.body);
    return { ...request, body: JSON.stringify({ query, size, track_total_hits, aggs: CELLS[name as Name].plain }) };
  };
  return { name, api, raw: raw.map(plain) };
}

/** Drops selections without enough records to show, where the two sides answer differently by design. */
async function answered(cell: Cell, { api }: Sides): Promise<Cell> {
  const target = makeTarget(api.url, cell.api, 1, true);
  const usable: boolean[] = [];
  for (const request of cell.api) {
    const { body } = (await sendAndRead(target, request)) as { body?: { data?: { totals: object | null } } };
    usable.push(Boolean(body?.data?.totals));
  }
  target.agent.destroy();
  const isUsable = (_: unknown, i: number) => usable[i];
  return { ...cell, api: cell.api.filter(isUsable), raw: cell.raw.filter(isUsable) };
}

/** Times of a search alone, and while analysts ask one analysis after the other. */
async function searchBesideAnalysts(cells: readonly Cell[], search: readonly Request[], { api }: Sides, seconds: number) {
  const analyses = cells.flatMap((cell) => cell.api);
  const times = async (analysts: number) => {
    const [searching, asking] = [makeTarget(api.url, search, SEARCHES), makeTarget(api.url, analyses, ANALYSTS)];
    const [searched, asked] = [newTally(), newTally()];
    await Promise.all([
      generateLoad(searching, SEARCHES, seconds * 1000, searched),
      ...(analysts ? [generateLoad(asking, analysts, seconds * 1000, asked)] : []),
    ]);
    for (const { agent } of [searching, asking]) agent.destroy();
    const { milliseconds: times, failures } = searched;
    return { p50: median(times), p99: p99(times), searches: times.length, analyses: asked.milliseconds.length, failures };
  };
  return { alone: await times(0), busy: await times(ANALYSTS) };
}

async function measureAll(bench: Bench, { corpus, prefix }: CorpusPlace, options: Options) {
  const { key } = await bench.sandbox.account('national');
  const search = pathsOf('bbox', corpus).map((of) => apiRequest(of, key));
  return measureCells(bench, {
    prefix,
    options,
    cells: options.analyses.map((name) => cellOf(name, corpus, key)),
    adapt: (cell, sides) => answered(handWritten(cell), sides),
    further: (cells, sides) =>
      withTimedStep('Searched while analysts ask', () => searchBesideAnalysts(cells, search, sides, 2 * options.seconds)),
  });
}

const COLUMNS: readonly ReportColumn<Measured>[] = [
  ['', ({ cell }) => CELLS[cell as Name].title],
  ...sidesColumns('raw'),
  ['API CPU', ({ sides }) => twoDecimals(sides.api.cpu.api ?? Number.NaN)],
];

export const analytics: Suite<Options> = {
  name: 'analytics',
  summary: 'analytics compared with plain aggregations of Elasticsearch, and a search while ten analysts ask',
  options: [...loadOptions, new Option('--analyses <names>', `some of ${NAMES.join(', ')}`).argParser(someOf(NAMES)).default(NAMES, 'all')],
  async run(bench, options) {
    const loaded = await bench.corpora.load(bench.sandbox, { ...options, n: options.n?.[0] ?? USUAL_SIZE });
    const { corpus } = loaded;
    const figures = await measureAll(bench, loaded, options);
    const { cells, alone, busy } = figures;
    const row = (title: string, { searches, analyses, p50, p99: longest }: typeof alone) => ({
      '': title,
      searches,
      analyses,
      p50: milliseconds(p50),
      p99: milliseconds(longest),
    });
    const searched = tableOfFigures(
      `A search while ${ANALYSTS} analysts ask`,
      `${SEARCHES} searches in a box are in flight all the time; the p99 while analysts ask is ${ratio(busy.p99, alone.p99)} times that alone.`,
      [row('alone', alone), row(`while ${ANALYSTS} analysts ask`, busy)],
    );
    return {
      title: 'Analytics',
      about: `${corpusText(corpus)}, ${options.seconds} s a cell and side; times are milliseconds.

*raw* sends Elasticsearch the query of the API with the aggregations that somebody would write by hand, without groups of what is not stated, further sums, or anything hidden. The requests rotate over Building Types and windows of the whole country, over states, and over polygons. Elasticsearch's cache of whole answers is switched off.`,
      sections: [...tablesOf(cells, options, COLUMNS), searched],
      figures,
    };
  },
};
