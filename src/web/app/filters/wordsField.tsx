/** Several words of a vocabulary: boxes to tick, of long lists those that are found by typing. */
import { useState } from 'preact/hooks';
import { anyOfWords } from './chips.ts';
import { type FilterFieldRow, type FilterRow, type FilterWord, foldText, valuesOf, wordOf } from './filterRows.ts';
import type { FilterUse } from './useFilters.ts';

/** Longer lists have a box to find words by. */
const SHORT_LIST = 12;

interface WordsProps {
  field: FilterFieldRow;
  use: FilterUse;
  onAdd: (row: FilterRow, word: FilterWord) => void;
  onRemove: (row: FilterRow, word: FilterWord) => void;
}

const holds = ({ label, aliases = [] }: FilterWord, sought: string) => [label, ...aliases].some((name) => foldText(name).includes(sought));

export function WordsField({ field, use, onAdd, onRemove }: WordsProps) {
  const { catalogue, filters } = use;
  const [sought, setSought] = useState('');
  const [row] = field.rows;
  if (!row) return null;
  const words = catalogue.vocabularies[row.vocabulary ?? ''] ?? [];
  const chosen = new Set(valuesOf(filters[row.name]).map((value) => wordOf(catalogue, row, value)?.token ?? value));
  const shown = words.filter((word) => chosen.has(word.token) || holds(word, foldText(sought)));
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
            <label class="check" key={word.token}>
              <input
                type="checkbox"
                checked={chosen.has(word.token)}
                onChange={() => (chosen.has(word.token) ? onRemove(row, word) : onAdd(row, word))}
              />{' '}
              {word.label}
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  );
}
