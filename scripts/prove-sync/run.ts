/** The proof itself: everything at once, then the comparison. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GenerationStore } from '../../ingest/sets/generations.ts';
import { serviceToday } from '../../src/domain/serviceClock.ts';
import { IndexNames } from '../../src/store/elastic/indices.ts';
import { audit } from '../../src/store/postgres/audit.ts';
import { type Elastic, elasticFor, root, Sandbox } from '../lib/sandbox.ts';
import { Random } from '../sample/random.ts';
import type { ServerUrls } from '../stack/index.ts';
import { Apis } from './apis.ts';
import { chargedTo, readCharges, watchCharges } from './charges.ts';
import { againstIndex, type ClientKind, KINDS, readIndex } from './clients.ts';
import { Cluster } from './cluster.ts';
import { type Difference, differences, selfCheck } from './compare.ts';
import { Copy } from './copy.ts';
import { Loaders } from './loaders.ts';
import type { Options } from './options.ts';
import type { Result } from './report.ts';
import { schedule } from './schedule.ts';
import { World } from './world.ts';

const IDLE_MS = 300;

/** Where Elasticsearch is, and how to learn of a node that is up. */
interface Search {
  urls: readonly string[];
  anyUrl: () => string;
  cluster: Cluster | undefined;
}

interface Kept {
  kind: ClientKind;
  copy: Copy;
}

export async function prove(options: Options, servers: ServerUrls, signal: AbortSignal, report: (line: string) => void): Promise<Result> {
  const cluster = options.nodes === 3 ? await Cluster.start(root, report, signal) : undefined;
  const search: Search = cluster
    ? { urls: cluster.urls, anyUrl: () => cluster.anyUrl, cluster }
    : { urls: [servers.elasticsearchUrl], anyUrl: () => servers.elasticsearchUrl, cluster: undefined };
  let sandbox: Sandbox | undefined;
  try {
    sandbox = await Sandbox.make(servers, 'prove');
    await watchCharges(sandbox.database);
    return await proveOn(sandbox, search, options, signal, report);
  } finally {
    await sandbox?.remove(cluster ? null : undefined);
    await cluster?.stop();
  }
}

async function proveOn(
  sandbox: Sandbox,
  search: Search,
  options: Options,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<Result> {
  const began = Date.now();
  const random = (name: string) => new Random(options.seed, name);
  const world = new World(options.seed, serviceToday(new Date()));
  const failure = new AbortController();
  const stop = AbortSignal.any([signal, failure.signal]);
  const loaders = new Loaders({
    folder: sandbox.folder,
    environment: () => sandbox.environment(search.anyUrl()),
    outages: search.cluster !== undefined,
    random: random('loaders'),
    signal: stop,
  });
  await loaders.loadFull([world.header(1, 'full'), ...world.first(Math.min(20_000, Math.max(300, options.changes / 10))).lines]);
  const environments = [0, 1].map((at) => sandbox.environment(search.urls[at % search.urls.length] as string));
  const apis = await Apis.start(environments, search.cluster !== undefined, stop);
  try {
    const clients = await makeClients(sandbox, options, apis.urls);
    const loaded = new AbortController();
    const work = async () => {
      const changes = await schedule({
        world,
        loaders,
        options,
        search: () => generations(sandbox, search),
        random: random('schedule'),
        report,
        clients: clients.map(({ copy }) => copy),
        signal: stop,
      });
      loaded.abort();
      return changes;
    };
    const tasks = [
      work(),
      apis.disturb(random('apis'), loaded.signal, stop),
      search.cluster?.disturb(random('cluster'), loaded.signal, stop),
      ...clients.map(({ copy }) => keepUp(copy, random(`pace ${copy.plan.name}`), loaded.signal, stop)),
    ];
    const [changes] = (await Promise.all(tasks.map((task) => task?.catch((error) => fail(failure, error)))).finally(() =>
      failure.signal.throwIfAborted(),
    )) as [number];
    report('The loads are done; the clients walk to the end and are compared …');
    for (const { copy } of clients) await copy.catchUp(stop);
    const found = await compare(sandbox, search, clients, apis.urls, options, stop);
    return {
      changes,
      seconds: Math.round((Date.now() - began) / 1000),
      ...loaders.counts,
      apiRestarts: apis.counts.restarts,
      apiKills: apis.counts.kills,
      nodeKills: search.cluster?.kills ?? 0,
      clients: clients.map(({ copy }) => ({ name: copy.plan.name, held: copy.records.size, ...copy.counts })),
      ...found,
    };
  } finally {
    failure.abort();
    await apis.stop();
  }
}

/** The first failure ends the other tasks. */
function fail(failure: AbortController, error: unknown): never {
  failure.abort(error);
  throw error;
}

async function makeClients(sandbox: Sandbox, { clients, seed, sabotage = [] }: Options, urls: readonly string[]): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (let at = 0; at < clients; at++) {
    const kind = KINDS[at % KINDS.length] as ClientKind;
    const shared = kind.sharesPool ? kept[0]?.copy.plan : undefined;
    const account = shared ?? (await sandbox.account(kind.plan, kind.licence));
    const plan = { name: `${at + 1} (${kind.name})`, parameters: kind.parameters, key: account.key, teamId: account.teamId };
    kept.push({ kind, copy: new Copy(plan, urls, new Random(seed, 'client', at), { sabotage: sabotage[at] }) });
  }
  return kept;
}

/** Walks on and on until everything is loaded; where nothing is new it waits a little. */
async function keepUp(copy: Copy, random: Random, loaded: AbortSignal, signal: AbortSignal): Promise<void> {
  while (!loaded.aborted) if (!(await copy.page(signal))) await sleep(random.int(0, IDLE_MS));
}

async function withElastic<T>(search: Search, work: (client: Elastic) => Promise<T>): Promise<T> {
  const client = elasticFor(search.anyUrl());
  return work(client).finally(() => client.close());
}

const generations = (sandbox: Sandbox, search: Search) =>
  withElastic(search, (client) => new GenerationStore(client, new IndexNames(sandbox.indexPrefix)).read());

type Found = Pick<Result, 'missing' | 'stale' | 'duplicated' | 'charged' | 'served' | 'spoilt' | 'problems'>;

async function compare(
  sandbox: Sandbox,
  search: Search,
  clients: readonly Kept[],
  urls: readonly string[],
  { seed }: Options,
  signal: AbortSignal,
): Promise<Found> {
  const index = await withElastic(search, (client) => readIndex(client, new IndexNames(sandbox.indexPrefix).served('projects')));
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
    problems: [...found.map(({ client, id, kind, what }) => `client ${client}: ${kind} ${id}: ${what}`), ...books],
  };
}

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
