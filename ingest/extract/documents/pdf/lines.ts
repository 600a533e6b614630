/** Rows of cells become lines of text: paragraphs are parted by a blank line, cells of a table by ` | `. Pure. */
import type { PageCell, PageRow } from './rows.ts';

/** Of the usual distance of two lines, from which on a paragraph begins. */
const NEW_PARAGRAPH = 1.3;
/** A row of a table goes on where the next line is nearer than others; the distances differ by this factor at least. */
const NEXT_ROW = 1.25;
const SAME_ROW = 1.12;
/** In distances of lines: a table ends before a larger space. */
const TABLE_SPACE = 2.6;

const LIST_MARK = /^(?:\(?\d{1,3}[.)]?|\d{1,2}(?:\.\d{1,2}){1,3}\.?|\(?[a-z][.)]|\(?[ivxl]{1,6}[.)]|[•▪◦·●○■□➢✓§o*–—-])$/i;

/** The mark of a list, or a label with a colon, belongs to the text after it. */
function joinMarks(row: PageRow): PageRow {
  const [first, second, ...rest] = row.cells;
  if (!first || !second) return row;
  const isLabel = first.text.endsWith(':') && rest.length === 0;
  if (!isLabel && !LIST_MARK.test(first.text)) return row;
  return { ...row, cells: [{ text: `${first.text} ${second.text}`, left: first.left, right: second.right }, ...rest] };
}

/** The usual distance of two lines of a paragraph. */
function usualDistance(rows: readonly PageRow[]): number {
  const distances = rows.slice(1).map((row, at) => row.base - (rows[at]?.base ?? 0));
  const sorted = distances.filter((distance) => distance > 0).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 4)] ?? (rows[0]?.size ?? 0) * 1.2;
}

/** The columns of a table: cells that stand below each other are of one. */
function listColumns(rows: readonly PageRow[]): PageCell[] {
  const columns: PageCell[] = [];
  const cells = rows.filter((row) => row.cells.length > 1).flatMap((row) => row.cells);
  for (const { left, right } of cells.sort((one, other) => one.left - other.left)) {
    const column = columns.at(-1);
    if (column && left < column.right) column.right = Math.max(column.right, right);
    else columns.push({ text: '', left, right });
  }
  return columns;
}

/** How many rows from the first on are of one table. */
function tableLength(rows: readonly PageRow[], distance: number): number {
  let length = 1;
  for (; length < rows.length; length++) {
    const [row, before] = [rows[length], rows[length - 1]];
    if (!row || !before || row.base - before.base > TABLE_SPACE * distance) break;
    if (row.cells.length > 1) continue;
    const [cell] = row.cells;
    const touched = listColumns(rows.slice(0, length)).filter((column) => cell && cell.left < column.right && cell.right > column.left);
    if (touched.length !== 1 || (cell && touched[0] && cell.right > touched[0].right + 2 * row.size)) break;
  }
  while (length > 1 && rows[length - 1]?.cells.length === 1 && !isNear(rows, length - 1, distance)) length--;
  return length;
}

const isNear = (rows: readonly PageRow[], at: number, distance: number) =>
  (rows[at]?.base ?? 0) - (rows[at - 1]?.base ?? 0) <= SAME_ROW * distance;

/** Lines of one row of a table, its cells' texts put together. */
function joinTableRow(rows: readonly PageRow[], columns: readonly PageCell[]): string {
  const texts = columns.map((column) =>
    rows
      .flatMap((row) => row.cells)
      .filter((cell) => cell.left < column.right && cell.right > column.left)
      .map((cell) => cell.text)
      .join('\n')
      .replaceAll(/(?<=\p{L})-\n(?=\p{Ll})/gu, '')
      .replaceAll(/-\n/g, '-')
      .replaceAll('\n', ' '),
  );
  return texts.filter((text) => text !== '').join(' | ');
}

/** Rows of a table: lines that stand nearer together than others are of one row. */
function writeTable(rows: readonly PageRow[]): string[] {
  const columns = listColumns(rows);
  const distances = rows.slice(1).map((row, at) => row.base - (rows[at]?.base ?? 0));
  const [least, most] = [Math.min(...distances), Math.max(...distances)];
  const goesOn = (at: number) => most >= NEXT_ROW * least && (distances[at - 1] ?? 0) <= SAME_ROW * least;
  const groups: PageRow[][] = [];
  rows.forEach((row, at) => {
    if (at > 0 && goesOn(at)) groups.at(-1)?.push(row);
    else groups.push([row]);
  });
  return groups.map((group) => (group.length > 1 ? joinTableRow(group, columns) : writeRow(group[0] as PageRow)));
}

const writeRow = (row: PageRow) => row.cells.map((cell) => cell.text).join(' | ');

/** A head is set smaller than the text, and further from it than its lines from each other. */
const HEAD_SIZE = 0.92;
const HEAD_SPACE = 1.6;

/** The rows of a page that is not the first without a head, which a document of two pages does not repeat. */
export function dropSmallHead(rows: readonly PageRow[]): PageRow[] {
  const [head, next] = rows;
  const size = rows.map((row) => row.size).sort((one, other) => one - other)[Math.floor(rows.length / 2)] ?? 0;
  const isHead = head && next && head.size < HEAD_SIZE * size && next.base - head.base > HEAD_SPACE * usualDistance(rows);
  return isHead ? rows.slice(1) : [...rows];
}

/** The lines of one block of rows. */
export function writeLines(block: readonly PageRow[]): string[] {
  const rows = block.map(joinMarks);
  const distance = usualDistance(rows);
  const lines: string[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as PageRow;
    const before = rows[at - 1];
    if (before && row.base - before.base > NEW_PARAGRAPH * distance) lines.push('');
    const length = row.cells.length > 1 ? tableLength(rows.slice(at), distance) : 1;
    lines.push(...(length > 1 ? writeTable(rows.slice(at, at + length)) : [writeRow(row)]));
    at += length;
  }
  return lines;
}
