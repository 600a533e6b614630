/** What a typed sentence means, as one change of the filters. */
import { callCached } from '../shared/api.ts';
import { useAnswer, usePaused } from '../shared/hooks.ts';
import type { FilterChange } from '../shared/state.ts';
import { filtersInAddress } from '../shared/words.ts';
import { setValue } from './changes.ts';
import { chipsOf } from './chips.ts';
import { type FilterTexts, rowOf } from './filterRows.ts';
import { type FilterOffer, OFFER_RANKS } from './offers.ts';
import { type FilterUse, usePlaceNames } from './useFilters.ts';

const TYPED_MS = 200;
const PLACES = ['states', 'counties', 'cities'];
/** Two words or more, and a letter. */
const SENTENCE = /^(?=.*\p{L})\S+\s+\S/su;

/** The filters of a sentence in place of those of the same kind; places replace places. */
function changeOf({ catalogue }: FilterUse, read: FilterTexts): FilterChange {
  const replaced = PLACES.some((name) => read[name]) ? PLACES : [];
  const set = Object.entries(read).map(([name, text]) => {
    const row = rowOf(catalogue, name);
    return row ? setValue(row, text) : { [name]: text };
  });
  return Object.assign(Object.fromEntries(replaced.map((name) => [name, null])), ...set);
}

/**
 * An offer of all that a sentence means, first where that is several filters; `isWaiting` until what is typed now is read.
 * @param others offers of the text that need no repetition
 */
export function useSentenceOffer(
  typed: string,
  use: FilterUse,
  others: readonly FilterOffer[],
): { offers: readonly FilterOffer[]; isWaiting: boolean } {
  const sentence = SENTENCE.test(typed.trim()) ? typed.trim() : '';
  const asked = usePaused(sentence, TYPED_MS, '');
  const { answer, problem, loading } = useAnswer(
    async (signal) => ({ asked, said: asked ? (await callCached('interpretSentence', { q: asked }, { signal })).data : null }),
    [asked],
  );
  const said = answer?.asked === sentence ? answer.said : null;
  const read = filtersInAddress(said?.filters);
  const names = usePlaceNames(read, use.states);
  const chips = chipsOf(use.catalogue, read, names);
  const isWaiting = answer?.asked !== sentence && (loading || !problem);
  const isOffered = chips.length === 1 && others.some(({ label, text }) => label === chips[0]?.label && text === chips[0]?.text);
  if (!said || !chips.length || isOffered) return { offers: [], isWaiting };
  const offer: FilterOffer = {
    key: `sentence ${sentence}`,
    label: 'Reads as',
    text: chips.map(({ label, text }) => `${label}: ${text}`).join('; '),
    ...(said.rest ? { note: `not read: ${said.rest}` } : {}),
    change: changeOf(use, read),
    rank: chips.length > 1 ? OFFER_RANKS.whole : OFFER_RANKS.laterWord,
  };
  return { offers: [offer], isWaiting };
}
