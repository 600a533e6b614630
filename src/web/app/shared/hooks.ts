/** Hooks of components: requests with their answers, pauses, events of the window. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Input, OperationId } from '../../../clients/client/prepare.ts';
import { call } from './api.ts';
import { asProblem, type FailedRequest, isUnreachable, repeatWhenOnline } from './problems.ts';

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

/** Calls an operation, and again when its input or one of `others` changes. @param input null for no call */
export const useCall = <Id extends OperationId>(id: Id, input: Input<Id> | null, ...others: unknown[]): Asked<Answer<Id> | null> =>
  useAnswer(async (signal) => input && call(id, input, { signal }), [JSON.stringify(input), ...others]);

/** Repeats a request that failed for want of a network once there is one again. */
export const useRepetition = (problem: FailedRequest | null | undefined, repeat: () => void): void =>
  useEffect(() => (isUnreachable(problem) ? repeatWhenOnline(repeat) : undefined), [problem]);

/** The value once it has not changed for a moment. @param first before that */
export function usePaused<Value>(value: Value, waitMs: number, first: Value = value): Value {
  const [paused, setPaused] = useState(first);
  useEffect(() => {
    const wait = setTimeout(() => setPaused(value), waitMs);
    return () => clearTimeout(wait);
  }, [JSON.stringify(value)]);
  return paused;
}

/** A signal that is aborted when the component is left. */
export function useStop(): AbortSignal {
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  return stop.current.signal;
}

export function useLatest<Value>(value: Value): { current: Value } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

export function useListener<Name extends keyof WindowEventMap>(name: Name, listener: (event: WindowEventMap[Name]) => void): void {
  const latest = useLatest(listener);
  useEffect(() => {
    const listen = (event: WindowEventMap[Name]) => latest.current(event);
    addEventListener(name, listen);
    return () => removeEventListener(name, listen);
  }, []);
}
