/** Inputs under their labels. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

interface FieldProps {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'number' | 'search';
  min?: number;
  max?: number;
  maxLength?: number;
  placeholder?: string;
}

export const Field = ({ label, onChange, ...attributes }: FieldProps) => (
  <div class="field">
    <label for={attributes.id}>{label}</label>
    <input {...(attributes as { type?: 'text' })} onInput={(event) => onChange(event.currentTarget.value)} />
  </div>
);

/** The same for several lines. */
export const TextField = ({ label, onChange, ...attributes }: Omit<FieldProps, 'type' | 'min' | 'max'> & { rows: number }) => (
  <div class="field">
    <label for={attributes.id}>{label}</label>
    <textarea {...attributes} onInput={(event) => onChange(event.currentTarget.value)} />
  </div>
);

interface CheckProps {
  checked: boolean;
  onChange: () => void;
  label: ComponentChildren;
  id?: string;
  /** shown where the pointer rests on it */
  title?: string;
  disabled?: boolean;
  /** one of several of which one is chosen, by the name of all */
  radio?: string;
}

export const Check = ({ label, title, radio, ...attributes }: CheckProps) => (
  <label class="check" title={title}>
    <input type={radio ? 'radio' : 'checkbox'} {...(radio ? { name: radio } : {})} {...attributes} /> {label}
  </label>
);

const TYPED_MS = 500;

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
  class?: string;
}

/** A list of which one is chosen. A value that is none of them is shown too. */
export function Select({ id, label, value, options, onChange, class: more }: SelectProps) {
  const others = options.some((option) => option.value === value) ? [] : [{ value, label: value }];
  return (
    <div class={more ? `field ${more}` : 'field'}>
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

export const optionsOf = (labels: Readonly<Record<string, string>>) => Object.entries(labels).map(([value, label]) => ({ value, label }));
