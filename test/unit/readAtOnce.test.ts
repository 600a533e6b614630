/** Texts and names that were made to take long are not read in the process's own thread, however short they are. */
import assert from 'node:assert/strict';
import type { CaseNames } from '../../src/core/domain/cases/caseNames.ts';
import { readCriteria } from '../../src/features/aiSearch/question/index.ts';
import { ScreenerPool } from '../../src/features/aiSearch/screenerPool.ts';
import { QuoteReader } from '../../src/features/projects/quoteReader.ts';

const OWN_MS_MAX = 70;
const names = (given: Partial<CaseNames> = {}): CaseNames => ({
  numbers: ['RZ-2026-6103'],
  parcels: [],
  addresses: [],
  titles: [],
  ...given,
});
const numbered = (count: number, numberAt: (i: number) => string) => Array.from({ length: count }, (_, i) => numberAt(i));
const ONE_HEADING = '1. RZ-2026-6103 ';

const HARD: Record<string, { text: string; names: CaseNames; quotes?: string[] }> = {
  'a thousand case numbers': { text: ONE_HEADING, names: names({ numbers: numbered(1_000, (i) => `RZ-2026-${100 + i}`) }) },
  'numbers of many parts in short lines': {
    text: '1 A\n'.repeat(4_000),
    names: names({ numbers: numbered(10, (i) => `${'1-A-'.repeat(40)}${100 + i}`) }),
  },
  'short lines': { text: `${ONE_HEADING}\n${'1. A\n'.repeat(5_600)}`, names: names() },
  'quotes that are almost in the text': {
    text: `${ONE_HEADING}${'a'.repeat(18_000)}`,
    names: names(),
    quotes: numbered(500, (i) => `${'a'.repeat(900 - i)}b${'a'.repeat(1_000)}`),
  },
};

/** What this thread computes while the work is done, here or elsewhere. */
async function ownMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  return process.threadCpuUsage(before).user / 1_000;
}

describe('A short text that is hard to read', () => {
  const reader = new QuoteReader();
  const pool = new ScreenerPool();
  after(() => Promise.all([reader.close(), pool.close()]));

  for (const [title, { text, names: sought, quotes = ['b'] }] of Object.entries(HARD))
    it(`is left to the threads that find quotes: ${title}`, async () => {
      const spent = await ownMs(() => reader.read([{ documentId: 1, text, quotes }], sought));
      assert.ok(spent < OWN_MS_MAX, `${spent} ms`);
    });

  for (const title of ['a thousand case numbers', 'numbers of many parts in short lines'] as const)
    it(`is left to the thread that judges records: ${title}`, async () => {
      const { text, names: sought } = HARD[title] as (typeof HARD)[string];
      const candidate = { projectId: '1', names: sought, texts: [{ source: 'rawText' as const, documentId: null, text }] };
      const criteria = readCriteria('drive-through');
      const spent = await ownMs(() => pool.confirm([{ criteria, candidate } as never]));
      assert.ok(spent < OWN_MS_MAX, `${spent} ms`);
    });
});
