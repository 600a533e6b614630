/** Files that are made in the browser. */
import { escapeFormula } from '../../../core/domain/csvText.ts';

const KEPT_MS = 60_000;

/** Hands a file to the browser, which saves it under the name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

export const saveText = (text: string, type: string, name: string) => saveFile(new Blob([text], { type: `${type};charset=utf-8` }), name);

/** Rows as CSV (RFC 4180) whose cells no spreadsheet runs as formulas. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => `"${escapeFormula(cell).replaceAll('"', '""')}"`).join(',')}\r\n`).join('');
