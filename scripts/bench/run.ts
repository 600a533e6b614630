/** The whole run: corpus, loads, recorded requests, measured cells; everything that it made is removed at its end. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@elastic/elasticsearch';
import { makeElastic } from '../../src/store/elastic/client.ts';
import { loadPlaces } from '../../src/store/files/places.ts';
import { Database } from '../../src/store/postgres/pool.ts';
import { UserError } from '../../src/terminal/program.ts';
import type { ServerUrls } from '../stack/index.ts';
import { type CellName, type Corpus, pathsOf } from './cells.ts';
import { usageOf } from './children.ts';
import { ask, makeTarget, type Target } from './client.ts';
import { writeDocuments, writeGeneration } from './generationFile.ts';
import { LEDGER_DEFAULTS, measureLedgerPages } from './ledgerPages.ts';
import type { LedgerPage } from './ledgerReport.ts';
import { loadBare, loadWithLoader, removeIndices } from './loading.ts';
import { describeMachine } from './machine.ts';
import { type Cell, type Measured, measure, warmUp } from './measure.ts';
import type { Options } from './options.ts';
import { withProgress } from './progress.ts';
import { type Recorder, type Request, startRecorder } from './recorder.ts';
import type { Results } from './report.ts';
import { type Account, type Api, makeAccount, startApi } from './service.ts';
import { settle } from './settle.ts';

const root = path.resolve(import.meta.dirname, '../..');
const REQUEST_TIMEOUT_MS = 120_000;

interface Run {
  options: Options;
  servers: ServerUrls;
  client: Client;
  corpus: Corpus;
  /** of every index of the run; the same for a kept corpus, so that it is found again */
  prefix: string;
  folder: string;
  signal: AbortSignal;
}

const corpusFile = ({ folder }: Run) => path.join(folder, 'corpus.json');

/** The day on which a kept corpus ends, or undefined where there is none to reuse. */
async function keptCorpus(run: Run): Promise<string | undefined> {
  const known = run.options.reuse && existsSync(corpusFile(run));
  if (!known || !(await run.client.indices.existsAlias({ name: `${run.prefix}-projects` }))) return undefined;
  return JSON.parse(readFileSync(corpusFile(run), 'utf8')).today;
}

/** Makes and loads the corpus, and measures both loads. */
async function load(run: Run): Promise<NonNullable<Results['load']>> {
  const { client, corpus, folder, prefix, servers, signal, options } = run;
  const files = { generation: path.join(folder, 'generation.ndjson'), documents: path.join(folder, 'documents.ndjson') };
  await removeIndices(client, prefix);
  try {
    await withProgress('Made the projects', options.n, (told) => writeGeneration(corpus, files.generation, told, signal));
    const loader = await withProgress('Loaded them', 1, () => loadWithLoader(servers, prefix, files.generation, signal));
    await withProgress('Made their documents', options.n, (told) => writeDocuments(corpus, files.documents, told, signal));
    const bare = await withProgress('Bulk-loaded these', 1, () => loadBare(client, `${prefix}-bare`, files.documents));
    writeFileSync(corpusFile(run), JSON.stringify({ today: corpus.today }));
    return { loader, bare };
  } finally {
    for (const file of Object.values(files)) rmSync(file, { force: true });
  }
}

async function searchesOf(target: Target, recorder: Recorder, request: Request): Promise<Request[]> {
  recorder.take();
  await ask(target, request);
  return recorder.take();
}

/** What the API asks of Elasticsearch for each of these requests; again where it also looked up what it keeps for some seconds. */
async function recordCell(api: Api, recorder: Recorder, requests: readonly Request[]): Promise<Request[]> {
  const target = makeTarget(api.url, requests, 1);
  const raw: Request[] = [];
  for (const request of requests) {
    const first = await searchesOf(target, recorder, request);
    const [sent, ...others] = first.length > 1 ? await searchesOf(target, recorder, request) : first;
    if (!sent || others.length) throw new UserError(`${request.path} became ${first.length} searches, not one.`);
    raw.push(sent);
  }
  target.agent.destroy();
  return raw;
}

/** Both sides of every cell, with an API that talks to the recorder in place of Elasticsearch. */
async function record(names: readonly CellName[], corpus: Corpus, account: Account, prefix: string): Promise<Cell[]> {
  const recorder = await startRecorder();
  let api: Api | undefined;
  try {
    api = await startApi(account, recorder.url, prefix);
    const cells: Cell[] = [];
    for (const name of names) {
      const requests = pathsOf(name, corpus).map((of) => apiRequest(of, account.key));
      cells.push({ name, raw: await recordCell(api, recorder, requests), api: requests });
    }
    return cells;
  } finally {
    await api?.stop();
    await recorder.close();
  }
}

const apiRequest = (of: string, key: string): Request => ({
  method: 'GET',
  path: `/v1${of}`,
  headers: { authorization: `Bearer ${key}` },
  body: '',
});

async function measureCells(run: Run, account: Account): Promise<Pick<Results, 'cells' | 'api'>> {
  const { options, servers, corpus, prefix, signal } = run;
  const recorded = await withProgress('Recorded the requests', 1, () => record(options.only, corpus, account, prefix));
  const profile = options.cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${path.resolve(options.cpuProf)}`] : [];
  const api = await startApi(account, servers.elasticsearchUrl, prefix, profile);
  try {
    const sides = { elasticsearchUrl: servers.elasticsearchUrl, apiUrl: api.url, api: api.child };
    await withProgress('Warmed both up', 1, () => warmUp(recorded, sides, signal));
    const cells: Measured[] = [];
    await withProgress('Measured', recorded.length * options.concurrency.length, async (told) => {
      for (const concurrency of options.concurrency)
        for (const cell of recorded) {
          cells.push(await measure(cell, sides, concurrency, options.seconds, signal));
          told(cells.length);
        }
    });
    return { cells, api: await usageOf(api.child) };
  } finally {
    await api.stop();
  }
}

/** On the schema of the run, with teams of its own. */
async function measureLedger({ databaseUrl, schema }: Account, signal: AbortSignal): Promise<LedgerPage[]> {
  const database = new Database({ url: databaseUrl, schema });
  return withProgress('Measured the ledger', 1, () => measureLedgerPages(database, LEDGER_DEFAULTS, signal)).finally(() =>
    database.close(),
  );
}

export async function runBenchmark(options: Options, servers: ServerUrls, signal: AbortSignal): Promise<Results> {
  const name = options.keep || options.reuse ? `kept_${options.n}_${options.seed}` : `${process.pid}`;
  const client = makeElastic({ url: servers.elasticsearchUrl, timeoutMs: REQUEST_TIMEOUT_MS, retries: 2 });
  const corpus = { n: options.n, seed: options.seed, today: new Date().toISOString().slice(0, 10), places: loadPlaces() };
  const folder = path.join(root, '.stack', 'bench', name);
  const run: Run = { options, servers, client, corpus, prefix: `bench-${name}`, folder, signal };
  mkdirSync(folder, { recursive: true });
  const account = await makeAccount(servers, `${process.pid}`);
  try {
    const machine = await describeMachine(client);
    const kept = await keptCorpus(run);
    if (kept) corpus.today = kept;
    const loaded = kept ? undefined : await load(run);
    await withProgress('Settled the index', 1, () => settle(client, `${run.prefix}-projects`));
    const measured = await measureCells(run, account);
    const ledger = options.ledger ? await measureLedger(account, signal) : [];
    return { machine, n: options.n, seed: options.seed, seconds: options.seconds, load: loaded, ...measured, ledger };
  } finally {
    if (!options.keep) {
      await removeIndices(client, run.prefix);
      rmSync(folder, { recursive: true, force: true });
    }
    await account.drop();
    await client.close();
  }
}
