import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CaseNames } from '../../src/core/domain/cases/caseNames.ts';
import { findCasePassages, findOwnPassages } from '../../src/core/domain/cases/casePassages.ts';
import { splitAt } from '../support/markedText.ts';

const names = (given: Partial<CaseNames>): CaseNames => ({ numbers: [], parcels: [], addresses: [], titles: [], ...given });
const texts = (document: string, given: Partial<CaseNames>) => findCasePassages(document, names(given)).map(({ text }) => text);

/** A hearing of made-up minutes: what its record knows of it, and its text; null for what is no case of a record. */
type Hearing = [Partial<CaseNames> | null, string];

/**
 * Made-up minutes in the style of towns, by their style: a line of `===` has the style and what is between hearings, a line of `---` what is known of the
 * hearing whose text follows. `@` is replaced by words unique to the hearing.
 */
const TOWNS = Object.fromEntries(
  splitAt(readFileSync(path.join(import.meta.dirname, 'casePassages.txt'), 'utf8'), '===').map(([head, body]) => {
    const [, style = '', joined = ''] = /^(.+) (".+")$/.exec(head) ?? [];
    const hearings = splitAt(body, '---').map(([known, text]): Hearing => [JSON.parse(known), text]);
    return [style, { joined: JSON.parse(joined) as string, hearings }];
  }),
);

type Town = (typeof TOWNS)[string];

/** The minutes of a town, each hearing with words of its own. */
const minutesOf = ({ joined, hearings }: Town) =>
  hearings.map(([, text], i) => text.replaceAll('@', `Words of hearing ${i + 1} alone.`)).join(joined);

const wordsOf = (text: string): number[] => [...text.matchAll(/Words of hearing (\d+) alone/g)].map(([, at]) => Number(at));

describe('passages of a case in the minutes of a whole meeting', () => {
  for (const [style, town] of Object.entries(TOWNS))
    for (const [at, [known]] of town.hearings.entries())
      if (known)
        it(`are its own hearing and all of it: ${style}, ${JSON.stringify(known)}`, () => {
          const document = minutesOf(town);
          const found = findCasePassages(document, names(known));
          for (const { start, end, text } of found) assert.equal(document.slice(start, end), text);
          const said = wordsOf(found.map(({ text }) => text).join('\n'));
          assert.deepEqual([...new Set(said)], [at + 1], found.map(({ text }) => text).join('\n---\n'));
          assert.equal(said.length, wordsOf(document).filter((one) => one === at + 1).length);
        });

  it('are none if no heading names their case', () => {
    const told = 'The meeting was called to order.\n\nMr. Holt spoke about case RZ-2026-6103.\n\nThe motion carried 5-2.';
    assert.deepEqual(texts(told, { numbers: ['RZ-2026-6103'] }), []);
    assert.deepEqual(
      texts(minutesOf(TOWNS['names alone, between empty lines (a town in Indiana)'] as Town), { numbers: ['RZ-2026-6103'] }),
      [],
    );
    assert.deepEqual(texts('', { numbers: ['RZ-2026-6103'] }), []);
  });

  it('do not begin where another case is called related, or in the middle of a sentence', () => {
    const document =
      'Case RZ-2026-0001\nA hotel, companion to RZ-2026-0002, was heard together with the\nCase RZ-2026-0002 and was approved.\nCase RZ-2026-0002\nA shed was denied.';
    assert.deepEqual(texts(document, { numbers: ['RZ-2026-0002'] }), ['Case RZ-2026-0002\nA shed was denied.']);
  });

  it('are found however a number is written, and by parcel', () => {
    const document = 'Case SUP 2026/0042\nA hotel.\n\nParcel No. 12-34-567\nA shed.';
    assert.deepEqual(texts(document, { numbers: ['SUP-2026-0042'] }), ['Case SUP 2026/0042\nA hotel.']);
    assert.deepEqual(texts(document, { parcels: ['1234567'] }), ['Parcel No. 12-34-567\nA shed.']);
  });

  it('are the whole document if it is only about this case', () => {
    const document = 'Resolution on 13SN0146.\n\nThe tarp has to cover the trailer.';
    assert.deepEqual(texts(document, { numbers: ['13SN0146'] }), [document]);
  });

  it('end where a hostile text has more places for headings than minutes have, and take time in proportion', () => {
    const document = `Case RZ-2026-6103. A hotel.\n${'1. Item A. '.repeat(40_000)}`;
    const started = performance.now();
    const [own = ''] = texts(document, { numbers: ['RZ-2026-6103'] });
    assert.ok(own.startsWith('Case RZ-2026-6103. A hotel.') && own.length < 200_000, String(own.length));
    assert.ok(performance.now() - started < 10_000);
  });

  for (const [text, hostile, numbers] of [
    [
      'a line of dashes in a scan',
      `Case 13SN0146. A barn${' and a shed'.repeat(40)}. 7${'-'.repeat(90)} heard: 13SN0146. It was approved.`,
      ['13SN0146'],
    ],
    ['single digits, as in the number of the case', `Case ${'1 '.repeat(30)}2\n`.repeat(100), [`${'1 '.repeat(30)}3`]],
  ] as const)
    it(`are found in at most a second where a document holds ${text}`, () => {
      const started = performance.now();
      findCasePassages(hostile, names({ numbers }));
      const took = performance.now() - started;
      assert.ok(took < 1_000, `${took} ms`);
    });

  it('are all of a record’s own text, unless it has headings of others', () => {
    const own = (text: string) => findOwnPassages(text, names({ numbers: ['13SN0146'] })).map((one) => one.text);
    assert.deepEqual(own('Neighbors spoke about drainage.'), ['Neighbors spoke about drainage.']);
    assert.deepEqual(own('Case 13SN0146\nA barn.\nCase 13SN0147\nA quarry.'), ['Case 13SN0146\nA barn.']);
  });
});
