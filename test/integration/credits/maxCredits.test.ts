/** `X-Service-Max-Credits`: what a request may cost at most, enforced by the charge itself on every route that can spend. */
import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { bodyOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const HEADER = 'X-Service-Max-Credits';

describe('a request that says what it may cost at most', () => {
  const world = provideWorld({ today: TODAY });

  before(async () => {
    const minutes = {
      kind: 'document',
      id: 900,
      state: 'CO',
      county: 'Boulder County',
      city: 'Boulder',
      title: 'Minutes',
      text: 'The site has four acres.',
    };
    const evidence = [{ field: 'acreage', quote: 'four acres', page: 1, documentId: 900 }];
    await world.api.index.load([
      { ...minutes, meetingDate: '2026-10-01', url: 'http://landuse.test/900' },
      ...Array.from({ length: 20 }, (_, i) => project(i + 1, { acreage: i + 1 })),
      project(21, { acreage: 4, meetingDocumentId: 900, evidence }),
      project(22, { propertyType: 'govt_decisions' }),
    ]);
  });

  /** Any request with a bound. */
  async function send(key: string, path: string, max: string | number, body?: unknown) {
    const headers: Record<string, string> = { Authorization: `Bearer ${key}`, [HEADER]: String(max) };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    if (body !== undefined) Object.assign(headers, { 'Content-Type': 'application/json', 'Idempotency-Key': `k${path.length}-${max}` });
    const response = await fetch(`${world.api.url}/v1${path}`, { headers, ...sent });
    return { status: response.status, body: (await response.json()) as Json };
  }

  async function made(key: string, path: string, body: unknown): Promise<string> {
    return bodyOf(await world.api.post(path, body, { key }), 201).data.id;
  }

  it('is refused with its price on every route that spends, and charged nothing; for that price it is served', async () => {
    const routes: [path: string, price: number, body?: unknown][] = [
      ['/projects/search?limit=3', 3],
      ['/projects/search?format=csv&acreageMax=2', 2],
      ['/projects/sync?dateRange=all&limit=4', 4],
      ['/projects/7', 1],
      ['/projects/21/evidence', 1],
      ['/documents/900', 1],
      ['/exports', 5, { filters: { acreageMin: 5, acreageMax: 9 } }],
      ['/projects/ai-search/jobs', 6, { query: 'four acres', limit: 6 }],
    ];
    for (const [path, price, body] of routes) {
      const key = await world.api.key('api_only');
      const before = await world.balance(key);
      const refused = await send(key, path, price - 1, body);
      const { code, param, details } = refused.body.error ?? {};
      assert.deepEqual([refused.status, code, param], [400, 'invalid_request', HEADER], `${path}: ${JSON.stringify(refused.body)}`);
      assert.deepEqual([details.creditsRequired, details.maxCredits], [price, price - 1], path);
      assert.equal(await world.balance(key), before, path);
      const served = await send(key, path, price, body);
      assert(served.status < 300, `${path}: ${JSON.stringify(served.body)}`);
      assert.equal(await world.balance(key), before - price, path);
    }
  });

  it('bounds pages of lists and runs of alerts too', async () => {
    const key = await world.api.key('api_only');
    const before = await world.balance(key);
    const list = await made(key, '/lists', { name: 'Some', projectIds: [11, 12] });
    const alert = await made(key, '/alerts', { name: 'New', filters: { acreageMin: 18 } });
    for (const [path, body, price] of [
      [`/lists/${list}/results`, undefined, 2],
      [`/alerts/${alert}/run`, {}, 3],
    ] as const) {
      const refused = await send(key, path, price - 1, body);
      assert.deepEqual(
        [refused.status, refused.body.error?.details?.creditsRequired],
        [400, price],
        `${path}: ${JSON.stringify(refused.body)}`,
      );
    }
    assert.equal(await world.balance(key), before);
    assert.equal(
      (await send(key, `/alerts/${alert}/run`, 3, {})).body.data.creditsCharged,
      3,
      'a refused run uses none of the three a day',
    );
  });

  it('bounds what look-ups of contacts reserve', async () => {
    const key = await world.api.key('national');
    const before = await world.balance(key);
    const refused = await send(key, '/enrichments', 1, { projectIds: [1, 2] });
    assert.deepEqual([refused.status, refused.body.error.details.creditsRequired], [400, 2]);
    assert.equal(await world.balance(key), before);
    assert.equal((await send(key, '/enrichments', 2, { projectIds: [1, 2] })).status, 202);
  });

  it('takes 0 for what is free: records that the pool holds, and plans without a price', async () => {
    const key = await world.api.key('api_only');
    assert.equal((await send(key, '/projects/search?limit=3', 3)).status, 200);
    const again = await send(key, '/projects/search?limit=3', 0);
    assert.deepEqual([again.status, again.body.data.length, again.body.meta.creditsUsed], [200, 3, 0]);
    assert.equal((await send(key, '/projects/search?limit=4', 0)).body.error.details.creditsRequired, 1);
    assert.equal((await send(await world.api.key('national'), '/projects/search?limit=4', 0)).status, 200);
  });

  it('holds where the records of the page change before it is charged', async () => {
    const key = await world.api.key('api_only');
    assert.equal((await send(key, '/projects/search?projectIds=1,2,3', 3)).status, 200);
    await world.api.index.load(
      [1, 2].map((id) => project(id, { acreage: id, projectName: `Renamed ${id}` })),
      { mode: 'increment' },
    );
    const before = await world.balance(key);
    assert.equal((await send(key, '/projects/search?projectIds=1,2,3', 1)).body.error.details.creditsRequired, 2);
    assert.equal(await world.balance(key), before);
  });

  it('tells nothing about records that ids name, whatever filters stand with them', async () => {
    const key = await world.api.key('api_only');
    const priced = async (path: string) => (await send(key, path, 0)).body.error?.details?.creditsRequired;
    for (const filter of ['acreageMin=10', 'acreageMax=1', 'states=CO', 'q=nothing', 'bbox={"north":1,"south":0,"east":1,"west":0}'])
      for (const path of [`/projects/search?ids=14,15&${filter}`, `/projects/sync?projectIds=14,15&${filter}`])
        assert.equal(await priced(path), 2, path);
    const asFile = await send(key, '/exports', 0, { filters: { ids: [14, 15], acreageMax: 1 } });
    assert.equal(asFile.body.error.details.creditsRequired, 2);
    assert.equal(await priced('/projects/search?ids=14,15,22&includeCivic=true&acreageMax=1'), 3, 'government items count with their flag');
  });

  it('refuses what it could not price without saying it, of a run of an alert', async () => {
    const key = await world.api.key('api_only');
    const alert = await made(key, '/alerts', { name: 'One', filters: { projectIds: [14], acreageMin: 1 } });
    const refused = await send(key, `/alerts/${alert}/run`, 0, {});
    assert.deepEqual([refused.status, refused.body.error.details.creditsRequired], [400, undefined]);
    assert.match(refused.body.error.message, /must be the only filter/);
  });

  it('takes a whole number of credits and nothing else', async () => {
    const key = await world.api.key('api_only');
    for (const max of ['-1', '1.5', 'all', '', '1, 2', '9999999999']) {
      const { status, body } = await send(key, '/projects/search?limit=1', max);
      assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'invalid_request', HEADER], `'${max}'`);
    }
    assert.equal(await world.balance(key), 5_000);
  });

  it('is never exceeded, and is charged what its answer says, where records change under many clients', async () => {
    const key = await world.api.key('api_only');
    const paths = [
      (n: number) => `/projects/search?limit=${n}&offset=${n}`,
      (n: number) => `/projects/search?limit=${n}&deliveryMode=new`,
      (n: number) => `/projects/sync?dateRange=all&limit=${n}`,
      (n: number) => `/projects/search?ids=${n},${n + 1},${n + 2}`,
      (n: number) => `/projects/${n}`,
      () => '/documents/900',
    ];
    const [LANES, REQUESTS, CHANGES] = [6, 20, 4];
    const charged: number[] = [];
    const ask = async (lane: number) => {
      for (let i = 0; i < REQUESTS; i++) {
        const path = (paths[(lane + i) % paths.length] as (typeof paths)[number])(1 + ((lane * 7 + i * 5) % 18));
        const max = (lane * 3 + i) % 6;
        const { status, body } = await send(key, path, max);
        if (status !== 200) continue;
        assert(body.meta.creditsUsed <= max, `${path}: ${body.meta.creditsUsed} of ${max}`);
        charged.push(body.meta.creditsUsed);
      }
    };
    const change = async () => {
      for (let round = 0; round < CHANGES; round++) {
        const ids = Array.from({ length: 20 }, (_, i) => i + 1).filter((id) => id % CHANGES === round);
        await world.api.index.load(
          ids.map((id) => project(id, { acreage: id, projectName: `Changed ${round}` })),
          { mode: 'increment' },
        );
      }
    };
    await Promise.all([change(), ...Array.from({ length: LANES }, (_, lane) => ask(lane))]);
    const sum = charged.reduce((all, one) => all + one, 0);
    assert(sum > 0);
    assert.equal(await world.balance(key), 5_000 - sum);
  });
});
