/** Sending writes to Elasticsearch. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, errors } from '@elastic/elasticsearch';
import { blockOfRefusal } from '../../src/core/store/elastic/blocks.ts';
import { type StoredVersion, type VersionPlace, versionId } from '../read/versions.ts';
import { type DocumentThreads, sharedDocumentThreads, THREAD_TEXT_MAX, type UnmadeDocument } from './documentThreads.ts';
import { type IndexedFields, joinDocument, makeDocument } from './indexedFields.ts';

export interface Write {
  operation: 'create' | 'index' | 'delete';
  /** an index, or with `throughAlias` an alias of one */
  index: string;
  version: StoredVersion;
  indexed?: IndexedFields | undefined;
  /** the version as JSON, where it was made already */
  text?: string;
  /** the state that the write replaces; in any other it is refused */
  replaces?: VersionPlace;
  /** the version of the same load that the write takes the place of */
  overwrites?: StoredVersion;
}

/** Versions that were not written because they exist already, or are no longer what the write was to replace. */
export interface Conflicts {
  /** the first `CREATED_KEPT` of them */
  created: string[];
  replaced: string[];
}

interface BulkOptions {
  /** refuses to write where the name is no alias (any more), so that a late write cannot make an index */
  throughAlias?: boolean;
  /** what makes documents, from the first one on; those of the process, of many writes only, unless given */
  threads?: DocumentThreads;
  /** `REQUESTS_AT_ONCE` unless given */
  requestsAtOnce?: number;
}

export const REQUEST_BYTES = 2 * 1024 * 1024;
export const REQUESTS_AT_ONCE = 4;
const ACTION_BYTES = 100;
/** About how many times as large a document is as the version in it. */
const DOCUMENT_TO_VERSION = 2;
/** Documents that are made here first: a thread takes as long to start as some thousands of documents take to make. */
const BYTES_BEFORE_THREADS = 16 * 1024 * 1024;
const CREATED_KEPT = 10_000;
const BUSY_RETRIES = 8;
const BUSY_WAIT_MS = 500;
const STATUS_FAILED = 300;
const STATUS_BUSY = 429;
const STATUS_CONFLICT = 409;
const STATUS_ABSENT = 404;

interface Operation {
  action: string;
  /** undefined for a deletion */
  document: string | undefined;
  write: Pick<Write, 'operation'> & { id: string };
}

/** An operation whose document another thread makes. */
interface UnmadeOperation extends UnmadeDocument {
  operation: Operation;
}

interface Outcome {
  status: number;
  error?: { type?: string; reason?: string };
}

/** Writes that are sent in one request. */
class Batch {
  readonly #throughAlias: boolean;
  readonly #threads: DocumentThreads | undefined;
  readonly #operations: Operation[] = [];
  readonly #unmade: UnmadeOperation[] = [];
  bytes = 0;

  constructor(throughAlias: boolean, threads: DocumentThreads | undefined) {
    this.#throughAlias = throughAlias;
    this.#threads = threads;
  }

  add(write: Write): void {
    const { operation, version, indexed } = write;
    const made: Operation = { action: this.#actionOf(write), document: undefined, write: { operation, id: versionId(version) } };
    this.#operations.push(made);
    this.bytes += ACTION_BYTES;
    if (operation === 'delete') return;
    const { text = JSON.stringify(version) } = write;
    if (this.#threads && indexed && text.length <= THREAD_TEXT_MAX) {
      this.#unmade.push({ operation: made, text, kind: indexed.kind, today: indexed.today });
      this.bytes += text.length * DOCUMENT_TO_VERSION;
    } else {
      made.document = joinDocument(text, indexed?.make());
      this.bytes += made.document.length;
    }
  }

  #actionOf({ operation, index, version, replaces }: Write): string {
    const target = {
      _index: index,
      _id: versionId(version),
      ...(this.#throughAlias ? { require_alias: true } : {}),
      ...(replaces ? { if_seq_no: replaces.seqNo, if_primary_term: replaces.primaryTerm } : {}),
    };
    return JSON.stringify({ [operation]: target });
  }

  /** The operations with their documents. */
  async operations(): Promise<readonly Operation[]> {
    const unmade = this.#unmade.splice(0);
    if (!unmade.length) return this.#operations;
    const documents = await this.#threads?.run(unmade.map(({ text, kind, today }) => ({ text, kind, today })));
    for (const [at, { operation, text, kind, today }] of unmade.entries())
      operation.document = documents?.[at] ?? makeDocument(text, kind, today);
    return this.#operations;
  }
}

/**
 * Sends writes in requests of some `REQUEST_BYTES`, some at a time, and asks for further writes only as fast as they are
 * taken: memory is bounded, however many there are. When it returns or throws, no request is under way any more.
 * @throws WritesBlocked at once where nothing is written until somebody mends it, and on any other refusal that is not a conflict
 */
export async function bulkWrite(client: Client, writes: AsyncIterable<Write>, options: BulkOptions = {}): Promise<Conflicts> {
  const conflicts: Conflicts = { created: [], replaced: [] };
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let sentBytes = 0;
  const threads = () => options.threads ?? (sentBytes >= BYTES_BEFORE_THREADS ? sharedDocumentThreads() : undefined);
  const newBatch = () => new Batch(options.throughAlias ?? false, threads());
  const start = (batch: Batch) => {
    sentBytes += batch.bytes;
    const request = batch
      .operations()
      .then((operations) => sendBatch(client, operations, conflicts))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(request));
    running.add(request);
  };
  try {
    let batch = newBatch();
    for await (const write of writes) {
      batch.add(write);
      if (batch.bytes < REQUEST_BYTES) continue;
      while (running.size >= (options.requestsAtOnce ?? REQUESTS_AT_ONCE)) await Promise.race(running);
      if (failure) break;
      start(batch);
      batch = newBatch();
    }
    if (batch.bytes && !failure) start(batch);
  } finally {
    await Promise.all(running);
  }
  if (failure) throw failure.error;
  return conflicts;
}

/** One request, again for what Elasticsearch was too busy to take. */
async function sendBatch(client: Client, operations: readonly Operation[], conflicts: Conflicts): Promise<void> {
  let left = operations;
  for (let attempt = 0; left.length; attempt += 1) {
    if (attempt > BUSY_RETRIES) throw new Error('Elasticsearch is too busy to take the writes; run the command again later');
    if (attempt) await sleep(BUSY_WAIT_MS * attempt);
    left = await attemptBatch(client, left, conflicts);
  }
}

/** @returns the operations to send again */
async function attemptBatch(client: Client, operations: readonly Operation[], conflicts: Conflicts): Promise<readonly Operation[]> {
  const lines = operations.flatMap(({ action, document }) => (document === undefined ? [action] : [action, document]));
  const outcomes = await client
    .bulk<string>({ operations: lines as never, filter_path: ['errors', 'items.*.status', 'items.*.error.type', 'items.*.error.reason'] })
    .catch((error: unknown) => {
      if (error instanceof errors.ResponseError && error.statusCode === STATUS_BUSY) return undefined;
      throw error;
    });
  if (!outcomes) return operations;
  if (!outcomes.errors) return [];
  return operations.filter(({ write }, at) => {
    const outcome = Object.values(outcomes.items[at] ?? {})[0] as Outcome | undefined;
    const block = outcome?.error && blockOfRefusal(outcome.error);
    if (block) throw block;
    if (outcome?.status === STATUS_BUSY) return true;
    noteOutcome(write, outcome, conflicts);
    return false;
  });
}

/** @throws when an operation failed for another reason than a conflict */
function noteOutcome({ operation, id }: Operation['write'], outcome: Outcome | undefined, conflicts: Conflicts): void {
  if (outcome && outcome.status < STATUS_FAILED) return;
  if (outcome?.status === STATUS_ABSENT && operation === 'delete' && !outcome.error) return;
  if (outcome?.status !== STATUS_CONFLICT)
    throw new Error(`Elasticsearch refused version ${id}: ${outcome?.error?.reason ?? `status ${outcome?.status}`}`);
  if (operation !== 'create') conflicts.replaced.push(id);
  else if (conflicts.created.length < CREATED_KEPT) conflicts.created.push(id);
}
