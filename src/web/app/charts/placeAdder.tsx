/** The places of a comparison, and a box that adds one as it is typed. */
import { useEffect, useState } from 'preact/hooks';
import { askCached } from '../api.ts';
import { queryOf } from '../state.ts';
import { useAnswer } from '../ui.tsx';

const TYPED_MS = 200;
const KINDS: Readonly<Record<string, string>> = { state: 'states', county: 'counties', city: 'cities' };

interface FoundPlace {
  kind: string;
  id: number;
  label: string;
  recordCount: number | null;
}

/** A box that suggests places, misspelt ones too. */
export function PlaceAdder({ onAdd }: { onAdd: (place: string) => void }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const wait = setTimeout(() => setAsked(text.trim()), TYPED_MS);
    return () => clearTimeout(wait);
  }, [text]);
  const { answer } = useAnswer(
    async (signal): Promise<FoundPlace[]> =>
      asked ? (await askCached(`/locations/search${queryOf({ q: asked, limit: 8 })}`, { signal })).data : [],
    [asked],
  );
  const found = answer ?? [];
  const take = (typed: string) => {
    const chosen = found.find(({ label }) => label === typed);
    setText(chosen ? '' : typed);
    if (chosen) onAdd(`${KINDS[chosen.kind]}:${chosen.id}`);
  };
  return (
    <div class="field chart-measure">
      <label for="compared">Add a place</label>
      <input
        id="compared"
        type="search"
        list="compared-places"
        autocomplete="off"
        maxLength={100}
        placeholder="Boulder County, CO"
        value={text}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      <datalist id="compared-places">
        {found.map(({ kind, id, label, recordCount }) => (
          <option key={`${kind}${id}`} value={label}>
            {recordCount === null ? kind : `${kind}, ${recordCount} records`}
          </option>
        ))}
      </datalist>
    </div>
  );
}

/** @param given `names`: of the places, where they are known */
export function ChosenPlaces({
  places,
  names,
  onChange,
}: {
  places: readonly string[];
  names: ReadonlyMap<string, string>;
  onChange: (places: string[]) => void;
}) {
  const nameOf = (place: string) => names.get(place) ?? place;
  return (
    <ul class="place-chips" aria-label="Places that are compared">
      {places.map((place, i) => (
        <li key={place}>
          <span>{nameOf(place)}</span>
          {i > 0 && (
            <button type="button" class="small quiet" onClick={() => onChange([place, ...places.filter((one) => one !== place)])}>
              Put first<span class="hidden">: {nameOf(place)}</span>
            </button>
          )}
          <button
            type="button"
            class="small quiet"
            aria-label={`Remove ${nameOf(place)}`}
            onClick={() => onChange(places.filter((one) => one !== place))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
