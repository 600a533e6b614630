// Components shared by every part of the page.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { FailedRequest } from './api.js';
import { html } from './html.js';

/**
 * Runs a request, and again when `inputs` change, which aborts the one before.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @param {unknown[]} inputs
 * @returns {{answer: T | null, problem: FailedRequest | null, loading: boolean, again: () => void}}
 */
export function useAnswer(work, inputs) {
  const [state, setState] = useState(
    /** @type {{answer: T | null, problem: FailedRequest | null, loading: boolean}} */ ({ answer: null, problem: null, loading: true }),
  );
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
  return { ...state, again: useCallback(() => setTurn((t) => t + 1), []) };
}

/** @param {unknown} error @returns {FailedRequest} */
export const asProblem = (error) =>
  error instanceof FailedRequest
    ? error
    : new FailedRequest({
        code: 'page',
        message: 'The page could not show this.',
        remedy: `Reload it. (${error instanceof Error ? error.message : error})`,
      });

/** Shows a problem: a sentence and its remedy. @param {{problem: FailedRequest, again?: (() => void) | undefined}} given */
export const Notice = ({ problem, again }) => html`<div class="notice" role="alert">
  <p><strong>${problem.message}</strong> ${problem.remedy} ${problem.waitSeconds > 0 && `Wait ${problem.waitSeconds} s.`}</p>
  <p class="actions">
    ${again && html`<button type="button" onClick=${again}>Try again</button>`}
    ${problem.status > 0 && html`<a href=${`/docs/errors#${problem.code}`}>About this error</a>`}
  </p>
</div>`;

/** @param {{children?: any}} given */
export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;

export const Loading = ({ what = 'Loading' }) =>
  html`<p class="loading" role="status"><span class="spinner" aria-hidden="true"></span>${what} …</p>`;

/** @param {{heads: string[], rows: any[][], label: string, numbers?: number[]}} given `numbers`: indices of numeric columns */
export const Table = ({ heads, rows, label, numbers = [] }) => html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>
  <table>
    <thead><tr>${heads.map((head, i) => html`<th scope="col" class=${numbers.includes(i) ? 'number' : ''}>${head}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell, i) => html`<td class=${numbers.includes(i) ? 'number' : ''}>${cell}</td>`)}</tr>`)}</tbody>
  </table>
</div>`;

/**
 * A button that is disabled and says so while its work runs.
 * @param {{work: () => Promise<void>, children?: any, kind?: string, disabled?: boolean, onProblem: (problem: FailedRequest | null) => void}} given
 */
export function Action({ work, children, kind = '', disabled = false, onProblem }) {
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
  return html`<button type="button" class=${kind} disabled=${busy || disabled} aria-busy=${busy} onClick=${run}>${children}</button>`;
}

/** @param {string | null | undefined} status */
const TONES = /** @type {Record<string, string>} */ ({
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
});
/** @param {{token: string | null, label?: string | null}} given */
export const Badge = ({ token, label }) => html`<span class=${`badge ${TONES[token ?? ''] ?? ''}`}>${label ?? token ?? 'Unknown'}</span>`;
