/** The time limit for judging in a run of an alert. */

import assert from 'node:assert/strict';
import { caseNamesOf } from '../../../src/core/domain/cases/caseNames.ts';
import { builtinScreener } from '../../../src/features/aiSearch/builtinScreener.ts';
import { readCriteria } from '../../../src/features/aiSearch/question/index.ts';
import type { QuestionPlan } from '../../../src/features/aiSearch/questionPlan.ts';
import { ScreenerPool } from '../../../src/features/aiSearch/screenerPool.ts';
import { judgeCandidates, type RequirementServices } from '../../../src/features/alerts/requirement.ts';

describe('judging for an alert', () => {
  const projects = Array.from({ length: 50 }, (_, i) => ({ id: i + 1, contentRevision: 'a' })) as unknown as Parameters<
    typeof judgeCandidates
  >[2];
  const plan = {
    filters: [],
    readings: [],
    criteria: [],
    selection: { filters: {}, context: { today: '2026-11-20' } },
  } as unknown as QuestionPlan;
  /** confirms nothing; from the second batch on it does not end */
  const services = () => {
    let batches = 0;
    const confirm = async (_: unknown, signal: AbortSignal) => {
      batches += 1;
      if (batches === 1) return [];
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const made = { judgingMs: 20, store: { page: async () => ({ hits: [] }) }, screener: { confirm, searchTerms: () => [] } };
    return made as unknown as RequirementServices;
  };

  it('ends when its time is up, with what it came to', async () => {
    const { confirmed, refused, judged } = await judgeCandidates(services(), plan, projects, 10, new AbortController().signal);
    assert.deepEqual([confirmed, refused.length, judged], [[], 10, 10]);
  });

  it('fails if its caller gave up', async () => {
    const gaveUp = AbortSignal.abort(new Error('gave up'));
    const twice = { ...services(), screener: { confirm: async () => gaveUp.throwIfAborted() } } as unknown as RequirementServices;
    await assert.rejects(judgeCandidates(twice, plan, projects, 10, gaveUp), /gave up/);
  });

  describe('in a process that answers requests', () => {
    const pool = new ScreenerPool();
    after(() => pool.close());
    const long = 'The board discussed the retention wall and the fishing pond. '.repeat(30_000);
    const judgement = (text: string) => ({
      criteria: readCriteria('with a retention pond'),
      candidate: { projectId: '1', names: caseNamesOf({}), texts: [{ source: 'rawText' as const, documentId: null, text }] },
    });

    it('has the verdicts of the built-in screener, on short texts and long ones', async () => {
      const judgements = [judgement('A retention pond was proposed.'), judgement(`${long}A retention pond was proposed.`), judgement(long)];
      assert.deepEqual(await pool.confirm(judgements), await builtinScreener.confirm(judgements));
    });

    it('leaves the process free while it judges long texts, and ends with its signal', async () => {
      const until = new AbortController();
      const judging = pool.confirm(
        Array.from({ length: 500 }, () => judgement(long)),
        until.signal,
      );
      setImmediate(() => until.abort(new Error('time is up')));
      await assert.rejects(judging, /time is up/);
    });
  });
});
