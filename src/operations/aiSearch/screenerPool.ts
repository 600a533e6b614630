/** The built-in screener for a process that answers requests: long texts take up to seconds, and are judged on a thread of their own. */
import { fileURLToPath } from 'node:url';
import Tinypool from 'tinypool';
import { confirm, type Verdict } from '../../domain/question/index.ts';
import { builtinScreener } from './builtinScreener.ts';
import type { Judgement, Screener } from './screener.ts';

/** Texts of so many characters are judged within milliseconds. */
const AT_ONCE_CHARACTERS_MAX = 20_000;
const IDLE_MS = 60_000;

const charactersOf = (judgements: readonly Judgement[]) =>
  judgements.reduce((sum, { candidate }) => candidate.texts.reduce((more, { text }) => more + text.length, sum), 0);

export class ScreenerPool implements Screener {
  readonly understand = builtinScreener.understand;
  readonly searchTerms = builtinScreener.searchTerms;
  /** Starts its thread with the first long texts, and ends it when there were none for a minute. */
  readonly #pool = new Tinypool({
    filename: fileURLToPath(new URL('screenerThread.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });

  /** @param signal ends the work, with its reason */
  async confirm(requests: readonly Judgement[], signal?: AbortSignal): Promise<Verdict[]> {
    const judgements = requests.map(({ criteria, candidate }) => ({ criteria, candidate }));
    if (charactersOf(judgements) <= AT_ONCE_CHARACTERS_MAX)
      return judgements.map(({ criteria, candidate }) => confirm(criteria, candidate));
    signal?.throwIfAborted();
    try {
      return await this.#pool.run(judgements, { ...(signal ? { signal } : {}) });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
