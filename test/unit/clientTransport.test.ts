/** Which requests the client repeats, how long it waits, and which errors it passes on. */
import assert from 'node:assert/strict';
import { generateClientTypes, readCommittedClientTypes } from '../../scripts/openapi/clientTypes.ts';
import { readCommittedDocument } from '../../scripts/openapi/snapshot.ts';
import { ConnectionFailure, isRefusal, LandUseClient, type Refusal, type Retry, SearchTooWide } from '../../src/clients/client/index.ts';
import { prepare } from '../../src/clients/client/prepare.ts';

const refusal =
  (status: number, code: string, headers: Record<string, string> = {}, details: object | null = null) =>
  () =>
    new Response(
      JSON.stringify({
        error: { code, message: `because of ${code}`, param: null, details, docsUrl: 'http://x/docs', requestId: 'req_1' },
      }),
      { status, headers },
    );
const answer = (body: object) => () => new Response(JSON.stringify(body));

/** A client whose requests are answered by these, one after the other; a further request fails the test. */
function scripted(...answers: (() => Response)[]) {
  const retries: Retry[] = [];
  const sent: Request[] = [];
  const client = new LandUseClient({
    key: 'k',
    url: 'http://landuse.test/',
    onRetry: (retry) => retries.push(retry),
    fetch: async (...request) => {
      sent.push(new Request(...request));
      const next = answers.shift();
      if (!next) throw new assert.AssertionError({ message: 'a request too many' });
      return next();
    },
  });
  return { client, retries, sent };
}

const counted = answer({ data: { matchCount: 7 }, meta: {} });

describe('types of the client', () => {
  it('are those that follow from the committed OpenAPI document', () => {
    assert.equal(
      readCommittedClientTypes(),
      generateClientTypes(readCommittedDocument()),
      'run "npm run openapi" and commit src/clients/client/generated.ts',
    );
  });
});

describe('a request of the client', () => {
  it('has path values in the path, lists and objects as JSON, and the rest in the query', () => {
    const circle = { lat: 40, lng: -105, radiusMeters: 500 };
    const { path, method, headers } = prepare('searchProjects', { cities: ['Boulder, CO'], circle, q: 'a&b', limit: 0, offset: undefined });
    assert.equal(method, 'GET');
    const query = new URL(path, 'http://x').searchParams;
    assert.deepEqual(Object.fromEntries(query), { cities: '["Boulder, CO"]', circle: JSON.stringify(circle), q: 'a&b', limit: '0' });
    assert.deepEqual(headers, { Accept: 'application/json' });
    assert.equal(prepare('removeListProject', { id: 'lst_a/b', projectId: 7 }).path, '/v1/lists/lst_a%2Fb/projects/7');
  });

  it('carries a new Idempotency-Key where it may spend, and the given one where there is one', () => {
    const keyOf = (...request: Parameters<typeof prepare>) => prepare(...request).headers['Idempotency-Key'];
    const [one, two] = [keyOf('createExport', { body: {} }), keyOf('createExport', { body: {} })];
    assert.match(one ?? '', /^[0-9a-f]{32}$/);
    assert.notEqual(one, two);
    assert.equal(keyOf('createExport', { body: {} }, { idempotencyKey: 'mine' }), 'mine');
    assert.equal(keyOf('searchProjects', {}), undefined);
    assert.match(keyOf('searchProjects', { deliveryMode: 'new' }) ?? '', /^[0-9a-f]{32}$/);
    assert.equal(keyOf('aggregateProjects', { body: {} }), undefined);
  });
});

describe('the client repeats', () => {
  it('what may pass, after the wait that the service asks for', async () => {
    const { client, retries } = scripted(
      refusal(429, 'rate_limit_exceeded', { 'Retry-After': '0' }),
      refusal(500, 'internal_error'),
      counted,
    );
    assert.deepEqual(await client.count(), { matchCount: 7 });
    assert.deepEqual(
      retries.map(({ attempt, error }) => [attempt, (error as Refusal).code]),
      [
        [1, 'rate_limit_exceeded'],
        [2, 'internal_error'],
      ],
    );
    assert.equal(retries[0]?.waitMs, 0);
    assert((retries[1]?.waitMs ?? 0) > 0);
  });

  it('a spend under the same Idempotency-Key', async () => {
    const { client, sent } = scripted(
      refusal(409, 'idempotency_in_flight', { 'Retry-After': '0' }),
      answer({ data: { id: 'exp_1' }, meta: {} }),
    );
    await client.call('createExport', { body: { filters: {} } });
    const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
    assert.equal(keys.length, 2);
    assert(keys[0]);
    assert.equal(keys[0], keys[1]);
  });

  it('what a gateway answers instead of the service, and says so when it gives up', async () => {
    const gateway = () => new Response('<html>', { status: 502 });
    const { client } = scripted(gateway, gateway, counted);
    assert.deepEqual(await client.count(), { matchCount: 7 });
    const gone = scripted(() => new Response('<html>', { status: 404 }));
    await assert.rejects(gone.client.count(), (error: ConnectionFailure) => error instanceof ConnectionFailure && error.status === 404);
  });

  it('what creates something, under one key, so that it is made once', async () => {
    const created = answer({ data: { id: 'feed_1' }, meta: {} });
    const lost = scripted(() => new Response('<html>', { status: 504 }), created);
    await lost.client.call('createAlertFeed', { id: 'alr_1' });
    assert.equal(lost.sent.length, 2);
    const refused = scripted(refusal(429, 'rate_limit_exceeded', { 'Retry-After': '0' }), created);
    await refused.client.call('createAlertFeed', { id: 'alr_1' });
    assert.equal(refused.sent.length, 2);
  });

  it('25 refusals of an overloaded service in all, and one more for every five answers', async () => {
    const overloaded = refusal(503, 'service_unavailable', { 'Retry-After': '0' });
    const { client, sent } = scripted(
      ...Array.from({ length: 35 }, () => overloaded),
      ...Array.from({ length: 5 }, () => counted),
      ...[overloaded, counted],
    );
    const refused = await Promise.allSettled(Array.from({ length: 10 }, () => client.count()));
    assert(refused.every(({ status }) => status === 'rejected'));
    assert.equal(sent.length, 10 + 25);
    for (let at = 0; at < 5; at++) await client.count();
    await client.count();
    assert.equal(sent.length, 10 + 25 + 5 + 2);
  });

  it('neither a wrong request, nor what would have to wait for hours', async () => {
    for (const [given, code] of [
      [
        refusal(400, 'invalid_filter', {}, { problems: [{ param: 'state', code: 'unknown_place', message: 'm', didYouMean: 'CO' }] }),
        'invalid_filter',
      ],
      [refusal(429, 'manual_runs_exhausted', { 'Retry-After': '1' }), 'manual_runs_exhausted'],
      [refusal(503, 'service_unavailable', { 'Retry-After': '3600' }), 'service_unavailable'],
    ] as const) {
      const { client, retries } = scripted(given);
      await assert.rejects(client.count(), (error: unknown) => isRefusal(error, code));
      assert.deepEqual(retries, []);
    }
  });
});

describe('a file', () => {
  it('may take longer than an answer may take to begin', async () => {
    const slowly = (signal: AbortSignal) =>
      new ReadableStream<Uint8Array>({
        start(body) {
          signal.addEventListener('abort', () => body.error(signal.reason));
          setTimeout(() => {
            if (signal.aborted) return;
            body.enqueue(new TextEncoder().encode('id\r\n'));
            body.close();
          }, 60);
        },
      });
    const fetch = async (...request: Parameters<typeof globalThis.fetch>) => new Response(slowly(new Request(...request).signal));
    const client = new LandUseClient({ key: 'k', timeoutMs: 20, retries: 0, fetch });
    assert.equal(await (await client.download('exp_1')).text(), 'id\r\n');
    await assert.rejects(client.count(), { message: /did not answer within 20 ms$/ });
  });
});

describe('a refusal', () => {
  it('has details that are typed by its code', async () => {
    const quote = { affordableRecordCount: 3 };
    const { client } = scripted(refusal(402, 'insufficient_credits', {}, { quote }));
    const error = await client.count().catch((thrown: unknown) => thrown);
    assert(isRefusal(error, 'insufficient_credits'));
    const affordable: number = error.details.quote.affordableRecordCount;
    assert.deepEqual([affordable, error.status, error.requestId, error.message], [3, 402, 'req_1', 'because of insufficient_credits']);
    assert.equal(isRefusal(error, 'invalid_filter'), false);
    assert.equal(isRefusal(error), true);
    assert.equal(isRefusal(new Error('other')), false);
  });
});

describe('a walk of a search', () => {
  const page = (ids: number[], hasMore: boolean, matchCountIsExact = true) =>
    answer({ data: ids.map((id) => ({ id })), meta: { pageCount: ids.length, total: ids.at(-1), hasMore, matchCountIsExact } });
  const idsOf = async (walk: AsyncIterable<{ id: number }>) => {
    const ids: number[] = [];
    for await (const { id } of walk) ids.push(id);
    return ids;
  };

  it('asks for page after page, and stops where the loop stops', async () => {
    const { client, sent } = scripted(page([1, 2], true), page([3], false));
    assert.deepEqual(await idsOf(client.search({ limit: 2 })), [1, 2, 3]);
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).searchParams.get('offset')),
      ['0', '2'],
    );
    const stopped = scripted(page([1, 2], true));
    for await (const { id } of stopped.client.search()) if (id === 1) break;
    assert.equal(stopped.sent.length, 1);
  });

  it('asks for the first page again under deliveryMode=new, since what was delivered has left the set', async () => {
    const { client, sent } = scripted(page([1, 2], true), page([3], false));
    assert.deepEqual(await idsOf(client.search({ deliveryMode: 'new' })), [1, 2, 3]);
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).searchParams.get('offset')),
      ['0', '0'],
    );
  });

  it('sends a key of its own for each page, made from the given one', async () => {
    const { client, sent } = scripted(page([1, 2], true), page([3], false));
    assert.deepEqual(await idsOf(client.search({ deliveryMode: 'new' }, { idempotencyKey: 'mine' })), [1, 2, 3]);
    assert.deepEqual(
      sent.map(({ headers }) => headers.get('Idempotency-Key')),
      ['mine:1', 'mine:2'],
    );
  });

  it('does not end quietly where a search reaches no further and more records match', async () => {
    const { client } = scripted(page([1], false, false));
    await assert.rejects(idsOf(client.search()), SearchTooWide);
  });
});

it('the root of the service may be given with the /v1 of its requests', () => {
  for (const url of ['http://landuse.test', 'http://landuse.test/', 'http://landuse.test/v1', 'http://landuse.test/v1/'])
    assert.equal(new LandUseClient({ key: 'k', url }).url, 'http://landuse.test');
});

describe('waiting for a job', () => {
  it('is of jobs alone, and a job that failed is an error with the job', async () => {
    const { client } = scripted(
      answer({ data: { id: 'exp_1', exportJobId: 'exp_1', status: 'failed', error: { message: 'no room' } }, meta: {} }),
    );
    await assert.rejects(client.waitFor({ id: 'exp_1', exportJobId: 'exp_1' }), { name: 'JobFailure', message: 'no room' });
    await assert.rejects(client.waitFor({ id: 'lst_1', exportJobId: 'x' }), TypeError);
  });

  it('ends when its signal is aborted', async () => {
    const building = answer({ data: { id: 'exp_1', exportJobId: 'exp_1', status: 'building' }, meta: {} });
    const { client } = scripted(building);
    const stop = new AbortController();
    const waiting = client.waitFor(
      { id: 'exp_1', exportJobId: 'exp_1' },
      { signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) },
    );
    await assert.rejects(waiting, { message: 'enough' });
  });
});
