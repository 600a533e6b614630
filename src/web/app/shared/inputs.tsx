/** Inputs of the fields of filters. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { FilterFieldRow } from '../filters/filterRows.ts';
import type { FilterUse } from '../filters/useFilters.ts';

const TYPED_MS = 500;

export interface FieldProps {
  field: FilterFieldRow;
  use: FilterUse;
}

/** The id of a filter's input. */
export const idOf = (name: string) => `field-${name}`;

interface TypedProps {
  id: string;
  label: string;
  value: string;
  type: 'text' | 'number' | 'date';
  placeholder?: string;
  isWrong: boolean;
  onChange: (value: string) => void;
}

/** An input whose value is sent when the typing pauses, and at once when it is left or Enter is pressed. */
export function Typed({ id, label, value, type, placeholder, isWrong, onChange }: TypedProps) {
  const [text, setText] = useState(value);
  useLayoutEffect(() => setText(value), [value]);
  const send = () => {
    if (text.trim() !== value) onChange(text.trim());
  };
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const wait = setTimeout(send, TYPED_MS);
    return () => clearTimeout(wait);
  }, [text, value]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // A number that the address has may be no number: it is shown as it is, beside what is wrong with it.
        type={type as 'text'}
        {...(type === 'number' ? { min: 0, step: 'any' } : {})}
        value={text}
        placeholder={placeholder}
        aria-invalid={isWrong}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={send}
        onKeyDown={(event) => event.key === 'Enter' && send()}
      />
    </div>
  );
}

interface SelectProps {
  id: string;
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A list of which one is chosen. A value that is none of them is shown too. */
export function Select({ id, label, value, options, onChange }: SelectProps) {
  const others = options.some((option) => option.value === value) ? [] : [{ value, label: value }];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {[...options, ...others].map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
