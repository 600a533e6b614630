/** Reads all records of a search, and compares them with the file of an export. */
import assert from 'node:assert/strict';
import { csvHeader, csvRows } from '../../src/core/domain/record/csv.ts';
import { bodyOf } from './service.ts';
import type { TestWorld } from './world.ts';

/** All records of a search in order, read page by page. */
export async function walkSearch(
  { api }: Pick<TestWorld, 'api'>,
  parameters: Record<string, unknown>,
  key: string,
): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = [];
  for (;;) {
    const body = bodyOf(await api.get('/projects/search', { ...parameters, offset: records.length, limit: 100 }, { key }));
    records.push(...body.data);
    if (!body.meta.hasMore) return records;
  }
}

/** Asserts that a file holds these records; names the first row that differs. */
export function assertFile(text: string, records: readonly Record<string, unknown>[], about?: string): void {
  const expected = csvHeader() + (records.length ? csvRows(records) : '');
  if (text === expected) return;
  const [rows, wanted] = [text.split('\r\n'), expected.split('\r\n')];
  const row = wanted.findIndex((line, i) => rows[i] !== line);
  assert.deepEqual([rows.length, rows[row]], [wanted.length, wanted[row]], about);
  assert.equal(rows.length, wanted.length, about);
}
