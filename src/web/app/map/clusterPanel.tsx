/** The projects of a cluster on a plan that pays for records: their number, their price, and a button that buys them. */
import { useState } from 'preact/hooks';
import { ask, type FailedRequest, isDearer, type ReaderAccount, spendHeaders } from '../shared/api.ts';
import { MoreCredits } from '../shared/moreCredits.tsx';
import { queryOf } from '../shared/state.ts';
import { Action, Loading, Notice, useAnswer } from '../shared/ui.tsx';
import { countInWords, placeOfCell } from '../shared/words.ts';
import { boxesWithin, type MapCluster, rectanglesOf } from './clusters.ts';

/** Most records of a purchase: those of one page. */
export const BOUGHT_MAX = 100;

/** Most rectangles of a purchase: the price of each is a request. */
const RECTANGLES_MAX = 4;

/** Whether a cluster can be bought at once: on one page of records, in few requests. */
export const isForSale = ({ count, tiles }: MapCluster): boolean => count <= BOUGHT_MAX && rectanglesOf(tiles).length <= RECTANGLES_MAX;

/** What `GET /projects/count` says of the price. */
interface CountedPrice {
  matchCount: number;
  creditsRequired: number;
  creditsRemaining: number | null;
}

interface ClusterPanelProps {
  cluster: MapCluster;
  filters: Readonly<Record<string, string>>;
  account: ReaderAccount;
  onClose: () => void;
  onZoom: () => void;
  /** called after the purchase */
  onBought: () => void;
  /** called where a part of it was charged before the rest failed */
  onSpent: () => void;
}

const sumOf = (prices: readonly CountedPrice[], name: 'matchCount' | 'creditsRequired') =>
  prices.reduce((sum, price) => sum + price[name], 0);

export function ClusterPanel({ cluster, filters, account, onClose, onZoom, onBought, onSpent }: ClusterPanelProps) {
  const asked = boxesWithin(rectanglesOf(cluster.tiles), filters.bbox).map((box) => ({ ...filters, bbox: JSON.stringify(box) }));
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const {
    answer: prices,
    problem: refused,
    again,
  } = useAnswer(
    (signal) =>
      Promise.all(asked.map(async (one): Promise<CountedPrice> => (await ask(`/projects/count${queryOf(one)}`, { signal })).data)),
    [JSON.stringify(asked)],
  );
  const buy = async () => {
    let spent = 0;
    const buyPart = async (one: Readonly<Record<string, string>>, { matchCount: limit, creditsRequired }: CountedPrice) => {
      const path = `/projects/search${queryOf({ ...one, limit, representation: 'compact' })}`;
      spent += (await ask(path, { headers: spendHeaders(creditsRequired) })).meta.creditsUsed;
    };
    try {
      for (const [i, one] of asked.entries()) {
        const price = prices?.[i];
        if (price?.matchCount) await buyPart(one, price);
      }
    } catch (error) {
      if (spent || isDearer(error)) again();
      if (spent) onSpent();
      throw error;
    }
    onBought();
  };
  return (
    <article class="panel" aria-labelledby="cluster-title">
      <header>
        <h2 id="cluster-title" tabIndex={-1}>
          {countInWords(prices ? sumOf(prices, 'matchCount') : cluster.count, 'project')}: {placeOfCell(cluster)}
        </h2>
        <button type="button" class="quiet" onClick={onClose} aria-label="Close">
          ✕
        </button>
      </header>
      {refused && <Notice problem={refused} again={again} />}
      {problem && <Notice problem={problem} />}
      {!prices && !refused && <Loading what="Asking for the price" />}
      {prices && <Price {...{ prices, account, buy }} onProblem={setProblem} />}
      <p class="actions">
        <button type="button" onClick={onZoom}>
          Zoom in
        </button>
      </p>
    </article>
  );
}

interface PriceProps {
  prices: readonly CountedPrice[];
  account: ReaderAccount;
  buy: () => Promise<void>;
  onProblem: (problem: FailedRequest | null) => void;
}

function Price({ prices, account, buy, onProblem }: PriceProps) {
  const matchCount = sumOf(prices, 'matchCount');
  const creditsRequired = sumOf(prices, 'creditsRequired');
  const balance = prices[0]?.creditsRemaining ?? 0;
  const cost = countInWords(creditsRequired, 'credit');
  const held = matchCount - creditsRequired / account.creditRate;
  return (
    <div class="price">
      <p>
        Reading {matchCount === 1 ? 'it' : `these ${countInWords(matchCount, 'project')}`} costs <strong>{cost}</strong>
        {held > 0 && `, since your team holds the other ${held}`}. Your balance is {countInWords(balance, 'credit')}; nothing is charged
        before you press the button.
      </p>
      {matchCount > BOUGHT_MAX ? (
        <p>One page brings {BOUGHT_MAX}: filter, draw a smaller shape, or export them.</p>
      ) : creditsRequired > balance ? (
        <p>
          <strong>The balance does not pay for them.</strong> Zoom in, or filter for fewer. <MoreCredits account={account} />
        </p>
      ) : (
        <Action kind="primary" work={buy} onProblem={onProblem}>
          {creditsRequired ? `Read for ${cost}` : 'Read them, free'}
        </Action>
      )}
    </div>
  );
}
