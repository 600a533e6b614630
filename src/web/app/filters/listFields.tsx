/** Fields of filters whose values are put together: words, places, decisions of bodies, shapes. */
import { useState } from 'preact/hooks';
import { normalizeWords } from '../../../core/domain/words.ts';
import { anyOfWords } from '../shared/chips.ts';
import { type FilterFieldRow, type FilterRow, type FilterWord, rowOf, valuesOf, wordOf } from '../shared/filterRows.ts';
import { Check, Select } from '../shared/inputs.tsx';
import { QuietButton, SmallButton } from '../shared/ui.tsx';
import { removeValue, setValue } from './changes.ts';
import { usePlaceOffers } from './placeSearch.ts';
import { type FieldProps, type FilterUse, idOf } from './useFilters.ts';

/** Longer lists have a box to find words by. */
const SHORT_LIST = 12;

interface WordsProps {
  field: FilterFieldRow;
  use: FilterUse;
  onAdd: (row: FilterRow, word: FilterWord) => void;
  onRemove: (row: FilterRow, word: FilterWord) => void;
}

const hasSoughtName = ({ label, aliases = [] }: FilterWord, sought: string) =>
  [label, ...aliases].some((name) => normalizeWords(name).includes(sought));

export function WordsField({ field, use, onAdd, onRemove }: WordsProps) {
  const { catalogue, filters } = use;
  const [sought, setSought] = useState('');
  const [row] = field.rows;
  if (!row) return null;
  const words = catalogue.vocabularies[row.vocabulary ?? ''] ?? [];
  const chosen = new Set(valuesOf(filters[row.name]).map((value) => wordOf(catalogue, row, value)?.token ?? value));
  const shown = words.filter((word) => chosen.has(word.token) || hasSoughtName(word, normalizeWords(sought)));
  const labels = words.filter(({ token }) => chosen.has(token)).map(({ label }) => label);
  return (
    <details class="filter-words">
      <summary>
        {field.label} <span class="note">{labels.length ? anyOfWords(labels) : 'any'}</span>
      </summary>
      <fieldset>
        <legend class="hidden">{field.label}</legend>
        {words.length > SHORT_LIST && (
          <input
            type="search"
            aria-label={`Find a word of ${field.label}`}
            placeholder={`Find one of ${words.length}`}
            value={sought}
            onInput={(event) => setSought(event.currentTarget.value)}
          />
        )}
        <div class="filter-word-list">
          {shown.map((word) => (
            <Check
              key={word.token}
              checked={chosen.has(word.token)}
              onChange={() => (chosen.has(word.token) ? onRemove(row, word) : onAdd(row, word))}
              label={word.label}
            />
          ))}
        </div>
      </fieldset>
    </details>
  );
}

/** The values of a list, each with a button that takes it out. */
function ChosenValues({ field, use: { catalogue, filters, places, onChange } }: FieldProps) {
  const [row] = field.rows;
  if (!row) return null;
  return (
    <ul class="filter-values">
      {valuesOf(filters[row.name]).map((value) => (
        <li key={value}>
          {places.get(`${row.name} ${value}`) ?? value.replace('|', ': ').replaceAll('_', ' ')}
          <QuietButton onClick={() => onChange(removeValue(catalogue, filters, row, value))}>
            Remove<span class="hidden"> {value}</span>
          </QuietButton>
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
      <ChosenValues field={field} use={use} />
      <div class="pair">
        <Select id="pair-body" label="Body" value={body} options={[choose, ...wordsOf('decisionBodies')]} onChange={setBody} />
        <Select id="pair-status" label="Decided" value={status} options={[choose, ...wordsOf('status')]} onChange={setStatus} />
      </div>
      <SmallButton disabled={!body || !status} onClick={add}>
        Add this decision
      </SmallButton>
    </fieldset>
  );
}

export function PlacesField({ field, use }: FieldProps) {
  const [text, setText] = useState('');
  const { offers } = usePlaceOffers(text, use.states, use.filters, field.key);
  const list = `places-${field.key}`;
  const take = (typed: string) => {
    const chosen = offers.find((offer) => normalizeWords(offer.text) === normalizeWords(typed));
    setText(chosen ? '' : typed);
    if (chosen?.change) use.onChange(chosen.change);
  };
  return (
    <div class="field">
      <label for={idOf(field.key)}>{field.label}</label>
      <ChosenValues field={field} use={use} />
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
        <SmallButton onClick={() => onChange({ [key]: null })}>Remove what is drawn</SmallButton>
      ) : (
        <span class="note">is drawn on the map, with the tools above it.</span>
      )}
    </p>
  );
}
