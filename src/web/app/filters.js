// The filter form, with the words of the taxonomy and of the catalogue of places.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { html } from './html.js';
import { PlaceBox } from './placeBox.js';
import { useAnswer } from './ui.tsx';
import { spaced } from './words.ts';

const RANGES = [
  ['', 'Last year'],
  ['last_3_months', 'Last 3 months'],
  ['last_6_months', 'Last 6 months'],
  ['since_jan_2025', 'Since January 2025'],
  ['all', 'All dates'],
];
/** Filters with a field in the form; any other filter in the address is shown as a chip that can be removed. */
const SHOWN = ['states', 'counties', 'propertyTypes', 'propertySubtypes', 'status', 'dateRange', 'q', 'acreageMin', 'totalUnitCountMin'];
const SHAPES = ['polygon', 'circle', 'bbox'];
const TYPED_MS = 500;

/** @param {string | undefined} list */
const split = (list) =>
  list
    ? list
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean)
    : [];

/** @param {{legend: string, options: {value: string, label: string}[], chosen: string[], onChange: (chosen: string[]) => void}} given */
const Checks = ({ legend, options, chosen, onChange }) => html`<fieldset>
  <legend>${legend}</legend>
  ${options.map(
    ({ value, label }) => html`<label class="check"><input type="checkbox" checked=${chosen.includes(value)}
    onChange=${() => onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])} /> ${label}</label>`,
  )}
</fieldset>`;

/** @param {{id: string, label: string, value: string, options: string[][], onChange: (value: string) => void, disabled?: boolean}} given */
export const Choice = ({ id, label, value, options, onChange, disabled = false }) => html`<div class="field">
  <label for=${id}>${label}</label>
  <select id=${id} disabled=${disabled} value=${value} onChange=${(/** @type {any} */ event) => onChange(event.target.value)}>
    ${options.map(([token, name]) => html`<option value=${token} selected=${token === value}>${name}</option>`)}
  </select>
</div>`;

/**
 * A text field that is sent when the typing pauses.
 * @param {{id: string, label: string, value: string, onChange: (value: string) => void, kind?: string, placeholder?: string}} given
 */
function Typed({ id, label, value, onChange, kind = 'search', placeholder = '' }) {
  const [text, setText] = useState(value);
  useLayoutEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const wait = setTimeout(() => onChange(text.trim()), TYPED_MS);
    return () => clearTimeout(wait);
  }, [text]);
  return html`<div class="field"><label for=${id}>${label}</label>
    <input id=${id} type=${kind} min=${kind === 'number' ? 0 : undefined} value=${text} placeholder=${placeholder}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)} /></div>`;
}

/** The value of a choice; 'several' when the filter has more than one. */
const one = (/** @type {string | undefined} */ list) => (split(list).length > 1 ? 'several' : (split(list)[0] ?? ''));

/**
 * @param {{filters: Record<string, string>, states: any[], onChange: (change: Record<string, string | null>) => void}} given
 */
function PlaceFields({ filters, states, onChange }) {
  const asked = one(filters.states);
  const state = states.find(({ id, abbreviation, name }) =>
    [String(id), abbreviation, name].some((known) => known.toLowerCase() === asked.toLowerCase()),
  );
  const counties = useAnswer(
    async (signal) => (state ? (await ask(`/locations/states/${state.id}/counties`, { signal })).data : []),
    [state?.id],
  );
  const listed = states.filter(({ entitled }) => entitled).map(({ abbreviation, name }) => [abbreviation, name]);
  const several = asked === 'several' ? [['several', `${split(filters.states).length} states`]] : [];
  const county = one(filters.counties);
  const named =
    county && county !== 'several' && !(counties.answer ?? []).some((/** @type {any} */ { id }) => String(id) === county)
      ? [[county, county]]
      : [];
  return html`<${PlaceBox} states=${states} onChange=${onChange} />
    <${Choice} id="state" label="State" value=${state ? state.abbreviation : asked} options=${[['', 'All of the licence'], ...several, ...listed]}
      onChange=${(/** @type {string} */ value) => onChange({ states: value, counties: null, cities: null })} />
    <${Choice} id="county" label="County" value=${county} disabled=${!state && !county}
      options=${[
        ['', state ? `All of ${state.name}` : 'Choose a state first'],
        ...(county === 'several' ? [['several', 'Several counties']] : []),
        ...named,
        ...(counties.answer ?? [])
          .filter((/** @type {any} */ { entitled }) => entitled)
          .map((/** @type {any} */ { id, name }) => [String(id), name]),
      ]}
      onChange=${(/** @type {string} */ value) => onChange({ counties: value || null, cities: null })} />`;
}

/** @param {{name: string, value: string, onRemove: () => void}} given */
const Chip = ({ name, value, onRemove }) => html`<li><button type="button" class="chip" onClick=${onRemove}>
  <span>${SHAPES.includes(name) ? `Drawn ${name === 'bbox' ? 'rectangle' : name}` : `${spaced(name)}: ${value.length > 40 ? `${value.slice(0, 40)}…` : value}`}</span>
  <span aria-hidden="true">×</span><span class="hidden">, take this filter away</span></button></li>`;

/**
 * @param {{filters: Record<string, string>, words: import('./api.ts').Words | null, onChange: (change: Record<string, string | null>) => void, onClear: () => void}} given
 */
export function Filters({ filters, words, onChange, onClear }) {
  const { taxonomy: types, statuses, states } = words ?? { taxonomy: [], statuses: [], states: [] };
  const type = one(filters.propertyTypes);
  const chosen = types.find((/** @type {any} */ { token }) => token === type);
  const others = Object.entries(filters).filter(([name]) => !SHOWN.includes(name));
  return html`<form class="filters" aria-label="Filters" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <${Typed} id="q" label="Words" value=${filters.q ?? ''} placeholder="solar | battery storage" onChange=${(/** @type {string} */ value) => onChange({ q: value })} />
    <${PlaceFields} filters=${filters} states=${states} onChange=${onChange} />
    <${Choice} id="type" label="Building Type" value=${type}
      options=${[['', 'Every type'], ...(type === 'several' ? [['several', 'Several types']] : []), ...types.map((/** @type {any} */ { token, label }) => [token, label])]}
      onChange=${(/** @type {string} */ value) => onChange({ propertyTypes: value, propertySubtypes: null })} />
    ${
      chosen &&
      html`<${Choice} id="subtype" label="Subtype" value=${one(filters.propertySubtypes)}
      options=${[['', `All ${chosen.label}`], ...chosen.subtypes.map((/** @type {any} */ { token, label }) => [token, label])]}
      onChange=${(/** @type {string} */ value) => onChange({ propertySubtypes: value })} />`
    }
    <${Choice} id="dates" label="Meetings" value=${filters.dateRange ?? ''} options=${RANGES}
      onChange=${(/** @type {string} */ value) => onChange({ dateRange: value })} />
    <div class="pair">
      <${Typed} id="acres" kind="number" label="Acres from" value=${filters.acreageMin ?? ''} onChange=${(/** @type {string} */ value) => onChange({ acreageMin: value })} />
      <${Typed} id="units" kind="number" label="Units from" value=${filters.totalUnitCountMin ?? ''} onChange=${(/** @type {string} */ value) => onChange({ totalUnitCountMin: value })} />
    </div>
    <${Checks} legend="Status" chosen=${split(filters.status)} options=${statuses.map((/** @type {any} */ { token, label }) => ({ value: token, label }))}
      onChange=${(/** @type {string[]} */ value) => onChange({ status: value.join(',') })} />
    ${others.length > 0 && html`<div><h3>Also in the address</h3><ul class="chips">${others.map(([name, value]) => html`<${Chip} key=${name} name=${name} value=${value} onRemove=${() => onChange({ [name]: null })} />`)}</ul></div>`}
    <button type="button" disabled=${Object.keys(filters).length === 0} onClick=${onClear}>Clear every filter</button>
  </form>`;
}
