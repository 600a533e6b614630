/** What the proof found, in words. */
import type { Found } from '../proofs/copies.ts';
import type { ClientCounts } from '../proofs/copy.ts';
import type { LoadCounts } from '../proofs/loaders.ts';

export interface Result extends LoadCounts, Found {
  changes: number;
  seconds: number;
  apiRestarts: number;
  apiKills: number;
  nodeKills: number;
  clients: (ClientCounts & { name: string; held: number })[];
}

const SHOWN = 50;

export const isProven = ({ missing, stale, duplicated, problems }: Result) => missing + stale + duplicated + problems.length === 0;

export function resultText(result: Result): string {
  const { problems } = result;
  const more = problems.length - SHOWN;
  return [
    `${result.changes} changes in ${result.seconds} s; ${result.served} records are served at the end.`,
    `  loaders   ${result.loads} runs: ${result.kills} killed and run again, ${result.refusals} refused while another ran, ${result.failures} ended by an outage; ${result.fulls} full generations, ${result.rollbacks} rollbacks, ${result.renewals} renewals`,
    `  servers   API restarted ${result.apiRestarts} times in order, killed ${result.apiKills} times; Elasticsearch nodes killed ${result.nodeKills} times`,
    ...result.clients.map(
      (c) =>
        `  client ${c.name}: ${c.pages} pages, ${c.records} records, ${c.removals} removals, ${c.refused} answers 5xx and ${c.lost} lost, asked again; holds ${c.held}`,
    ),
    `  ledger    ${result.charged} credits charged`,
    `  check     ${result.spoilt} copies spoilt on purpose, all found`,
    ...problems.slice(0, SHOWN),
    ...(more > 0 ? [`… and ${more} more`] : []),
    `missing ${result.missing}, stale ${result.stale}, duplicated charges ${result.duplicated}`,
  ].join('\n');
}
