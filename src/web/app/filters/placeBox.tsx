/** A search box for places: the best matches of the catalogue, also for misspelt names, as the browser's suggestions. */
import { useEffect, useState } from 'preact/hooks';
import { askKept, type KnownState } from '../api.ts';
import { type FilterChange, queryOf } from '../state.ts';
import { useAnswer } from '../ui.tsx';

const TYPED_MS = 200;

/** A place as the search for places answers it. */
export interface PlaceMatch {
  kind: 'state' | 'county' | 'city';
  id: number;
  label: string;
  stateId: number;
  recordCount: number | null;
}

/** The filters that a place means. A city is given by its name if that is unique, otherwise by its id. */
export function filtersOfPlace(
  { kind, id, label, stateId }: PlaceMatch,
  found: readonly PlaceMatch[],
  states: readonly KnownState[],
): FilterChange {
  const state = states.find((one) => one.id === stateId)?.abbreviation ?? String(stateId);
  if (kind === 'state') return { states: state, counties: null, cities: null };
  if (kind === 'county') return { states: state, counties: String(id), cities: null };
  const isAlone = found.filter((other) => other.label === label).length === 1;
  return { states: null, counties: null, cities: isAlone ? label : String(id) };
}

interface PlaceBoxProps {
  states: readonly KnownState[];
  onChange: (change: FilterChange) => void;
}

export function PlaceBox({ states, onChange }: PlaceBoxProps) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const wait = setTimeout(() => setAsked(text.trim()), TYPED_MS);
    return () => clearTimeout(wait);
  }, [text]);
  const { answer } = useAnswer(
    async (signal): Promise<PlaceMatch[]> =>
      asked ? (await askKept(`/locations/search${queryOf({ q: asked, limit: 8 })}`, { signal })).data : [],
    [asked],
  );
  const found = answer ?? [];
  const take = (typed: string) => {
    const chosen = found.find(({ label }) => label === typed);
    setText(chosen ? '' : typed);
    if (chosen) onChange(filtersOfPlace(chosen, found, states));
  };
  return (
    <div class="field">
      <label for="place">Go to a place</label>
      <input
        id="place"
        type="search"
        list="places"
        autocomplete="off"
        maxLength={100}
        placeholder="Boulder, CO"
        value={text}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <datalist id="places">
        {found.map(({ kind, id, label, recordCount }) => (
          <option key={`${kind}${id}`} value={label}>
            {recordCount === null ? kind : `${kind}, ${recordCount} records`}
          </option>
        ))}
      </datalist>
    </div>
  );
}
