/** Reads everything that is served, and runs the loader's command, for tests of the loader. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import type { EarlierRevision, StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { KINDS, type Kind } from '../../src/core/store/elastic/indices.ts';
import { runHosted } from './commandHost.ts';
import type { TestIndex } from './index.ts';
import { MessageCount, stoppingProxy } from './stoppingProxy.ts';

/** Derived values that can be read back; with `past` in the record they are all of the evidence. */
const DERIVED = ['derived.evidence.*', 'derived.memberIds', 'derived.memberCount', 'derived.meetingDate', 'derived.revisionHash'];
const MANY = 10_000;
const MAIN = 'ingest/main.ts';

export type Served = Record<Kind, Record<string, unknown>[]>;

/** Every served record of every kind, ordered by its key, with its evidence. Without numbers of loads and, with `stamps: false`, without times. */
export async function servedState(index: TestIndex, { stamps = true } = {}): Promise<Served> {
  const entries = KINDS.map(async (kind) => [kind, await servedOf(index, kind, stamps)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Served;
}

/** Whether two states are equal, without a message, which would take long for thousands of records. */
export const sameState = (a: Served, b: Served): boolean => isDeepStrictEqual(a, b);

/** Asserts that two states are equal; the message names only the first record that differs. */
export function assertSameState(actual: Served, expected: Served, when = ''): void {
  if (sameState(actual, expected)) return;
  for (const kind of KINDS) {
    assert.equal(actual[kind].length, expected[kind].length, `${kind} ${when}`);
    const at = expected[kind].findIndex((record, i) => !isDeepStrictEqual(actual[kind][i], record));
    if (at >= 0) assert.fail(`${kind} ${when}: ${JSON.stringify(actual[kind][at])} is not ${JSON.stringify(expected[kind][at])}`);
  }
}

/** A record without numbers of loads and, with `stamps: false`, without times. */
function comparable(stored: Record<string, unknown>, stamps: boolean): Record<string, unknown> {
  const { loadedIn: _, supersededIn: __, quotedIn: ___, lastUpdated, at, earlierRevisions = [], ...content } = stored;
  const earlier = (earlierRevisions as EarlierRevision[]).map(({ replacedAt, ...rest }) => (stamps ? { replacedAt, ...rest } : rest));
  return { ...content, earlier, ...(stamps ? { lastUpdated, at } : {}) };
}

/** The content of a removed record's trace is compared like a record. */
const traceOf = ({ project, ...absorbed }: { project?: Record<string, unknown> }, stamps: boolean) => ({
  ...absorbed,
  ...(project ? { project: comparable(project, stamps) } : {}),
});

async function servedOf(index: TestIndex, kind: Kind, stamps: boolean): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = [];
  const { hits } = await index.client.search<Record<string, unknown>>({
    index: index.names.readAlias(kind),
    size: MANY,
    track_total_hits: true,
    sort: [{ key: 'asc' }],
    ...(kind === 'projects' ? { docvalue_fields: DERIVED } : {}),
  });
  for (const { _source, fields } of hits.hits) {
    const { absorbed, ...stored } = _source as Record<string, unknown>;
    const kept = absorbed ? { absorbed: traceOf(absorbed as { project?: Record<string, unknown> }, stamps) } : {};
    records.push({ ...comparable(stored, stamps), ...kept, ...(fields ? { fields } : {}) });
  }
  if ((hits.total as { value: number }).value !== records.length) throw new Error(`More than ${MANY} ${kind} are too many for this test`);
  return records;
}

/** Served projects by id. */
export async function servedProjects(index: TestIndex): Promise<Map<number, StoredProject>> {
  const { hits } = await index.client.search<StoredProject>({ index: index.names.readAlias('projects'), size: MANY, sort: ['id'] });
  return new Map(hits.hits.map((hit) => [(hit._source as StoredProject).id, hit._source as StoredProject]));
}

export interface Trace {
  id: number;
  mergedInto?: number;
  at: string;
}

/** Served traces of removed records by id. */
export async function servedRemovals(index: TestIndex): Promise<Map<number, Trace>> {
  const { hits } = await index.client.search<Trace>({ index: index.names.readAlias('removals'), size: MANY, sort: ['id'] });
  return new Map(hits.hits.map((hit) => [(hit._source as Trace).id, hit._source as Trace]));
}

/** Ids of the served projects that a query selects, ascending. */
export async function idsWhere(index: TestIndex, query: object): Promise<number[]> {
  const { hits } = await index.client.search<StoredProject>({ index: index.names.readAlias('projects'), query, size: MANY, sort: ['id'] });
  return hits.hits.map((hit) => (hit._source as StoredProject).id);
}

/** Names of every index of the test, of any kind. */
export async function indexNames(index: TestIndex): Promise<string[]> {
  const found = await index.client.indices.get({ index: `${index.prefix}-*`, features: 'aliases' });
  return Object.keys(found).sort();
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function environmentOf(index: TestIndex, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { url, schema } = await index.records();
  const servers = { INDEX_PREFIX: index.prefix, ELASTICSEARCH_URL: index.url, DATABASE_URL: url, DATABASE_SCHEMA: schema };
  return { ...process.env, ...servers, GENERATIONS_DIR: await index.keptFolder(), ...env };
}

/** Starts the loader on the test's own indices, for tests that kill it or look at it meanwhile. */
export async function startIngest(
  index: TestIndex,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ChildProcess & { finished: Promise<Finished> }> {
  const child = spawn(process.execPath, ['scripts/run.mjs', MAIN, ...args], { env: await environmentOf(index, env) });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return Object.assign(child, { finished });
}

export const runIngest = async (index: TestIndex, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> =>
  runHosted({ file: MAIN, args, env: await environmentOf(index, env) });

/** Kills a command at the nth message to Elasticsearch or Postgres that contains a text. @param time n, from 1 */
export async function killIngestAt(index: TestIndex, command: string | readonly string[], message: string, time: number): Promise<void> {
  let times = 0;
  const count = new MessageCount(Number.POSITIVE_INFINITY, (text) => text.includes(message) && ++times === time);
  const { url } = await index.records();
  const [elastic, postgres] = [await stoppingProxy(index.url, count), await stoppingProxy(url, count)];
  const loader = await startIngest(index, [command].flat(), { ELASTICSEARCH_URL: elastic.url, DATABASE_URL: postgres.url });
  const ended = await Promise.race([count.stopped, loader.finished]);
  assert.equal(ended, undefined, `it ended: ${ended?.stderr}`);
  loader.kill('SIGKILL');
  await loader.finished;
  for (const proxy of [elastic, postgres]) proxy.close();
}
