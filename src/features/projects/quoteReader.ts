/** Finds which quotes of documents are said of a case. A text may be made to take long: then it is given up, and nobody else waits for it. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { CaseNames } from '../../core/domain/cases/caseNames.ts';
import { DOCUMENT_CHARACTERS_MAX, READ_AT_ONCE_MAX, readingSize } from '../../core/domain/cases/casePassages.ts';
import { OutOfTime, OwnThread, ThreadsBusy } from '../../core/store/ownThread.ts';
import readQuotes, { type QuotedText } from './quoteThread.ts';

const THREADS = 2;
const THREAD_MEGABYTES = 256;
const BOUNDS = { deadlineMs: 2_000, waitingMax: 100 };
/** Of all documents of a record, with what they wait; less than a request may take. */
const RECORD_MS = 4_000;
/** Documents that took too long are not tried again for some time. */
const GIVEN_UP_MS = 600_000;
const GIVEN_UP_MAX = 1_000;

export interface QuotedDocument {
  documentId: number;
  text: string;
  quotes: readonly string[];
}

interface SaidQuotes {
  /** by document; without documents that were not read */
  said: ReadonlyMap<number, ReadonlySet<string>>;
  unread: number;
}

export class QuoteReader {
  readonly #threads = new OwnThread<QuotedText, string[]>(
    fileURLToPath(new URL('quoteThread.ts', import.meta.url)),
    THREADS,
    { maxOldGenerationSizeMb: THREAD_MEGABYTES },
    BOUNDS,
  );
  /** digests of what took too long, with the time at which it may be tried again, the oldest first */
  readonly #givenUp = new Map<string, number>();

  /** @param signal ends the work, with its reason */
  async read(documents: readonly QuotedDocument[], names: CaseNames, signal?: AbortSignal): Promise<SaidQuotes> {
    const said = new Map<number, ReadonlySet<string>>();
    const deadline = AbortSignal.timeout(RECORD_MS);
    const until = signal ? AbortSignal.any([signal, deadline]) : deadline;
    let atOnce = READ_AT_ONCE_MAX;
    const readOne = async ({ documentId, text, quotes }: QuotedDocument) => {
      const task = { text: text.slice(0, DOCUMENT_CHARACTERS_MAX), quotes, names };
      const size = readingSize(task.text, names, quotes);
      const isShort = size <= atOnce;
      if (isShort) atOnce -= size;
      const found = isShort ? readQuotes(task) : await this.#readInTime(task, until);
      if (found) said.set(documentId, new Set(found));
    };
    await Promise.all(documents.map(readOne));
    signal?.throwIfAborted();
    return { said, unread: documents.length - said.size };
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  async #readInTime(task: QuotedText, signal: AbortSignal): Promise<string[] | undefined> {
    const digest = createHash('sha256').update(JSON.stringify(task.names)).update(task.text).digest('base64');
    if ((this.#givenUp.get(digest) ?? 0) > performance.now()) return undefined;
    try {
      return await this.#threads.run(task, signal);
    } catch (error) {
      if (error instanceof OutOfTime) this.#giveUp(digest);
      else if (!(error instanceof ThreadsBusy || signal.aborted)) throw error;
      return undefined;
    }
  }

  #giveUp(digest: string): void {
    this.#givenUp.delete(digest);
    this.#givenUp.set(digest, performance.now() + GIVEN_UP_MS);
    const [oldest = ''] = this.#givenUp.keys();
    if (this.#givenUp.size > GIVEN_UP_MAX) this.#givenUp.delete(oldest);
  }
}
