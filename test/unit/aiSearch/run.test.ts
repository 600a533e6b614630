/** The end of an AI search whose deadline passes while its window is read. */
import assert from 'node:assert/strict';
import { PLANS } from '../../../src/core/domain/plans.ts';
import { DeadlinePassed, WorkerStopping } from '../../../src/core/jobs/kind.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';
import { builtinScreener } from '../../../src/features/aiSearch/builtinScreener.ts';
import { runAiSearch } from '../../../src/features/aiSearch/run.ts';
import type { SettlingServices } from '../../../src/features/aiSearch/settle.ts';
import { TODAY } from '../../support/fixtures.ts';

const places = loadPlaces();
const QUERY = 'warehouses with a retention pond';
const HIT = { project: { id: 1, contentRevision: 'r1', compact: { id: 1 } }, matched: [], sort: [] };

/** A search that confirmed one record and is aborted while it reads its window. @returns the reads, and whether it was settled */
async function abortInWindow(reason: Error): Promise<{ reads: number; isSettled: boolean; error: unknown }> {
  const interpretation = await builtinScreener.understand(QUERY, { today: TODAY, places });
  const abort = new AbortController();
  const end = { reads: 0, isSettled: false, error: undefined as unknown };
  const services = {
    places,
    screener: builtinScreener,
    ceilings: { dailyScreened: 100, jobReviewed: 100, jobConfirmed: 100 },
    accounts: {
      principalOf: async () => ({ plan: PLANS.api_only, monthlyCredits: null, licence: { nationwide: true }, status: 'active' }),
    },
    screening: {
      state: async () => ({
        ...{ interpretation, candidates: [1], candidateCount: 1, byFeedback: false },
        ...{ screened: 1, reviewed: 1, confirmed: 1, cancelled: false },
      }),
      confirmed: async () => [{ projectId: 1, revision: 'r1', score: 1, whyThisMatched: '', evidence: [] }],
    },
    store: {
      page: async ({ signal }: { signal: AbortSignal }) => {
        end.reads += 1;
        if (end.reads === 1) abort.abort(reason);
        signal.throwIfAborted();
        return { hits: [HIT] };
      },
    },
    enrichments: { findings: async () => new Map() },
  } as unknown as SettlingServices;
  const payload = { query: QUERY, filters: {}, limit: 10, offset: 0, today: TODAY, rate: 1, mails: false };
  const job = { id: 'ais_1', teamId: 1, userId: 1, payload, cause: {}, attempt: 1, handedBack: 0, maxAttempts: 5 };
  const attempt = {
    signal: abort.signal,
    write: () => assert.fail('nothing is written'),
    settle: async () => {
      end.isSettled = true;
    },
  };
  await runAiSearch(services, job as unknown as Parameters<typeof runAiSearch>[1], attempt).catch((error) => {
    end.error = error;
  });
  return end;
}

describe('An AI search that is aborted while it reads its window', () => {
  it('reads it once more after its deadline, and is settled', async () => {
    assert.deepEqual(await abortInWindow(new DeadlinePassed()), { reads: 2, isSettled: true, error: undefined });
  });

  it('is left to another worker where its own stops', async () => {
    const stopping = new WorkerStopping();
    assert.deepEqual(await abortInWindow(stopping), { reads: 1, isSettled: false, error: stopping });
  });
});
