/** Texts and Markdown as an extraction reads them: encodings, pages, running lines, cut words. */
import assert from 'node:assert/strict';
import { provideReader } from '../../support/readDocument.ts';

describe('A text that is read for an extraction', () => {
  const reader = provideReader();
  const read = (name: string, content: string | Uint8Array) => reader.read(name, content);

  const SENTENCE = 'The Peña “Café” rezoning – §4 – was approved.';
  const utf16 = (swap: boolean, mark: boolean) => {
    const bytes = Buffer.from((mark ? '\ufeff' : '') + SENTENCE, 'utf16le');
    return swap ? bytes.swap16() : bytes;
  };
  const encodings: Record<string, Uint8Array> = {
    'UTF-8': Buffer.from(SENTENCE),
    'UTF-8 with a mark': Buffer.from(`\ufeff${SENTENCE}`),
    'UTF-16 in little endian with a mark': utf16(false, true),
    'UTF-16 in big endian with a mark': utf16(true, true),
    'UTF-16 without a mark': utf16(false, false),
    'Windows-1252': Buffer.from(SENTENCE.replace('“', '\x93').replace('”', '\x94').replaceAll('–', '\x96'), 'latin1'),
  };
  for (const [encoding, bytes] of Object.entries(encodings))
    it(`has its characters where it is in ${encoding}`, async () => {
      assert.equal((await read('encoding.txt', bytes)).text, `${SENTENCE}\n`);
    });

  it('has one kind of line end and blank, and no characters that are not seen', async () => {
    const { text } = await read('marks.txt', 'Lot\u00a01\r\nco\u00adfﬁn\u200b\rend\u0007\n\n\n\nlast');
    assert.equal(text, 'Lot 1\ncoffin\nend\n\nlast\n');
  });

  it('loses the running heads, feet and page numbers of its pages, but for the head of the first', async () => {
    const page = (n: number, body: string) =>
      `Elm City Planning Commission\nJune ${n}, 2024\n\n${body}\n\nElm City Hall\nPage ${n} of 3\n\f`;
    const { text, pageStarts } = await read('pages.txt', page(1, 'Mr. Roe moved to') + page(2, 'approve it.') + page(3, 'The end.'));
    assert.equal(text, 'Elm City Planning Commission\nJune 1, 2024\n\nMr. Roe moved to\napprove it.\n\nThe end.\n');
    assert.deepEqual(
      pageStarts.map((start) => text.slice(start, start + 3)),
      ['Elm', 'app', 'The'],
    );
  });

  it('has the words whole that the ends of lines and pages cut', async () => {
    const cut =
      'The peti-\ntioner of case 2024-0249-\n  VAR asked for a well-\nknown use, a well-known one, with a one-\nto-one swap; it ad-\n\fjourned early.';
    const { text, pageStarts } = await read('cut.txt', cut);
    assert.equal(
      text,
      'The petitioner\nof case 2024-0249-VAR\nasked for a well-known\nuse, a well-known one, with a one-to-one\nswap; it adjourned\nearly.\n',
    );
    assert.equal(text.slice(pageStarts[1]), 'early.\n');
  });

  it('loses the running lines of pages that were put together, where it names the pages', async () => {
    const page = (n: number, body: string) => `${body}\n\nElm City Planning Commission\nJune 12, 2024\nPage ${n}\n\n`;
    const { text } = await read('together.txt', page(1, 'Mr. Roe moved to') + page(2, 'approve it.') + page(3, 'The end.'));
    assert.equal(text, 'Mr. Roe moved to\n\napprove it.\n\nThe end.\n');
  });

  it('of Markdown loses the marks and keeps its lines; tables have a bar between cells', async () => {
    const lines = [
      '# Minutes',
      '',
      '**Motion:** _approve_ [the plat](https://elm.example/p)',
      '',
      '| Name | Vote |',
      '|---|:-:|',
      '| Roe | **Yes** |',
      '3\\. Item',
    ];
    const { text, format } = await read('minutes.md', lines.join('\n'));
    assert.equal(format, 'markdown');
    assert.equal(text, 'Minutes\n\nMotion: approve the plat\n\nName | Vote\nRoe | Yes\n3. Item\n');
  });

  it('of Markdown states date, title and address where its head names them', async () => {
    const heads = [
      '---\ntitle: "Regular Meeting"\ndate: 2024-06-12\nurl: https://elm.example/m\n---\n',
      '# Elm\n> Source: https://elm.example/m\n> Meeting date: 2024-06-12\n> Title: Regular Meeting\n',
    ];
    for (const head of heads) {
      const { stated } = await read('head.md', `${head}\nCall to order`);
      assert.deepEqual(stated, { kind: null, date: '2024-06-12', title: 'Regular Meeting', url: 'https://elm.example/m' });
    }
  });
});
