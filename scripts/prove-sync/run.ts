/** The proof itself: everything at once, then the comparison. */
import { GenerationStore } from '../../ingest/write/generations.ts';
import { serviceToday } from '../../src/core/domain/serviceClock.ts';
import { IndexNames } from '../../src/core/store/elastic/indices.ts';
import { root, Sandbox } from '../lib/sandbox.ts';
import { Apis } from '../proofs/apis.ts';
import { watchCharges } from '../proofs/charges.ts';
import { Cluster } from '../proofs/cluster.ts';
import { compareCopies, keepUp, makeCopies, withElastic } from '../proofs/copies.ts';
import { Loaders } from '../proofs/loaders.ts';
import { schedule } from '../proofs/schedule.ts';
import { World } from '../proofs/world.ts';
import { Random } from '../sample/random.ts';
import type { ServerUrls } from '../stack/index.ts';
import type { Options } from './options.ts';
import type { Result } from './report.ts';

/** Where Elasticsearch is, and how to learn of a node that is up. */
interface Search {
  urls: readonly string[];
  anyUrl: () => string;
  cluster: Cluster | undefined;
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
    beside: random('renewals'),
    signal: stop,
  });
  await loaders.loadFull([world.header(1, 'full'), ...world.first(Math.min(20_000, Math.max(300, options.changes / 10))).lines]);
  const environments = [0, 1].map((at) => sandbox.environment(search.urls[at % search.urls.length] as string));
  const apis = await Apis.start(environments, search.cluster !== undefined, stop);
  try {
    const clients = await makeCopies((plan, licence) => sandbox.account(plan, licence), options, apis.urls);
    const loaded = new AbortController();
    const work = async () => {
      const changes = await schedule({
        world,
        loaders,
        options,
        search: () => generations(sandbox, search),
        random: random('schedule'),
        renews: true,
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
    const found = await compareCopies(sandbox, search.anyUrl(), clients, apis.urls, options.seed, stop);
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

const generations = (sandbox: Sandbox, search: Search) =>
  withElastic(search.anyUrl(), (client) => new GenerationStore(client, new IndexNames(sandbox.indexPrefix)).read());
