/** The results as a Markdown page, which is also what is printed. Pure. */
import { CELL_TITLES, REQUESTS_PER_CELL } from './cells.ts';
import { type LedgerPage, ledgerPageTable } from './ledgerReport.ts';
import type { Loading } from './loading.ts';
import type { Machine } from './machine.ts';
import type { Measured } from './measure.ts';
import { SEGMENTS } from './settle.ts';
import { table, whole } from './table.ts';
import type { Usage } from './usageProbe.ts';

export interface Results {
  machine: Machine;
  n: number;
  seed: number;
  seconds: number;
  /** absent where the corpus was reused */
  load?: { loader: Loading; bare: Omit<Loading, 'peakBytes'> } | undefined;
  cells: Measured[];
  api: Usage;
  ledger: LedgerPage[];
}

const MEBIBYTE = 2 ** 20;
const BUSY_SHARE = 0.1;
const two = (value: number) => value.toFixed(2);
const milliseconds = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(1));
const mebibytes = (bytes: number) => `${whole(bytes / MEBIBYTE)} MiB`;

function cellTable(cells: readonly Measured[]): string {
  const head = [
    '',
    'raw /s',
    'API /s',
    'ratio',
    'raw p50',
    'API p50',
    'ratio',
    'raw p99',
    'API p99',
    'parsed /s',
    'API to parsed',
    'API CPU',
    'KiB raw',
    'KiB API',
  ];
  const rows = cells.map(({ cell, raw, parsed, api, apiCpuMilliseconds }) => [
    CELL_TITLES[cell],
    whole(raw.requestsPerSecond),
    whole(api.requestsPerSecond),
    two(api.requestsPerSecond / raw.requestsPerSecond),
    milliseconds(raw.p50Milliseconds),
    milliseconds(api.p50Milliseconds),
    two(api.p50Milliseconds / raw.p50Milliseconds),
    milliseconds(raw.p99Milliseconds),
    milliseconds(api.p99Milliseconds),
    whole(parsed.requestsPerSecond),
    two(api.requestsPerSecond / parsed.requestsPerSecond),
    two(apiCpuMilliseconds),
    whole(raw.bytesPerAnswer / 1024),
    whole(api.bytesPerAnswer / 1024),
  ]);
  return table(head, rows);
}

function loadTable({ loader, bare }: NonNullable<Results['load']>): string {
  const rate = ({ records, seconds }: Omit<Loading, 'peakBytes'>) => records / seconds;
  return table(
    ['', 'records', 'seconds', 'records /s', 'of the bare rate', 'peak memory'],
    [
      [
        'Loader (`ingest load --activate`)',
        whole(loader.records),
        loader.seconds.toFixed(1),
        whole(rate(loader)),
        two(rate(loader) / rate(bare)),
        mebibytes(loader.peakBytes),
      ],
      ['Bare bulk load', whole(bare.records), bare.seconds.toFixed(1), whole(rate(bare)), '', ''],
    ],
  );
}

function heading({ machine, n, seed, seconds }: Results): string {
  const { busyBefore } = machine;
  const busy = `${Math.round(100 * busyBefore)} % busy${busyBefore > BUSY_SHARE ? ', which lengthens every hop between processes: take the figures again on a quiet machine' : ''}`;
  return `# Benchmark

\`npm run bench\` on ${machine.date}, commit ${machine.commit}: ${whole(n)} made-up projects (seed ${seed}), ${seconds} s a cell and side.
${machine.cores} cores (${machine.processor}), ${machine.memoryGibibytes} GiB, ${machine.system}, Node ${machine.node}, Elasticsearch ${machine.elasticsearch} with a heap of
${machine.elasticsearchHeapGibibytes} GiB. Elasticsearch, Postgres, Redis, the API and the load generator share these cores. Other work kept them ${busy} before the run.

*raw* sends Elasticsearch the very requests that the API sends it (recorded from the API, ${REQUESTS_PER_CELL} different ones a row, rotated) and reads the
bytes of the answer without parsing them; *parsed* does the same and parses the JSON; *API* asks one API process. All three run in
alternating slices of half a second, through the same client, after both sides have run warm. Times are milliseconds; *API CPU* is the processor time of the API process a
request. A page holds up to 100 records. Elasticsearch's cache of whole answers is switched off, so that counts are counted,
and the index is merged to at most ${SEGMENTS} segments, so that no merging goes on meanwhile.`;
}

export function markdown(results: Results): string {
  const { load, cells, api, ledger } = results;
  const concurrencies = [...new Set(cells.map(({ concurrency }) => concurrency))];
  const sections = concurrencies.map((wanted) => {
    const own = cells.filter(({ concurrency }) => concurrency === wanted);
    return `## ${wanted} ${wanted === 1 ? 'request' : 'requests'} in flight\n\n${cellTable(own)}`;
  });
  if (load)
    sections.push(
      `## Loading\n\nThe bare load sends the loader's final documents, made before, into one plain index with the same mapping.\n\n${loadTable(load)}`,
    );
  if (ledger.length)
    sections.push(
      `## The ledger's part of a page

What metering adds to a page of 100 records, without which it had none of it; \`npm run bench:ledger\` also measures prices.

${ledgerPageTable(ledger)}`,
    );
  sections.push(`## Memory\n\nAPI process after the run: ${mebibytes(api.residentBytes)} resident, at most ${mebibytes(api.peakBytes)}.`);
  return `${[heading(results), ...sections].join('\n\n')}\n`;
}
