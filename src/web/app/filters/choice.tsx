/** Fields of a form. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

const TYPED_MS = 500;

interface ChoiceProps {
  id: string;
  label: string;
  value: string;
  /** values with their labels */
  options: readonly (readonly string[])[];
  onChange: (value: string) => void;
  disabled?: boolean;
}

export const Choice = ({ id, label, value, options, onChange, disabled = false }: ChoiceProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    <select id={id} disabled={disabled} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([token, name]) => (
        <option key={token} value={token} selected={token === value}>
          {name}
        </option>
      ))}
    </select>
  </div>
);

interface TypedProps {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  kind?: 'search' | 'number';
  placeholder?: string;
}

/** A text field that is sent when the typing pauses. */
export function Typed({ id, label, value, onChange, kind = 'search', placeholder = '' }: TypedProps) {
  const [text, setText] = useState(value);
  useLayoutEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return undefined;
    const wait = setTimeout(() => onChange(text.trim()), TYPED_MS);
    return () => clearTimeout(wait);
  }, [text]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(kind === 'number' ? { type: 'number' as const, min: 0 } : { type: 'search' as const })}
        value={text}
        placeholder={placeholder}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </div>
  );
}

interface ChecksProps {
  legend: string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

export const Checks = ({ legend, options, chosen, onChange }: ChecksProps) => (
  <fieldset>
    <legend>{legend}</legend>
    {options.map(({ value, label }) => (
      <label class="check" key={value}>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={() => onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])}
        />{' '}
        {label}
      </label>
    ))}
  </fieldset>
);
