/** Downloads of exports: whole, in parts, compressed, broken off and resumed, over both kinds of store. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type DownloadService, etagOf, get, keep, serveFile } from '../../support/downloads.ts';
import { describeStores } from '../../support/fileStores.ts';
import { lengthOf } from '../../support/lengths.ts';
import { Random } from '../../support/random.ts';

/** `DOWNLOADS=1000 npm test -- test/integration/files/download.test.ts` is the long run. */
const DOWNLOADS = lengthOf('DOWNLOADS');
const SEED = Number(process.env.SEED ?? 20_260_827);
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Text of which no part occurs twice, so that a shifted byte shows. */
function csvLike(random: Random, sizeBytes: number): Buffer {
  const rows: string[] = [];
  for (let length = 0; length < sizeBytes; length += rows.at(-1)?.length ?? 0) rows.push(`${rows.length},é${random.next()},"a ""b"""\r\n`);
  return Buffer.from(rows.join('')).subarray(0, sizeBytes);
}

describeStores('A download', (store) => {
  const random = new Random(SEED);
  const bytes = csvLike(random, 300_000);
  const withBom = Buffer.concat([BOM, bytes]);
  let service: DownloadService;
  before(async () => {
    service = await serveFile(store(), await keep(store(), 'exp_served.csv', bytes));
  });
  after(() => service?.stop());

  const headersOf = ({ headers }: Awaited<ReturnType<typeof get>>, ...names: string[]) => names.map((name) => headers[name]);

  it('is a named CSV with its length, a strong ETag of its content, and ranges', async () => {
    const answer = await get(service.url);
    assert.equal(answer.status, 200);
    assert(answer.body.equals(bytes));
    for (const [name, value] of Object.entries({
      etag: etagOf(bytes),
      vary: 'Accept-Encoding',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="projects.csv"',
      'content-length': '300000',
      'accept-ranges': 'bytes',
    }))
      assert.equal(answer.headers[name], value, name);
  });

  it('begins with a byte order mark where one is asked for, under its own ETag, with lengths and ranges that count it', async () => {
    const whole = await get(`${service.url}?bom=1`);
    assert(whole.body.equals(withBom));
    assert.deepEqual(headersOf(whole, 'etag', 'content-length'), [etagOf(bytes, '-bom'), '300003']);
    for (const range of ['0-0', '1-2', '2-3', '0-10', '3-9', '100-299999', '0-300002', '300002-300002']) {
      const [first = 0, last = 0] = range.split('-').map(Number);
      const part = await get(`${service.url}?bom=1`, { Range: `bytes=${range}`, 'If-Range': etagOf(bytes, '-bom') });
      assert.equal(part.status, 206);
      assert.deepEqual(headersOf(part, 'content-range', 'content-length'), [`bytes ${first}-${last}/300003`, String(last - first + 1)]);
      assert(part.body.equals(withBom.subarray(first, last + 1)), `${first}-${last}`);
    }
  });

  it('answers one range of bytes with that part', async () => {
    for (const [range, first, last] of [
      ['0-0', 0, 0],
      ['5-9', 5, 9],
      ['299990-', 299_990, 299_999],
      ['-7', 299_993, 299_999],
      ['-999999', 0, 299_999],
      ['299999-9999999999999999999', 299_999, 299_999],
    ] as const) {
      const part = await get(service.url, { Range: `bytes=${range}`, 'Accept-Encoding': 'gzip' });
      assert.equal(part.status, 206, range);
      const headers = headersOf(part, 'content-range', 'content-encoding', 'etag');
      assert.deepEqual(headers, [`bytes ${first}-${last}/300000`, undefined, etagOf(bytes)]);
      assert(part.body.equals(bytes.subarray(first, last + 1)), range);
    }
  });

  it('refuses a range that the file does not have', async () => {
    for (const range of ['bytes=300000-', 'bytes=300000-300001', 'bytes=-0']) {
      const refused = await get(service.url, { Range: range });
      assert.deepEqual([refused.status, ...headersOf(refused, 'content-range')], [416, 'bytes */300000'], range);
    }
  });

  it('is whole where several ranges, another unit, or nonsense is asked for', async () => {
    const wrong = ['0-1,5-6', '0-1,', '9-5', '-', 'a-b', '0x1-2', '--5'].map((range) => `bytes=${range}`);
    for (const range of [...wrong, 'rows=0-1', 'bytes 0-1']) {
      const whole = await get(service.url, { Range: range });
      assert.deepEqual([whole.status, whole.body.length], [200, 300_000], range);
    }
  });

  it('is whole where If-Range names anything but this very file', async () => {
    const Range = 'bytes=5-9';
    assert.equal((await get(service.url, { Range, 'If-Range': etagOf(bytes) })).status, 206);
    const others = [`W/${etagOf(bytes)}`, etagOf(bytes, '-gzip'), etagOf(bytes, '-bom'), etagOf(withBom), '"x"', new Date().toUTCString()];
    for (const tag of others) {
      const whole = await get(service.url, { Range, 'If-Range': tag });
      assert.deepEqual([whole.status, whole.body.length], [200, 300_000], tag);
      assert.equal((await get(service.url, { Range: 'bytes=300000-', 'If-Range': tag })).status, 200, tag);
    }
  });

  it('is not sent again to a client that holds it', async () => {
    for (const tags of [etagOf(bytes), `W/${etagOf(bytes)}`, `"x", ${etagOf(bytes)}`, '*']) {
      const held = await get(service.url, { 'If-None-Match': tags, Range: 'bytes=0-1' });
      assert.deepEqual([held.status, held.body.length, held.headers.etag], [304, 0, etagOf(bytes)], tags);
    }
    for (const tags of ['"x"', etagOf(bytes, '-gzip'), etagOf(bytes, '-bom'), etagOf(bytes).slice(1, -1)])
      assert.equal((await get(service.url, { 'If-None-Match': tags })).status, 200, tags);
  });

  it('is compressed where the client takes gzip, under its own ETag and without ranges', async () => {
    for (const [path, content, suffix] of [
      ['', bytes, '-gzip'],
      ['?bom=1', withBom, '-bom-gzip'],
    ] as const) {
      const answer = await get(service.url + path, { 'Accept-Encoding': 'zstd, br, gzip' });
      assert.equal(answer.status, 200);
      const headers = headersOf(answer, 'content-encoding', 'etag', 'accept-ranges', 'content-length');
      assert.deepEqual(headers, ['gzip', etagOf(bytes, suffix), undefined, undefined]);
      assert(answer.body.length < bytes.length / 2);
      assert(gunzipSync(answer.body).equals(content));
      assert.equal((await get(service.url + path, { 'Accept-Encoding': 'gzip', 'If-None-Match': etagOf(bytes, suffix) })).status, 304);
    }
    for (const refusing of ['identity', 'gzip;q=0', 'br'])
      assert.equal((await get(service.url, { 'Accept-Encoding': refusing })).headers['content-encoding'], undefined, refusing);
  });

  it(`broken off at random and resumed is the same to the byte, ${DOWNLOADS} times`, async function () {
    this.timeout(20_000 + DOWNLOADS * 300);
    let cuts = 0;
    for (let run = 0; run < DOWNLOADS; run++) {
      const bom = random.chance(0.3);
      const [url, expected, etag] = bom ? [`${service.url}?bom=1`, withBom, etagOf(bytes, '-bom')] : [service.url, bytes, etagOf(bytes)];
      let held = Buffer.alloc(0);
      while (held.length < expected.length) {
        const headers = held.length ? { Range: `bytes=${held.length}-`, 'If-Range': etag } : {};
        const cut = random.chance(0.7) ? random.integer(1, expected.length - held.length) : undefined;
        const answer = await get(url, headers, cut);
        assert.equal(answer.status, held.length ? 206 : 200);
        assert.equal(answer.headers.etag, etag);
        held = Buffer.concat([held, answer.body]);
        if (!answer.complete) cuts++;
      }
      assert(held.equals(expected), `run ${run} of seed ${SEED}`);
    }
    assert(cuts >= DOWNLOADS / 2, `only ${cuts} cuts`);
  });

  it('starts again from the whole file where that was replaced between two parts', async () => {
    const newer = csvLike(random, 200_000);
    await using other = await serveFile(store(), await keep(store(), 'exp_replaced.csv', bytes));
    const { body } = await get(other.url, {}, 1000);
    other.file = await keep(store(), 'exp_replaced.csv', newer);
    const answer = await get(other.url, { Range: `bytes=${body.length}-`, 'If-Range': etagOf(bytes) });
    assert.deepEqual([answer.status, answer.headers.etag], [200, etagOf(newer)]);
    assert(answer.body.equals(newer));
  });

  it('fails before a byte is sent where the file is gone or is another', async () => {
    await using lost = await serveFile(store(), await keep(store(), 'exp_lost.csv', bytes));
    await keep(store(), 'exp_lost.csv', bytes.subarray(0, 10));
    assert.deepEqual([(await get(lost.url)).status, (await get(lost.url, { Range: 'bytes=3-' })).status], [409, 409]);
    await store().delete('exp_lost.csv');
    const refused = await get(lost.url, { 'Accept-Encoding': 'gzip' });
    assert.deepEqual([refused.status, String(refused.body), refused.headers['content-encoding']], [409, 'missing', undefined]);
  });

  it('lets go of the file when the client leaves', async () => {
    await using large = await serveFile(store(), await keep(store(), 'exp_large.csv', csvLike(random, 12_000_000)));
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }, { Range: 'bytes=5-' }]) {
      const answer = await get(large.url, headers, 1);
      assert.equal(answer.complete, false);
      const content = large.opened.at(-1);
      assert(content);
      for (const until = Date.now() + 5000; !content.closed && Date.now() < until; ) await sleep(5);
      assert(content.closed);
      assert.equal(content.readableEnded, false, 'it was not read to its end');
    }
  });

  it('that the store breaks off ends the connection, so that the client sees bytes are missing', async () => {
    await using large = await serveFile(store(), await keep(store(), 'exp_broken.csv', csvLike(random, 12_000_000)));
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      const asked = large.opened.length;
      const answering = get(large.url, headers);
      while (large.opened.length === asked) await sleep(1);
      large.opened.at(-1)?.destroy(new Error('the disk failed'));
      const answer = await answering.catch((error: Error) => error);
      assert(answer instanceof Error || !answer.complete);
    }
  });
});
