/** Suite `peer`: the same questions to the service and to SQLite behind Datasette, which a user could set up in an hour. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Box } from '../../../../src/core/query/clauses.ts';
import { UserError } from '../../../../src/terminal/program.ts';
import { endChild } from '../../../lib/programs.ts';
import { withProgress, withTimedStep } from '../../../lib/progress.ts';
import { installPythonTool } from '../../../lib/pythonTool.ts';
import { type ReportColumn, ratio } from '../../../lib/report.ts';
import { root } from '../../../lib/sandbox.ts';
import { freePort, HOST } from '../../../stack/ports.ts';
import { CELL_TITLES, pathsOf } from '../cells.ts';
import { apiRequest, makeTarget, type Request, sendAndRead } from '../loadGenerator.ts';
import { type Measured, measureSides, metersOf, serviceMs, sidesColumns, tablesOf, twoDecimals } from '../measure.ts';
import { sqlOf, writeDatabase } from '../peer/database.ts';
import { windowOf } from '../plain.ts';
import { type CorpusRun, corpusText, type LoadOptions, loadOptions, type Suite, serveCorpus } from '../suite.ts';
import { GENERATOR, SLICE_MS } from '../wrk.ts';

const USUAL_SIZE = 200_000;
const DATASETTE = 'datasette==0.65.5';
const READY_MS = 60_000;
const POLL_MS = 100;
const PAGES_OF_WALK = 200;
const FIRST_WARM_UP_ROUNDS = 2;

type Question = keyof ReturnType<typeof sqlOf>;
const ASKED = ['bbox', 'polygon', 'taxonomy', 'phrase'] as const satisfies Question[];

const titleOf = (cell: string) => (cell === 'walk' ? 'Walk, pages of 100, compact' : CELL_TITLES[cell as (typeof ASKED)[number]]);

interface Peer extends AsyncDisposable {
  url: string;
  /** how polygons are tested */
  polygons: string;
}

const SPATIALITE = 'mod_spatialite';
const LOAD_SPATIALITE = `import sqlite3
connection = sqlite3.connect(':memory:')
connection.enable_load_extension(True)
connection.execute("select load_extension('${SPATIALITE}')")`;

/** Whether SpatiaLite is installed, and Datasette's Python may load it: it tests polygons then instead of the plugin. */
const hasSpatialite = (program: string) =>
  spawnSync(path.join(path.dirname(program), 'python'), ['-c', LOAD_SPATIALITE], { stdio: 'ignore' }).status === 0;

/** Serves the corpus from SQLite by Datasette. */
async function startPeer({ corpus, folder, signal }: CorpusRun): Promise<Peer> {
  const program = installPythonTool(path.join(root, '.stack/peer'), DATASETTE, 'datasette');
  if (!program) throw new UserError(`${DATASETTE} cannot be installed: Python 3 with venv and a package registry are needed.`);
  const spatialite = hasSpatialite(program);
  const [file, metadata] = [path.join(folder, 'peer.db'), path.join(folder, 'peer.json')];
  await writeDatabase(file, corpus);
  const queries = Object.fromEntries(Object.entries(sqlOf(spatialite)).map(([name, sql]) => [name, { sql }]));
  writeFileSync(metadata, JSON.stringify({ databases: { peer: { queries } } }));
  const port = await freePort();
  const args = ['serve', '--immutable', file, '--metadata', metadata, '--host', HOST, '--port', String(port)];
  const how = spatialite ? [`--load-extension=${SPATIALITE}`] : ['--plugins-dir', path.join(import.meta.dirname, '../peer')];
  const child = spawn(program, [...args, ...how, '--setting', 'sql_time_limit_ms', '60000'], { stdio: 'ignore' });
  const peer: Peer = {
    url: `http://${HOST}:${port}`,
    polygons: spatialite ? 'SpatiaLite' : 'a function in Python',
    [Symbol.asyncDispose]: () => endChild(child, 'SIGTERM'),
  };
  for (const until = Date.now() + READY_MS; Date.now() < until; await sleep(POLL_MS)) {
    signal.throwIfAborted();
    if (
      await fetch(`${peer.url}/-/versions.json`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return peer;
  }
  await peer[Symbol.asyncDispose]();
  throw new UserError(`Datasette does not answer on ${peer.url}.`);
}

function peerRequest(question: Question, parameters: Record<string, string | number>): Request {
  const texts = Object.entries({ ...parameters, _shape: 'array' }).map(([name, value]): [string, string] => [name, String(value)]);
  return { method: 'GET', path: `/peer/${question}.json?${new URLSearchParams(texts)}`, headers: {}, body: '' };
}

function boxOf(ring: readonly (readonly [number, number])[]): Box {
  const [longitudes, latitudes] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return { west: Math.min(...longitudes), east: Math.max(...longitudes), south: Math.min(...latitudes), north: Math.max(...latitudes) };
}

function askPeer(question: (typeof ASKED)[number], of: string, today: string): Request {
  const { searchParams } = new URL(of, 'http://host');
  const read = (name: string) => searchParams.get(name) ?? '';
  const parameters = {
    bbox: () => JSON.parse(read('bbox')) as Box,
    polygon: () => ({ polygon: read('polygon'), ...boxOf(JSON.parse(read('polygon'))) }),
    taxonomy: () => ({ subtype: read('propertySubtypes') }),
    phrase: () => ({ words: `"${read('q')}"` }),
  };
  return peerRequest(question, { ...parameters[question](), ...windowOf(searchParams, today) });
}

interface PeerQuestion {
  question: Question;
  peer: Request[];
  api: Request[];
}

interface Row {
  id: number;
  lastUpdated: string;
}

/** Asks both the same. @throws UserError unless both answer with the same records in the same order @returns the last of them, and the API's cursor */
async function compare(urls: Record<'api' | 'peer', string>, ofApi: Request, ofPeer: Request) {
  const [ours, theirs] = [makeTarget(urls.api, [], 1, true), makeTarget(urls.peer, [], 1, true)];
  const [answer, { body: rows }] = [await sendAndRead(ours, ofApi), await sendAndRead(theirs, ofPeer)];
  for (const { agent } of [ours, theirs]) agent.destroy();
  const { data, meta } = answer.body as { data: Row[]; meta: { sync?: { cursor: string } } };
  const [here, there] = [data, rows as Row[]].map((records) => records?.map?.(({ id }) => id).join());
  if (here === undefined || here !== there)
    throw new UserError(`${ofApi.path} and ${ofPeer.path} answer differently: ${here} and ${there}.`);
  return { last: (rows as Row[]).at(-1), cursor: meta.sync?.cursor };
}

/** Follows both through the first pages, each by the end of its own page before. */
async function recordWalk(urls: Record<'api' | 'peer', string>, key: string): Promise<PeerQuestion> {
  const walk: PeerQuestion = { question: 'walk', peer: [], api: [] };
  let [cursor, last]: [string | undefined, Row | undefined] = [undefined, { id: 0, lastUpdated: '' }];
  while (walk.api.length < PAGES_OF_WALK && last) {
    const after = cursor ? { cursor } : {};
    const query = { dateRange: 'all', includeGovernmentDecisions: 'true', representation: 'compact', limit: '100', ...after };
    const ofApi = apiRequest(`/projects/sync?${new URLSearchParams(query)}`, key);
    const ofPeer = peerRequest('walk', { id: last.id, lastUpdated: last.lastUpdated });
    ({ cursor, last } = await compare(urls, ofApi, ofPeer));
    walk.api.push(ofApi);
    walk.peer.push(ofPeer);
  }
  return walk;
}

async function measurePeer(run: CorpusRun<LoadOptions>, peer: Peer): Promise<Measured[]> {
  const { corpus, options, signal, sandbox, servers } = run;
  const { key } = await sandbox.account('national');
  const urls = { api: run.api.url, peer: peer.url };
  const asked = ASKED.map((question): PeerQuestion => {
    const paths = pathsOf(question, corpus);
    return { question, api: paths.map((of) => apiRequest(of, key)), peer: paths.map((of) => askPeer(question, of, corpus.today)) };
  });
  await withTimedStep('Compared all answers', async () => {
    for (let round = 0; round < FIRST_WARM_UP_ROUNDS; round++)
      for (const { api, peer } of asked) for (const [i, one] of api.entries()) await compare(urls, one, peer[i] as Request);
  });
  asked.push(await withTimedStep('Compared both walks', () => recordWalk(urls, key)));
  const measured: Measured[] = [];
  const meters = metersOf(servers, urls);
  await withProgress('Measured', asked.length * options.concurrency.length, async (done) => {
    for (const concurrency of options.concurrency)
      for (const { question, api, peer } of asked) {
        const targets = { peer: makeTarget(urls.peer, peer, concurrency), api: makeTarget(urls.api, api, concurrency) };
        const round = { meters, concurrency, seconds: options.seconds, signal };
        measured.push({ cell: question, concurrency, sides: await measureSides(targets, round) });
        done(measured.length);
      }
  });
  return measured;
}

const COLUMNS: readonly ReportColumn<Measured>[] = [
  ['', ({ cell }) => titleOf(cell)],
  ...sidesColumns('peer'),
  ['CPU peer', ({ sides }) => twoDecimals(sides.peer.cpu.peer ?? Number.NaN)],
  ['CPU service', ({ sides }) => twoDecimals(serviceMs(sides.api.cpu))],
  ['ratio', ({ sides }) => ratio(serviceMs(sides.api.cpu), sides.peer.cpu.peer ?? Number.NaN)],
  ['KiB peer', ({ sides }) => (sides.peer.bytesPerAnswer / 1024).toFixed(0)],
  ['KiB API', ({ sides }) => (sides.api.bytesPerAnswer / 1024).toFixed(0)],
];

export const peer: Suite<LoadOptions> = {
  name: 'peer',
  summary: 'five questions to the service and to SQLite behind Datasette',
  options: loadOptions,
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE);
    await using peer = await startPeer(run);
    const cells = await measurePeer(run, peer);
    return {
      title: 'Beside SQLite',
      about: `${corpusText(run.corpus)}, ${options.seconds} s a cell and side, asked by ${GENERATOR}.

*peer* is ${DATASETTE.replace('==', ' ')} over an SQLite file with an R*Tree, full text (FTS5) and indices for these questions; polygons are tested exactly, by
${peer.polygons}. *API* is one process, asked with a key of the National plan. Both answered each request with the same records in the same order, which also warmed
them; then they are asked in alternating slices of ${SLICE_MS / 1000} s. The walk follows the order of change through ${PAGES_OF_WALK} pages. Times are milliseconds, and so is
*CPU*, an answer's processor time in all processes. The aim is a ratio of rates of at least 1 in every row.`,
      sections: tablesOf(cells, options, COLUMNS),
      figures: { cells },
    };
  },
};
