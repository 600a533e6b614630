/** Places by typing, also misspelt, as changes of the filters. */
import { useEffect, useState } from 'preact/hooks';
import { askCached, type KnownState } from '../shared/api.ts';
import { queryOf } from '../shared/state.ts';
import { useAnswer } from '../shared/ui.tsx';
import { countInWords } from '../shared/words.ts';
import { addPlace } from './changes.ts';
import type { FilterTexts } from './filterRows.ts';
import { type FilterOffer, OFFER_RANKS } from './offers.ts';

const TYPED_MS = 200;
const PLACES_MAX = 5;
const TYPED_CHARACTERS_MAX = 100;

/** A place as the search for places answers it. */
interface PlaceMatch {
  kind: 'state' | 'county' | 'city';
  id: number;
  label: string;
  stateId: number;
  recordCount: number | null;
}

const FILTERS = { state: 'states', county: 'counties', city: 'cities' } as const;
const LABELS = { state: 'State', county: 'County', city: 'City' } as const;

/** A place's value: a state's abbreviation, a name that only one of the found places has, otherwise the number. */
function placeValue({ kind, id, label }: PlaceMatch, found: readonly PlaceMatch[], states: readonly KnownState[]): string {
  if (kind === 'state') return states.find((state) => state.id === id)?.abbreviation ?? String(id);
  return found.filter((other) => other.kind === kind && other.label === label).length === 1 ? label : String(id);
}

function offerOfPlace(place: PlaceMatch, found: readonly PlaceMatch[], states: readonly KnownState[], filters: FilterTexts): FilterOffer {
  const { kind, id, label, recordCount } = place;
  const change = addPlace(filters, FILTERS[kind], placeValue(place, found, states));
  const isReplacing = Object.values(change).includes(null);
  const notes = [recordCount === null ? '' : countInWords(recordCount, 'record'), isReplacing ? 'in place of the other places' : ''];
  const note = notes.filter(Boolean).join(', ');
  return { key: `place ${id}`, label: LABELS[kind], text: label, rank: OFFER_RANKS.place, change, ...(note ? { note } : {}) };
}

/** The text once typing has paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState('');
  useEffect(() => {
    const wait = setTimeout(() => setPaused(text.trim()), TYPED_MS);
    return () => clearTimeout(wait);
  }, [text]);
  return paused;
}

interface FoundPlaces {
  offers: readonly FilterOffer[];
  /** whether the answer to what is typed now is still to come */
  isWaiting: boolean;
}

/** Places that a text may mean. @param kind only of this filter */
export function usePlaceOffers(typed: string, states: readonly KnownState[], filters: FilterTexts, kind?: string): FoundPlaces {
  const asked = usePaused(typed.slice(0, TYPED_CHARACTERS_MAX));
  const kinds = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).find((one) => FILTERS[one] === kind);
  const { answer, problem, loading } = useAnswer(
    async (signal): Promise<{ asked: string; found: PlaceMatch[] }> => {
      if (!/\p{L}/u.test(asked)) return { asked, found: [] };
      return { asked, found: (await askCached(`/locations/search${queryOf({ q: asked, kinds, limit: PLACES_MAX })}`, { signal })).data };
    },
    [asked, kinds],
  );
  const isWaiting = answer?.asked !== typed.trim() && (loading || !problem);
  const found = answer?.asked === typed.trim() ? answer.found : [];
  return { offers: found.map((place) => offerOfPlace(place, found, states, filters)), isWaiting };
}
