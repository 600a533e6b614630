/**
 * Threads that make documents of versions, where the machine has cores for them: to make what is searched takes about as long as all else that a load
 * does with a record.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { OwnThread } from '../../src/core/store/ownThread.ts';
import type { IndexedFields } from './indexedFields.ts';

export interface UnmadeDocument extends Pick<IndexedFields, 'kind' | 'today'> {
  /** the version as JSON */
  text: string;
}

/** In the order of the versions; null where the thread could not make one. */
export type MadeDocuments = string[] | null;

/** Versions with more characters are not for a thread, whose memory they could exceed. */
export const THREAD_TEXT_MAX = 1024 * 1024;
/** Room for a request's documents, and for what lives as short as one that is being made. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12 };

export class DocumentThreads extends OwnThread<readonly UnmadeDocument[], MadeDocuments> {
  constructor(threads: number) {
    super(fileURLToPath(new URL('documentThread.ts', import.meta.url)), threads, LIMITS);
  }
}

/** One core reads the file, and one is for the servers if they run on this machine: on two cores a thread made a first load no faster. */
const CORES_OF_OTHERS = 2;
/** More than these the thread that reads cannot keep busy. */
const THREADS_MAX = 2;
const count = Math.min(THREADS_MAX, availableParallelism() - CORES_OF_OTHERS);

let shared: DocumentThreads | undefined;

/** The threads of this process, which run from its first large load on; undefined where there are no cores for them. */
export function sharedDocumentThreads(): DocumentThreads | undefined {
  if (count > 0) shared ??= new DocumentThreads(count);
  return shared;
}
