/** The built-in screener without long work in the process's own thread: long texts take up to seconds, and are judged on another one. */
import { fileURLToPath } from 'node:url';
import { READ_AT_ONCE_MAX, readingSize } from '../../core/domain/cases/casePassages.ts';
import { OutOfTime, OwnThread } from '../../core/store/ownThread.ts';
import { builtinScreener } from './builtinScreener.ts';
import type { Verdict } from './question/index.ts';
import type { Judgement, Screener } from './screener.ts';
import confirmAll from './screenerThread.ts';

/** Texts up to this size are judged within milliseconds, without the thread, unless their cases are hard to find. */
const AT_ONCE_CHARACTERS_MAX = 20_000;
/** Texts of one record are judged within a second or two, or they were written to take long. */
const BOUNDS = { deadlineMs: 30_000, waitingMax: 10_000 };

const charactersOf = (judgements: readonly Judgement[]) =>
  judgements.reduce((sum, { candidate }) => candidate.texts.reduce((more, { text }) => more + text.length, sum), 0);

/** How long it may take to find the passages about the cases. */
const readingSizeOf = (judgements: readonly Judgement[]) =>
  judgements.reduce((sum, { candidate: { texts, names } }) => {
    const caseTexts = texts.filter(({ source }) => source === 'document' || source === 'rawText');
    return caseTexts.reduce((more, { text }) => more + readingSize(text, names), sum);
  }, 0);

const areShort = (judgements: readonly Judgement[]) =>
  charactersOf(judgements) <= AT_ONCE_CHARACTERS_MAX && readingSizeOf(judgements) <= READ_AT_ONCE_MAX;

export class ScreenerPool implements Screener {
  readonly understand = builtinScreener.understand;
  readonly searchTerms = builtinScreener.searchTerms;
  readonly #thread = new OwnThread<Judgement[], Verdict[]>(fileURLToPath(new URL('screenerThread.ts', import.meta.url)), 1, {}, BOUNDS);

  /** @param signal ends the work, with its reason */
  async confirm(requests: readonly Judgement[], signal?: AbortSignal): Promise<Verdict[]> {
    // Only what can be cloned to another thread.
    const judgements = requests.map(({ criteria, candidate }) => ({ criteria, candidate }));
    if (areShort(judgements)) return confirmAll(judgements);
    const verdicts: Verdict[] = [];
    for (const judgement of judgements) verdicts.push(await this.#judgeInTime(judgement, signal));
    return verdicts;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** A record whose texts cannot be judged in time is not confirmed. */
  async #judgeInTime(judgement: Judgement, signal: AbortSignal | undefined): Promise<Verdict> {
    try {
      const [verdict] = await this.#thread.run([judgement], signal);
      return verdict as Verdict;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      return { projectId: judgement.candidate.projectId, confirmed: false, evidence: [], score: 0 };
    }
  }
}
