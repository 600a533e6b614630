/** Counts how the raw rows of each data set were converted, and prints the counts as a table. Pure. */
import { textTable, whole } from '../../src/terminal/textTable.ts';
import type { SourceItem } from './types.ts';

export interface SetSummary {
  name: string;
  title: string;
  /** raw rows */
  read: number;
  /** lines of projects and restrictions */
  written: number;
  /** document lines */
  documents: number;
  /** rows that were combined into the record of another row */
  combined: number;
  /** rejected cases */
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
    s.read += item.rows.length;
    if (item.kind === 'document') s.documents += 1;
    if (item.kind === 'reject') {
      s.rejected += 1;
      increment(s.rejectedByReason, item.reason);
    }
    if (item.kind === 'restriction') s.written += 1;
    if (item.kind === 'record') {
      s.written += 1;
      s.combined += item.rows.length - 1;
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

const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([key, n]) => `${key} ${whole(n)}`)
    .join(', ');

const COUNTS = ['read', 'written', 'documents', 'combined', 'rejected'] as const;

/** The table: one line for each data set, and a line of totals. */
export function summaryTable(sets: readonly SetSummary[]): string {
  const row = (set: string, count: (name: (typeof COUNTS)[number]) => number, reasons = '', notes = '') => ({
    set,
    ...Object.fromEntries(COUNTS.map((name) => [name, whole(count(name))])),
    reasons: reasons || null,
    notes: notes || null,
  });
  const rows = sets.map((one) => row(one.name, (name) => one[name], listed(one.rejectedByReason), listed(one.notes)));
  const totals = row('all', (name) => sets.reduce((total, one) => total + one[name], 0));
  return textTable([...rows, totals], '').join('\n');
}
