/** The projects of a cluster on a plan that pays for records: their number, their price, and a button that buys them. */
import type { CountPrice } from '../shared/answers.ts';
import { call, spend } from '../shared/api.ts';
import { useAnswer } from '../shared/hooks.ts';
import { usePage } from '../shared/page.ts';
import { isDearer } from '../shared/problems.ts';
import { toFilters } from '../shared/state.ts';
import { Button, Loading, MoreCredits, Notice, PanelHead, PrimaryAction, ProblemNotice, Problems } from '../shared/ui.tsx';
import { countInWords, placeOfCell } from '../shared/words.ts';
import { boxesWithin, type MapCluster, rectanglesOf } from './clusters.ts';

/** Most records of a purchase: those of one page. */
const BOUGHT_MAX = 100;

/** Most rectangles of a purchase: the price of each is a request. */
const RECTANGLES_MAX = 4;

/** Whether a cluster can be bought at once: on one page of records, in few requests. */
export const canBuyAtOnce = ({ count, tiles }: MapCluster): boolean => count <= BOUGHT_MAX && rectanglesOf(tiles).length <= RECTANGLES_MAX;

interface ClusterPanelProps {
  cluster: MapCluster;
  onClose: () => void;
  onZoom: () => void;
  /** called after the purchase */
  onBought: () => void;
  /** called where a part of it was charged before the rest failed */
  onSpent: () => void;
}

const sumOf = (prices: readonly CountPrice[], name: 'matchCount' | 'creditsRequired') =>
  prices.reduce((sum, price) => sum + price[name], 0);

export function ClusterPanel({ cluster, onClose, onZoom, onBought, onSpent }: ClusterPanelProps) {
  const { filters } = usePage().state;
  const asked = boxesWithin(rectanglesOf(cluster.tiles), filters.bbox).map((box) => toFilters({ ...filters, bbox: JSON.stringify(box) }));
  const {
    answer: prices,
    problem: refused,
    again,
  } = useAnswer(
    (signal) => Promise.all(asked.map(async (one) => (await call('countProjects', one, { signal })).data)),
    [JSON.stringify(asked)],
  );
  const buy = async () => {
    let spent = 0;
    try {
      for (const [i, one] of asked.entries()) {
        const { matchCount: limit = 0, creditsRequired = 0 } = prices?.[i] ?? {};
        if (!limit) continue;
        const { meta } = await call('searchProjects', { ...one, limit, representation: 'compact' }, spend(creditsRequired));
        spent += meta.creditsUsed;
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
      <PanelHead
        id="cluster-title"
        title={
          <>
            {countInWords(prices ? sumOf(prices, 'matchCount') : cluster.count, 'project')}: {placeOfCell(cluster)}
          </>
        }
        onClose={onClose}
      />
      {refused && <Notice problem={refused} again={again} />}
      <Problems>
        <ProblemNotice />
        {!prices && !refused && <Loading what="Asking for the price" />}
        {prices && <Price {...{ prices, buy }} />}
      </Problems>
      <p class="actions">
        <Button onClick={onZoom}>Zoom in</Button>
      </p>
    </article>
  );
}

function Price({ prices, buy }: { prices: readonly CountPrice[]; buy: () => Promise<void> }) {
  const { creditRate } = usePage().account;
  const matchCount = sumOf(prices, 'matchCount');
  const creditsRequired = sumOf(prices, 'creditsRequired');
  const balance = prices[0]?.creditsRemaining ?? 0;
  const cost = countInWords(creditsRequired, 'credit');
  const hasButton = matchCount <= BOUGHT_MAX && creditsRequired <= balance;
  const held = matchCount - creditsRequired / creditRate;
  return (
    <div class="price">
      <p>
        Reading {matchCount === 1 ? 'it' : `these ${countInWords(matchCount, 'project')}`} costs <strong>{cost}</strong>
        {held > 0 && `, since your team holds the other ${held}`}. Your balance is {countInWords(balance, 'credit')}
        {hasButton ? '; nothing is charged before you press the button.' : '.'}
      </p>
      {matchCount > BOUGHT_MAX ? (
        <p>One page brings {BOUGHT_MAX}: filter, draw a smaller shape, or export them.</p>
      ) : creditsRequired > balance ? (
        <p>
          <strong>The balance does not pay for them.</strong> {balance > 0 && 'Zoom in, or filter for fewer. '}
          <MoreCredits />
        </p>
      ) : (
        <PrimaryAction work={buy}>{creditsRequired ? `Read for ${cost}` : 'Read them, free'}</PrimaryAction>
      )}
    </div>
  );
}
