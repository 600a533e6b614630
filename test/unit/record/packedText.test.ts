/** Packed texts of records: unpacking returns what was packed, whatever it contains. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { packText, toWordBuffer, unpackedBytesMax, unpackText } from '../../../src/core/domain/record/packedText.ts';

function unpacked(packed: string): string {
  const bytes = Buffer.from(`before${packed}after`);
  const target = toWordBuffer(Buffer.alloc(3 + unpackedBytesMax(bytes.length)));
  return target.bytes.toString('utf8', 3, unpackText(toWordBuffer(bytes), 6, bytes.length - 5, target, 3));
}

/** Texts that look like names, codes and ends of strings. */
const PIECES = [
  ...'" ," {" ": ,"acreage": ,"acreage":null "approved" \\"approved\\" null é 😀'.split(' '),
  ...[' ', '\u007f', '\n', '\u0000', '\u000b', '\u001f!'],
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 20 })
  .map((all) => all.join(''));
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom('acreage', 'landUses', 'type', 'status'), text), tie('value'), { maxKeys: 5 }),
})).value;

describe('packed text', () => {
  it('is unpacked byte for byte, for any JSON and lines of it', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (lines) => {
        const whole = lines.map((line) => JSON.stringify(line)).join('\n');
        assert.equal(unpacked(packText(whole)), whole);
      }),
      { numRuns: 1000 },
    );
  });

  it('stays within its room, whatever bytes it is given', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const room = unpackedBytesMax(bytes.length);
        const target = toWordBuffer(Buffer.alloc(room));
        const end = unpackText(toWordBuffer(Buffer.from(bytes)), 0, bytes.length, target, 0);
        assert.ok(end >= 0 && end <= room, `${end} of ${room}`);
      }),
      { numRuns: 500 },
    );
  });

  it('takes two bytes for a name, with null, and for a token or a label', () => {
    const whole = '{"id":1,"acreage":null,"lotCount":null,"status":"approved","statusLabel":"Approved"';
    assert.equal(packText(whole).length, '{"id":1'.length + 2 + 2 + 2 * 2 + 2 * 2);
  });
});
