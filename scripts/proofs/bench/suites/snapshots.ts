/** Suite `snapshots`: the records of a snapshot a second beside the bare read of the same text from Elasticsearch, and a worker's memory. */
import { Option } from 'commander';
import type { PlanId } from '../../../../src/core/domain/plans.ts';
import type { Representation } from '../../../../src/core/domain/record/schemas.ts';
import { fetchClause, renderedFetch } from '../../../../src/core/store/elastic/renderedPages.ts';
import { someOf } from '../../../../src/terminal/program.ts';
import type { ApiClient } from '../../../lib/apiClient.ts';
import { WorkerProcess } from '../../../lib/programs.ts';
import { withTimedStep } from '../../../lib/progress.ts';
import { type FiguresRow, mebibytes, tableOfFigures } from '../../../lib/report.ts';
import type { Elastic } from '../../../lib/sandbox.ts';
import {
  type CorpusOptions,
  type CorpusRun,
  corpusOptions,
  corpusText,
  newClient,
  representationsOption,
  type Suite,
  serveCorpus,
} from '../suite.ts';

const USUAL_SIZE = 200_000;
const POLL_MS = 20;
const PAGE_RECORDS: Record<Representation, number> = { compact: 2_500, standard: 500, full: 250 };
const PIT_KEPT = '2m';
const PLANS: readonly PlanId[] = ['national', 'api_only'];
const FORMATS = ['ndjson', 'parquet'] as const;
const SET = { dateRange: 'all', includeGovernmentDecisions: true };

type Format = (typeof FORMATS)[number];

interface Options extends CorpusOptions {
  representations: Representation[];
  formats: readonly Format[];
}

interface Snapshot {
  id: string;
  recordCount: number;
  fileCount: number;
  sizeBytes: number;
  startedAt: string;
  readyAt: string;
}

/** What is built. */
interface Kind {
  plan: PlanId;
  representation: Representation;
  format: Format;
}

/** Reads the text of every record by id, and drops it. @returns milliseconds */
async function readRaw(client: Elastic, index: string, representation: Representation, signal: AbortSignal): Promise<number> {
  const fetch = renderedFetch({ representation, toShow: true });
  if (!fetch) throw new Error('A page to be shown is fetched as text');
  const { id } = await client.openPointInTime({ index, keep_alive: PIT_KEPT });
  await using closing = new AsyncDisposableStack();
  closing.defer(async () => void (await client.closePointInTime({ id })));
  const began = performance.now();
  for (let after: unknown[] | undefined; ; ) {
    signal.throwIfAborted();
    const size = PAGE_RECORDS[representation];
    const { hits } = await client.search({
      pit: { id, keep_alive: PIT_KEPT },
      size,
      track_total_hits: false,
      sort: [{ id: 'asc' }],
      ...fetchClause(fetch),
      ...(after ? { search_after: after as string[] } : {}),
    });
    after = hits.hits.at(-1)?.sort;
    if (hits.hits.length < size) return performance.now() - began;
  }
}

const take = async (client: ApiClient, filters: object, { representation, format }: Kind): Promise<Snapshot> => {
  const queued = await client.post<Snapshot>('/snapshots', { filters, representation, format });
  return client.waitForJob<Snapshot>(`/snapshots/${queued.id}`, POLL_MS);
};

/** Each is built by a worker of its own, for an account that holds nothing yet. */
async function build(run: CorpusRun, kind: Kind): Promise<FiguresRow> {
  await using worker = new WorkerProcess(run.env);
  const account = await newClient(run, kind.plan);
  const [first] = await account.get<{ id: number }[]>('/projects/search?dateRange=all&limit=1');
  await take(account, { projectIds: [first?.id] }, kind);
  const { residentBytes: idleBytes } = await worker.usage();
  const snapshot = await take(account, SET, kind);
  const { peakBytes } = await worker.usage();
  const rawMs = await readRaw(run.client, `${run.prefix}-projects`, kind.representation, run.signal);
  const { readyAt, startedAt, recordCount, fileCount, sizeBytes } = snapshot;
  const buildMs = Date.parse(readyAt) - Date.parse(startedAt);
  const perSecond = (ms: number) => (1000 * recordCount) / ms;
  return {
    representation: kind.representation,
    format: kind.format,
    plan: kind.plan,
    records: recordCount,
    files: fileCount,
    MiB: mebibytes(sizeBytes),
    'build ms': buildMs,
    'records/s': perSecond(buildMs),
    'raw records/s': perSecond(rawMs),
    'build ÷ raw': buildMs / rawMs,
    'idle MiB': mebibytes(idleBytes),
    'above idle MiB': mebibytes(peakBytes - idleBytes),
  };
}

export const snapshots: Suite<Options> = {
  name: 'snapshots',
  summary: 'records of a snapshot a second beside the bare read of the same text; memory of a worker',
  options: [
    ...corpusOptions,
    representationsOption,
    new Option('--formats <names>', `some of ${FORMATS.join(', ')}`).argParser(someOf(FORMATS)).default(FORMATS, 'all'),
  ],
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE);
    const built: FiguresRow[] = [];
    for (const representation of options.representations)
      for (const format of options.formats)
        for (const plan of PLANS) {
          const kind = { plan, representation, format };
          built.push(await withTimedStep(`Built ${representation}, ${format}, ${plan}`, () => build(run, kind)));
        }
    return {
      title: 'Snapshots',
      about: `${corpusText(run.corpus)}, each snapshot of all of them, for a team that holds none.`,
      sections: [
        tableOfFigures(
          'Snapshots and the bare read of the same text',
          '*Build* is from the start of the job to the finished files with their deliveries; *raw* is the same text, read by id from Elasticsearch in pages of the same size and dropped, whatever the format. The aims are 1,000,000 compact records in 300,000 ms and 300 MiB above idle.',
          built,
        ),
      ],
      figures: built,
    };
  },
};
