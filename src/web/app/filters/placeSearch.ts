/** Places by typing, also misspelt, as changes of the filters. */
import type { SearchPlacesData } from '../../../clients/client/generated.ts';
import { callCached } from '../shared/api.ts';
import type { FilterTexts } from '../shared/filterRows.ts';
import { useAnswer, usePaused } from '../shared/hooks.ts';
import type { KnownState } from '../shared/page.ts';
import { countInWords } from '../shared/words.ts';
import { addPlace } from './changes.ts';
import { type FilterOffer, OFFER_RANKS } from './offers.ts';

const TYPED_MS = 200;
const PLACES_MAX = 5;
const TYPED_CHARACTERS_MAX = 100;
/** Names of places have letters and no digits: an amount or a day spends no request on them. */
const isPlaceName = (text: string) => /\p{L}/u.test(text) && !/\d/.test(text);

const FILTERS = { state: 'states', county: 'counties', city: 'cities' } as const;
const LABELS = { state: 'State', county: 'County', city: 'City' } as const;

/** A place's value: a state's abbreviation, a name that only one of the found places has, otherwise the number. */
function placeValue({ kind, id, label }: SearchPlacesData, found: readonly SearchPlacesData[], states: readonly KnownState[]): string {
  if (kind === 'state') return states.find((state) => state.id === id)?.abbreviation ?? String(id);
  return found.filter((other) => other.kind === kind && other.label === label).length === 1 ? label : String(id);
}

function offerOfPlace(
  place: SearchPlacesData,
  found: readonly SearchPlacesData[],
  states: readonly KnownState[],
  filters: FilterTexts,
): FilterOffer {
  const { kind, id, label, recordCount } = place;
  const change = addPlace(filters, FILTERS[kind], placeValue(place, found, states));
  const isReplacing = Object.values(change).includes(null);
  const notes = [recordCount === null ? '' : countInWords(recordCount, 'record'), isReplacing ? 'in place of the other places' : ''];
  const note = notes.filter(Boolean).join(', ');
  return { key: `place ${id}`, label: LABELS[kind], text: label, rank: OFFER_RANKS.place, change, ...(note ? { note } : {}) };
}

interface FoundPlaces {
  offers: readonly FilterOffer[];
  /** whether the answer to what is typed now is still to come */
  isWaiting: boolean;
}

/** Places that a text may mean. @param kind only of this filter */
export function usePlaceOffers(typed: string, states: readonly KnownState[], filters: FilterTexts, kind?: string): FoundPlaces {
  const asked = usePaused(typed.slice(0, TYPED_CHARACTERS_MAX).trim(), TYPED_MS, '');
  const only = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).find((one) => FILTERS[one] === kind);
  const { answer, problem, loading } = useAnswer(
    async (signal): Promise<{ asked: string; found: SearchPlacesData[] }> => {
      if (!isPlaceName(asked)) return { asked, found: [] };
      const input = { q: asked, limit: PLACES_MAX, ...(only ? { kinds: [only] } : {}) };
      return { asked, found: (await callCached('searchPlaces', input, { signal })).data };
    },
    [asked, only],
  );
  const isWaiting = answer?.asked !== typed.trim() && (loading || !problem);
  const found = answer?.asked === typed.trim() ? answer.found : [];
  return { offers: found.map((place) => offerOfPlace(place, found, states, filters)), isWaiting };
}
