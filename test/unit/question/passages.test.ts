import assert from 'node:assert/strict';
import { passagesOf } from '../../../src/features/aiSearch/question/index.ts';

const MINUTES = `Planning Commission: Minutes of May 5

The chair opened the meeting.

Item 1.
Case RZ-2026-6103. Acme asks for a rezoning of 5 acres.
Neighbors spoke about drainage.

Item 2.
Case SUP-2026-0042. Zenith asks for a permit for a hotel at 12 Elm Street.
Nobody spoke.

The meeting was adjourned.`;

const texts = (document: string, ...names: string[]) => passagesOf(document, names).map(({ text }) => text);

describe('passages of a document', () => {
  it('are those of the case, up to the next one', () => {
    const [first, ...more] = texts(MINUTES, 'RZ-2026-6103');
    assert.ok(first?.includes('drainage') && first.includes('rezoning'));
    assert.ok(!first?.includes('hotel'));
    assert.deepEqual(more, []);
  });

  it('are found by number, title or address, however written', () => {
    for (const name of ['SUP 2026 0042', '12 Elm Street', '12 ELM STREET,']) {
      const found = texts(MINUTES, name).join();
      assert.ok(found.includes('hotel') && !found.includes('drainage'), name);
    }
  });

  it('are none where the case is not named', () => {
    assert.deepEqual(texts(MINUTES, 'RZ-2026-6104', 'Elm', ''), []);
    assert.deepEqual(texts('', 'RZ-2026-6103'), []);
  });

  it('are the whole document where it speaks of no other case', () => {
    const document = 'Resolution on 13SN0146.\n\nThe tarp has to cover the trailer.';
    assert.deepEqual(texts(document, '13SN0146'), [document]);
  });

  it('stand in the document where they say', () => {
    for (const { start, end, text } of passagesOf(MINUTES, ['SUP-2026-0042'])) assert.equal(MINUTES.slice(start, end), text);
  });
});
