/** The filters of the address as chips, each of which can be edited in place and removed. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { MEETING_FILTERS } from '../../../core/domain/meetingFilters.ts';
import { chipsOf, type FilterChip } from '../shared/chips.ts';
import { type FilterFieldRow, fieldsOf, wordOf } from '../shared/filterRows.ts';
import { useListener } from '../shared/hooks.ts';
import { Button, SmallButton } from '../shared/ui.tsx';
import { FilterField } from './fields.tsx';
import type { FilterUse } from './useFilters.ts';

interface ChipsProps {
  use: FilterUse;
  /** key of the field that is edited */
  edited: string | null;
  onEdit: (key: string | null) => void;
  /** further entries of the list */
  children: ComponentChildren;
}

/** The default period, which applies if neither meetings nor ids are chosen. */
function defaultChip({ catalogue, filters, dateRange }: FilterUse, fields: readonly FilterFieldRow[]): FilterChip | undefined {
  const field = fields.find(({ key }) => key === 'dateRange');
  const [row] = field?.rows ?? [];
  const isChosen = MEETING_FILTERS.some((name) => filters[name]);
  if (!field || !row || isChosen) return undefined;
  const text = wordOf(catalogue, row, dateRange)?.label ?? dateRange;
  return { key: field.key, label: field.label, text, names: [], field };
}

interface ChipProps {
  chip: FilterChip;
  isWrong: boolean;
  isEdited: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

function Chip({ chip: { label, text, names, field }, isWrong, isEdited, onEdit, onRemove }: ChipProps) {
  const isDefault = names.length === 0;
  const words = (
    <>
      <span class="chip-label">{label}:</span> {text}
    </>
  );
  return (
    <li class={`filter-chip ${isWrong ? 'bad' : ''} ${isDefault ? 'default' : ''}`}>
      {field && field.input !== 'shape' ? (
        <Button kind="edit" aria-expanded={isEdited} onClick={onEdit}>
          {words}
          <span class="hidden">{isDefault ? ', unless others are chosen; change it' : ', change it'}</span>
        </Button>
      ) : (
        <span class="edit">{words}</span>
      )}
      {!isDefault && (
        <Button kind="remove" aria-label={`Remove ${label}: ${text}`} onClick={onRemove}>
          ×
        </Button>
      )}
    </li>
  );
}

/** The field of one chip. Escape and a click elsewhere close it. */
function Editor({ field, use, onClose }: { field: FilterFieldRow; use: FilterUse; onClose: () => void }) {
  const place = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    opener.current = document.activeElement;
    const words = place.current?.querySelector('details');
    if (words) words.open = true;
    place.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [field.key]);
  useListener('click', ({ target }) => {
    if (target instanceof Element && target.isConnected && !target.closest('.filter-editor, .filter-chip')) onClose();
  });
  useListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    onClose();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  });
  return (
    <section class="filter-editor" aria-label={`Change ${field.label}`} ref={place}>
      <FilterField field={field} use={use} />
      <SmallButton onClick={onClose}>Done</SmallButton>
    </section>
  );
}

export function FilterChips({ use, edited, onEdit, children }: ChipsProps) {
  const { catalogue, filters, places, problems, onChange } = use;
  const fields = fieldsOf(catalogue);
  const preset = defaultChip(use, fields);
  const chips = [...chipsOf(catalogue, filters, places), ...(preset ? [preset] : [])];
  const field = fields.find(({ key }) => key === edited);
  return (
    <>
      <ul class="filter-chips" aria-label="Filters that apply">
        {chips.map((chip) => (
          <Chip
            key={chip.key}
            chip={chip}
            isWrong={problems.some(({ name }) => chip.names.includes(name))}
            isEdited={edited === chip.key}
            onEdit={() => onEdit(edited === chip.key ? null : chip.key)}
            onRemove={() => {
              onEdit(null);
              onChange(Object.fromEntries(chip.names.map((name) => [name, null])));
              document.getElementById('filter-search')?.focus();
            }}
          />
        ))}
        {children}
      </ul>
      {field && <Editor key={field.key} field={field} use={use} onClose={() => onEdit(null)} />}
    </>
  );
}
