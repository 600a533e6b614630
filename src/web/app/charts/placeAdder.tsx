/** The places of a comparison, and a box that adds one as it is typed. */
import { useEffect, useState } from 'preact/hooks';
import type { SearchPlacesData } from '../../../clients/client/generated.ts';
import { callCached } from '../shared/api.ts';
import { useAnswer, usePaused } from '../shared/hooks.ts';
import { asProblem, type FailedRequest } from '../shared/problems.ts';
import { Notice, QuietButton } from '../shared/ui.tsx';

const TYPED_MS = 200;
const KINDS = { state: 'states', county: 'counties', city: 'cities' } as const;

const findPlaces = async (q: string, signal?: AbortSignal): Promise<SearchPlacesData[]> =>
  q ? (await callCached('searchPlaces', { q, limit: 8 }, signal && { signal })).data : [];

const isMeant =
  (typed: string) =>
  ({ label }: SearchPlacesData): boolean =>
    label.toLowerCase() === typed.toLowerCase();

/** A box that suggests places, misspelt ones too. Enter and the button take the first of them. */
export function PlaceAdder({ onAdd }: { onAdd: (place: string) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<FailedRequest | null>(null);
  const [unknown, setUnknown] = useState<string | null>(null);
  const asked = usePaused(text.trim(), TYPED_MS);
  const { answer } = useAnswer((signal) => findPlaces(asked, signal), [asked]);
  const found = answer ?? [];
  useEffect(() => {
    // Its list came after all of it was typed.
    const chosen = found.find(({ label }) => label === text.trim());
    if (chosen) take(chosen);
  }, [answer]);
  const take = (chosen: SearchPlacesData) => {
    setText('');
    onAdd(`${KINDS[chosen.kind]}:${chosen.id}`);
  };
  const type = (typed: string) => {
    setText(typed);
    setUnknown(null);
    const chosen = found.find(({ label }) => label === typed);
    if (chosen) take(chosen);
  };
  // The list of suggestions may come after all was typed, so what is typed is asked for.
  const add = async () => {
    const typed = text.trim();
    const places = await findPlaces(typed);
    const chosen = places.find(isMeant(typed)) ?? places[0];
    if (chosen) take(chosen);
    else if (typed) setUnknown(typed);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setProblem(null);
    add().catch((error) => setProblem(asProblem(error)));
  };
  return (
    <form class="field chart-measure place-adder" onSubmit={submit}>
      <label for="compared">Add a place</label>
      <div class="row">
        <input
          id="compared"
          type="search"
          list="compared-places"
          autocomplete="off"
          maxLength={100}
          placeholder="Boulder County, CO"
          value={text}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
        <button type="submit" disabled={!text.trim()}>
          Add
        </button>
      </div>
      {unknown && <p role="status">No place is called “{unknown}”.</p>}
      {problem && <Notice problem={problem} />}
      <datalist id="compared-places">
        {found.map(({ kind, id, label, recordCount }) => (
          <option key={`${kind}${id}`} value={label}>
            {recordCount === null ? kind : `${kind}, ${recordCount} records`}
          </option>
        ))}
      </datalist>
    </form>
  );
}

interface ChosenPlacesProps {
  places: readonly string[];
  /** of the places, where they are known */
  names: ReadonlyMap<string, string>;
  onChange: (places: string[]) => void;
}

export function ChosenPlaces({ places, names, onChange }: ChosenPlacesProps) {
  const nameOf = (place: string) => names.get(place) ?? place;
  return (
    <ul class="place-chips" aria-label="Places that are compared">
      {places.map((place, i) => (
        <li key={place}>
          <span>{nameOf(place)}</span>
          {i > 0 && (
            <QuietButton onClick={() => onChange([place, ...places.filter((one) => one !== place)])}>
              Put first<span class="hidden">: {nameOf(place)}</span>
            </QuietButton>
          )}
          <QuietButton aria-label={`Remove ${nameOf(place)}`} onClick={() => onChange(places.filter((one) => one !== place))}>
            ×
          </QuietButton>
        </li>
      ))}
    </ul>
  );
}
