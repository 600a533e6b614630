/** The made-up corpus: written as a generation file or as final documents of Elasticsearch, and loaded either way. */
import { createReadStream, createWriteStream, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCEPT_OPTIONS } from '../../../ingest/findings/acceptance.ts';
import { normaliseProject, withIdentity } from '../../../ingest/read/normalise.ts';
import { REQUEST_BYTES, REQUESTS_AT_ONCE } from '../../../ingest/write/bulkWrite.ts';
import type { LoadSummary } from '../../../ingest/write/loadContext.ts';
import { makeRecordVersion } from '../../../ingest/write/projectDocument.ts';
import { Stamps } from '../../../ingest/write/stamps.ts';
import type { Places } from '../../../src/core/domain/places.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { splitLines } from '../../../src/terminal/splitLines.ts';
import { runIngestSuccessfully } from '../../lib/programs.ts';
import { type OnProgress, withProgress, withTimedStep } from '../../lib/progress.ts';
import { type Elastic, root, type SandboxEnvironment } from '../../lib/sandbox.ts';
import { type TypedFrom, typeRow } from '../../lib/typedRows.ts';
import { sampleLines } from '../../sample/generate.ts';
import { Random } from '../../sample/random.ts';

const CHUNK_CHARACTERS = 256 * 1024;
const POLL_MS = 250;

export interface Corpus {
  n: number;
  seed: number;
  /** the day on which the corpus ends, `YYYY-MM-DD` */
  today: string;
  places: Places;
}

export const makeCorpus = (n: number, seed: number): Corpus => ({
  n,
  seed,
  today: new Date().toISOString().slice(0, 10),
  places: loadPlaces(),
});

/** The lines of a generation file, its heading first. */
export function* projectLines({ n, seed, today, places }: Corpus, generation: 1 | 2) {
  for (const line of sampleLines({ seed, projects: n, today, texts: 'short', places, generation }))
    if (line.kind === 'generation' || line.kind === 'project') yield line;
}

export function* documentLines(corpus: Corpus): Generator<object> {
  const stamps = new Stamps(new Date(), null);
  for (const line of projectLines(corpus, 1)) {
    if (line.kind === 'generation') continue;
    const statement = withIdentity(normaliseProject(line as ProjectStatement, corpus.places), undefined);
    const made = makeRecordVersion(statement, {}, { loadedIn: 1, today: corpus.today, stamp: () => stamps.next(), generation: 1 });
    yield { ...made.version, ...made.indexed() };
  }
}

function* chunks(lines: Iterable<object>, onProgress: OnProgress): Generator<string> {
  let chunk = '';
  let count = 0;
  for (const line of lines) {
    chunk += `${JSON.stringify(line)}\n`;
    count += 1;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    onProgress(count);
    yield chunk;
    chunk = '';
  }
  if (chunk) yield chunk;
}

/** A file that is removed at the end of its scope. */
type WrittenFile = Disposable & { file: string };

/** Writes lines of a corpus into a file. */
export async function writeLines(
  title: string,
  { n }: Corpus,
  lines: Iterable<object>,
  folder: string,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const file = path.join(folder, 'lines.ndjson');
  await withProgress(title, n, (done) => pipeline(Readable.from(chunks(lines, done)), createWriteStream(file), { signal }));
  return { file, [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

/** Writes the first generation of the corpus into a file. */
export const writeGeneration = (corpus: Corpus, folder: string, signal: AbortSignal): Promise<WrittenFile> =>
  writeLines('Made the projects', corpus, projectLines(corpus, 1), folder, signal);

/** A generation that follows the first one. */
interface Restatement {
  generation: number;
  /** one of this number of lines has changed; none by default */
  oneChangedOf?: number;
}

/** The first generation again under another number. */
export function* restatedLines(corpus: Corpus, { generation, oneChangedOf }: Restatement) {
  let at = 0;
  for (const line of projectLines(corpus, 1)) {
    at += 1;
    if (line.kind === 'generation') yield { ...line, generation };
    else if (!oneChangedOf || at % oneChangedOf) yield line;
    else yield { ...line, projectName: `${(line as ProjectStatement).projectName}, phase II` };
  }
}

const TYPED_ROWS = 1_000;

/** The rows of a request for matches, typed from projects all over the corpus. */
export function typeRows(corpus: Corpus): object[] {
  const random = new Random('times', corpus.seed);
  const step = Math.max(1, Math.floor(corpus.n / TYPED_ROWS));
  const rows: object[] = [];
  let at = 0;
  for (const line of projectLines(corpus, 1)) {
    if (line.kind !== 'project' || at++ % step || rows.length === TYPED_ROWS) continue;
    rows.push(typeRow(line as unknown as TypedFrom, random)?.row ?? { caseNumber: 'none-1' });
  }
  return rows;
}

export const SEGMENTS = 5;

export interface Loading {
  records: number;
  seconds: number;
  peakBytes: number;
}

/** Loads a file with `ingest load`, and serves it by default. What a load would refuse of made-up records, or of some among others, is accepted. */
export async function loadWithLoader(env: SandboxEnvironment, file: string, signal: AbortSignal, activate = true): Promise<Loading> {
  const args = ['load', file, ...(activate ? ['--activate'] : []), ...ACCEPT_OPTIONS, '--json'];
  const { output, seconds, peakBytes } = await runIngestSuccessfully(env, args, path.dirname(file), signal);
  return { records: (JSON.parse(output) as LoadSummary).projects, seconds, peakBytes };
}

/** A document as JSON, with an id where it is not Elasticsearch's to choose. */
interface IndexedLine {
  index: string;
  id?: string;
  text: string;
}

/** Bulk-loads documents into new indices as the loader sends its own, so that only the other work differs. */
export async function loadLines(
  client: Elastic,
  indices: readonly string[],
  mappings: object,
  lines: AsyncGenerator<IndexedLine>,
): Promise<Omit<Loading, 'peakBytes'>> {
  const settings = { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '-1' };
  for (const index of indices) await client.indices.create({ index, mappings, settings });
  const started = performance.now();
  const { successful: records } = await client.helpers.bulk({
    datasource: lines,
    flushBytes: REQUEST_BYTES,
    concurrency: REQUESTS_AT_ONCE,
    onDocument: ({ index, id, text }) => [{ index: { _index: index, ...(id ? { _id: id } : {}) } }, text],
    onDrop: ({ error }) => {
      throw new Error(`Elasticsearch refused a document: ${error?.reason}`);
    },
    refreshOnCompletion: indices.join(),
  });
  return { records, seconds: (performance.now() - started) / 1000 };
}

/** The lower bound of loading: indexes a file of final documents into a plain index with the projects' mapping, which is then deleted. */
export async function loadBareIndex(client: Elastic, index: string, file: string): Promise<Omit<Loading, 'peakBytes'>> {
  const mappings = JSON.parse(readFileSync(path.join(root, 'mappings/projects.json'), 'utf8')) as object;
  await using closing = new AsyncDisposableStack();
  closing.defer(async () => void (await client.indices.delete({ index })));
  const lines = async function* () {
    for await (const text of splitLines(createReadStream(file))) yield { index, text };
  };
  return await loadLines(client, [index], mappings, lines());
}

/** Waits until the merges after a load have ended, so that they do not affect measurements. @param prefix of the indices of the corpus */
export const settleIndex = (client: Elastic, prefix: string, indices = [`${prefix}-projects`]): Promise<void> =>
  withTimedStep('Settled the index', async () => {
    for (const index of indices) {
      await client.indices.putSettings({ index, settings: { requests: { cache: { enable: false } } } as object });
      const { task } = await client.indices.forcemerge({ index, max_num_segments: SEGMENTS, wait_for_completion: false });
      while (!(await client.tasks.get({ task_id: String(task) })).completed) await sleep(POLL_MS);
      await client.indices.refresh({ index });
    }
  });
