/** The table of records: rows in view are drawn, the others are room. */
// biome-ignore-all lint/a11y/useSemanticElements: only rows in view are drawn, so these are no rows of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the table has the focus and names its active row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the table hears the keys
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is a heading or a cell of the table
import type { VirtualItem } from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { figureText } from '../shared/facets.ts';
import { areKeysOff } from '../shared/singleKeys.ts';
import { Badge, Button, SmallButton } from '../shared/ui.tsx';
import { type GridHeader, type GridModel, type GridRow, useVisibleRows, WIDTH_STEP } from './gridModel.ts';
import { isMeasure, isNumeric, NAME_FIELD, type RecordField, shownText, type TableRecord } from './recordFields.ts';
import type { TableOrder } from './tableOrder.ts';
import type { FigureReading } from './useFigures.ts';

const SIGNS = { asc: '▲', desc: '▼' };
const SPOKEN = { asc: 'ascending', desc: 'descending' } as const;

function WidthHandle({ header, heading }: { header: GridHeader; heading: string }) {
  const { column } = header;
  const start = header.getResizeHandler();
  const change = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? WIDTH_STEP : event.key === 'ArrowLeft' ? -WIDTH_STEP : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    column.table.setColumnSizing((before) => ({ ...before, [column.id]: column.getSize() + step }));
  };
  return (
    <div
      class={column.getIsResizing() ? 'width-handle dragged' : 'width-handle'}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${heading}`}
      aria-valuenow={Math.round(column.getSize())}
      aria-valuetext={`${Math.round(column.getSize())} pixels`}
      onMouseDown={start}
      onTouchStart={start}
      onDblClick={() => column.resetSize()}
      onKeyDown={change}
    />
  );
}

function Heading({ header, field, order, index }: { header: GridHeader; field: RecordField; order: TableOrder; index: number }) {
  const { heading } = field;
  const direction = order.field === field.name ? order.direction : null;
  return (
    <div
      class={`cell heading ${index === 0 ? 'name' : ''} ${isNumeric(field) ? 'number' : ''}`}
      role="columnheader"
      aria-colindex={index + 2}
      aria-sort={direction ? SPOKEN[direction] : undefined}
      title={field.summary}
    >
      {order.canSort(field.name) ? (
        <Button kind="sort" onClick={() => order.toggle(field.name)}>
          <span class="words">{heading}</span>
          {direction && <span aria-hidden="true">{SIGNS[direction]}</span>}
        </Button>
      ) : (
        heading
      )}
      <WidthHandle header={header} heading={heading} />
    </div>
  );
}

function GridHead({ table, columns, order }: { table: GridModel; columns: readonly RecordField[]; order: TableOrder }) {
  const all = table.getRowModel().rows.length > 0 && table.getIsAllRowsSelected();
  return (
    <div class="head" role="rowgroup">
      <div class="record-row" role="row" aria-rowindex={1}>
        <div class="cell check" role="columnheader" aria-colindex={1}>
          <input
            type="checkbox"
            aria-label="Select every row that is shown"
            checked={all}
            onClick={() => table.toggleAllRowsSelected(!all)}
          />
        </div>
        {table.getHeaderGroups()[0]?.headers.map((header, index) => {
          const field = columns.find(({ name }) => name === header.column.id);
          return field && <Heading key={header.id} header={header} field={field} order={order} index={index} />;
        })}
      </div>
    </div>
  );
}

/** The id of a row's element, by which the table names its active row. */
const rowId = (index: number) => `record-row-${index}`;

const WEB_ADDRESS = /^https?:\/\//;

function CellContent({ record, field, onOpen }: { record: TableRecord; field: RecordField; onOpen: () => void }) {
  const text = shownText(record, field);
  if (field.name === NAME_FIELD)
    return (
      <Button kind="open" tabIndex={-1} onClick={onOpen}>
        {text}
      </Button>
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

/** The last row of the table: the sum and the median of each column with numbers. */
function FigureRow({
  columns,
  index,
  figures: { figures, loading, ask, problem },
}: {
  columns: readonly RecordField[];
  index: number;
  figures: FigureReading;
}) {
  const words = problem ? problem.message : loading ? 'Adding up …' : 'too few state it';
  const textOf = (value: number | null | undefined) => (value === null || value === undefined ? '' : figureText(value));
  return (
    <div class="foot" role="rowgroup">
      <div class="record-row" role="row" aria-rowindex={index}>
        <div class="cell check" role="gridcell" aria-colindex={1} />
        {columns.map((field, at) => {
          const { sum = null, median = null } = figures?.[field.name] ?? {};
          const isSilent = figures && sum === null && median === null;
          return (
            <div
              key={field.name}
              class={`cell ${at === 0 ? 'name' : ''} ${isNumeric(field) ? 'number' : ''}`}
              role={at === 0 ? 'rowheader' : 'gridcell'}
              aria-colindex={at + 2}
            >
              {at > 0 ? (
                isMeasure(field) &&
                figures &&
                (isSilent ? (
                  <span class="note">{words}</span>
                ) : (
                  <>
                    {textOf(sum)}
                    <br />
                    {textOf(median)}
                  </>
                ))
              ) : figures ? (
                <>
                  Sum
                  <br />
                  Median
                </>
              ) : loading || problem ? (
                <span class="note">{words}</span>
              ) : (
                <SmallButton onClick={ask}>Sum and median</SmallButton>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  row: GridRow;
  item: VirtualItem;
  /** measures the row, whose cells are wrapped; null where all rows have one height */
  measure: ((row: HTMLElement | null) => void) | null;
  /** pixels above the first row */
  head: number;
  columns: readonly RecordField[];
  isActive: boolean;
  isOpen: boolean;
  onActivate: () => void;
  onOpen: () => void;
}

function Row({ row, item, measure, head, columns, isActive, isOpen, onActivate, onOpen }: RowProps) {
  const record = row.original;
  const isSelected = row.getIsSelected();
  return (
    <div
      class={`record-row ${isActive ? 'active' : ''} ${isOpen ? 'opened' : ''}`}
      id={rowId(item.index)}
      ref={measure}
      data-index={item.index}
      role="row"
      aria-rowindex={item.index + 2}
      aria-selected={isSelected}
      style={{ transform: `translateY(${item.start - head}px)`, ...(measure ? {} : { height: `${item.size}px` }) }}
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

/** Height of a row, and of the head, in units of the page's font. */
const ROW_REM = 2.5;
const FOOT_REM = 2.75;
const CHECK_WIDTH = 44;
/** The next page is asked for when so few rows are left below those in view. */
const ROWS_AHEAD = 20;

const remPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

interface GridProps {
  table: GridModel;
  columns: readonly RecordField[];
  order: TableOrder;
  /** null where nothing is to be added up */
  figures: FigureReading | null;
  /** whether cells show all of their text, in as many lines as it takes */
  isWrapped: boolean;
  /** every match, also those that were not read; null while it is not known */
  matchCount: number | null;
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

export function Grid({ table, columns, order, figures, isWrapped, matchCount, open, onOpen, onNearEnd }: GridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const height = ROW_REM * remPixels();
  const { rows } = table.getRowModel();
  const visible = useVisibleRows(scroller, { count: rows.length, height, head: height, foot: FOOT_REM * remPixels() });
  const items = visible.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const template = [CHECK_WIDTH, ...(table.getHeaderGroups()[0]?.headers.map((header) => header.getSize()) ?? [])];
  useEffect(() => {
    if (rows.length && last >= rows.length - ROWS_AHEAD) onNearEnd();
  }, [last, rows.length]);
  useLayoutEffect(() => visible.measure(), [isWrapped, template.join()]);
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
      class={isWrapped ? 'records wrapped' : 'records'}
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
      <GridHead table={table} columns={columns} order={order} />
      <div class="body" role="rowgroup" style={{ height: `${visible.getTotalSize()}px` }}>
        {items.map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <Row
                key={row.id}
                row={row}
                item={item}
                measure={isWrapped ? visible.measureElement : null}
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
      {figures && columns.some(isMeasure) && <FigureRow {...{ columns, figures }} index={(matchCount ?? rows.length) + 2} />}
    </div>
  );
}
