/** Sends writes to Elasticsearch in bulk requests, several at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, errors } from '@elastic/elasticsearch';
import { readBlock } from '../../src/core/store/elastic/writesBlocked.ts';
import { makeVersionId, type StoredVersion, type VersionPlace } from '../read/versions.ts';
import { type DocumentThreads, getDocumentThreads, THREAD_TEXT_MAX, type UnmadeDocument } from './documentThreads.ts';
import { type IndexedFields, joinDocument, makeDocument } from './indexedFields.ts';

export interface Write {
  operation: 'create' | 'index' | 'delete';
  /** name of an index; with `throughAlias`, name of an alias */
  index: string;
  version: StoredVersion;
  indexed?: IndexedFields | undefined;
  /** the version as JSON, if it has been serialised already */
  text?: string;
  /** the state that the write replaces; if the version has changed since, the write is refused */
  replaces?: VersionPlace;
  /** an earlier version written by the same load, which this one overwrites */
  overwrites?: StoredVersion;
}

/** Ids of versions that were not written, because they already exist or have changed since they were read. */
export interface Conflicts {
  /** the first `CREATED_KEPT` of them */
  created: string[];
  replaced: string[];
}

interface BulkOptions {
  /** refuses to write if the name is not an alias (any more), so that a late write cannot create an index */
  throughAlias?: boolean;
  /** threads that make documents; by default those of the process, and only after many writes */
  threads?: DocumentThreads;
  /** `REQUESTS_AT_ONCE` by default */
  requestsAtOnce?: number;
}

export const REQUEST_BYTES = 2 * 1024 * 1024;
export const REQUESTS_AT_ONCE = 4;
const ACTION_BYTES = 100;
/** Estimated size of a document, as a multiple of its version's size. */
const DOCUMENT_TO_VERSION = 2;
/** Bytes sent before threads are started: starting a thread takes as long as making some thousand documents. */
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

/** An operation whose document is still to be made by another thread. */
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
    const made: Operation = { action: this.#makeAction(write), document: undefined, write: { operation, id: makeVersionId(version) } };
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

  #makeAction({ operation, index, version, replaces }: Write): string {
    const target = {
      _index: index,
      _id: makeVersionId(version),
      ...(this.#throughAlias ? { require_alias: true } : {}),
      ...(replaces ? { if_seq_no: replaces.seqNo, if_primary_term: replaces.primaryTerm } : {}),
    };
    return JSON.stringify({ [operation]: target });
  }

  /** The operations with their documents. */
  async prepareOperations(): Promise<readonly Operation[]> {
    const unmade = this.#unmade.splice(0);
    if (!unmade.length) return this.#operations;
    const documents = await this.#threads?.run(unmade.map(({ text, kind, today }) => ({ text, kind, today })));
    for (const [at, { operation, text, kind, today }] of unmade.entries())
      operation.document = documents?.[at] ?? makeDocument(text, kind, today);
    return this.#operations;
  }
}

/**
 * Sends writes in requests of about `REQUEST_BYTES`, a few at a time. It pulls further writes only as fast as they are accepted, so that
 * memory stays bounded. When it returns or throws, no request is in flight.
 * @throws WritesBlocked if Elasticsearch accepts no writes until an operator acts; Error on any other refusal that is not a conflict
 */
export async function bulkWrite(client: Client, writes: AsyncIterable<Write>, options: BulkOptions = {}): Promise<Conflicts> {
  const conflicts: Conflicts = { created: [], replaced: [] };
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let sentBytes = 0;
  const threads = () => options.threads ?? (sentBytes >= BYTES_BEFORE_THREADS ? getDocumentThreads() : undefined);
  const newBatch = () => new Batch(options.throughAlias ?? false, threads());
  const start = (batch: Batch) => {
    sentBytes += batch.bytes;
    const request = batch
      .prepareOperations()
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

/** Sends one request, and repeats it for the operations that Elasticsearch was too busy to accept. */
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
    const block = outcome?.error && readBlock(outcome.error);
    if (block) throw block;
    if (outcome?.status === STATUS_BUSY) return true;
    noteOutcome(write, outcome, conflicts);
    return false;
  });
}

/** Notes conflicts. @throws Error if an operation failed for any other reason */
function noteOutcome({ operation, id }: Operation['write'], outcome: Outcome | undefined, conflicts: Conflicts): void {
  if (outcome && outcome.status < STATUS_FAILED) return;
  if (outcome?.status === STATUS_ABSENT && operation === 'delete' && !outcome.error) return;
  if (outcome?.status !== STATUS_CONFLICT)
    throw new Error(`Elasticsearch refused version ${id}: ${outcome?.error?.reason ?? `status ${outcome?.status}`}`);
  if (operation !== 'create') conflicts.replaced.push(id);
  else if (conflicts.created.length < CREATED_KEPT) conflicts.created.push(id);
}
