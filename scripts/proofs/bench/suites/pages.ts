/** Suite `pages`: the API, Elasticsearch asked in the ordinary way and with the very same requests; the loader and a bare bulk load. */

import { rmSync } from 'node:fs';
import path from 'node:path';
import { Option } from 'commander';
import { someOf } from '../../../../src/terminal/program.ts';
import { whole } from '../../../../src/terminal/table.ts';
import { ApiProcess } from '../../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../../lib/progress.ts';
import { mebibytes, type ReportSection } from '../../../lib/report.ts';
import { removeIndices } from '../../../lib/sandbox.ts';
import type { Usage } from '../../../lib/usageProbe.ts';
import { CELL_NAMES, CELL_TITLES, type CellName, needsNewPool, pathsOf, REQUESTS_PER_CELL } from '../cells.ts';
import {
  type Corpus,
  type Loading,
  loadIntoPlainIndex,
  loadWithLoader,
  makeCorpus,
  SEGMENTS,
  waitForMerges,
  writeDocuments,
  writeGeneration,
} from '../corpus.ts';
import { adoptIndex, CorpusHome, type KeptFiles, keepOption, reuseOption } from '../loaded.ts';
import { type Cell, type Measured, measure, SIDES_HEAD, sidesRow, twoDecimals, warmUp } from '../measure.ts';
import { withPlainSource } from '../plain.ts';
import { apiRequest } from '../recorder.ts';
import { recordCells } from '../recording.ts';
import {
  type Bench,
  concurrencyOption,
  cpuProfOption,
  type LoadOptions,
  nodeOptionsOf,
  type Suite,
  secondsOption,
  seedOption,
  sizesOption,
} from '../suite.ts';

const USUAL_SIZE = 200_000;

interface Options extends LoadOptions, KeptFiles {
  only: CellName[];
}

interface Run extends Bench {
  options: Options;
  corpus: Corpus;
  home: CorpusHome;
}

interface Loads {
  loader: Loading;
  bare: Omit<Loading, 'peakBytes'>;
}

/** Makes and loads the corpus, and measures both loads. */
async function load(run: Run): Promise<Loads> {
  const { client, corpus, home, sandbox, signal } = run;
  const { folder, prefix } = home;
  const files = { generation: path.join(folder, 'generation.ndjson'), documents: path.join(folder, 'documents.ndjson') };
  const env = sandbox.environment(undefined, prefix);
  await removeIndices(client, prefix);
  try {
    await withProgress('Made the projects', corpus.n, (done) => writeGeneration(corpus, files.generation, done, signal));
    const loader = await withTimedStep('Loaded them', () => loadWithLoader(env, files.generation, signal));
    await withProgress('Made their documents', corpus.n, (done) => writeDocuments(corpus, files.documents, done, signal));
    const bare = await withTimedStep('Bulk-loaded these', () => loadIntoPlainIndex(client, `${prefix}-bare`, files.documents));
    home.loaded(corpus);
    return { loader, bare };
  } finally {
    for (const file of Object.values(files)) rmSync(file, { force: true });
  }
}

async function measureCells(run: Run): Promise<{ cells: Measured[]; usage: Usage }> {
  const { options, servers, corpus, home, sandbox, signal } = run;
  const env = (url: string) => sandbox.environment(url, home.prefix);
  const cells: Omit<Cell, 'raw'>[] = [];
  for (const name of options.only) {
    const paths = pathsOf(name, corpus);
    const requestsOfNewPool = async () => {
      const { key } = await sandbox.account('api_only');
      return paths.map((of) => apiRequest(of, key));
    };
    cells.push({ name, api: await requestsOfNewPool(), ...(needsNewPool(name) ? { requestsOfNewPool } : {}) });
  }
  const sent = await withTimedStep('Recorded the requests', () =>
    recordCells(cells, { elasticsearchUrl: servers.elasticsearchUrl, env, signal }),
  );
  const recorded = sent.map(withPlainSource);
  const api = await ApiProcess.start(env(servers.elasticsearchUrl), signal, { nodeOptions: nodeOptionsOf(options) });
  try {
    const sides = { elasticsearchUrl: servers.elasticsearchUrl, api, servers };
    await withTimedStep('Warmed both up', () => warmUp(recorded, sides, signal));
    const measured: Measured[] = [];
    await withProgress('Measured', recorded.length * options.concurrency.length, async (done) => {
      for (const concurrency of options.concurrency)
        for (const cell of recorded) {
          measured.push(await measure(cell, sides, concurrency, options.seconds, signal));
          done(measured.length);
        }
    });
    return { cells: measured, usage: await api.usage() };
  } finally {
    await api.end();
  }
}

const CELL_HEAD = ['', ...SIDES_HEAD, 'same /s', 'API to same', 'KiB raw', 'KiB API'];

const cellRow = ({ cell, raw, same, api }: Measured) => [
  CELL_TITLES[cell as CellName],
  ...sidesRow({ raw, api }),
  whole(same.requestsPerSecond),
  twoDecimals(api.requestsPerSecond / same.requestsPerSecond),
  whole(raw.bytesPerAnswer / 1024),
  whole(api.bytesPerAnswer / 1024),
];

const CPU_HEAD = ['', 'raw: Elasticsearch', 'API: Elasticsearch', 'Postgres', 'Redis', 'API process'];

const cpuRow = ({ cell, apiCpuMilliseconds, serverCpuMilliseconds: { raw, api } }: Measured) => [
  CELL_TITLES[cell as CellName],
  ...[raw.elasticsearch, api.elasticsearch, api.postgres, api.redis, apiCpuMilliseconds].map((ms) =>
    ms === undefined ? '' : twoDecimals(ms),
  ),
];

function loadSection({ loader, bare }: Loads): ReportSection {
  const rate = ({ records, seconds }: Omit<Loading, 'peakBytes'>) => records / seconds;
  const row = (title: string, load: Omit<Loading, 'peakBytes'>) => [title, whole(load.records), load.seconds.toFixed(1), whole(rate(load))];
  return {
    title: 'Loading',
    text: "The bare load sends the loader's final documents, made before, into one plain index with the same mapping.",
    head: ['', 'records', 'seconds', 'records /s', 'of the bare rate', 'peak MiB'],
    rows: [
      [...row('Loader (`ingest load --activate`)', loader), twoDecimals(rate(loader) / rate(bare)), mebibytes(loader.peakBytes)],
      [...row('Bare bulk load', bare), '', ''],
    ],
  };
}

const describe = ({ n, seed }: Corpus, seconds: number) => `${whole(n)} made-up projects (seed ${seed}), ${seconds} s a cell and side.

*raw* asks Elasticsearch for the same records in the ordinary way, with a filtered \`_source\`, and reads the bytes of the answer without parsing
them; *same* sends it the very requests that the API sends (recorded from the API, ${REQUESTS_PER_CELL} different ones a row, rotated), of which raw's are made;
*API* asks one API process, for each row by another pool whose records are charged; what it was delivered before is free. The last two rows are
first deliveries: each round of requests is asked by a pool that holds nothing. All three run in alternating slices of half a second, through the same client, after both sides have run warm. Times are milliseconds. A page holds up to 100 records. Elasticsearch's cache of whole answers is switched off, so that
counts are counted, and the index is merged to at most ${SEGMENTS} segments, so that no merging goes on meanwhile.`;

async function measureAll(run: Run) {
  const kept = await run.home.keptDay();
  if (kept) run.corpus.today = kept;
  const loads = kept ? undefined : await load(run);
  if (kept) await adoptIndex(run.sandbox, run.home.prefix, run.signal);
  await withTimedStep('Settled the index', () => waitForMerges(run.client, `${run.home.prefix}-projects`));
  return { loads, ...(await measureCells(run)) };
}

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
    const corpus = makeCorpus(options.n?.[0] ?? USUAL_SIZE, options.seed);
    const home = new CorpusHome(bench, corpus, options);
    const run: Run = { ...bench, options, corpus, home };
    try {
      const figures = await measureAll(run);
      const { loads, cells, usage } = figures;
      const sections = options.concurrency.map((wanted) => ({
        title: `${wanted} ${wanted === 1 ? 'request' : 'requests'} in flight`,
        head: CELL_HEAD,
        rows: cells.filter(({ concurrency }) => concurrency === wanted).map(cellRow),
      }));
      const cpu = options.concurrency.map((wanted) => ({
        title: `Processor time, ${wanted} in flight`,
        text: 'Milliseconds a request, user and system, of all threads.',
        head: CPU_HEAD,
        rows: cells.filter(({ concurrency }) => concurrency === wanted).map(cpuRow),
      }));
      const memory: ReportSection = {
        title: 'Memory',
        head: ['', 'resident MiB', 'at most MiB'],
        rows: [['API process after the run', mebibytes(usage.residentBytes), mebibytes(usage.peakBytes)]],
      };
      return {
        title: 'Pages of the API',
        about: describe(corpus, options.seconds),
        sections: [...sections, ...cpu, ...(loads ? [loadSection(loads)] : []), memory],
        figures,
      };
    } finally {
      await home.leave();
    }
  },
};
