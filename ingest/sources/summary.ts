/** What became of the raw rows of each data set, and the table that says so. Pure. */
import type { SourceItem } from './types.ts';

export interface SetSummary {
  name: string;
  title: string;
  /** raw rows */
  read: number;
  /** project lines */
  written: number;
  /** document lines */
  documents: number;
  /** rows beyond the first of a record that combines several */
  combined: number;
  /** cases that were not written */
  rejected: number;
  rejectedByReason: Record<string, number>;
  notes: Record<string, number>;
}

/** Counts the items of one data set. */
export class Tally {
  readonly #summary: SetSummary;

  constructor(name: string, title: string) {
    const counts = { read: 0, written: 0, documents: 0, combined: 0, rejected: 0 };
    this.#summary = { name, title, ...counts, rejectedByReason: {}, notes: {} };
  }

  add(item: SourceItem): void {
    const s = this.#summary;
    s.read += item.rows;
    if (item.kind === 'document') s.documents += 1;
    if (item.kind === 'reject') {
      s.rejected += 1;
      increment(s.rejectedByReason, item.reason);
    }
    if (item.kind === 'record') {
      s.written += 1;
      s.combined += item.rows - 1;
      for (const note of item.notes) increment(s.notes, note);
    }
  }

  /** The counts so far; the same object as they grow. */
  summary(): SetSummary {
    return this.#summary;
  }
}

function increment(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

const plain = (n: number) => n.toLocaleString('en-US');
const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([key, n]) => `${key} ${plain(n)}`)
    .join(', ');

/** One line a data set and a line of totals. */
export function summaryTable(sets: readonly SetSummary[]): string {
  const row = (s: SetSummary) => [
    s.name,
    ...[s.read, s.written, s.documents, s.combined, s.rejected].map(plain),
    listed(s.rejectedByReason) || '-',
    listed(s.notes) || '-',
  ];
  const sum = (of: (s: SetSummary) => number) => plain(sets.reduce((total, s) => total + of(s), 0));
  const totals = [
    'all',
    sum((s) => s.read),
    sum((s) => s.written),
    sum((s) => s.documents),
    sum((s) => s.combined),
    sum((s) => s.rejected),
    '',
    '',
  ];
  const lines = [['set', 'read', 'written', 'documents', 'combined', 'rejected', 'reasons', 'notes'], ...sets.map(row), totals];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const numeric = (column: number) => column > 0 && column < 6;
  const cell = (value: string, column: number) =>
    numeric(column) ? value.padStart(widths[column] ?? 0) : value.padEnd(widths[column] ?? 0);
  return lines.map((line) => line.map(cell).join('  ').trimEnd()).join('\n');
}
