/** A field for each kind of filter, and under it what is wrong with its value. */
import type { ComponentType } from 'preact';
import { type FilterInput, type FilterRow, wordOf } from '../shared/filterRows.ts';
import { Select, Typed } from '../shared/inputs.tsx';
import { addWord, removeValue, setEnds, setValue } from './changes.ts';
import { PairsField, PlacesField, ShapeField, WordsField } from './listFields.tsx';
import { type FieldProps, type FilterUse, idOf } from './useFilters.ts';

const isWrong = ({ problems }: FilterUse, name: string) => problems.some((problem) => problem.name === name);

/** The type of an input that can show a value. */
const typeFor = (input: FilterInput, value: string) => {
  if (input === 'number') return value === '' || Number.isFinite(Number(value)) ? 'number' : 'text';
  return value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'text';
};

/** Both ends of a range of numbers or dates. */
function RangeField({ field, use }: FieldProps) {
  const sentOf = (row: FilterRow) => use.filters[row.name] ?? '';
  const endsNow = Object.fromEntries(field.rows.map((row) => [row.end, sentOf(row)]));
  const words = field.input === 'number' ? { min: 'at least', max: 'at most' } : { min: 'from', max: 'until' };
  const [first] = field.rows;
  return (
    <fieldset class="filter-range">
      <legend>
        {field.label}
        {first?.unit && first.unit !== field.label.toLowerCase() && <span class="note"> in {first.unit}</span>}
      </legend>
      <div class="pair">
        {field.rows.map((row) => (
          <Typed
            key={row.name}
            id={idOf(row.name)}
            label={words[row.end ?? 'min']}
            type={typeFor(field.input, sentOf(row))}
            value={sentOf(row)}
            isWrong={isWrong(use, row.name)}
            onChange={(value) => use.onChange(setEnds(field.rows, { ...endsNow, [row.end ?? 'min']: value }))}
          />
        ))}
      </div>
    </fieldset>
  );
}

function TextField({ field: { label, rows }, use }: FieldProps) {
  return rows.map((row) => (
    <Typed
      key={row.name}
      id={idOf(row.name)}
      label={label}
      type="text"
      placeholder={row.example}
      value={use.filters[row.name] ?? ''}
      isWrong={isWrong(use, row.name)}
      onChange={(value) => use.onChange(setValue(row, value))}
    />
  ));
}

/** What can be chosen of a filter: the words of its vocabulary, or yes and no. @param sent the value that it has */
function choicesOf({ catalogue }: FilterUse, row: FilterRow, sent: string) {
  const words = catalogue.vocabularies[row.vocabulary ?? ''] ?? [];
  if (row.input === 'choice') return words.map(({ token, label }) => ({ value: token, label }));
  return [{ value: 'true', label: 'Yes' }, ...(row.onlyTrue && sent !== 'false' ? [] : [{ value: 'false', label: 'No' }])];
}

function OneOfField({ field: { label, rows }, use }: FieldProps) {
  const { catalogue, filters, onChange } = use;
  return rows.map((row) => {
    const text = filters[row.name] ?? '';
    const sent = row.input === 'choice' ? (wordOf(catalogue, row, text)?.token ?? text) : ({ '1': 'true', '0': 'false' }[text] ?? text);
    return (
      <Select
        key={row.name}
        id={idOf(row.name)}
        label={label}
        value={sent}
        options={[{ value: '', label: 'Not chosen' }, ...choicesOf(use, row, sent)]}
        onChange={(value) => onChange(setValue(row, value))}
      />
    );
  });
}

const FIELDS: Readonly<Record<FilterInput, ComponentType<FieldProps>>> = {
  number: RangeField,
  date: RangeField,
  words: ({ field, use }) => (
    <WordsField
      field={field}
      use={use}
      onAdd={(row, word) => use.onChange(addWord(use.catalogue, use.filters, row, word))}
      onRemove={(row, word) => use.onChange(removeValue(use.catalogue, use.filters, row, word.token))}
    />
  ),
  choice: OneOfField,
  flag: OneOfField,
  text: TextField,
  ids: TextField,
  list: TextField,
  pairs: PairsField,
  places: PlacesField,
  shape: ShapeField,
};

/** The field of a filter, and under it what is wrong with its value. */
export function FilterField({ field, use }: FieldProps) {
  const Content = FIELDS[field.input];
  const wrong = use.problems.filter(({ name }) => field.rows.some((row) => row.name === name));
  return (
    <div class="filter-field">
      <Content field={field} use={use} />
      {wrong.map(({ message }) => (
        <p class="wrong" key={message}>
          {message}
        </p>
      ))}
    </div>
  );
}
