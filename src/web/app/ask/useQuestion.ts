/** Follows a question until it is settled. */
import { useEffect, useState } from 'preact/hooks';
import type { AiSearchData, AnswerFeedback, Warning } from '../../../clients/client/generated.ts';
import { sleep } from '../../../clients/client/transport.ts';
import { call } from '../shared/api.ts';
import { useRepetition } from '../shared/hooks.ts';
import { asProblem, type FailedRequest } from '../shared/problems.ts';

const [FIRST_WAIT_MS, WAIT_MAX_MS, WAIT_GROWTH] = [400, 4_000, 1.4];

interface FollowedQuestion {
  job: AiSearchData | null;
  /** messages of the answer's warnings */
  warnings: readonly string[];
  problem: FailedRequest | null;
}

const NOTHING: FollowedQuestion = { job: null, warnings: [], problem: null };

/**
 * @param id of the search; null for none @param onSettled called when a search that ran here is settled
 * @returns its present state, and a function that cancels it
 */
export function useQuestion(id: string | null, onSettled: (job: AiSearchData) => void): FollowedQuestion & { cancel: () => Promise<void> } {
  const [state, setState] = useState<FollowedQuestion>(NOTHING);
  const [turn, setTurn] = useState(0);
  useRepetition(state.problem, () => setTurn(turn + 1));
  useEffect(() => {
    setState(NOTHING);
    if (!id) return undefined;
    const stop = new AbortController();
    followQuestion(id, stop.signal, setState).then(
      (ran) => ran && onSettled(ran),
      (error) => stop.signal.aborted || setState((before) => ({ ...before, problem: asProblem(error) })),
    );
    return () => stop.abort();
  }, [id, turn]);
  const cancel = async () => {
    if (!id) return;
    const { data, meta } = await call('cancelAiSearch', { id });
    setState((before) => (before.job?.settledAt ? before : { ...NOTHING, job: data, warnings: messagesOf(meta) }));
  };
  return { ...state, cancel };
}

const messagesOf = (meta: { warnings: Warning[] }) => meta.warnings.map(({ message }) => message);

/** Polls until the search is settled. @returns the search; undefined if it had been settled before or the page was left */
async function followQuestion(
  id: string,
  signal: AbortSignal,
  onProgress: (state: FollowedQuestion) => void,
): Promise<AiSearchData | null> {
  for (let turn = 0, wait = FIRST_WAIT_MS; ; turn++, wait = Math.min(WAIT_MAX_MS, wait * WAIT_GROWTH)) {
    const { data: job, meta } = await call('getAiSearch', { id }, { signal });
    if (signal.aborted) return null;
    onProgress({ job, warnings: messagesOf(meta), problem: null });
    if (job.settledAt) return turn > 0 ? job : null;
    await sleep(wait, signal);
  }
}

/** Stores whether a record answers the question of a search, which improves the next search for it. */
export const judgeAnswer = (id: string, projectId: number, feedback: AnswerFeedback) =>
  call('judgeAnswers', { id, body: feedback === 'confirmed' ? { confirm: [projectId] } : { dismiss: [projectId] } });
