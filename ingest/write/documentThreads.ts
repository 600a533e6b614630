/**
 * Threads that make documents of versions, where the machine has cores for them: to make what is searched takes about as long as all else that a load
 * does with a record.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Indexed } from './indexedFields.ts';

export interface UnmadeDocument extends Pick<Indexed, 'kind' | 'today'> {
  /** the version as JSON */
  text: string;
}

/** In the order of the versions; null where the thread could not make one. */
export type MadeDocuments = string[] | null;

interface Asked {
  resolve: (made: MadeDocuments) => void;
  reject: (error: Error) => void;
}

/** Versions with more characters are not for a thread, whose memory they could exceed. */
export const THREAD_TEXT_MOST = 1024 * 1024;
/** Room for a request's documents, and for what lives as short as one that is being made. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12 };

/** One thread, which keeps the process alive only while it is asked for something. */
class DocumentThread {
  readonly #worker = new Worker(new URL('./documentThread.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: LIMITS,
  });
  /** in the order of the answers */
  readonly #asked: Asked[] = [];
  #failure: Error | undefined;

  constructor() {
    this.#worker.on('message', (made: MadeDocuments) => this.#takeAnswer(made));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`A thread that makes documents ended with code ${code}`)));
    this.#worker.unref();
  }

  get waiting(): number {
    return this.#asked.length;
  }

  make(unmade: readonly UnmadeDocument[]): Promise<MadeDocuments> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage(unmade);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #takeAnswer(made: MadeDocuments): void {
    this.#asked.shift()?.resolve(made);
    if (!this.#asked.length) this.#worker.unref();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(error);
  }
}

export class DocumentThreads {
  readonly #threads: readonly DocumentThread[];

  constructor(count: number) {
    this.#threads = Array.from({ length: count }, () => new DocumentThread());
  }

  /** Makes documents on the thread that has least to do. */
  make(unmade: readonly UnmadeDocument[]): Promise<MadeDocuments> {
    const [first, ...others] = this.#threads as [DocumentThread, ...DocumentThread[]];
    return others.reduce((idlest, one) => (one.waiting < idlest.waiting ? one : idlest), first).make(unmade);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }
}

/** One core reads the file, and one is for the servers where they run on this machine. */
const CORES_OF_OTHERS = 2;
/** More than these the thread that reads cannot keep busy. */
const THREADS_MOST = 2;
const count = Math.min(THREADS_MOST, availableParallelism() - CORES_OF_OTHERS);

let shared: DocumentThreads | undefined;

/** The threads of this process, which run from its first large load on; undefined where there are no cores for them. */
export function documentThreads(): DocumentThreads | undefined {
  if (count > 0) shared ??= new DocumentThreads(count);
  return shared;
}
