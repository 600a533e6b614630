/** Makes the copies that customers of a proof keep by sync, keeps them up to date, and compares them at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LicencePlaces, PlanId } from '../../../src/core/domain/plans.ts';
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import { IndexNames } from '../../../src/core/store/elastic/indices.ts';
import { type Charges, readChargedCredits, readCharges } from '../../lib/charges.ts';
import { type Account, type Sandbox, withElastic } from '../../lib/sandbox.ts';
import { Random } from '../../sample/random.ts';
import { type CopyDifference, checkDetection, findDifferences } from './compare.ts';
import { COPY_KINDS, type CopyKind, compareWithIndex, readIndex } from './copyKinds.ts';
import { type CopySabotage, KeptCopy, type KeptCopyCounts } from './keptCopy.ts';

export interface CopyOfKind {
  kind: CopyKind;
  copy: KeptCopy;
}

/** Some copies are begun with a snapshot, and thrown away and begun again from time to time. */
export interface SnapshotHabit {
  /** approximate number of pages between two snapshots of a copy */
  pages: number;
  /** how many of the first copies do this */
  copies: number;
}

interface CopyPlan {
  copies: number;
  seed: number;
  /** sabotage of the first copy, the second …; undefined for none */
  sabotage?: readonly (CopySabotage | undefined)[] | undefined;
  /** use of snapshots; none by default */
  snapshotHabit?: SnapshotHabit | undefined;
}

/** The result of the comparison at the end. */
export interface CopiesReport {
  /** records that the index serves */
  served: number;
  missing: number;
  stale: number;
  /** credits that were charged twice for the same revision */
  duplicated: number;
  charged: number;
  /** number of copies that were spoilt on purpose to test the comparison, which reported each */
  spoilt: number;
  /** differences between the ledger, the deliveries and what customers were told, in words */
  books: string[];
  /** all problems, in words */
  problems: string[];
  copies: (KeptCopyCounts & { name: string; held: number })[];
}

export type MakeAccount = (plan: PlanId, licence?: LicencePlaces) => Promise<Account>;

export async function makeCopies(
  makeAccount: MakeAccount,
  { copies, seed, sabotage = [], snapshotHabit }: CopyPlan,
  urls: readonly string[],
): Promise<CopyOfKind[]> {
  const made: CopyOfKind[] = [];
  for (let at = 0; at < copies; at++) {
    const kind = COPY_KINDS[at % COPY_KINDS.length] as CopyKind;
    const shared = kind.sharesPool ? made[0]?.copy.owner : undefined;
    const { key, teamId } = shared ?? (await makeAccount(kind.plan, kind.licence));
    const owner = { name: `${at + 1} (${kind.name})`, parameters: kind.parameters, key, teamId };
    const pagesASnapshot = snapshotHabit && at < snapshotHabit.copies ? snapshotHabit.pages : undefined;
    made.push({ kind, copy: new KeptCopy(owner, urls, new Random(seed, 'client', at), { pagesASnapshot, sabotage: sabotage[at] }) });
  }
  return made;
}

/** Reads pages until `until` aborts. @param idleMs longest pause after a page without further ones */
export async function keepCopyUpToDate(
  copy: KeptCopy,
  random: Random,
  until: AbortSignal,
  signal: AbortSignal,
  idleMs: number,
): Promise<void> {
  while (!until.aborted) if (!(await copy.readPage(signal))) await sleep(random.int(0, idleMs));
}

interface Comparison {
  sandbox: Sandbox;
  /** address at which the index is read */
  elasticUrl: string;
  copies: readonly CopyOfKind[];
  urls: readonly string[];
  seed: number;
  signal: AbortSignal;
}

/** Compares every copy with a fresh one and with the index, and the ledger with the deliveries. */
export async function compareCopies(comparison: Comparison): Promise<CopiesReport> {
  const { sandbox, elasticUrl, copies, urls, seed, signal } = comparison;
  const index = await withElastic(elasticUrl, (client) => readIndex(client, new IndexNames(sandbox.indexPrefix).readAlias('projects')));
  const found: CopyDifference[] = [];
  const charges = await readCharges(sandbox.database);
  const books = await findBookProblems(sandbox, copies, charges);
  let spoilt = 0;
  for (const { kind, copy } of copies) {
    const { key, teamId } = await sandbox.account(kind.plan, kind.licence);
    const fresh = new KeptCopy({ ...copy.owner, key, teamId }, urls, new Random(seed, 'fresh'));
    await fresh.catchUp(signal);
    const { name } = copy.owner;
    const known = new Set<number>();
    const compared = findDifferences(name, copy.records, fresh.records);
    for (const difference of [...compared, ...compareWithIndex(kind, name, copy.records, index)]) {
      if (!known.has(difference.id)) found.push(difference);
      known.add(difference.id);
    }
    spoilt += checkDetection(fresh.records);
  }
  const counted = copies.map(({ copy }) => ({ name: copy.owner.name, held: copy.records.size, ...copy.counts }));
  const restarted = counted.filter(({ restarts }) => restarts > 0);
  return {
    served: index.size,
    missing: found.filter(({ kind }) => kind === 'missing').length,
    stale: found.filter(({ kind }) => kind === 'stale').length,
    duplicated: charges.duplicated,
    charged: charges.ledger,
    spoilt,
    books,
    problems: [
      ...restarted.map(({ name, restarts }) => `client ${name}: had to begin its copy again ${restarts} times`),
      ...found.map(({ client, id, kind, what }) => `client ${client}: ${kind} ${id}: ${what}`),
      ...books,
    ],
    copies: counted,
  };
}

/** Compares the ledger with the deliveries, and with `creditsUsed` of the answers; the charge of a lost answer was not reported. */
async function findBookProblems(sandbox: Sandbox, copies: readonly CopyOfKind[], charges: Charges): Promise<string[]> {
  const problems = (await auditLedger(sandbox.database)).differences.map((difference) => `ledger: ${JSON.stringify(difference)}`);
  if (charges.ledger !== charges.deliveries)
    problems.push(`ledger: ${charges.ledger} credits were taken, deliveries note ${charges.deliveries}`);
  for (const teamId of new Set(copies.map(({ copy }) => copy.owner.teamId))) {
    const members = copies.filter(({ copy }) => copy.owner.teamId === teamId).map(({ copy }) => copy.counts);
    const reported = members.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0);
    const isExact = members.every(({ lost }) => lost === 0);
    const charged = await readChargedCredits(sandbox.database, teamId);
    if (reported > charged || (reported < charged && isExact))
      problems.push(`pool ${teamId}: reported ${reported} credits, charged ${charged}`);
  }
  return problems;
}
