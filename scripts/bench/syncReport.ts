/** The results of `npm run bench:sync` as a Markdown page, which is also what is printed. Pure. */
import type { Loading } from './loading.ts';
import type { Machine } from './machine.ts';
import type { Order, Ordered } from './orders.ts';
import type { Switched } from './switching.ts';
import { table, whole } from './table.ts';
import type { Walk } from './walks.ts';

export interface Sized {
  n: number;
  load: Loading;
  walks: Walk[];
  switching: { load: Loading; switches: Switched[] } | undefined;
}

export interface SyncResults {
  machine: Machine;
  orders: Ordered[];
  sizes: Sized[];
}

const MEBIBYTE = 2 ** 20;
const ms = (value: number | null) => (value === null ? '' : value.toFixed(1));

const ORDER_TITLES: Record<Order, string> = {
  none: 'none',
  walk: 'of a walk (lastUpdated, id)',
  meeting: 'of a default search (meetingDate, lastUpdated, id)',
};

const orderTable = (orders: readonly Ordered[]) =>
  table(
    ['order', 'loaded /s', 'walked compact /s', 'default search p50 ms', 'MiB on disk'],
    orders.map(({ order, records, loadSeconds, walkPerSecond, searchP50Ms, diskBytes }) => [
      ORDER_TITLES[order],
      whole(records / loadSeconds),
      whole(walkPerSecond),
      ms(searchP50Ms),
      whole(diskBytes / MEBIBYTE),
    ]),
  );

const loadTable = (sizes: readonly Sized[]) =>
  table(
    ['load', 'records', 'seconds', 'records /s', 'peak memory MiB'],
    sizes
      .flatMap(({ load, switching }) => [
        { title: 'first generation', ...load },
        ...(switching ? [{ title: 'second, compared with the first', ...switching.load }] : []),
      ])
      .map(({ title, records, seconds, peakBytes }) => [
        title,
        whole(records),
        whole(seconds),
        whole(records / seconds),
        whole(peakBytes / MEBIBYTE),
      ]),
  );

const HOW = { api: 'API', search_after: 'raw search_after', slices: 'raw, 2 slices of a point in time' };

const walkTable = (walks: readonly Walk[]) =>
  table(
    ['walk', 'records /s', 'of raw search_after', 'ms a page, first tenth', 'last tenth'],
    walks.map(({ representation, how, recordsPerSecond, firstMs, lastMs }) => {
      const raw = walks.find((walk) => walk.representation === representation && walk.how === 'search_after');
      const share = raw ? (recordsPerSecond / raw.recordsPerSecond).toFixed(2) : '';
      return [`${representation}: ${HOW[how]}`, whole(recordsPerSecond), share, ms(firstMs), ms(lastMs)];
    }),
  );

const switchTable = (switches: readonly Switched[]) =>
  table(
    ['command', 'seconds', 'answers meanwhile', 'failed', 'mixed', 'longest ms'],
    switches.map(({ command, seconds, requests, failed, failures, mixed, longestMs }) => [
      command,
      seconds.toFixed(1),
      whole(requests),
      [whole(failed), ...failures].join(', '),
      whole(mixed),
      whole(longestMs),
    ]),
  );

export function markdown({ machine, orders, sizes }: SyncResults): string {
  const busy = `${Math.round(machine.busyBefore * 100)} %`;
  const sections = [
    `# Loading, walking and switching

\`npm run bench:sync\` on ${machine.date}, commit ${machine.commit}. ${machine.cores} cores (${machine.processor}), ${machine.memoryGibibytes} GiB,
${machine.system}, Node ${machine.node}, Elasticsearch ${machine.elasticsearch} with a heap of ${machine.elasticsearchHeapGibibytes} GiB. Servers and clients share the cores; other work
kept them ${busy} busy before the run. Pages of 100 records, one after the other.`,
    `## Loads\n\n${loadTable(sizes)}`,
    ...sizes.filter(({ walks }) => walks.length).map(({ n, walks }) => `## Walks of ${whole(n)} records\n\n${walkTable(walks)}`),
    ...sizes.flatMap(({ n, switching }) =>
      switching
        ? [
            `## Switching ${whole(n)} records

Eight connections ask, each a tenth of a second after its last answer. *Mixed* are answers that show neither what was served before nor what is served after.\n\n${switchTable(switching.switches)}`,
          ]
        : [],
    ),
  ];
  if (orders.length)
    sections.push(
      `## Order of documents on disk\n\n${whole(orders[0]?.records ?? 0)} final documents in a plain index, by its \`index.sort\`.\n\n${orderTable(orders)}`,
    );
  return `${sections.join('\n\n')}\n`;
}
