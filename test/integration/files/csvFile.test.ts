/**
 * A CSV written page by page: what it holds, what it costs in memory, and what is left when it is broken off.
 * `CSV_ROWS=10000 npm test -- test/integration/files/csvFile.test.ts` writes as many rows as an export has at most.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'csv-parse/sync';
import { CSV_COLUMNS } from '../../../src/core/domain/record/csv.ts';
import { writeCsv } from '../../../src/features/exports/csvFile.ts';
import { bytesOf, describeStores, FOREVER } from '../../support/fileStores.ts';
import { lengthOf } from '../../support/lengths.ts';

const ROWS = lengthOf('CSV_ROWS');
const PAGE = 100;
/** Rows between two looks at the memory. */
const LOOK_ROWS = ROWS / 4;
const HEAP_GROWTH_MAX_BYTES = 64 * 1024 * 1024;

/** About 2 kB a row, each of another content. */
function record(id: number): Record<string, unknown> {
  return {
    ...Object.fromEntries(CSV_COLUMNS.map((name) => [name, null])),
    id,
    projectName: `Cedar "Fork" Flats, ${id}`,
    summary: `=${id} homes. ${'Eighty homes on twelve acres. '.repeat(40)}`,
    parcelNumbers: [`${id}-1`, `${id}-2`],
    parties: [{ role: 'developer', roleLabel: 'Developer', name: `Fork Homes ${id} LLC` }],
    isRezone: id % 2 === 0,
    acreage: id / 7,
    longitude: -105.27,
    ...Object.fromEntries(['address', 'statusSummary', 'existingZoning', 'proposedZoning'].map((name) => [name, `${name} of ${id}`])),
  };
}

async function* pages(rows: number): AsyncGenerator<Record<string, unknown>[]> {
  for (let first = 1; first <= rows; first += PAGE)
    yield Array.from({ length: Math.min(PAGE, rows - first + 1) }, (_, index) => record(first + index));
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
function heapUsed(): number {
  collect();
  const { heapUsed: heap, external } = process.memoryUsage();
  return heap + external;
}

describeStores('A CSV of records', (store) => {
  it(`of ${ROWS} rows is written in flat memory, with its count, size and digest`, async () => {
    const progress: number[] = [];
    let most = 0;
    const idle = heapUsed();
    const written = await writeCsv(store(), 'exp_rows.csv', pages(ROWS), FOREVER, (rowCount) => {
      progress.push(rowCount);
      if (rowCount % LOOK_ROWS === 0) most = Math.max(most, heapUsed());
    });
    const bytes = await bytesOf((await store().read('exp_rows.csv', FOREVER)).content);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(written, { rowCount: ROWS, sizeBytes: bytes.length, sha256, longCells: null });
    assert(bytes.length > 2 * ROWS * 500);
    assert.deepEqual([progress.length, progress[0], progress.at(-1)], [ROWS / PAGE, PAGE, ROWS]);
    assert(most - idle < HEAP_GROWTH_MAX_BYTES, `${Math.round((most - idle) / 1e6)} MB more than before`);
    const rows: Record<string, string>[] = parse(bytes, { columns: true, record_delimiter: '\r\n' });
    assert.equal(rows.length, ROWS);
    assert(rows.every((row, index) => row.id === String(index + 1) && row.summary?.startsWith(`'=${index + 1} homes`)));
    const { projectName, parties, isRezone } = rows[41] ?? {};
    assert.deepEqual([projectName, parties, isRezone], ['Cedar "Fork" Flats, 42', 'developer: Fork Homes 42 LLC', 'true']);
  });

  it('of no rows is its header', async () => {
    const { rowCount } = await writeCsv(store(), 'exp_none.csv', pages(0), FOREVER);
    assert.equal(rowCount, 0);
    assert.equal(String(await bytesOf((await store().read('exp_none.csv', FOREVER)).content)), `${CSV_COLUMNS.join()}\r\n`);
  });

  it('is not there when it is aborted, or when its pages or the report of progress fail', async () => {
    const stop = new AbortController();
    const broken = async function* () {
      yield* pages(300);
      throw new Error('search failed');
    };
    const refuse = (rowCount: number) => {
      if (rowCount > 200) throw new Error('the lease is lost');
    };
    const abort = (rowCount: number) => (rowCount === 300 ? stop.abort() : undefined);
    await assert.rejects(writeCsv(store(), 'exp_not.csv', pages(1000), stop.signal, abort), { name: 'AbortError' });
    await assert.rejects(writeCsv(store(), 'exp_not.csv', broken(), FOREVER), /search failed/);
    await assert.rejects(writeCsv(store(), 'exp_not.csv', pages(1000), FOREVER, refuse), /the lease is lost/);
    assert.equal(await store().stat('exp_not.csv'), undefined);
  });
});
