/** Suite `pages`: the API, Elasticsearch asked in the ordinary way and with the very same requests; the loader and a bare bulk load. */
import { Option } from 'commander';
import { someOf } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { mebibytes, type ReportColumn, type ReportSection, ratio } from '../../../lib/report.ts';
import type { Usage } from '../../../lib/usageProbe.ts';
import { CELL_NAMES, CELL_TITLES, type CellName, needsNewPool, pathsOf, REQUESTS_PER_CELL } from '../cells.ts';
import {
  type Corpus,
  documentLines,
  type Loading,
  loadIntoPlainIndex,
  loadWithLoader,
  SEGMENTS,
  settleIndex,
  writeGeneration,
  writeLines,
} from '../corpus.ts';
import { type CorpusPlace, keepOption, openCorpus, reuseOption } from '../loaded.ts';
import { apiRequest, type Request } from '../loadGenerator.ts';
import { type Cell, type Measured, measureCells, SIDES_COLUMNS, type Sides, tablesOf, twoDecimals } from '../measure.ts';
import {
  type Bench,
  concurrencyOption,
  corpusText,
  cpuProfOption,
  type LoadOptions,
  type Suite,
  secondsOption,
  seedOption,
  sizesOption,
} from '../suite.ts';

const USUAL_SIZE = 200_000;

interface Options extends LoadOptions {
  only: CellName[];
}

interface Loads {
  loader: Loading;
  bare: Omit<Loading, 'peakBytes'>;
}

/** Makes and loads the corpus, and measures both loads. */
async function measureLoads({ client, sandbox, signal }: Bench, { corpus, prefix, folder }: CorpusPlace): Promise<Loads> {
  const env = sandbox.environment(undefined, prefix);
  using generation = await writeGeneration(corpus, folder, signal);
  const loader = await withTimedStep('Loaded them', () => loadWithLoader(env, generation.file, signal));
  using documents = await writeLines('Made their documents', corpus, documentLines(corpus), folder, signal);
  const bare = await withTimedStep('Bulk-loaded these', () => loadIntoPlainIndex(client, `${prefix}-bare`, documents.file));
  await settleIndex(client, prefix);
  return { loader, bare };
}

const IDENTITY = ['id', 'lastUpdated', 'contentRevision', 'hearings'];
const PARTS = ['compact', 'standard', 'full'];

/** By how many parts of a record a row of the table shows: others show compact alone. */
const SHOWN: Readonly<Record<string, number>> = { standard: 2, record: 2, full: 3 };

/**
 * A cell whose `raw` asks in the usual way: the API's own searches with a filtered `_source`, however the API fetches records itself. Those are `same`;
 * one that fetches no record stays as it is.
 */
function withPlainSource(cell: Cell): Cell {
  const source = [...IDENTITY, ...PARTS.slice(0, SHOWN[cell.name] ?? 1)];
  return { ...cell, same: cell.raw, raw: cell.raw.map((request) => plainOf(request, source)) };
}

function plainOf(request: Request, source: readonly string[]): Request {
  if (request.path.includes('/_msearch') || request.body.includes('"size":0')) return request;
  const { stored_fields: _, docvalue_fields: __, _source: ___, ...search } = JSON.parse(request.body) as Record<string, unknown>;
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
    cells.push({ name, api: await requestsOfNewPool(), ...(needsNewPool(name) ? { requestsOfNewPool } : {}) });
  }
  const further = async (_: unknown, { api }: Sides) => ({ usage: await api.usage() });
  return measureCells(bench, { prefix, options, cells, adapt: withPlainSource, further });
}

const TITLE: ReportColumn<Measured> = ['', ({ cell }) => CELL_TITLES[cell as CellName]];

const COLUMNS: readonly ReportColumn<Measured>[] = [
  TITLE,
  ...SIDES_COLUMNS,
  ['same /s', ({ same }) => whole(same.requestsPerSecond)],
  ['API to same', ({ same, api }) => ratio(api.requestsPerSecond, same.requestsPerSecond)],
  ['KiB raw', ({ raw }) => whole(raw.bytesPerAnswer / 1024)],
  ['KiB API', ({ api }) => whole(api.bytesPerAnswer / 1024)],
];

const cpuText = (ms: number | undefined) => (ms === undefined ? '' : twoDecimals(ms));
const CPU_COLUMNS: readonly ReportColumn<Measured>[] = [
  TITLE,
  ['raw: Elasticsearch', ({ serverCpuMilliseconds: { raw } }) => cpuText(raw.elasticsearch)],
  ['API: Elasticsearch', ({ serverCpuMilliseconds: { api } }) => cpuText(api.elasticsearch)],
  ['Postgres', ({ serverCpuMilliseconds: { api } }) => cpuText(api.postgres)],
  ['Redis', ({ serverCpuMilliseconds: { api } }) => cpuText(api.redis)],
  ['API process', ({ apiCpuMilliseconds }) => cpuText(apiCpuMilliseconds)],
];

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

const describe = (corpus: Corpus, seconds: number) => `${corpusText(corpus)}, ${seconds} s a cell and side.

*raw* asks Elasticsearch for the same records in the ordinary way, with a filtered \`_source\`, and reads the bytes of the answer without parsing
them; *same* sends it the very requests that the API sends (recorded from the API, ${REQUESTS_PER_CELL} different ones a row, rotated), of which raw's are made;
*API* asks one API process, for each row by another pool whose records are charged; what it was delivered before is free. The last two rows are
first deliveries: each round of requests is asked by a pool that holds nothing. All three run in alternating slices of half a second, through the same client, after both sides have run warm. Times are milliseconds. A page holds up to 100 records. Elasticsearch's cache of whole answers is switched off, so that
counts are counted, and the index is merged to at most ${SEGMENTS} segments, so that no merging goes on meanwhile.`;

export const pages: Suite<Options> = {
  name: 'pages',
  summary: 'the API, Elasticsearch asked in the ordinary way and with the very same requests; the loader and a bare bulk load',
  options: [
    sizesOption,
    seedOption,
    secondsOption,
    concurrencyOption,
    new Option('--only <cells>', `some of ${CELL_NAMES.join(', ')}`).argParser(someOf(CELL_NAMES)).default(CELL_NAMES, 'all'),
    keepOption,
    reuseOption,
    cpuProfOption,
  ],
  async run(bench, options) {
    const wanted = { ...options, n: options.n?.[0] ?? USUAL_SIZE };
    let loads: Loads | undefined;
    await using loaded = await openCorpus(bench, wanted, async (place) => {
      loads = await measureLoads(bench, place);
    });
    const { cells, usage } = await measurePages(bench, loaded, options);
    const memory: ReportSection = {
      title: 'Memory',
      head: ['', 'resident MiB', 'at most MiB'],
      rows: [['API process after the run', mebibytes(usage.residentBytes), mebibytes(usage.peakBytes)]],
    };
    return {
      title: 'Pages of the API',
      about: describe(loaded.corpus, options.seconds),
      sections: [
        ...tablesOf(cells, options, COLUMNS),
        ...tablesOf(cells, options, CPU_COLUMNS, 'Processor time, ', 'Milliseconds a request, user and system, of all threads.'),
        ...(loads ? [loadSection(loads)] : []),
        memory,
      ],
      figures: { loads, cells, usage },
    };
  },
};
