/** Tables for people: aligned text, and Markdown that is readable without rendering. Pure. */
import { printable } from './printable.ts';

type Row = readonly string[];

const widthsOf = (rows: readonly Row[]) => (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));

const NARROWEST = 8;
const GAP = '  ';

/** Widths that fit a line: the widest column is narrowed first, down to `NARROWEST`. */
function fittingWidths(wanted: readonly number[], line: number): number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - line;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  return widths;
}

const cut = (cell: string, width: number) => (cell.length > width ? `${cell.slice(0, width - 1)}…` : cell);

/** Rows as aligned columns under the names of their fields. @param none printed if there are no rows @param width of a line, beyond which cells are cut */
export function textTable(
  rows: readonly Readonly<Record<string, string | number | null>>[],
  none: string,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const [first] = rows;
  if (!first) return [none];
  const columns = Object.keys(first);
  const lines = [columns, ...rows.map((row) => columns.map((column) => printable(String(row[column] ?? '-'))))];
  const widths = fittingWidths(widthsOf(lines), width);
  return lines.map((line) =>
    line
      .map((cell, i) => cut(cell, widths[i] ?? 0).padEnd(widths[i] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** A Markdown table: the first column is aligned left, the others right. */
export function markdownTable(head: Row, rows: readonly Row[]): string {
  // At least 2, so that a column of empty cells has a rule too.
  const widths = widthsOf([head, ...rows]).map((width) => Math.max(2, width));
  const line = (cells: Row) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const MEBIBYTE = 2 ** 20;

/** `12.3 MiB` */
export const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;

/** A number without decimals, with a comma between thousands. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
