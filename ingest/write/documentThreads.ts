/**
 * Threads that make documents from versions, if the machine has spare cores: deriving the searched fields takes about as long as everything else
 * that a load does with a record.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { OwnThread } from '../../src/core/store/ownThread.ts';
import type { IndexedFields } from './indexedFields.ts';

export interface UnmadeDocument extends Pick<IndexedFields, 'kind' | 'today'> {
  /** the version as JSON */
  text: string;
}

/** Documents in the order of their versions; null if the thread could not make one of them. */
export type MadeDocuments = string[] | null;

/** Longest version, in characters, that is handed to a thread; a longer one could exceed the thread's memory. */
export const THREAD_TEXT_MAX = 1024 * 1024;
/** Memory limits of a thread: the old generation holds a request's documents, the young one temporary objects. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12 };

export class DocumentThreads extends OwnThread<readonly UnmadeDocument[], MadeDocuments> {
  constructor(threads: number) {
    super(fileURLToPath(new URL('documentThread.ts', import.meta.url)), threads, LIMITS);
  }
}

/** Cores left free: one reads the file, one is for servers that may run on this machine. On two cores a thread made a first load no faster. */
const CORES_OF_OTHERS = 2;
/** The reading thread cannot keep more threads busy. */
const THREADS_MAX = 2;
const count = Math.min(THREADS_MAX, availableParallelism() - CORES_OF_OTHERS);

let shared: DocumentThreads | undefined;

/** The threads of this process, started by its first large load; undefined if there are no spare cores. */
export function getDocumentThreads(): DocumentThreads | undefined {
  if (count > 0) shared ??= new DocumentThreads(count);
  return shared;
}
