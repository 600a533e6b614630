/** Tables for people: aligned text, and Markdown that is read as well unrendered. Pure. */
import { printable } from './printable.ts';

type Row = readonly string[];

const widthsOf = (rows: readonly Row[]) => (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));

const NARROWEST = 8;
const GAP = '  ';

/** Widths that fit a line: the widest column gives way first, down to a few characters. */
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

/** Rows as aligned columns under the names of their fields, or a sentence where there are none. @param width of a line; what is longer is cut */
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

/** The first column to the left, figures to the right. */
export function markdownTable(head: Row, rows: readonly Row[]): string {
  // A column whose cells are all empty has a rule, too.
  const widths = widthsOf([head, ...rows]).map((width) => Math.max(2, width));
  const line = (cells: Row) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const MEBIBYTE = 2 ** 20;

/** `12.3 MiB` */
export const mebibytes = (bytes: number): string => `${(bytes / MEBIBYTE).toFixed(1)} MiB`;

/** A figure without decimals. */
export const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
