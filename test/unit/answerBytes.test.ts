/** Answers of Elasticsearch as bytes: what is read of them is what was sent, and a broken one is an error like before. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { errors, type TransportRequestOptions } from '@elastic/elasticsearch';
import { answerOnLoopback, type LoopbackServer } from '../../scripts/lib/loopback.ts';
import { packRendered, type RenderedText } from '../../src/core/domain/record/rendered.ts';
import { AnswerBytes, AnswerSerializer } from '../../src/core/store/elastic/answerBytes.ts';
import { makeElastic } from '../../src/core/store/elastic/client.ts';

/** Most connections of the client; further requests wait for one. */
const CONNECTIONS = 256;
const COMPACT = 'derived.rendered.compact';
const STANDARD = 'derived.rendered.standard';
const read = (answer: unknown) => new AnswerSerializer({}).deserialize(new AnswerBytes([Buffer.from(JSON.stringify(answer))]));
const textOf = ({ bytes, from, to }: RenderedText) => bytes.toString('utf8', from, to);
const hit = (id: number, texts: Record<string, string>) => ({
  _id: String(id),
  fields: Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, [packRendered([[id], { text: text.length }], text)]])),
});

describe('Answers of Elasticsearch', () => {
  it('hand out each rendered text of a search as its bytes', () => {
    const texts = [
      { [COMPACT]: 'é\n"a":1', [STANDARD]: '' },
      { [STANDARD]: 'ÿ'.repeat(70_000), [COMPACT]: 'b' },
    ];
    const { hits, took } = read({ took: 3, hits: { total: null, hits: texts.map((one, i) => hit(i, one)) } });
    assert.equal(took, 3);
    assert.deepEqual(
      hits.hits.map(({ fields }: { fields: Record<string, RenderedText[]> }) =>
        Object.fromEntries(Object.entries(fields).map(([path, [text]]) => [path, textOf(text as RenderedText)])),
      ),
      texts,
    );
  });

  it('hand them out of several searches in one, and of those that failed what they say', () => {
    const failed = { error: { type: 'x', reason: `no "${COMPACT}":["` }, status: 503 };
    const { responses } = read({ took: 1, responses: [failed, { hits: { hits: [hit(1, { [COMPACT]: 'c' })] } }, { hits: { hits: [] } }] });
    assert.deepEqual(responses[0], failed);
    assert.equal(textOf(responses[1].hits.hits[0].fields[COMPACT][0]), 'c');
    assert.deepEqual(responses[2], { hits: { hits: [] } });
  });

  it('are read as they are where no text of ours is in them', () => {
    for (const answer of [
      { hits: { hits: [{ fields: { other: ['x'] }, sort: [`"${COMPACT}":["eA=="]`] }] } },
      { hits: { hits: [{ fields: { [COMPACT]: [] } }] } },
      { [COMPACT]: 'x', 'derived.rendered.': 1 },
      { a: 'é"\\', b: [null, 1.5] },
    ])
      assert.deepEqual(read(answer), answer);
  });

  it('come in any pieces, and stay as they are when others are read', () => {
    const inPieces = (text: string) => {
      const bytes = Buffer.from(JSON.stringify({ hits: { hits: [hit(1, { [COMPACT]: text }), hit(2, { [COMPACT]: `${text}, too` })] } }));
      const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(7 * i, 7 * i + 7));
      return new AnswerSerializer({}).deserialize(new AnswerBytes(pieces));
    };
    const texts = ['é one', 'the second, which is longer', 'ÿ'.repeat(90_000)];
    const answers = texts.map(inPieces);
    for (const [i, text] of texts.entries())
      assert.deepEqual(
        answers[i].hits.hits.map(({ fields }: { fields: Record<string, RenderedText[]> }) => textOf(fields[COMPACT]?.[0] as RenderedText)),
        [text, `${text}, too`],
      );
  });

  it('are an error where they are no JSON', () => {
    assert.throws(() => new AnswerSerializer({}).deserialize(new AnswerBytes([Buffer.from('{"hits":')])), errors.DeserializationError);
  });

  describe('from a server', () => {
    let server: LoopbackServer;
    let asked = 0;
    const ask = async (handle: RequestListener, options: TransportRequestOptions = {}) => {
      asked = 0;
      server = await answerOnLoopback((request, answer) => {
        asked += 1;
        answer.setHeader('x-elastic-product', 'Elasticsearch');
        answer.setHeader('content-type', 'application/vnd.elasticsearch+json; compatible-with=9');
        handle(request, answer);
      });
      const client = makeElastic({ url: server.url, timeoutMs: 5_000, retries: 1 });
      return client.search({ index: 'x' }, { retryBackoff: () => 0, ...options }).finally(() => client.close());
    };
    afterEach(() => server.stop());

    it('are asked for again where they broke off, and an error of the connection where they do so again', async () => {
      const broken: RequestListener = (_, answer) => {
        answer.writeHead(200, { 'content-length': 1000 });
        answer.write('{"hits":', () => answer.destroy());
      };
      await assert.rejects(ask(broken), errors.ConnectionError);
      assert.equal(asked, 2);
    });

    it('keep status and body of a refusal', async () => {
      const refused: RequestListener = (_, answer) => answer.writeHead(400).end('{"error":{"type":"parsing_exception"}}');
      await assert.rejects(
        ask(refused),
        (error) => error instanceof errors.ResponseError && error.statusCode === 400 && error.body.error.type === 'parsing_exception',
      );
    });

    it('are given up with their connection when nobody waits for them, before and while they arrive', async () => {
      for (const begun of [false, true]) {
        const gone = new AbortController();
        let closed: Promise<unknown> | undefined;
        const silent: RequestListener = (request, answer) => {
          closed = once(request.socket, 'close');
          if (begun) answer.writeHead(200).write('{"hits":');
          setTimeout(() => gone.abort(), 20);
        };
        await assert.rejects(ask(silent, { signal: gone.signal }), errors.RequestAbortedError);
        await closed;
        assert.equal(asked, 1);
        await server.stop();
      }
    });

    it('are given up at once while their request waits for a connection', async () => {
      server = await answerOnLoopback(() => {});
      const client = makeElastic({ url: server.url, timeoutMs: 5_000, retries: 0 });
      const gone = new AbortController();
      const late = new AbortController();
      const search = (signal: AbortSignal) => client.search({ index: 'x' }, { signal });
      const waiting = Array.from({ length: CONNECTIONS }, () => search(late.signal).catch(() => undefined));
      const begun = performance.now();
      setTimeout(() => gone.abort(), 20);
      await assert.rejects(search(gone.signal), errors.RequestAbortedError);
      assert(performance.now() - begun < 2_000);
      late.abort();
      await Promise.all(waiting);
      await client.close();
    });

    it('are an error of time where they take longer than the call may', async () => {
      await assert.rejects(
        ask(() => {}, { requestTimeout: 50 }),
        errors.TimeoutError,
      );
      assert.equal(asked, 1);
    });

    it('are unpacked where something between has compressed them', async () => {
      const packed = gzipSync(JSON.stringify({ took: 7 }));
      assert.deepEqual(await ask((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)), { took: 7 });
    });
  });
});
