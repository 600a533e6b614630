/** Lines of a text that arrives in pieces end at line feeds alone. */
import assert from 'node:assert/strict';
import { splitLines } from '../../src/terminal/splitLines.ts';
import { Random } from '../support/random.ts';

async function* pieces(text: string, random: Random): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    const length = random.integer(1, 9);
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function linesOf(text: string, random: Random): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(pieces(text, random))) lines.push(line);
  return lines;
}

describe('the lines of a text', () => {
  it('are those between line feeds, wherever the text is cut', async () => {
    const random = new Random(5);
    const words = ['a', '', 'ü', '\u2028', '{"x":"y\u2029z"}', '🏗', 'a\rb'];
    for (let run = 0; run < 200; run++) {
      const lines = Array.from({ length: random.integer(1, 8) }, () => random.pick(words) + random.pick(words));
      const end = random.pick(['\n', '\r\n']);
      const found = await linesOf(`${lines.join(end)}${end}`, random);
      assert.deepEqual(found, lines);
    }
  });

  it('include a last one without a line feed', async () => {
    assert.deepEqual(await linesOf('one\ntwo', new Random(1)), ['one', 'two']);
    assert.deepEqual(await linesOf('', new Random(1)), []);
  });
});
