/** How every CSV of the service is written: RFC 4180 with cells that end no row and that no spreadsheet takes for formulas. Pure. */

/** Of csv-stringify. A cell with a lone CR or LF is quoted too: Python, pandas and Excel end a row there. */
export const CSV_FORM = { record_delimiter: 'windows', quote_record_delimiter: true } as const;

/** Cells that begin so are never run; they are by far the most. */
const PLAIN_START = /^[A-Za-z0-9]/;
const PLAIN_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/**
 * A first character that starts a formula, also in its wide, small and raised forms, which some programs read alike; spaces, controls, unassigned and
 * characters without width before it are dropped by some on opening. A tab or carriage return in front suffices by itself.
 */
const FORMULA_START = /^([\t\r]|[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@|＝＋－＠｜﹦﹢﹣﹫⁼⁺⁻₌₊₋⩵⩶﬩])/u;

/** The text of a cell as no spreadsheet runs it: with `'` in front if a program would take it for a formula. Numbers stay as they are. */
export function escapeFormula(text: string): string {
  if (PLAIN_START.test(text) || PLAIN_NUMBER.test(text) || !FORMULA_START.test(text)) return text;
  return `'${text}`;
}

/** The text of a cell that lists parts, each as no spreadsheet runs it: one that is set to semicolons would split them. */
export function escapeFormulas(text: string): string {
  const [first = '', ...others] = text.split(';');
  return [
    escapeFormula(first),
    ...others.map((part) => (part.startsWith(' ') ? ` ${escapeFormula(part.slice(1))}` : escapeFormula(part))),
  ].join(';');
}
