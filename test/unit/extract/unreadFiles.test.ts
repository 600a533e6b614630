/** Files of which an extraction reads nothing: each has its reason, and none ends the reading of others. */
import assert from 'node:assert/strict';
import { zipSync } from 'fflate';
import { writeWordFile } from '../../../scripts/proofs/evalExtract/documentForms.ts';
import { drawTexts, writePdf, writeStream, writeTextPdf } from '../../support/pdfFile.ts';
import { provideReader } from '../../support/readDocument.ts';

const page = (title: string, body: string) => `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
const SPANISH =
  'La comisión de planificación escuchó la solicitud del dueño para cambiar la zona de la propiedad en la calle principal y los vecinos hablaron del tráfico. '.repeat(
    4,
  );
const PROSE =
  'The commission heard the request of the owner to rezone the lot on Main Street, and the neighbors spoke of traffic that the new stores would bring to the school. '.repeat(
    4,
  );
/** Letters that a font without a table of its letters gives: each is another one. */
const garbled = PROSE.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(97 + ((letter.charCodeAt(0) - 97 + 9) % 26)));
const IMAGE = writeStream('\xff', {
  entries: '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
});
const scan = (texts: string) =>
  writePdf({ pages: [writeStream(`q 612 0 0 792 0 0 cm /Im1 Do Q ${texts}`)], objects: [IMAGE], resources: '/XObject << /Im1 10 0 R >>' });
const ENCRYPTED = writePdf({
  pages: [writeStream(drawTexts([[72, 72, 'Minutes']]))],
  trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<01> <01>]`,
});

const FILES: Record<string, [name: string, content: string | Uint8Array, reason: string]> = {
  'has no bytes': ['empty.pdf', '', 'empty'],
  'has blanks alone': ['blank.txt', ' \n\t\n', 'empty'],
  'is a PDF without text or pictures': ['empty.pdf', writeTextPdf([[], []]), 'empty'],
  'is a scan without a text layer': ['scan.pdf', scan(''), 'scan_without_text'],
  'is a scan with a stamp': ['stamped.pdf', scan(drawTexts([[72, 72, 'APPROVED June 12']])), 'scan_without_text'],
  'is an encrypted PDF': ['locked.pdf', ENCRYPTED, 'encrypted'],
  'is the beginning of a PDF': ['cut.pdf', writeTextPdf([[[72, 72, PROSE]]]).subarray(0, 60), 'broken'],
  'is named a PDF and is text': ['minutes.pdf', 'The minutes are attached.', 'broken'],
  'is an old Word file': ['minutes.doc', Buffer.from('d0cf11e0a1b11ae10000000000000000', 'hex'), 'wrong_type'],
  'is a picture': ['map.txt', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'wrong_type'],
  'is rich text': ['minutes.rtf', '{\\rtf1\\ansi Minutes}', 'wrong_type'],
  'is a page that was not found': [
    'minutes.html',
    page('404 Not Found', '<h1>Page not found</h1><p>The document has been moved.</p>'),
    'error_page',
  ],
  'is a page that denies access, named a PDF': [
    'minutes.pdf',
    page('Access Denied', '<p>You do not have permission to view this page.</p>'),
    'error_page',
  ],
  'is a page to sign in': [
    'minutes.html',
    page('Sign in', '<form>Please sign in <input name=user> Password <input type=password></form>'),
    'error_page',
  ],
  'is a wall of consent': [
    'minutes.html',
    page('City', '<div id="cookie-consent-banner">We use cookies. <button>Accept all</button></div>'),
    'error_page',
  ],
  'is in another language': ['actas.txt', SPANISH, 'another_language'],
  'is in another alphabet': [
    'minutes.txt',
    'Комиссия заслушала заявление владельца участка и жителей улицы. '.repeat(10),
    'another_language',
  ],
  'has the letters of a font that lies': ['minutes.txt', garbled, 'text_damaged'],
  'has characters without a meaning': ['minutes.txt', '\ue001\ue002\ue003 \ue004\ue005 '.repeat(40), 'text_damaged'],
};

describe('A file that cannot be read', () => {
  const reader = provideReader();

  for (const [what, [name, content, reason]] of Object.entries(FILES))
    it(`has the reason '${reason}' where it ${what}`, async () => {
      const { unread, text, sha256 } = await reader.read(name, content);
      assert.deepEqual([unread, text], [reason, '']);
      assert.match(sha256, /^[\da-f]{64}$/);
    });

  it('is told from a short one that can be read', async () => {
    const { unread } = await reader.read(
      'notice.pdf',
      writeTextPdf([[[72, 72, 'The meeting of the Planning Commission of June 12 is cancelled.']]]),
    );
    assert.equal(unread, null);
  });
});

describe('A hostile file', function () {
  this.timeout(120_000);
  const MIB = 1024 ** 2;
  const limits = { deadlineMs: 4_000, memoryBytesMax: 256 * MIB, fileBytesMax: 4 * MIB };
  const reader = provideReader(limits);

  const bomb = zipSync({ 'word/document.xml': new Uint8Array(48 * MIB) });
  const operators = `${drawTexts([[72, 72, 'x']])}\n`.repeat(600_000);
  const hostile: Record<string, [name: string, content: () => string | Uint8Array, reasons: string[]]> = {
    'is larger than is read': ['large.txt', () => 'a'.repeat(5 * MIB), ['too_large']],
    'is a Word file that unpacks to a thousand times its size': ['bomb.docx', () => bomb, ['too_large']],
    'is a PDF whose page unpacks to millions of texts': [
      'bomb.pdf',
      () => writePdf({ pages: Array.from({ length: 8 }, () => writeStream(operators, { packed: true })) }),
      ['took_too_long', 'took_too_much_memory', 'too_large'],
    ],
    'is a PDF whose page tree goes in circles': [
      'circle.pdf',
      () =>
        Buffer.from(
          writeTextPdf([[[72, 72, 'x']]])
            .toString('latin1')
            .replace(/\/Kids \[\d+ 0 R\]/, '/Kids [2 0 R]'),
          'latin1',
        ),
      ['broken'],
    ],
    'is a page of a hundred thousand nested parts': [
      'deep.html',
      () => `<!doctype html>${'<div>'.repeat(100_000)}x`,
      ['broken', 'took_too_long'],
    ],
    'is JSON of a hundred thousand nested lists': [
      'deep.json',
      () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      ['empty', 'broken', 'wrong_type'],
    ],
  };
  for (const [what, [name, content, reasons]] of Object.entries(hostile))
    it(`is bounded where it ${what}, and the next is read`, async () => {
      const begun = performance.now();
      const { unread } = await reader.read(name, content());
      assert(reasons.includes(String(unread)), `${unread}`);
      assert(performance.now() - begun < 4 * limits.deadlineMs);
      assert.equal((await reader.read('minutes.docx', writeWordFile(PROSE, 'head'))).unread, null);
    });

  it('of ten thousand empty pages ends in its time', async () => {
    const { unread } = await reader.read('pages.pdf', writeTextPdf(Array.from({ length: 10_000 }, () => [])));
    assert(['empty', 'took_too_long'].includes(String(unread)), `${unread}`);
  });
});
