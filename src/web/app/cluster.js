// The projects of a tile on a plan that pays for records: their number, their price, and a button that buys them.
import { useState } from 'preact/hooks';
import { ask, onceKey } from './api.ts';
import { html } from './html.js';
import { boxOfTile, queryOf } from './state.ts';
import { Action, Loading, Notice, useAnswer } from './ui.tsx';
import { counted, placeOfCell } from './words.ts';

/** Most records of a purchase: those of one page. */
export const BOUGHT_MAX = 100;

/**
 * @param {{cell: any, filters: Record<string, string>, onClose: () => void, onZoom: () => void, onSpent: (records: any[]) => void}} given
 */
export function ClusterPanel({ cell, filters, onClose, onZoom, onSpent }) {
  const asked = { ...filters, bbox: JSON.stringify(boxOfTile(cell.tile)) };
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const { answer, problem: refused, again } = useAnswer((signal) => ask(`/projects/count${queryOf(asked)}`, { signal }), [cell.tile]);
  const price = answer?.data;
  const buy = async () => {
    const query = queryOf({ ...asked, limit: price.matchCount, representation: 'compact' });
    const { data } = await ask(`/projects/search${query}`, { headers: { 'Idempotency-Key': onceKey() } });
    onSpent(data);
  };
  return html`<article class="panel" aria-labelledby="cluster-title">
    <header><h2 id="cluster-title" tabindex="-1">${counted(cell.count, 'project')}: ${placeOfCell(cell)}</h2>
      <button type="button" class="quiet" onClick=${onClose} aria-label="Close">✕</button></header>
    ${refused && html`<${Notice} problem=${refused} again=${again} />`}
    ${problem && html`<${Notice} problem=${problem} />`}
    ${!answer && !refused && html`<${Loading} what="Asking for the price" />`}
    ${
      price &&
      html`<div class="price"><p>Reading ${price.matchCount === 1 ? 'it' : `these ${counted(price.matchCount, 'project')}`} costs <strong>${counted(price.creditsRequired, 'credit')}</strong>. Your balance is ${counted(price.creditsRemaining ?? 0, 'credit')}; nothing is charged before you press the button.</p>
      ${
        price.matchCount > BOUGHT_MAX
          ? html`<p>One page brings ${BOUGHT_MAX}: filter, draw a smaller shape, or export them.</p>`
          : !price.affordability.affordable
            ? html`<p><strong>The balance does not pay for them.</strong> Filter for fewer, or wait for the monthly reset.</p>`
            : html`<${Action} kind="primary" work=${buy} onProblem=${setProblem}>${price.creditsRequired ? `Read for ${counted(price.creditsRequired, 'credit')}` : 'Read them, free'}<//>`
      }</div>`
    }
    <p class="actions"><button type="button" onClick=${onZoom}>Zoom in</button></p>
  </article>`;
}
