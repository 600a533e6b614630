/** Fields of filters whose values are put together: places, decisions of bodies, shapes. */
import { useState } from 'preact/hooks';
import { Select } from '../shared/inputs.tsx';
import { removeValue, setValue } from './changes.ts';
import { foldText, rowOf, valuesOf } from './filterRows.ts';
import { usePlaceOffers } from './placeSearch.ts';
import { type FieldProps, idOf } from './useFilters.ts';

/** The values of a list, each with a button that takes it out. */
function Chosen({ field, use: { catalogue, filters, places, onChange } }: FieldProps) {
  const [row] = field.rows;
  if (!row) return null;
  return (
    <ul class="filter-values">
      {valuesOf(filters[row.name]).map((value) => (
        <li key={value}>
          {places.get(`${row.name} ${value}`) ?? value.replace('|', ': ').replaceAll('_', ' ')}
          <button type="button" class="quiet small" onClick={() => onChange(removeValue(catalogue, filters, row, value))}>
            Remove<span class="hidden"> {value}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A deciding body and a status, added together. */
export function PairsField({ field, use }: FieldProps) {
  const { catalogue, filters, onChange } = use;
  const [body, setBody] = useState('');
  const [status, setStatus] = useState('');
  const [row] = field.rows;
  const wordsOf = (name: string) =>
    (catalogue.vocabularies[rowOf(catalogue, name)?.vocabulary ?? ''] ?? []).map(({ token, label }) => ({ value: token, label }));
  if (!row) return null;
  const add = () => {
    onChange(setValue(row, [...new Set([...valuesOf(filters[row.name]), `${body}|${status}`])].join(',')));
    setBody('');
    setStatus('');
  };
  const choose = { value: '', label: 'Choose' };
  return (
    <fieldset>
      <legend>{field.label}</legend>
      <Chosen field={field} use={use} />
      <div class="pair">
        <Select id="pair-body" label="Body" value={body} options={[choose, ...wordsOf('decisionBodies')]} onChange={setBody} />
        <Select id="pair-status" label="Decided" value={status} options={[choose, ...wordsOf('status')]} onChange={setStatus} />
      </div>
      <button type="button" class="small" disabled={!body || !status} onClick={add}>
        Add this decision
      </button>
    </fieldset>
  );
}

export function PlacesField({ field, use }: FieldProps) {
  const [text, setText] = useState('');
  const { offers } = usePlaceOffers(text, use.states, use.filters, field.key);
  const list = `places-${field.key}`;
  const take = (typed: string) => {
    const chosen = offers.find((offer) => foldText(offer.text) === foldText(typed));
    setText(chosen ? '' : typed);
    if (chosen?.change) use.onChange(chosen.change);
  };
  return (
    <div class="field">
      <label for={idOf(field.key)}>{field.label}</label>
      <Chosen field={field} use={use} />
      <input
        id={idOf(field.key)}
        type="search"
        list={list}
        autocomplete="off"
        placeholder="Type a name"
        value={text}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <datalist id={list}>
        {offers.map((offer) => (
          <option key={offer.key} value={offer.text}>
            {offer.note}
          </option>
        ))}
      </datalist>
    </div>
  );
}

/** Shapes are drawn, not typed. */
export function ShapeField({ field: { key, label }, use: { filters, onChange } }: FieldProps) {
  return (
    <p class="filter-shape">
      <strong>{label}</strong>{' '}
      {filters[key] ? (
        <button type="button" class="small" onClick={() => onChange({ [key]: null })}>
          Remove what is drawn
        </button>
      ) : (
        <span class="note">is drawn on the map, with the tools above it.</span>
      )}
    </p>
  );
}
