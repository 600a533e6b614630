/** The model of the table (TanStack Table) and of its visible rows (TanStack Virtual), as hooks. */
import { columnResizingFeature, columnSizingFeature, constructTable, rowSelectionFeature, tableFeatures } from '@tanstack/table-core';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { browserStorage } from '../../shared/storage.ts';
import { type RecordField, type TableRecord, usualWidth } from './recordFields.ts';

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnSizingFeature,
  columnResizingFeature,
  rowSelectionFeature,
});

const WIDTH_MIN = 72;
const WIDTH_MAX = 900;
export const WIDTH_STEP = 16;

/** Where a browser keeps the widths that its reader chose. */
const KEPT_WIDTHS = 'landuse-widths';

function keptWidths(): Record<string, number> {
  const kept = browserStorage.getItem(KEPT_WIDTHS);
  return kept ? JSON.parse(kept) : {};
}

const columnsOf = (fields: readonly RecordField[]) =>
  fields.map((field) => ({
    id: field.name,
    accessorFn: (record: TableRecord) => record[field.name],
    size: usualWidth(field),
    minSize: WIDTH_MIN,
    maxSize: WIDTH_MAX,
  }));

const constructGrid = (records: readonly TableRecord[], fields: readonly RecordField[]) =>
  constructTable({
    features,
    data: records,
    columns: columnsOf(fields),
    getRowId: (record: TableRecord) => String(record.id),
    columnResizeMode: 'onChange',
    initialState: { columnSizing: keptWidths() },
  });

export type GridModel = ReturnType<typeof constructGrid>;
export type GridRow = ReturnType<GridModel['getRowModel']>['rows'][number];
export type GridHeader = ReturnType<GridModel['getHeaderGroups']>[number]['headers'][number];

/** The model of the table, drawn again when its state changes. */
export function useGridModel(records: readonly TableRecord[], fields: readonly RecordField[]): GridModel {
  const [, draw] = useReducer((n: number, _: unknown) => n + 1, 0);
  const [table] = useState(() => constructGrid(records, fields));
  const columns = useMemo(() => columnsOf(fields), [fields]);
  useMemo(() => table.setOptions((before) => ({ ...before, data: records, columns })), [records, columns]);
  useEffect(() => {
    const { unsubscribe } = table.store.subscribe(() => {
      const { columnSizing } = table.store.state;
      if (Object.keys(columnSizing).length) browserStorage.setItem(KEPT_WIDTHS, JSON.stringify(columnSizing));
      draw(null);
    });
    return unsubscribe;
  }, []);
  return table;
}

type VisibleRows = Virtualizer<HTMLElement, HTMLElement>;

/**
 * The rows in view.
 * @param scroller the element that scrolls; null before it is drawn
 * @param given `head`, `foot`: height of what stays above and below the rows; `height`: of a row that was not measured, all in pixels
 */
export function useVisibleRows(
  scroller: { current: HTMLElement | null },
  { count, height, head, foot }: { count: number; height: number; head: number; foot: number },
): VisibleRows {
  const [, draw] = useReducer((n: number, _: unknown) => n + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: head,
    scrollPaddingStart: head,
    scrollPaddingEnd: foot,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(null),
  };
  const [rows] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), []);
  useLayoutEffect(() => rows._willUpdate());
  return rows;
}
