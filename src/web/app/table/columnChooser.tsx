/** The chooser of columns: every field of the record, by its name or by what it is about, and the order of those that are shown. */
import { useState } from 'preact/hooks';
import { Check, Field } from '../shared/inputs.tsx';
import { PanelHead, QuietButton, SmallButton } from '../shared/ui.tsx';
import { NAME_FIELD, type RecordField } from './recordFields.ts';

const GROUPS: readonly (readonly [legend: string, has: (field: RecordField) => boolean])[] = [
  ['People and companies, by role', ({ of }) => of !== undefined],
  ['Place, use, status', ({ tier, of }) => !of && tier === 'compact'],
  ['Size, request, people', ({ tier, of }) => !of && tier === 'standard'],
  ['Decisions, documents, texts', ({ tier }) => tier === 'full'],
];

interface ChooserProps {
  /** the name first */
  columns: readonly RecordField[];
  fields: readonly RecordField[];
  /** @param names of the fields after the name; null for the usual ones */
  onChange: (names: readonly string[] | null) => void;
  onClose: () => void;
}

const matches = ({ name, heading, summary }: RecordField, typed: string) =>
  [name, heading, summary].some((text) => text.toLowerCase().includes(typed.trim().toLowerCase()));

interface ChosenColumnProps {
  heading: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: number) => void;
}

const ChosenColumn = ({ heading, isFirst, isLast, onMove }: ChosenColumnProps) => (
  <li>
    <span>{heading}</span>
    <QuietButton disabled={isFirst} aria-label={`Move ${heading} to the left`} onClick={() => onMove(-1)}>
      ↑
    </QuietButton>
    <QuietButton disabled={isLast} aria-label={`Move ${heading} to the right`} onClick={() => onMove(1)}>
      ↓
    </QuietButton>
  </li>
);

export function ColumnChooser({ columns, fields, onChange, onClose }: ChooserProps) {
  const [typed, setTyped] = useState('');
  const names = columns.slice(1).map(({ name }) => name);
  const move = (index: number, by: number) => {
    const next = names.filter((_, i) => i !== index);
    next.splice(index + by, 0, names[index] as string);
    onChange(next);
  };
  const toggle = (name: string) => onChange(names.includes(name) ? names.filter((one) => one !== name) : [...names, name]);
  return (
    <section class="table-panel" aria-labelledby="columns-title">
      <PanelHead id="columns-title" title="Columns" close="Close the columns" onClose={onClose}>
        <SmallButton onClick={() => onChange(null)}>As usual</SmallButton>
      </PanelHead>
      <h3>Shown, in this order</h3>
      <ol class="chosen">
        {columns.slice(1).map((field, index) => (
          <ChosenColumn
            key={field.name}
            heading={field.heading}
            isFirst={index === 0}
            isLast={index === names.length - 1}
            onMove={(by) => move(index, by)}
          />
        ))}
      </ol>
      <Field id="column-search" label="Find a field" type="search" value={typed} placeholder="zoning, parcel, owner" onChange={setTyped} />
      {GROUPS.map(([legend, has]) => {
        const listed = fields.filter((field) => has(field) && field.name !== NAME_FIELD && matches(field, typed));
        return (
          listed.length > 0 && (
            <fieldset key={legend}>
              <legend>{legend}</legend>
              {listed.map((field) => (
                <Check
                  key={field.name}
                  title={field.summary}
                  checked={names.includes(field.name)}
                  onChange={() => toggle(field.name)}
                  label={field.heading}
                />
              ))}
            </fieldset>
          )
        );
      })}
    </section>
  );
}
