/** `npm run prove-sync`: copies kept by sync while loaders, API processes and, where wanted, Elasticsearch nodes are killed. */
import { Option } from 'commander';
import { makeProgram, wholeNumber } from '../../../src/terminal/program.ts';
import type { FaultPlan } from './faults.ts';
import { COPY_SABOTAGES, type CopySabotage } from './keptCopy.ts';
import { runProfile } from './main.ts';
import type { ProofProfile } from './profile.ts';

const RECORDS = { least: 300, most: 20_000 };
const RESTARTS: FaultPlan = { everySeconds: { least: 4, most: 25 }, seconds: { least: 0, most: 0 }, only: ['API restarted', 'API killed'] };
const WORKER_KILLS: FaultPlan = { everySeconds: { least: 3, most: 15 }, seconds: { least: 0, most: 2 }, only: ['worker killed'] };
/** Pages between two snapshots of a copy, about. */
const PAGES_A_SNAPSHOT = 25;
const NODE_KILLS: FaultPlan = {
  everySeconds: { least: 9, most: 37 },
  seconds: { least: 1, most: 12 },
  only: ['Elasticsearch node killed'],
};

export interface ProveSyncOptions {
  /** records that increments add, change, delete or merge, in all */
  changes: number;
  clients: number;
  seed: number;
  nodes: '1' | '3';
  /** after which no further load begins */
  minutes: number;
  /** whether copies are begun, and now and then begun again, by a snapshot; a number for so many of them, the first ones */
  snapshots?: boolean | number;
  json: boolean;
  /** of the first client, the second …; undefined for one that keeps its copy well */
  sabotage?: (CopySabotage | undefined)[];
}

const EXAMPLES = `
Examples:
  npm run prove-sync                             100,000 changes, 4 clients
  npm run prove-sync -- --changes 2000           a quick look
  npm run prove-sync -- --nodes 3 --minutes 10   three Elasticsearch nodes of its own, one of them killed now and then
  npm run prove-sync -- --snapshots              copies that begin by a snapshot and go on from its cursor
  npm run prove-sync -- --seed 42                the same loads and the same clients again; moments of kills depend on the machine

What it does: loaders commit increments, full generations and rollbacks, renew the index beside them, and are killed at random moments. Meanwhile clients
keep copies by GET /projects/sync with small pages, through two API processes that are restarted and killed. When the loads are done and
every client has walked to the end, each copy is compared with the index, field by field, and the ledger with what was delivered.
No load changes a meeting date alone: that moves neither contentRevision nor lastUpdated, so that no copy learns of it.

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices, schema and
Redis keys are its own and are removed at the end. Exit code 0: nothing missing, nothing stale, nothing charged twice.`;

const readOptions = (): ProveSyncOptions =>
  makeProgram(
    'npm run prove-sync --',
    'Proves that copies kept by GET /projects/sync are exactly right, whatever is loaded, killed and restarted meanwhile.',
    EXAMPLES,
  )
    .option('--changes <number>', 'records that increments add, change, delete or merge', wholeNumber(100, 10_000_000), 100_000)
    .option('--clients <number>', 'clients that keep a copy each', wholeNumber(1, 32), 4)
    .option('--seed <number>', 'the same seed gives the same loads', wholeNumber(0, 999_999_999), 1)
    .addOption(new Option('--nodes <number>', 'Elasticsearch nodes; 3 are started here, and killed').choices(['1', '3']).default('1'))
    .option('--minutes <number>', 'begin no further load after so long', wholeNumber(1, 1440), 60)
    .option('--snapshots', 'begin copies by snapshots, again and again, whose workers are killed', false)
    .option('--json', 'print the result as JSON', false)
    .addOption(
      new Option('--sabotage <kind...>', 'spoil copies on purpose, the first, the second …: the proof has to fail')
        .choices(COPY_SABOTAGES)
        .hideHelp(),
    )
    .parse()
    .opts<ProveSyncOptions>();

export function proveSyncProfile(options: Omit<ProveSyncOptions, 'json'>): ProofProfile {
  const { changes, clients, seed, nodes, minutes, snapshots, sabotage } = options;
  return {
    purpose: 'prove',
    seed,
    records: Math.min(RECORDS.most, Math.max(RECORDS.least, changes / 10)),
    loads: { changes, minutes, pauseMs: 500, changesPerSwitch: 12_500, batchMax: 2000, hasMerges: true },
    copies: clients,
    copyIdleMs: 300,
    hasVisits: false,
    snapshotHabit: snapshots ? { pages: PAGES_A_SNAPSHOT, copies: snapshots === true ? clients : snapshots } : undefined,
    faults: [RESTARTS, ...(nodes === '3' ? [NODE_KILLS] : []), ...(snapshots ? [WORKER_KILLS] : [])],
    hasCluster: nodes === '3',
    progressSeconds: 10,
    copySabotage: sabotage,
  };
}

if (import.meta.main)
  await runProfile(() => {
    const { json, ...options } = readOptions();
    return { profile: proveSyncProfile(options), json };
  });
