/** Suite `sync`: loading, walking and switching a corpus of any size, and raw Elasticsearch, in the same run. */

import { Option } from 'commander';
import { ACCEPT_OPTIONS } from '../../../../ingest/findings/acceptance.ts';
import type { Rebuilt } from '../../../../ingest/recover/rebuild.ts';
import type { Representation } from '../../../../src/core/domain/record/schemas.ts';
import { whole } from '../../../../src/terminal/textTable.ts';
import { ApiProcess, runIngestSuccessfully } from '../../../lib/programs.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { type FiguresRow, mebibytes, type ReportSection, ratio, tableOfFigures } from '../../../lib/report.ts';
import { removeIndices } from '../../../lib/sandbox.ts';
import { type Corpus, type Loading, loadWithLoader, makeCorpus, projectLines, restatedLines, settleIndex, writeLines } from '../corpus.ts';
import { type Bench, representationsOption, type Suite, seedOption, sizesOption } from '../suite.ts';
import { measureSwitch } from '../switching.ts';
import { type BenchWalk, measureWalks } from '../walks.ts';

const USUAL_SIZES = [200_000, 1_000_000];

interface Options {
  n?: number[];
  seed: number;
  representations: Representation[];
  switch: boolean;
  walk: boolean;
}

interface Run extends Bench {
  options: Options;
  sizes: number[];
  key: string;
}

interface Sized {
  n: number;
  load: Loading;
  /** what is measured besides the switches */
  further: { walks: BenchWalk[]; rebuilt: Loading; restated: Loading } | undefined;
  switching: { load: Loading; switches: FiguresRow[] } | undefined;
}

/** One line of this number says something new in an extraction that follows another. */
const ONE_CHANGED_OF = 50;

/** Makes a generation of the corpus and loads it. */
async function loadLines(
  { sandbox, signal }: Run,
  corpus: Corpus,
  generation: number,
  lines: Iterable<object>,
  isServed: boolean,
): Promise<Loading> {
  using written = await writeLines(`Made generation ${generation}`, corpus, lines, sandbox.folder, signal);
  return await withTimedStep('Loaded it', () => loadWithLoader(sandbox.environment(), written.file, signal, isServed));
}

/** What is served is lost, and built again from the state file that its load kept. */
async function rebuild({ client, sandbox, signal }: Run): Promise<Loading> {
  await removeIndices(client, sandbox.indexPrefix);
  const { output, seconds, peakBytes } = await runIngestSuccessfully(sandbox.environment(), ['rebuild', '--json'], sandbox.folder, signal);
  return { records: (JSON.parse(output) as Rebuilt).records, seconds, peakBytes };
}

/** What is served made again, and further full generations served and taken back, while clients ask: one that differs much, and one that does not. */
async function switching(run: Run, url: string, corpus: Corpus): Promise<NonNullable<Sized['switching']>> {
  const { sandbox, key, signal } = run;
  const command =
    (...args: string[]) =>
    (onOutput: () => void) =>
      runIngestSuccessfully(sandbox.environment(), args, sandbox.folder, signal, { onOutput });
  const renewed = await measureSwitch(url, key, ['renew', command('renew')]);
  const load = await loadLines(run, corpus, 2, projectLines(corpus, 2), false);
  const activated = await measureSwitch(url, key, ['activate', command('activate', '2', ...ACCEPT_OPTIONS)]);
  const rolledBack = await measureSwitch(url, key, ['rollback, two of five differ', command('rollback')]);
  await loadLines(run, corpus, 3, restatedLines(corpus, { generation: 3 }), true);
  const unchanged = await measureSwitch(url, key, ['rollback, none differs', command('rollback')]);
  return { load, switches: [renewed, activated, rolledBack, unchanged] };
}

const walkAndRebuild = async (run: Run, url: string, representations: readonly Representation[]) => ({
  walks: await measureWalks(run, { url, key: run.key }, representations),
  rebuilt: await withTimedStep('Rebuilt the index', () => rebuild(run)),
});

async function measureSize(run: Run, n: number): Promise<Sized> {
  const { options, sizes, client, sandbox, signal } = run;
  const corpus = makeCorpus(n, options.seed);
  const load = await loadLines(run, corpus, 1, projectLines(corpus, 1), true);
  await settleIndex(client, sandbox.indexPrefix);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => removeIndices(client, sandbox.indexPrefix));
  const { url } = closing.use(await ApiProcess.start(sandbox.environment(), signal));
  const representations = n === sizes[0] ? options.representations : options.representations.slice(0, 1);
  const walked = options.walk ? await walkAndRebuild(run, url, representations) : undefined;
  const switched = n === sizes.at(-1) && options.switch ? await switching(run, url, corpus) : undefined;
  const restated = restatedLines(corpus, { generation: 4, oneChangedOf: ONE_CHANGED_OF });
  const further = walked && { ...walked, restated: await loadLines(run, corpus, 4, restated, false) };
  return { n, load, further, switching: switched };
}

const loadRow = (title: string, { records, seconds, peakBytes }: Loading) => [
  title,
  whole(records),
  whole(seconds),
  whole(records / seconds),
  mebibytes(peakBytes),
];

const loadSection = (sizes: readonly Sized[]): ReportSection => ({
  title: 'Loads',
  head: ['load', 'records', 'seconds', 'records /s', 'peak memory MiB'],
  rows: sizes.flatMap(({ load, further, switching: switched }) => [
    loadRow('first generation', load),
    ...(further ? [loadRow('rebuilt after its loss', further.rebuilt)] : []),
    ...(switched ? [loadRow('second, two of five lines changed', switched.load)] : []),
    ...(further ? [loadRow('again, one of fifty lines changed', further.restated)] : []),
  ]),
});

const HOW = { api: 'API', search_after: 'raw search_after' };

const walkSection = (n: number, walked: readonly BenchWalk[]): ReportSection => ({
  title: `Walks of ${whole(n)} records`,
  head: ['walk', 'records /s', 'of raw search_after', 'ms a page, first tenth', 'last tenth'],
  rows: walked.map(({ representation, how, recordsPerSecond, firstMs, lastMs }) => {
    const raw = walked.find((walk) => walk.representation === representation && walk.how === 'search_after');
    const share = raw ? ratio(recordsPerSecond, raw.recordsPerSecond) : '';
    return [`${representation}: ${HOW[how]}`, whole(recordsPerSecond), share, firstMs.toFixed(1), lastMs.toFixed(1)];
  }),
});

const switchSection = (n: number, switches: readonly FiguresRow[]): ReportSection =>
  tableOfFigures(
    `Switching ${whole(n)} records`,
    `Eight connections ask, each a tenth of a second after its last answer. *Mixed* are answers that show neither what was served before nor what
is served then, before and after its records are stamped for sync. The p99 before is that of ten seconds in which nothing else goes on.`,
    switches,
  );

export const sync: Suite<Options> = {
  name: 'sync',
  summary: 'loads, walks, a rebuild and the switch of a generation; more than an hour at the usual sizes',
  options: [
    sizesOption,
    seedOption,
    representationsOption,
    new Option('--no-switch', 'leave out the switch of generations, at the last size'),
    new Option('--no-walk', 'leave out the walks, the rebuild and the load that no switch needs'),
  ],
  async run(bench, options) {
    const { key } = await bench.sandbox.account('national');
    const run: Run = { ...bench, options, key, sizes: options.n ?? USUAL_SIZES };
    const sizes: Sized[] = [];
    for (const n of run.sizes) sizes.push(await measureSize(run, n));
    return {
      title: 'Loading, walking and switching',
      about: 'Pages of 100 records, one after the other.',
      sections: [
        loadSection(sizes),
        ...sizes.flatMap(({ n, further }) => (further ? [walkSection(n, further.walks)] : [])),
        ...sizes.flatMap(({ n, switching: switched }) => (switched ? [switchSection(n, switched.switches)] : [])),
      ],
      figures: { sizes },
    };
  },
};
