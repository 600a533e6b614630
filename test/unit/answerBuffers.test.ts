/** Buffers of answers: used again, and never while a client still gets what is in them. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOnLoopback } from '../../scripts/lib/loopback.ts';
import { giveBackWhenSent, takeBuffer } from '../../src/http/answerBuffers.ts';
import { geoJsonBytes } from '../../src/http/geoJson.ts';
import { provide } from '../support/provide.ts';

/** Together more than sockets hold, so that a client that does not read keeps the last answers waiting. */
const LONG = 3 * 1024 * 1024;
const SLOW = 'abcdefgh';
const SHORT = 40_000;

describe('Buffers of answers', () => {
  const server = provide(() =>
    answerOnLoopback((request, response) => {
      const [letter = '', length = ''] = (request.url ?? '').slice(1).split('/');
      const bytes = takeBuffer(Number(length)).fill(letter);
      taken.push(bytes.buffer);
      giveBackWhenSent(response, bytes);
      response.setHeader('Content-Length', bytes.length).end(bytes);
    }),
  );
  const taken: ArrayBufferLike[] = [];

  const urlOf = (letter: string, length: number) => `${server.url}/${letter}/${length}`;

  async function check(letter: string, length: number): Promise<void> {
    const text = await (await fetch(urlOf(letter, length))).text();
    assert.ok(text === letter.repeat(length), `${length} times ${letter}`);
  }

  /** A client that has asked for answers at once and reads nothing before it is asked to. */
  async function askWithoutReading(letters: string) {
    const socket = net.connect(server.port, '127.0.0.1').pause();
    const heads = [...letters].map((letter) => `GET /${letter}/${LONG} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const before = taken.length;
    socket.write(heads.join(''));
    while (taken.length < before + letters.length) await sleep(10);
    return socket;
  }

  it('are used again after an answer, also a little longer or shorter, and hold nothing of the one before', async () => {
    taken.length = 0;
    for (const [i, letter] of ['a', 'b', 'c', 'd'].entries()) await check(letter, SHORT + i);
    assert.equal(new Set(taken).size, 1);
  });

  it('are not used again while a slow client still reads', async () => {
    const socket = await askWithoutReading(SLOW);
    for (const letter of ['1', '2', '3']) await check(letter, LONG);
    let text = '';
    const read = (async () => {
      for await (const chunk of socket) {
        text += String(chunk);
        if (text.length >= SLOW.length * LONG && text.split('\r\n\r\n').slice(1).join('').length >= SLOW.length * LONG) return;
      }
    })();
    for (const letter of ['4', '5', '6']) await check(letter, LONG);
    await read;
    const bodies = text.split('\r\n\r\n').slice(1);
    assert.ok(bodies.every((body, i) => body.slice(0, LONG) === (SLOW[i] as string).repeat(LONG)) && bodies.length === SLOW.length);
  });

  it('are not used again where the client left first', async () => {
    taken.length = 0;
    const socket = await askWithoutReading(SLOW);
    const last = taken.at(-1) as ArrayBufferLike;
    socket.destroy();
    await sleep(50);
    taken.length = 0;
    for (const letter of ['1', '2', '3']) await check(letter, LONG);
    assert.ok(!taken.includes(last));
  });

  it('also hold an answer without a record, with long parameters', () => {
    const meta = { delivery: { changedSince: [1] }, appliedFilters: 'x'.repeat(SHORT) };
    assert.equal(geoJsonBytes({ data: null, meta }, []).buffer.byteLength, 2 ** 16);
  });

  it('are of their own for short and for very long answers', async () => {
    taken.length = 0;
    for (const length of [10, 10, 5_000_000, 5_000_000]) await check('a', length);
    assert.equal(new Set(taken.slice(2)).size, 2);
  });
});
