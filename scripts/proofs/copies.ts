/** The copies that a proof keeps by sync: who keeps them, how they walk, and what is wrong with them at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LicencePlaces, PlanId } from '../../src/core/domain/plans.ts';
import { audit } from '../../src/core/ledger/audit.ts';
import { IndexNames } from '../../src/core/store/elastic/indices.ts';
import { type Account, type Elastic, elasticFor, type Sandbox } from '../lib/sandbox.ts';
import { Random } from '../sample/random.ts';
import { chargedTo, readCharges } from './charges.ts';
import { againstIndex, type ClientKind, KINDS, readIndex } from './clients.ts';
import { type Difference, differences, selfCheck } from './compare.ts';
import { Copy, type Sabotage } from './copy.ts';

const IDLE_MS = 300;

export interface Kept {
  kind: ClientKind;
  copy: Copy;
}

export interface CopyPlan {
  clients: number;
  seed: number;
  /** of the first client, the second …; undefined for one that keeps its copy well */
  sabotage?: (Sabotage | undefined)[];
}

/** What is wrong at the end. */
export interface Found {
  /** records that the index serves */
  served: number;
  missing: number;
  stale: number;
  duplicated: number;
  charged: number;
  /** copies that were spoilt on purpose after the comparison, each of which it saw */
  spoilt: number;
  problems: string[];
}

export type MakeAccount = (plan: PlanId, licence?: LicencePlaces) => Promise<Account>;

export async function makeCopies(
  makeAccount: MakeAccount,
  { clients, seed, sabotage = [] }: CopyPlan,
  urls: readonly string[],
): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (let at = 0; at < clients; at++) {
    const kind = KINDS[at % KINDS.length] as ClientKind;
    const shared: Pick<Account, 'key' | 'teamId'> | undefined = kind.sharesPool ? kept[0]?.copy.plan : undefined;
    const account = shared ?? (await makeAccount(kind.plan, kind.licence));
    const plan = { name: `${at + 1} (${kind.name})`, parameters: kind.parameters, key: account.key, teamId: account.teamId };
    kept.push({ kind, copy: new Copy(plan, urls, new Random(seed, 'client', at), { sabotage: sabotage[at] }) });
  }
  return kept;
}

/** Walks on and on until `until` aborts; where nothing is new it waits a little. @param idleMs at most */
export async function keepUp(copy: Copy, random: Random, until: AbortSignal, signal: AbortSignal, idleMs = IDLE_MS): Promise<void> {
  while (!until.aborted) if (!(await copy.page(signal))) await sleep(random.int(0, idleMs));
}

export async function withElastic<T>(url: string, work: (client: Elastic) => Promise<T>): Promise<T> {
  const client = elasticFor(url);
  return work(client).finally(() => client.close());
}

/** Copies against fresh ones and against the index, and the books. */
export async function compareCopies(
  sandbox: Sandbox,
  elasticUrl: string,
  clients: readonly Kept[],
  urls: readonly string[],
  seed: number,
  signal: AbortSignal,
): Promise<Found> {
  const index = await withElastic(elasticUrl, (client) => readIndex(client, new IndexNames(sandbox.indexPrefix).served('projects')));
  const found: Difference[] = [];
  const charges = await readCharges(sandbox.database);
  const books = await chargeProblems(sandbox, clients, charges);
  let spoilt = 0;
  for (const { kind, copy } of clients) {
    const fresh = new Copy({ ...copy.plan, ...(await sandbox.account(kind.plan, kind.licence)) }, urls, new Random(seed, 'fresh'));
    await fresh.catchUp(signal);
    const { name } = copy.plan;
    const known = new Set<number>();
    for (const difference of [...differences(name, copy.records, fresh.records), ...againstIndex(kind, name, copy.records, index)]) {
      if (!known.has(difference.id)) found.push(difference);
      known.add(difference.id);
    }
    spoilt += selfCheck(fresh.records);
  }
  return {
    served: index.size,
    missing: found.filter(({ kind }) => kind === 'missing').length,
    stale: found.filter(({ kind }) => kind === 'stale').length,
    duplicated: charges.duplicated + books.length,
    charged: charges.ledger,
    spoilt,
    problems: [...restarted(clients), ...found.map(({ client, id, kind, what }) => `client ${client}: ${kind} ${id}: ${what}`), ...books],
  };
}

const restarted = (clients: readonly Kept[]): string[] =>
  clients.flatMap(({ copy: { plan, counts } }) =>
    counts.restarts ? [`client ${plan.name}: had to begin its copy again ${counts.restarts} times`] : [],
  );

/** The ledger against the deliveries, and against what the clients were answered. What a lost answer charged is reported to nobody. */
async function chargeProblems(
  sandbox: Sandbox,
  clients: readonly Kept[],
  charges: Awaited<ReturnType<typeof readCharges>>,
): Promise<string[]> {
  const problems = (await audit(sandbox.database)).differences.map((difference) => `ledger: ${JSON.stringify(difference)}`);
  if (charges.ledger !== charges.deliveries)
    problems.push(`ledger: ${charges.ledger} credits were taken, deliveries note ${charges.deliveries}`);
  for (const teamId of new Set(clients.map(({ copy }) => copy.plan.teamId))) {
    const members = clients.filter(({ copy }) => copy.plan.teamId === teamId).map(({ copy }) => copy.counts);
    const heard = members.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0);
    const lost = members.some((counts) => counts.lost > 0);
    const charged = await chargedTo(sandbox.database, teamId);
    if (heard > charged || (heard < charged && !lost)) problems.push(`pool ${teamId}: reported ${heard} credits, charged ${charged}`);
  }
  return problems;
}
