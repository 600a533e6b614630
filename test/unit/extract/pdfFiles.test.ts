/** PDFs as an extraction reads them: order, running lines, tables, columns. */
import assert from 'node:assert/strict';
import { type Placed, writeTextPdf } from '../../support/pdfFile.ts';
import { provideReader } from '../../support/readDocument.ts';

const LEADING = 14;
const SENTENCES =
  'The commission heard the request of the owner and asked about traffic on Main Street. Staff recommends approval with two conditions on fences and hours. A neighbor spoke of noise at night and asked for a taller wall along the lot.'.split(
    ' ',
  );

/** Lines of words below each other, `perLine` in each. */
const writeColumn = (left: number, top: number, words: readonly string[], perLine: number): Placed[] =>
  Array.from({ length: Math.ceil(words.length / perLine) }, (_, line) => [
    left,
    top + line * LEADING,
    words.slice(line * perLine, (line + 1) * perLine).join(' '),
  ]);

describe('A PDF that is read for an extraction', () => {
  const reader = provideReader();
  const read = async (...pages: Placed[][]) => {
    const document = await reader.read('minutes.pdf', writeTextPdf(pages));
    assert.equal(document.unread, null);
    assert.equal(document.format, 'pdf');
    return document;
  };

  it('has its lines from the top down, however they are drawn, and an empty line where a paragraph begins', async () => {
    const lines: Placed[] = [
      [72, 72 + 2 * LEADING, 'Third line.'],
      [72, 72, 'First'],
      [102, 72, 'line,'],
      [72, 72 + LEADING, 'second line.'],
      [72, 72 + 4 * LEADING, 'A paragraph.'],
      [72.3, 72, 'First'],
    ];
    assert.equal((await read(lines)).text, 'First line,\nsecond line.\nThird line.\n\nA paragraph.\n');
  });

  it('loses heads, feet and page numbers, keeps rows that repeat at the top of pages, and says where pages start', async () => {
    const page = (number: number, body: string[]): Placed[] => [
      [72, 36, 'Elm City Planning Commission', 9],
      [72, 47, 'June 12, 2024', 9],
      ...body.map((line, at): Placed => [72, 80 + at * LEADING, line]),
      [280, 760, `Page ${number} of 3`, 9],
    ];
    const rows = ['Ms. Roe voted aye', 'Mr. Doe voted aye'];
    const { text, pageStarts } = await read(
      page(1, ['Minutes.', ...rows, 'They left.']),
      page(2, [...rows, 'Then the com-']),
      page(3, ['mission met.', ...rows, 'The end.']),
    );
    const [head, votes] = ['Elm City Planning Commission\nJune 12, 2024', rows.join('\n')];
    assert.equal(text, `${head}\n\nMinutes.\n${votes}\nThey left.\n\n${votes}\nThen the commission\nmet.\n${votes}\nThe end.\n`);
    assert.equal(pageStarts.length, 3);
    assert.equal(text.slice(pageStarts[2], (pageStarts[2] ?? 0) + 4), 'met.');
  });

  it('in two columns is read one column after the other, below a title across both', async () => {
    const words = [...SENTENCES, ...SENTENCES];
    const [left, right] = [writeColumn(72, 120, words, 5), writeColumn(330, 123, words, 5)];
    const { text } = await read([
      [200, 72, 'Minutes of the Planning Commission', 14],
      ...left.flatMap((line, at) => [line, right[at] as Placed]),
    ]);
    assert.equal(text.replaceAll(/\s+/g, ' ').trim(), ['Minutes of the Planning Commission', ...words, ...words].join(' '));
  });

  it('has a table as lines with a bar between cells, and a cell of several lines whole', async () => {
    const { text } = await read([
      [72, 72, 'Commissioner'],
      [250, 72, 'Vote'],
      [72, 94, 'Ms. Roe'],
      [250, 94, 'Yes, with the'],
      [250, 107, 'conditions'],
      [72, 129, 'Mr. Doe'],
      [250, 129, 'No'],
    ]);
    assert.equal(text, 'Commissioner | Vote\nMs. Roe | Yes, with the conditions\nMr. Doe | No\n');
  });

  it('has no bar after the mark of a list or after a label', async () => {
    const { text } = await read([
      [72, 72, '1.'],
      [108, 72, 'Call to order'],
      [72, 72 + LEADING, 'Applicant:'],
      [200, 72 + LEADING, 'Elm LLC'],
    ]);
    assert.equal(text, '1. Call to order\nApplicant: Elm LLC\n');
  });

  it('loses the numbers of lines in its margin', async () => {
    const lines = writeColumn(90, 72, SENTENCES, 4);
    const { text } = await read(lines.flatMap((line, at): Placed[] => [[at < 9 ? 66 : 60, line[1], String(at + 1)], line]));
    assert.equal(text.replaceAll(/\s+/g, ' ').trim(), SENTENCES.join(' '));
  });
});
