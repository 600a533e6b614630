/** Suite `pages`: the API, and plain Elasticsearch that holds the fields of its answers alone; the loader and a bare bulk load. */
import { Option } from 'commander';
import { someOf } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { mebibytes, median, type ReportColumn, type ReportSection, ratio } from '../../../lib/report.ts';
import type { Usage } from '../../../lib/usageProbe.ts';
import { CELL_NAMES, CELL_TITLES, type CellName, needsNewPool, pathsOf, REQUESTS_PER_CELL } from '../cells.ts';
import {
  type Corpus,
  documentLines,
  type Loading,
  loadBareIndex,
  loadWithLoader,
  SEGMENTS,
  settleIndex,
  writeGeneration,
  writeLines,
} from '../corpus.ts';
import type { CorpusPlace, Place } from '../loaded.ts';
import { apiRequest, type Request } from '../loadGenerator.ts';
import { type Cell, type Measured, measureCells, type Sides, serviceMs, sidesColumns, tablesOf, twoDecimals } from '../measure.ts';
import { loadPlainIndices, plainIndices, plainRequest } from '../plain.ts';
import { type Bench, corpusText, type LoadOptions, loadOptions, type Suite } from '../suite.ts';
import { GENERATOR, SLICE_MS } from '../wrk.ts';

const USUAL_SIZE = 200_000;

interface Options extends LoadOptions {
  only: CellName[];
}

interface Loads {
  loader: Loading;
  bare: Omit<Loading, 'peakBytes'>;
}

/** Makes and loads the corpus, also into the plain indices, and measures the loads. */
async function measureLoads({ client, sandbox, signal, corpus, prefix, folder }: Place & CorpusPlace): Promise<Loads> {
  const env = sandbox.environment(undefined, prefix);
  using generation = await writeGeneration(corpus, folder, signal);
  const loader = await withTimedStep('Loaded them', () => loadWithLoader(env, generation.file, signal));
  using documents = await writeLines('Made their documents', corpus, documentLines(corpus), folder, signal);
  const bare = await withTimedStep('Bulk-loaded these', () => loadBareIndex(client, `${prefix}-bare`, documents.file));
  await withTimedStep('Loaded the plain indices', () => loadPlainIndices(client, prefix, documents.file, corpus));
  await settleIndex(client, prefix, [`${prefix}-projects`, ...plainIndices(prefix)]);
  return { loader, bare };
}

const IDENTITY = ['id', 'lastUpdated', 'contentRevision', 'hearings'];
const PARTS = ['compact', 'standard', 'full'];

/** By how many parts of a record a row of the table shows: others show compact alone. */
const SHOWN: Readonly<Record<string, number>> = { standard: 2, record: 2, full: 3 };

/** A cell whose `raw` asks the service's index in the usual way: the API's own searches with a filtered `_source`. One that fetches no record stays as it is. */
function withUsualSource(cell: Cell): Cell {
  const source = [...IDENTITY, ...PARTS.slice(0, SHOWN[cell.name] ?? 1)];
  return { ...cell, raw: cell.raw.map((request) => usualOf(request, source)) };
}

function usualOf(request: Request, source: readonly string[]): Request {
  if (request.path.includes('/_msearch') || request.body.includes('"size":0')) return request;
  const { stored_fields: _, docvalue_fields: __, _source: ___, seq_no_primary_term: ____, ...search } = JSON.parse(request.body);
  return { ...request, body: JSON.stringify({ ...search, _source: source }) };
}

async function measurePages(bench: Bench, { corpus, prefix }: CorpusPlace, options: Options): Promise<{ cells: Measured[]; usage: Usage }> {
  const cells: Omit<Cell, 'raw'>[] = [];
  for (const name of options.only) {
    const paths = pathsOf(name, corpus);
    const requestsOfNewPool = async () => {
      const { key } = await bench.sandbox.account('api_only');
      return paths.map((of) => apiRequest(of, key));
    };
    const plain = paths.map((of) => plainRequest(prefix, of, corpus.today));
    cells.push({ name, plain, api: await requestsOfNewPool(), ...(needsNewPool(name) ? { requestsOfNewPool } : {}) });
  }
  const further = async (_: unknown, { api }: Sides) => ({ usage: await api.usage() });
  return measureCells(bench, { prefix, options, cells, adapt: withUsualSource, further });
}

const TITLE: ReportColumn<Measured> = ['', ({ cell }) => CELL_TITLES[cell as CellName]];

/** The kinds of answers, each with the most of plain's processor time that the API process and Postgres are to take where nothing is charged. */
const KINDS: readonly { kind: string; cells: readonly string[]; api?: number; postgres?: number }[] = [
  { kind: 'Compact page', cells: ['bbox', 'polygon', 'taxonomy', 'evidence', 'phrase', 'page'], api: 0.35, postgres: 0.07 },
  { kind: 'Standard page', cells: ['standard'], api: 0.5 },
  { kind: 'Full page', cells: ['full'], api: 0.7 },
  { kind: 'Single record', cells: ['record'] },
  { kind: 'Count', cells: ['count'] },
];

const plainMs = ({ sides }: Measured) => sides.plain.cpu.elasticsearch ?? Number.NaN;
const cpuText = (ms: number | undefined) => (ms === undefined ? '' : twoDecimals(ms));
const aimText = (aim: string | undefined) => (aim === undefined ? '' : ` (${aim})`);
const shareOfPlain = (process: 'api' | 'postgres') => (measured: Measured) => {
  const aim = KINDS.find(({ cells }) => cells.includes(measured.cell))?.[process];
  return ratio(measured.sides.api.cpu[process] ?? Number.NaN, plainMs(measured)) + aimText(aim === undefined ? aim : `≤ ${aim}`);
};
const aimAt = (cells: readonly string[], at: number, aim: string) => (measured: Measured) =>
  aimText(cells.includes(measured.cell) && measured.concurrency === at ? aim : undefined);
const rateAim = aimAt(['count'], 16, '≥ 0.55');
const timeAim = aimAt(['count', 'record'], 1, '≤ 2');

const CPU_COLUMNS: readonly ReportColumn<Measured>[] = [
  TITLE,
  ['plain', (measured) => twoDecimals(plainMs(measured))],
  ['service', ({ sides }) => twoDecimals(serviceMs(sides.api.cpu))],
  ['of plain', (measured) => ratio(serviceMs(measured.sides.api.cpu), plainMs(measured))],
  ['Elasticsearch', ({ sides }) => cpuText(sides.api.cpu.elasticsearch)],
  ['API', ({ sides }) => cpuText(sides.api.cpu.api)],
  ['of plain', shareOfPlain('api')],
  ['Postgres', ({ sides }) => cpuText(sides.api.cpu.postgres)],
  ['of plain', shareOfPlain('postgres')],
  ['Redis', ({ sides }) => cpuText(sides.api.cpu.redis)],
  ['raw', ({ sides }) => cpuText(sides.raw.cpu.elasticsearch)],
  ['service of raw', ({ sides }) => ratio(serviceMs(sides.api.cpu), sides.raw.cpu.elasticsearch ?? Number.NaN)],
  ['generator: plain', ({ sides }) => cpuText(sides.plain.cpu.generator)],
  ['generator: service', ({ sides }) => cpuText(sides.api.cpu.generator)],
];

const COLUMNS: readonly ReportColumn<Measured>[] = [
  TITLE,
  ...sidesColumns('plain'),
  ['raw /s', ({ sides }) => whole(sides.raw.requestsPerSecond)],
  ['API to raw', (row) => ratio(row.sides.api.requestsPerSecond, row.sides.raw.requestsPerSecond) + rateAim(row)],
  ['p50 to raw', (row) => ratio(row.sides.api.p50Milliseconds, row.sides.raw.p50Milliseconds) + timeAim(row)],
  ['KiB plain', ({ sides }) => whole(sides.plain.bytesPerAnswer / 1024)],
  ['KiB API', ({ sides }) => whole(sides.api.bytesPerAnswer / 1024)],
];

function shareSection(cells: readonly Measured[], concurrency: readonly number[]): ReportSection {
  const shareOf = (kind: readonly string[], wanted: number) => {
    const rows = cells.filter(({ cell, concurrency }) => concurrency === wanted && kind.includes(cell));
    return rows.length ? twoDecimals(median(rows.map((row) => serviceMs(row.sides.api.cpu) / plainMs(row)))) : '';
  };
  return {
    title: 'Processor time of an answer, as a share of that of plain Elasticsearch',
    text: 'Elasticsearch, API, Postgres and Redis together, where nothing is charged; of several rows the middle one.',
    head: ['', ...concurrency.map((wanted) => `${wanted} in flight`)],
    rows: KINDS.map(({ kind, cells }) => [kind, ...concurrency.map((wanted) => shareOf(cells, wanted))]),
  };
}

function loadSection({ loader, bare }: Loads): ReportSection {
  const rate = ({ records, seconds }: Omit<Loading, 'peakBytes'>) => records / seconds;
  const row = (title: string, load: Omit<Loading, 'peakBytes'>) => [title, whole(load.records), load.seconds.toFixed(1), whole(rate(load))];
  return {
    title: 'Loading',
    text: "The bare load sends the loader's final documents, made before, into one plain index with the same mapping.",
    head: ['', 'records', 'seconds', 'records /s', 'of the bare rate', 'peak MiB'],
    rows: [
      [...row('Loader (`ingest load --activate`)', loader), ratio(rate(loader), rate(bare)), mebibytes(loader.peakBytes)],
      [...row('Bare bulk load', bare), '', ''],
    ],
  };
}

const describe = (
  corpus: Corpus,
  seconds: number,
  { residentBytes, peakBytes }: Usage,
) => `${corpusText(corpus)}, ${seconds} s a cell and side, asked by ${GENERATOR}.

*plain* is what a user would have instead: an index for each representation that holds the fields of its answers alone, asked in the ordinary way. *raw* asks
the service's own index for the same records by the searches that the API sends (recorded, ${REQUESTS_PER_CELL} different ones a row, rotated), with a
filtered \`_source\` in place of what the API fetches. *API* asks one API process, for each row by another pool whose records are charged; what it was
delivered before is free. The last two rows are first deliveries: each round of requests is asked by a pool that holds nothing. All three are asked in
alternating slices of ${SLICE_MS / 1000} s by the same client, which reads the bytes of answers without parsing them, after each has answered every request; a few answers were
compared, ids in their order. Aims are in brackets. A page holds up to 100 records. Elasticsearch's cache of whole answers is switched off, so that counts are
counted, and indices are merged to at most ${SEGMENTS} segments, so that no merging goes on meanwhile. The API process held ${mebibytes(residentBytes)} MiB after the run, at most ${mebibytes(peakBytes)}.`;

export const pages: Suite<Options> = {
  name: 'pages',
  summary: 'the API, and plain Elasticsearch that holds the fields of its answers alone; the loader and a bare bulk load',
  options: [
    ...loadOptions,
    new Option('--only <cells>', `some of ${CELL_NAMES.join(', ')}`).argParser(someOf(CELL_NAMES)).default(CELL_NAMES, 'all'),
  ],
  async run(bench, options) {
    const { corpora, sandbox } = bench;
    const wanted = { ...options, n: options.n?.[0] ?? USUAL_SIZE };
    const { figures, ...loaded } = await corpora.load(sandbox, wanted, measureLoads, Boolean);
    const loads = figures as Loads;
    const { cells, usage } = await measurePages(bench, loaded, options);
    return {
      title: 'Pages of the API',
      about: describe(loaded.corpus, options.seconds, usage),
      sections: [
        shareSection(cells, options.concurrency),
        ...tablesOf(
          cells,
          options,
          CPU_COLUMNS,
          'Processor time, ',
          'Milliseconds an answer, user and system, of all threads of each process.',
        ),
        ...tablesOf(cells, options, COLUMNS, 'Rates and times, ', 'Times are milliseconds.'),
        loadSection(loads),
      ],
      figures: { loads, cells, usage },
    };
  },
};
