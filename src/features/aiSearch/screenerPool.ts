/** The built-in screener for a process that answers requests: long texts take up to seconds, and are judged on a thread of their own. */
import { fileURLToPath } from 'node:url';
import { OwnThread } from '../../core/store/ownThread.ts';
import { builtinScreener } from './builtinScreener.ts';
import type { Verdict } from './question/index.ts';
import type { Judgement, Screener } from './screener.ts';
import confirmAll from './screenerThread.ts';

/** Texts up to this size are judged within milliseconds, without the thread. */
const AT_ONCE_CHARACTERS_MAX = 20_000;

const charactersOf = (judgements: readonly Judgement[]) =>
  judgements.reduce((sum, { candidate }) => candidate.texts.reduce((more, { text }) => more + text.length, sum), 0);

export class ScreenerPool implements Screener {
  readonly understand = builtinScreener.understand;
  readonly searchTerms = builtinScreener.searchTerms;
  readonly #thread = new OwnThread<Judgement[], Verdict[]>(fileURLToPath(new URL('screenerThread.ts', import.meta.url)));

  /** @param signal ends the work, with its reason */
  async confirm(requests: readonly Judgement[], signal?: AbortSignal): Promise<Verdict[]> {
    // Only what can be cloned to another thread.
    const judgements = requests.map(({ criteria, candidate }) => ({ criteria, candidate }));
    if (charactersOf(judgements) <= AT_ONCE_CHARACTERS_MAX) return confirmAll(judgements);
    return this.#thread.run(judgements, signal);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
