/** What the service reads in a typed text, as changes of the filters. */
import { callCached } from '../shared/api.ts';
import { usePlaceNames } from '../shared/criteria.tsx';
import { useAnswer, usePaused } from '../shared/hooks.ts';
import { filtersInAddress } from '../shared/words.ts';
import { type FilterOffer, OFFER_RANKS, offersOfReading } from './offers.ts';
import type { FilterUse } from './useFilters.ts';

const TYPED_MS = 200;
/** Two words or more, or a number. */
const SENTENCE = /\S\s+\S|\d/;

/**
 * Offers of what a text means; `unread` is the text if filters do not say all of it, `isWaiting` is true until what is typed now is read.
 * @param others offers of the text by names: nothing is offered twice
 */
export function useSentenceOffers(typed: string, use: FilterUse, others: readonly FilterOffer[]) {
  const sentence = SENTENCE.test(typed.trim()) ? typed.trim() : '';
  const asked = usePaused(sentence, TYPED_MS, '');
  const { answer, problem, loading } = useAnswer(
    async (signal) => {
      if (!asked) return { asked, said: null };
      const { data, meta } = await callCached('interpretSentence', { q: asked }, { signal });
      return { asked, said: { ...data, warnings: meta.warnings } };
    },
    [asked],
  );
  const said = answer?.asked === sentence ? answer.said : null;
  const read = filtersInAddress(said?.filters);
  const names = usePlaceNames(read);
  const offers = said ? offersOfReading(sentence, { ...said, filters: read }, use, names) : [];
  const isWhole = others.some(({ rank }) => rank <= OFFER_RANKS.word);
  const isSame =
    ({ label, text }: FilterOffer) =>
    (other: FilterOffer) =>
      `Reads as ${other.label}: ${other.text}` === `${label} ${text}`;
  return {
    unread: said && said.rest !== null ? sentence : '',
    offers: offers.filter((one) => !others.some(isSame(one)) && (!isWhole || one.label === 'Reads as')),
    isWaiting: answer?.asked !== sentence && (loading || !problem),
  };
}
