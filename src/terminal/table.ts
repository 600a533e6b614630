/** Tables for people: aligned text, and Markdown that is read as well unrendered. Pure. */
import { printable } from './printable.ts';

type Row = readonly string[];

const widthsOf = (rows: readonly Row[]) => (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));

/** Rows as aligned columns under the names of their fields, or a sentence where there are none. */
export function textTable(rows: readonly Readonly<Record<string, string | number | null>>[], none: string): string[] {
  const [first] = rows;
  if (!first) return [none];
  const columns = Object.keys(first);
  const lines = [columns, ...rows.map((row) => columns.map((column) => printable(String(row[column] ?? '-'))))];
  const widths = widthsOf(lines);
  return lines.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The first column to the left, figures to the right. */
export function markdownTable(head: Row, rows: readonly Row[]): string {
  const widths = widthsOf([head, ...rows]);
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
