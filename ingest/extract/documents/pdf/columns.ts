/** A page that is set in columns is read one column after the other. Pure. */
import type { PageCell, PageRow } from './rows.ts';

/** Two columns have as many rows each at least, and text as wide. */
const ROWS_MIN = 5;
const COLUMN_POINTS = 100;
const CHARACTERS_MIN = 18;
/** Of the width of a column, what a full line fills at least, and how many of its lines are full. */
const FULL_LINE = 0.6;
const FULL_SHARE = 0.5;
const SINGLE_SHARE = 0.75;
/** Half of the space that no text of the columns may enter, and by how much the place looked for moves on. */
const HALF_GUTTER_POINTS = 4;
const STEP_POINTS = 3;
/** Columns begin anew at the same height in a table only; a paragraph begins after this multiple of the usual distance. */
const NEW_BLOCK = 1.4;
const SAME_STARTS_SHARE = 0.7;

interface Gutter {
  x: number;
  from: number;
  to: number;
}

const cellsOf = (rows: readonly PageRow[]) => rows.flatMap((row) => row.cells);
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / (numbers.length || 1);
const side = (rows: readonly PageRow[], isOn: (cell: PageCell) => boolean): PageRow[] =>
  rows.flatMap((row) => {
    const cells = row.cells.filter(isOn);
    return cells.length > 0 ? [{ ...row, cells }] : [];
  });

/** Whether rows are lines of text that fill their column. */
function isProse(rows: readonly PageRow[]): boolean {
  if (rows.length < ROWS_MIN) return false;
  const cells = cellsOf(rows);
  const width = Math.max(...cells.map((cell) => cell.right)) - Math.min(...cells.map((cell) => cell.left));
  const full = cells.filter((cell) => cell.right - cell.left >= FULL_LINE * width);
  return (
    width >= COLUMN_POINTS &&
    rows.filter((row) => row.cells.length === 1).length >= SINGLE_SHARE * rows.length &&
    full.length >= FULL_SHARE * cells.length &&
    mean(cells.map((cell) => cell.text.length)) >= CHARACTERS_MIN
  );
}

/** The heights at which rows begin after a space. */
function blockStarts(rows: readonly PageRow[]): number[] {
  const distances = rows.slice(1).map((row, at) => row.base - (rows[at]?.base ?? 0));
  const usual = [...distances].sort((one, other) => one - other)[Math.floor(distances.length / 4)] ?? 0;
  return rows.slice(1).flatMap((row, at) => ((distances[at] ?? 0) > NEW_BLOCK * usual ? [row.base] : []));
}

function isTable(left: readonly PageRow[], right: readonly PageRow[]): boolean {
  const [starts, others] = [blockStarts(left), blockStarts(right)];
  const same = starts.filter((start) => others.some((other) => Math.abs(start - other) < 3)).length;
  return same >= 2 && same >= SAME_STARTS_SHARE * Math.min(starts.length, others.length);
}

/** The longest run of rows that no cell crosses at `x`. */
function clearRun(rows: readonly PageRow[], x: number): Gutter {
  let best: Gutter = { x, from: 0, to: 0 };
  let from = 0;
  rows.forEach((row, at) => {
    const isCrossed = row.cells.some((cell) => cell.left < x + HALF_GUTTER_POINTS && cell.right > x - HALF_GUTTER_POINTS);
    if (isCrossed) from = at + 1;
    else if (at + 1 - from > best.to - best.from) best = { x, from, to: at + 1 };
  });
  return best;
}

const middleOf = (left: readonly PageRow[], right: readonly PageRow[]) =>
  (Math.max(...cellsOf(left).map((cell) => cell.right)) + Math.min(...cellsOf(right).map((cell) => cell.left))) / 2;

/** Where a page is set in two columns of text. */
export function findGutter(rows: readonly PageRow[]): Gutter | undefined {
  const cells = cellsOf(rows);
  const [start, end] = [Math.min(...cells.map((cell) => cell.left)), Math.max(...cells.map((cell) => cell.right))];
  let best: Gutter | undefined;
  for (let x = start + COLUMN_POINTS; x <= end - COLUMN_POINTS; x += STEP_POINTS) {
    const run = clearRun(rows, x);
    if (run.to - run.from < ROWS_MIN || (best && run.to - run.from <= best.to - best.from)) continue;
    const within = rows.slice(run.from, run.to);
    const [left, right] = [side(within, (cell) => cell.right <= x), side(within, (cell) => cell.left >= x)];
    if (isProse(left) && isProse(right) && !isTable(left, right)) best = { ...run, x: middleOf(left, right) };
  }
  return best;
}

const HINT_ROWS_MIN = 2;
const SAME_GUTTER_POINTS = 8;
/** As many rows stand in two columns, and this share of all. */
const HINT_COLUMN_ROWS = 25;
const HINT_SHARE = 0.15;

/** The place between the columns of a document that is set in them, so that its pages of lists are read so too. */
export function findDocumentGutter(pages: readonly (readonly PageRow[])[]): number | undefined {
  const gutters = pages.flatMap((rows) => findGutter(rows) ?? []);
  const rowsNear = (x: number) =>
    gutters.filter((gutter) => Math.abs(gutter.x - x) <= SAME_GUTTER_POINTS).reduce((sum, { from, to }) => sum + to - from, 0);
  const best = gutters.toSorted((one, other) => rowsNear(other.x) - rowsNear(one.x))[0];
  const rows = pages.reduce((sum, page) => sum + page.length, 0);
  return best && rowsNear(best.x) >= Math.max(HINT_COLUMN_ROWS, HINT_SHARE * rows) ? best.x : undefined;
}

function findHinted(rows: readonly PageRow[], x: number): Gutter | undefined {
  const run = clearRun(rows, x);
  const within = rows.slice(run.from, run.to);
  const [left, right] = [side(within, (cell) => cell.right <= x), side(within, (cell) => cell.left >= x)];
  return left.length >= HINT_ROWS_MIN && right.length >= HINT_ROWS_MIN ? run : undefined;
}

/**
 * Rows in the order in which they are read, as blocks that a column's end parts.
 * @param hint the gutter of the document
 */
export function orderByColumns(rows: readonly PageRow[], hint?: number): PageRow[][] {
  const gutter = (hint !== undefined && findHinted(rows, hint)) || (rows.length >= ROWS_MIN ? findGutter(rows) : undefined);
  if (!gutter) return rows.length > 0 ? [[...rows]] : [];
  const { x, from, to } = gutter;
  const within = rows.slice(from, to);
  return [
    ...orderByColumns(rows.slice(0, from), hint),
    ...orderByColumns(side(within, (cell) => cell.right <= x)),
    ...orderByColumns(side(within, (cell) => cell.left >= x)),
    ...orderByColumns(rows.slice(to), hint),
  ];
}
