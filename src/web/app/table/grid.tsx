/** The table of records: rows in view are drawn, the others are room. */
// biome-ignore-all lint/a11y/useSemanticElements: only rows in view are drawn, so these are no rows of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the table has the focus and names its active row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the table hears the keys
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is a heading or a cell of the table
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { areKeysOff } from '../shared/singleKeys.ts';
import { GridHead } from './gridHead.tsx';
import { type GridModel, useVisibleRows } from './gridModel.ts';
import { Row, rowId } from './gridRow.tsx';
import type { RecordField } from './recordFields.ts';
import type { TableOrder } from './tableOrder.ts';

/** Height of a row, and of the head, in units of the page's font. */
const ROW_REM = 2.5;
const CHECK_WIDTH = 44;
/** The next page is asked for when so few rows are left below those in view. */
const ROWS_AHEAD = 20;

const remPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

interface GridProps {
  table: GridModel;
  columns: readonly RecordField[];
  fields: readonly RecordField[];
  order: TableOrder;
  /** every match, also those that were not read; null while it is not known */
  matchCount: number | null;
  /** the open record */
  open: number | null;
  onOpen: (id: number) => void;
  onNearEnd: () => void;
}

/** The index that a key moves to; null for other keys. */
function movedIndex(key: string, index: number, { last, page }: { last: number; page: number }): number | null {
  const moves: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
  const move = moves[key];
  return move === undefined ? null : Math.max(0, Math.min(last, index + move));
}

export function Grid({ table, columns, fields, order, matchCount, open, onOpen, onNearEnd }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const height = ROW_REM * remPixels();
  const { rows } = table.getRowModel();
  const visible = useVisibleRows(scroller, { count: rows.length, height, head: height });
  const items = visible.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const template = [CHECK_WIDTH, ...(table.getHeaderGroups()[0]?.headers.map((header) => header.getSize()) ?? [])];
  useEffect(() => {
    if (rows.length && last >= rows.length - ROWS_AHEAD) onNearEnd();
  }, [last, rows.length]);
  useLayoutEffect(() => {
    if (active >= rows.length) setActive(0);
    if (!rows.length) scroller.current?.scrollTo({ top: 0 });
  }, [rows.length]);
  useLayoutEffect(() => {
    const { style } = scroller.current as HTMLElement;
    style.setProperty('--template', template.map((width) => `${width}px`).join(' '));
    style.setProperty('--width', `${template.reduce((sum, width) => sum + width)}px`);
  }, [template.join()]);
  useEffect(() => {
    const index = open === null ? -1 : rows.findIndex((row) => row.original.id === open);
    if (index < 0) return;
    setActive(index);
    visible.scrollToIndex(index);
  }, [open, rows.length > 0]);
  const keys = (event: KeyboardEvent) => {
    const row = rows[active];
    if (event.ctrlKey || event.metaKey || event.altKey || !row) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / height) - 2);
    const next = movedIndex(event.key, active, { last: rows.length - 1, page });
    const isOwn = event.target === scroller.current;
    if (event.key.length === 1 && event.key !== ' ' && areKeysOff()) return;
    if (next !== null) {
      setActive(next);
      visible.scrollToIndex(next);
    } else if (event.key === 'Enter' && isOwn) onOpen(row.original.id);
    else if (event.key === 'x' || (event.key === ' ' && isOwn)) row.toggleSelected();
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="records"
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label="Records"
      aria-rowcount={(matchCount ?? rows.length) + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={items.some(({ index }) => index === active) ? rowId(active) : undefined}
      onKeyDown={keys}
    >
      <GridHead table={table} columns={columns} fields={fields} order={order} />
      <div class="body" role="rowgroup" style={{ height: `${rows.length * height}px` }}>
        {items.map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <Row
                key={row.id}
                row={row}
                item={item}
                head={height}
                columns={columns}
                isActive={item.index === active}
                isOpen={row.original.id === open}
                onActivate={() => setActive(item.index)}
                onOpen={() => onOpen(row.original.id)}
              />
            )
          );
        })}
      </div>
    </div>
  );
}
