/** A row of the table: a box that selects it, its name, and its values. */
// biome-ignore-all lint/a11y/useSemanticElements: only rows in view are drawn, so these are no rows of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the table has the focus and names its active row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the table hears the keys
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is a heading or a cell of the table
import type { VirtualItem } from '@tanstack/virtual-core';
import { Badge } from '../shared/ui.tsx';
import type { GridRow } from './gridModel.ts';
import { isNumeric, NAME_FIELD, type RecordField, shownText, type TableRecord } from './recordFields.ts';

/** The id of a row's element, by which the table names its active row. */
export const rowId = (index: number) => `record-row-${index}`;

const WEB_ADDRESS = /^https?:\/\//;

function CellContent({ record, field, onOpen }: { record: TableRecord; field: RecordField; onOpen: () => void }) {
  const text = shownText(record, field);
  if (field.name === NAME_FIELD)
    return (
      <button type="button" class="open" tabIndex={-1} onClick={onOpen}>
        {text}
      </button>
    );
  if (field.name === 'statusLabel') return <Badge token={String(record.status ?? '')} label={text} />;
  if (WEB_ADDRESS.test(text) && URL.canParse(text))
    return (
      <a href={text} tabIndex={-1} target="_blank" rel="noreferrer">
        {new URL(text).hostname}
      </a>
    );
  return <>{text}</>;
}

export interface RowProps {
  row: GridRow;
  item: VirtualItem;
  /** pixels above the first row */
  head: number;
  columns: readonly RecordField[];
  isActive: boolean;
  isOpen: boolean;
  onActivate: () => void;
  onOpen: () => void;
}

export function Row({ row, item, head, columns, isActive, isOpen, onActivate, onOpen }: RowProps) {
  const record = row.original;
  const isSelected = row.getIsSelected();
  return (
    <div
      class={`record-row ${isActive ? 'active' : ''} ${isOpen ? 'opened' : ''}`}
      id={rowId(item.index)}
      role="row"
      aria-rowindex={item.index + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${item.start - head}px)`, height: `${item.size}px` }}
      onClick={onActivate}
      onDblClick={onOpen}
    >
      <div class="cell check" role="gridcell" aria-colindex={1}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${shownText(record, columns[0] as RecordField)}`}
          checked={isSelected}
          onClick={row.getToggleSelectedHandler()}
        />
      </div>
      {columns.map((field, index) => (
        <div
          key={field.name}
          class={`cell ${index === 0 ? 'name' : ''} ${isNumeric(field) ? 'number' : ''}`}
          role={index === 0 ? 'rowheader' : 'gridcell'}
          aria-colindex={index + 2}
          title={shownText(record, field).slice(0, 1000) || undefined}
        >
          <CellContent record={record} field={field} onOpen={onOpen} />
        </div>
      ))}
    </div>
  );
}
