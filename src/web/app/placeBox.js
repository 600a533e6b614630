// A search box for places: the best matches of the catalogue, also for misspelt names, as the browser's suggestions.
import { useEffect, useState } from 'preact/hooks';
import { askKept } from './api.ts';
import { html } from './html.js';
import { queryOf } from './state.ts';
import { useAnswer } from './ui.tsx';

const TYPED_MS = 200;

/**
 * The filters that a place means. A city is given by its name if that is unique, otherwise by its id.
 * @param {any} place
 * @param {any[]} found
 * @param {any[]} states
 * @returns {Record<string, string | null>}
 */
export function filtersOfPlace({ kind, id, label, stateId }, found, states) {
  const state = states.find((one) => one.id === stateId)?.abbreviation ?? String(stateId);
  if (kind === 'state') return { states: state, counties: null, cities: null };
  if (kind === 'county') return { states: state, counties: String(id), cities: null };
  const isAlone = found.filter((other) => other.label === label).length === 1;
  return { states: null, counties: null, cities: isAlone ? label : String(id) };
}

/** @param {{states: any[], onChange: (change: Record<string, string | null>) => void}} given */
export function PlaceBox({ states, onChange }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const wait = setTimeout(() => setAsked(text.trim()), TYPED_MS);
    return () => clearTimeout(wait);
  }, [text]);
  const { answer } = useAnswer(
    async (signal) => (asked ? (await askKept(`/locations/search${queryOf({ q: asked, limit: 8 })}`, { signal })).data : []),
    [asked],
  );
  const found = answer ?? [];
  const take = (/** @type {string} */ typed) => {
    const chosen = found.find((/** @type {any} */ { label }) => label === typed);
    setText(chosen ? '' : typed);
    if (chosen) onChange(filtersOfPlace(chosen, found, states));
  };
  return html`<div class="field"><label for="place">Go to a place</label>
    <input id="place" type="search" list="places" autocomplete="off" maxlength="100" placeholder="Boulder, CO" value=${text}
      onInput=${(/** @type {any} */ event) => take(event.target.value)} />
    <datalist id="places">${found.map((/** @type {any} */ { kind, id, label, recordCount }) => html`<option key=${`${kind}${id}`} value=${label}>${recordCount === null ? kind : `${kind}, ${recordCount} records`}</option>`)}</datalist></div>`;
}
