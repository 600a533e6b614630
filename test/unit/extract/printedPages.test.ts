/** Minutes that a browser prints, with running heads, cut words and columns, are read with their words in order: the short form of `extract-documents`. */
import assert from 'node:assert/strict';
import { openBrowser } from '../../../scripts/lib/browser.ts';
import { type PrintForm, writePrintPage } from '../../../scripts/proofs/evalExtract/documentForms.ts';
import { compareWords } from '../../../scripts/proofs/evalExtract/wordOrder.ts';
import { Random } from '../../support/random.ts';
import { TestReader } from '../../support/readDocument.ts';

const SEED = 56;
const ITEMS = 24;
const SHARE_MIN = 0.995;
const WORDS =
  'the commission applicant request rezone neighborhood commercial residential subdivision ordinance amendment recommended approval conditions traffic landscaping stormwater easement setback property planning administrator transportation requirements'.split(
    ' ',
  );

/** Made-up minutes of items, each with a paragraph and a table of votes. */
function writeMinutes(random: Random): string {
  const sentence = () => Array.from({ length: 14 }, () => random.pick(WORDS)).join(' ');
  const items = Array.from({ length: ITEMS }, (_, at) => {
    const votes = ['Roe', 'Doe', 'Poe'].map((name) => `Commissioner ${name}    ${random.pick(['Yes', 'No'])}`);
    return `${at + 1}. Case RZ-24-${100 + at}\n\nThe ${sentence()}.\n${Array.from({ length: 5 }, () => `Then ${sentence()}.`).join('\n')}\n\n${votes.join('\n')}`;
  });
  return `Elm City Planning Commission\n\n${items.join('\n\n')}\n`;
}

describe('Minutes that are printed', function () {
  this.timeout(120_000);
  const forms: Record<string, PrintForm> = {
    'in one column': { columns: 1, head: 'Elm City minutes' },
    'in two columns': { columns: 2, head: 'Elm City minutes' },
  };
  for (const [what, form] of Object.entries(forms))
    it(`${what} are read with their words in order, without heads and cut words`, async () => {
      const text = writeMinutes(new Random(SEED));
      const browser = await openBrowser({ draws: false });
      const reader = new TestReader();
      try {
        const page = await browser.newPage();
        await page.setContent(writePrintPage(text, form));
        const read = await reader.read('minutes.pdf', await page.pdf({ preferCSSPageSize: true }));
        assert(read.pageStarts.length > 2);
        const { words, same } = compareWords(text, read.text);
        assert(same >= SHARE_MIN * words, `${same} of ${words}`);
        assert.match(read.text, /Commissioner Roe \| (?:Yes|No)\n/);
      } finally {
        await Promise.all([browser.close(), reader.close()]);
      }
    });
});
