/** The report of a benchmark or an evaluation: tables of figures as a Markdown page, and how figures are taken. */
import { markdownTable, whole } from '../../src/terminal/textTable.ts';
import { type BenchMachine, machineText } from './machine.ts';

export interface ReportSection {
  title: string;
  /** how to read the table */
  text?: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A column of a table: its head, and its text in a row. */
export type ReportColumn<Row> = readonly [head: string, text: (row: Row) => string];

export const tableOf = <Row>(
  title: string,
  text: string | undefined,
  rows: readonly Row[],
  columns: readonly ReportColumn<Row>[],
): ReportSection => ({
  title,
  ...(text === undefined ? {} : { text }),
  head: columns.map(([head]) => head),
  rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
});

/** A row of a table: its figures by their heads, by whose end a number is written. */
export type FiguresRow = Readonly<Record<string, number | string>>;

function figureText(head: string, figure: number | string): string {
  if (typeof figure === 'string') return figure;
  if (head.includes('÷')) return figure.toFixed(2);
  if (head.endsWith('ms')) return milliseconds(figure);
  return head.endsWith(' s') || head.endsWith('jobs/s') ? figure.toFixed(1) : whole(figure);
}

export const tableOfFigures = (title: string, text: string | undefined, rows: readonly FiguresRow[]): ReportSection =>
  tableOf(
    title,
    text,
    rows,
    Object.keys(rows[0] ?? {}).map((head) => [head, (row) => figureText(head, row[head] ?? Number.NaN)]),
  );

export interface SuiteReport {
  title: string;
  /** what was measured, and how */
  about: string;
  sections: ReportSection[];
  /** everything measured, for --json */
  figures: object;
}

const sectionText = ({ title, text, head, rows }: ReportSection) =>
  [`## ${title}`, ...(text ? [text] : []), markdownTable(head, rows)].join('\n\n');

export function reportPage(suite: string, machine: BenchMachine, { title, about, sections }: SuiteReport): string {
  const measured = `\`npm run bench -- ${suite}\` on ${machine.date}, commit ${machine.commit}. ${machineText(machine)}`;
  return `${[`# ${title}`, measured, about, ...sections.map(sectionText)].join('\n\n')}\n`;
}

/** The quantile of some values, such as p99 for the share 0.99. @returns NaN without values */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Milliseconds that work takes. */
export async function timeWork(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Milliseconds of each of so many calls, one after the other. @param warmUps calls before them, which do not count */
export async function timeCalls(count: number, call: (at: number) => Promise<unknown>, warmUps = 0): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < warmUps + count; at++) times.push(await timeWork(() => call(at)));
  return times.slice(warmUps);
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const p99 = (values: readonly number[]): number => quantile(values, 0.99);

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The quotient of two figures, with two decimals. */
export const ratio = (figure: number, by: number): string => (figure / by).toFixed(2);

export const milliseconds = (value: number): string => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : whole(value));
export const mebibytes = (bytes: number): string => whole(bytes / 2 ** 20);
