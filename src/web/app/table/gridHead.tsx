/** The headings of the table: each sorts if the API can, and is made wider and narrower by dragging or by arrow keys. */
// biome-ignore-all lint/a11y/useSemanticElements: only rows in view are drawn, so these are no rows of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the table has the focus and names its active row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the table hears the keys
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is a heading or a cell of the table
import { type GridHeader, type GridModel, WIDTH_STEP } from './gridModel.ts';
import { headingOf, isNumeric, type RecordField } from './recordFields.ts';
import type { TableOrder } from './tableOrder.ts';

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

interface HeadingProps {
  header: GridHeader;
  field: RecordField;
  heading: string;
  order: TableOrder;
  index: number;
}

function Heading({ header, field, heading, order, index }: HeadingProps) {
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
        <button type="button" class="sort" onClick={() => order.toggle(field.name)}>
          <span class="words">{heading}</span>
          {direction && <span aria-hidden="true">{SIGNS[direction]}</span>}
        </button>
      ) : (
        heading
      )}
      <WidthHandle header={header} heading={heading} />
    </div>
  );
}

interface GridHeadProps {
  table: GridModel;
  columns: readonly RecordField[];
  fields: readonly RecordField[];
  order: TableOrder;
}

export function GridHead({ table, columns, fields, order }: GridHeadProps) {
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
          return (
            field && (
              <Heading key={header.id} header={header} field={field} heading={headingOf(field, fields)} order={order} index={index} />
            )
          );
        })}
      </div>
    </div>
  );
}
