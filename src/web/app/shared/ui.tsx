/** Components shared by every part of the page. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ErrorCode } from '../../../core/domain/errorTable.ts';
import { FailedRequest, isUnreachable, repeatWhenOnline } from './api.ts';
import { WhomToAsk } from './moreCredits.tsx';

export interface Asked<T> {
  answer: T | null;
  problem: FailedRequest | null;
  loading: boolean;
  /** runs the request again */
  again: () => void;
}

/** Runs a request, and again when `inputs` change, which aborts the one before. */
export function useAnswer<T>(work: (signal: AbortSignal) => Promise<T>, inputs: unknown[]): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'again'>>({ answer: null, problem: null, loading: true });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    work(stop.signal).then(
      (answer) => stop.signal.aborted || setState({ answer, problem: null, loading: false }),
      (error) => stop.signal.aborted || setState((before) => ({ answer: before.answer, problem: asProblem(error), loading: false })),
    );
    return () => stop.abort();
  }, [...inputs, turn]);
  const again = useCallback(() => setTurn((t) => t + 1), []);
  useRepetition(state.problem, again);
  return { ...state, again };
}

/** Repeats a request that failed for want of a network once there is one again. */
export const useRepetition = (problem: FailedRequest | null | undefined, repeat: () => void): void =>
  useEffect(() => (isUnreachable(problem) ? repeatWhenOnline(repeat) : undefined), [problem]);

export const asProblem = (error: unknown): FailedRequest =>
  error instanceof FailedRequest
    ? error
    : new FailedRequest({
        code: 'page',
        message: 'The page could not show this.',
        remedy: `Reload it. (${error instanceof Error ? error.message : error})`,
      });

/** Errors with which an allowance, a plan or a licence ends. */
const ENDS = new Set<string>([
  ...(['credits_exhausted', 'insufficient_credits', 'enrichment_allowance_exceeded', 'enrichment_requires_paid_plan'] as const),
  ...(['sharing_requires_paid_plan', 'subscription_required', 'account_disabled', 'geographic_access_denied'] as const),
  ...(['alert_limit_reached', 'alert_geography_too_broad'] as const),
] satisfies ErrorCode[]);

/** A problem: a sentence and its remedy. */
export const Notice = ({ problem, again }: { problem: FailedRequest; again?: (() => void) | undefined }) => (
  <div class="notice" role="alert">
    <p>
      <strong>{problem.message}</strong> {problem.remedy} {problem.waitSeconds > 0 && `Wait ${problem.waitSeconds} s.`}
    </p>
    <p class="actions">
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
      {problem.status > 0 && <a href={`/docs/errors#${problem.code}`}>About this error</a>}
      {ENDS.has(problem.code) && <WhomToAsk />}
    </p>
  </div>
);

export const Empty = ({ children }: { children?: ComponentChildren }) => <p class="empty">{children}</p>;

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <p class="loading" role="status">
    <span class="spinner" aria-hidden="true" />
    {what} …
  </p>
);

/** A small table of figures or rows. @param given `numbers`: indices of numeric columns */
export const Table = ({
  heads,
  rows,
  label,
  numbers = [],
}: {
  heads: string[];
  rows: ComponentChildren[][];
  label: string;
  numbers?: number[];
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it has to be reached by keyboard
  // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
  <div class="scroll" tabIndex={0} role="group" aria-label={label}>
    <table>
      <thead>
        <tr>
          {heads.map((head, i) => (
            <th key={head} scope="col" class={numbers.includes(i) ? 'number' : ''}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, i) => (
              <td class={numbers.includes(i) ? 'number' : ''}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A button that is disabled and says so while its work runs. */
export function Action({
  work,
  children,
  kind = '',
  disabled = false,
  onProblem,
}: {
  work: () => Promise<void>;
  children?: ComponentChildren;
  kind?: string;
  disabled?: boolean;
  onProblem: (problem: FailedRequest | null) => void;
}) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    onProblem(null);
    try {
      await work();
    } catch (error) {
      onProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" class={kind} disabled={busy || disabled} aria-busy={busy} onClick={run}>
      {children}
    </button>
  );
}

/** Colours of a token's badge: good news, bad news, otherwise neither. */
const TONES: Readonly<Record<string, string>> = {
  approved: 'good',
  approved_with_conditions: 'good',
  recommended_approval: 'good',
  ready: 'good',
  active: 'good',
  denied: 'bad',
  recommended_denial: 'bad',
  withdrawn: 'bad',
  failed: 'bad',
  revoked: 'bad',
};

export const Badge = ({ token, label }: { token: string | null; label?: string | null | undefined }) => (
  <span class={`badge ${TONES[token ?? ''] ?? ''}`}>{label ?? token ?? 'Unknown'}</span>
);
