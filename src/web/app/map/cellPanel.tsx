/** The projects of a tile on a plan that pays for records: their number, their price, and a button that buys them. */
import { useState } from 'preact/hooks';
import { ask, type FailedRequest, onceKey } from '../api.ts';
import { boxOfTile, queryOf } from '../state.ts';
import { Action, Loading, Notice, useAnswer } from '../ui.tsx';
import { counted, placeOfCell } from '../words.ts';
import type { MapCell } from './mapAnswer.ts';

/** Most records of a purchase: those of one page. */
export const BOUGHT_MAX = 100;

/** What `GET /projects/count` says of the price. */
interface CellPrice {
  matchCount: number;
  creditsRequired: number;
  creditsRemaining: number | null;
  affordability: { affordable: boolean };
}

interface CellPanelProps {
  cell: MapCell;
  filters: Readonly<Record<string, string>>;
  onClose: () => void;
  onZoom: () => void;
  /** called after the purchase */
  onBought: () => void;
}

export function CellPanel({ cell, filters, onClose, onZoom, onBought }: CellPanelProps) {
  const asked = { ...filters, bbox: JSON.stringify(boxOfTile(cell.tile)) };
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const { answer, problem: refused, again } = useAnswer((signal) => ask(`/projects/count${queryOf(asked)}`, { signal }), [cell.tile]);
  const price: CellPrice | undefined = answer?.data;
  const buy = async () => {
    const query = queryOf({ ...asked, limit: price?.matchCount, representation: 'compact' });
    await ask(`/projects/search${query}`, { headers: { 'Idempotency-Key': onceKey() } });
    onBought();
  };
  return (
    <article class="panel" aria-labelledby="cluster-title">
      <header>
        <h2 id="cluster-title" tabIndex={-1}>
          {counted(cell.count, 'project')}: {placeOfCell(cell)}
        </h2>
        <button type="button" class="quiet" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      {refused && <Notice problem={refused} again={again} />}
      {problem && <Notice problem={problem} />}
      {!answer && !refused && <Loading what="Asking for the price" />}
      {price && <Price price={price} buy={buy} onProblem={setProblem} />}
      <p class="actions">
        <button type="button" onClick={onZoom}>
          Zoom in
        </button>
      </p>
    </article>
  );
}

interface PriceProps {
  price: CellPrice;
  buy: () => Promise<void>;
  onProblem: (problem: FailedRequest | null) => void;
}

function Price({ price: { matchCount, creditsRequired, creditsRemaining, affordability }, buy, onProblem }: PriceProps) {
  const cost = counted(creditsRequired, 'credit');
  return (
    <div class="price">
      <p>
        Reading {matchCount === 1 ? 'it' : `these ${counted(matchCount, 'project')}`} costs <strong>{cost}</strong>. Your balance is{' '}
        {counted(creditsRemaining ?? 0, 'credit')}; nothing is charged before you press the button.
      </p>
      {matchCount > BOUGHT_MAX ? (
        <p>One page brings {BOUGHT_MAX}: filter, draw a smaller shape, or export them.</p>
      ) : !affordability.affordable ? (
        <p>
          <strong>The balance does not pay for them.</strong> Filter for fewer, or wait for the monthly reset.
        </p>
      ) : (
        <Action kind="primary" work={buy} onProblem={onProblem}>
          {creditsRequired ? `Read for ${cost}` : 'Read them, free'}
        </Action>
      )}
    </div>
  );
}
