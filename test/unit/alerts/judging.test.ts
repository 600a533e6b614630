/** How long a run of an alert judges. */
import assert from 'node:assert/strict';
import type { QuestionPlan } from '../../../src/operations/aiSearch/questionPlan.ts';
import { judgeCandidates, type RequirementServices } from '../../../src/operations/alerts/requirement.ts';

describe('judging for an alert', () => {
  const projects = Array.from({ length: 50 }, (_, i) => ({ id: i + 1, contentRevision: 'a' })) as unknown as Parameters<
    typeof judgeCandidates
  >[2];
  const plan = { filters: [], readings: [], criteria: [], selection: { filters: {} } } as unknown as QuestionPlan;
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
    assert.deepEqual([confirmed, refused.length, judged], [[], 20, 20]);
  });

  it('fails where its caller gave up', async () => {
    const gaveUp = AbortSignal.abort(new Error('gave up'));
    const twice = { ...services(), screener: { confirm: async () => gaveUp.throwIfAborted() } } as unknown as RequirementServices;
    await assert.rejects(judgeCandidates(twice, plan, projects, 10, gaveUp), /gave up/);
  });
});
