/** Which texts a database stores, and texts cut so that it stores them. */
import assert from 'node:assert/strict';
import { cutText, isStorableJson, isStorableText } from '../../src/core/domain/storableText.ts';

describe('A text that is stored', () => {
  it('has no null byte and no half character', () => {
    assert.deepEqual(['', 'a', 'å\n', '🏠', '\u0001'].map(isStorableText), [true, true, true, true, true]);
    assert.deepEqual(['\0', 'a\0b', '\ud83c', '\udfe0', '\udfe0\ud83c'].map(isStorableText), [false, false, false, false, false]);
  });

  it('is looked for in every value and key, at any depth', () => {
    for (const good of [null, 1, true, 'a', [], {}, { a: ['🏠', { b: null }] }]) assert(isStorableJson(good));
    for (const bad of ['\0', ['\ud83c'], { '\0': 1 }, { a: [{ b: 'x\0' }] }]) assert(!isStorableJson(bad), JSON.stringify(bad));
    const depth = 50_000;
    assert(isStorableJson(JSON.parse(`${'['.repeat(depth)}"a"${']'.repeat(depth)}`)));
    assert(!isStorableJson(JSON.parse(`${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`)));
  });

  it('is cut between two characters', () => {
    assert.deepEqual(
      [2, 3, 4, 5].map((max) => cutText('ab🏠', max)),
      ['ab', 'ab', 'ab🏠', 'ab🏠'],
    );
  });
});
