/** The results of `npm run bench:ledger` as a Markdown page, which is also what is printed. Pure. */
import type { Machine } from './machine.ts';
import { table, whole } from './table.ts';

/** milliseconds */
export interface Times {
  p10: number;
  p50: number;
  p99: number;
}

/** One row: a plan, what it owns, and whether the page is new to it. */
export type LedgerPage = Times & { title: string };

export interface LedgerResults {
  machine: Machine;
  postgres: { version: string; fsync: string; synchronousCommit: string };
  /** records of the priced index */
  indexed: number;
  pages: LedgerPage[];
  prices: {
    owned: number;
    matchCount: number;
    billableRecordCount: number;
    /** of a process that has not read the pool's holdings yet, and of one that has */
    firstReadMs: number;
    laterReadMs: number;
    holdingsMegabytes: number;
    priceP50Ms: number;
    priceP99Ms: number;
    peakMegabytes: number;
  }[];
}

const milliseconds = (value: number) => (value < 10 ? value.toFixed(2) : whole(value));

export const ledgerPageTable = (pages: readonly LedgerPage[]) =>
  table(
    ['page of 100', 'p10 ms', 'p50 ms', 'p99 ms'],
    pages.map(({ title, p10, p50, p99 }) => [title, ...[p10, p50, p99].map(milliseconds)]),
  );

const priceTable = ({ prices }: LedgerResults) =>
  table(
    ['owned', 'matches', 'billable', 'first read ms', 'later read ms', 'kept MB', 'price p50 ms', 'price p99 ms', 'process peak MB'],
    prices.map((row) => [
      whole(row.owned),
      whole(row.matchCount),
      whole(row.billableRecordCount),
      milliseconds(row.firstReadMs),
      milliseconds(row.laterReadMs),
      whole(row.holdingsMegabytes),
      milliseconds(row.priceP50Ms),
      milliseconds(row.priceP99Ms),
      whole(row.peakMegabytes),
    ]),
  );

export function markdown(results: LedgerResults): string {
  const { machine, postgres, indexed, pages, prices } = results;
  const priced = prices.length
    ? `\n## Pricing

An index of ${whole(indexed)} records of which half match. *First read* loads what the pool owns into a process that has not seen it; *later read*
asks for what changed since. *Price* is everything behind \`GET /projects/count\` but parsing.

${priceTable(results)}
`
    : '';
  return `# The ledger's cost

\`npm run bench:ledger\` on ${machine.date}, commit ${machine.commit}. ${machine.cores} cores (${machine.processor}), ${machine.memoryGibibytes} GiB,
${machine.system}, Node ${machine.node}, Postgres ${postgres.version} (fsync ${postgres.fsync}, synchronous_commit ${postgres.synchronousCommit}), Elasticsearch
${machine.elasticsearch}. Servers and client share the cores; the load average was ${machine.loadAverageBefore.toFixed(1)}.

## A page of 100 records

All that metering adds to a page: hashing, one statement to Postgres, reading its answer. Without a ledger a page has none of it. On a busy
machine p10 is nearer to what the work itself takes.

${ledgerPageTable(pages)}
${priced}`;
}
