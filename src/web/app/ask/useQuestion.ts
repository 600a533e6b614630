/** Follows a question until it is settled. */
import { useEffect, useState } from 'preact/hooks';
import { ask, type FailedRequest } from '../shared/api.ts';
import { asProblem, useRepetition } from '../shared/ui.tsx';
import type { AnswerFeedback, QuestionJob } from './question.ts';

const JOBS = '/projects/ai-search/jobs';
const [FIRST_WAIT_MS, WAIT_MAX_MS, WAIT_GROWTH] = [400, 4_000, 1.4];

interface FollowedQuestion {
  job: QuestionJob | null;
  /** messages of the answer's warnings */
  warnings: readonly string[];
  problem: FailedRequest | null;
}

const NOTHING: FollowedQuestion = { job: null, warnings: [], problem: null };

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * @param id of the search; null for none @param onSettled called when a search that ran here is settled
 * @returns its present state, and a function that cancels it
 */
export function useQuestion(id: string | null, onSettled: (job: QuestionJob) => void): FollowedQuestion & { cancel: () => Promise<void> } {
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
    const { data, meta } = await ask(`${JOBS}/${id}`, { method: 'DELETE' });
    setState((before) => (before.job?.settledAt ? before : { ...NOTHING, job: data, warnings: messagesOf(meta) }));
  };
  return { ...state, cancel };
}

const messagesOf = (meta: { warnings: { message: string }[] }) => meta.warnings.map(({ message }) => message);

/** Polls until the search is settled. @returns the search; undefined if it had been settled before or the page was left */
async function followQuestion(id: string, signal: AbortSignal, onProgress: (state: FollowedQuestion) => void): Promise<QuestionJob | null> {
  for (let turn = 0, wait = FIRST_WAIT_MS; ; turn++, wait = Math.min(WAIT_MAX_MS, wait * WAIT_GROWTH)) {
    const { data, meta } = await ask(`${JOBS}/${id}`, { signal });
    const job: QuestionJob = data;
    if (signal.aborted) return null;
    onProgress({ job, warnings: messagesOf(meta), problem: null });
    if (job.settledAt) return turn > 0 ? job : null;
    await pause(wait);
    if (signal.aborted) return null;
  }
}

/** Submits a question. @param idempotencyKey with which a repeated request is charged once @returns its id */
export async function submitQuestion(
  { query, filters, limit }: { query: string; filters: Readonly<Record<string, string>>; limit: number },
  idempotencyKey: string,
): Promise<string> {
  const body = { query, filters, limit, notify: { email: false } };
  return (await ask(JOBS, { method: 'POST', body, headers: { 'Idempotency-Key': idempotencyKey } })).data.id;
}

/** Stores whether a record answers the question of a search, which improves the next search for it. */
export async function judgeAnswer(searchId: string, projectId: number, feedback: AnswerFeedback): Promise<void> {
  const body = feedback === 'confirmed' ? { confirm: [projectId] } : { dismiss: [projectId] };
  await ask(`${JOBS}/${searchId}/feedback`, { method: 'POST', body });
}
