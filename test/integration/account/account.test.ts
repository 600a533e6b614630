import assert from 'node:assert/strict';
import { pluck } from '../../support/lists.ts';
import { provideService } from '../../support/service.ts';

const TODAY = '2026-11-20';

describe('The account', () => {
  const api = provideService({ today: TODAY }, [
    { kind: 'project', id: 1, state: 'CO', meetingDate: '2026-10-01', propertyType: 'residential' },
  ]);

  const send = async (method: string, path: string, key: string, body?: unknown) => {
    const response = await fetch(`${api.url}/api/user/api-keys${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };

  it('tells balance, plan, limits and the reset', async () => {
    const key = await api.key('api_only');
    const { body } = await api.get('/account/credits', {}, { key });
    assert.equal(body.data.balance, 5_000);
    assert.equal(body.data.plan.id, 'api_only');
    assert.deepEqual(body.data.rateLimit, { limit: 1_000_000, windowSeconds: 60 });
    assert.deepEqual(body.data.enrichment, { used: 0, limit: 500, remaining: 500, resetsAt: '2026-12-01T00:00:00.000Z' });
    assert.equal(body.meta.credits.resetsAt, '2026-12-01T00:00:00.000Z');
  });

  it('shows every change of the balance with its cause, page by page', async () => {
    const key = await api.key('api_only');
    const pulled = await api.get('/projects/1', {}, { key, headers: { 'X-Request-Id': 'pull-1' } });
    assert.equal(pulled.body.meta.creditsUsed, 1);
    const { body } = await api.get('/account/ledger', { limit: 1 }, { key });
    const [charge] = body.data;
    assert.deepEqual([charge.kind, charge.subject, charge.amount, charge.balance, charge.items], ['charge', 'records', -1, 4_999, 1]);
    assert.deepEqual([charge.cause.requestId, charge.cause.route], ['pull-1', 'GET /projects/{id}']);
    assert.equal(body.meta.hasMore, true);
    const rest = await api.get('/account/ledger', { before: body.meta.nextBefore }, { key });
    assert.deepEqual(pluck(rest.body.data, 'kind', 'amount'), [['grant', 5_000]]);
    for (const wrong of [{ limit: 'x' }, { before: '99999999999999999999' }, { before: 0 }])
      assert.equal((await api.get('/account/ledger', wrong, { key })).status, 400, JSON.stringify(wrong));
  });

  it('takes no text that no database keeps', async () => {
    const key = await api.key('national');
    for (const text of ['a\0b', 'a\ud800'])
      for (const [method, path, body] of [
        ['POST', `${api.url}/api/user/api-keys`, { name: text }],
        ['PATCH', `${api.url}/v1/account/preferences`, { website: `https://x.example/${text}` }],
      ] as const) {
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
        const response = await fetch(path, { method, headers, body: JSON.stringify(body) });
        const { error } = (await response.json()) as { error: { code: string; param: string } };
        assert.deepEqual([response.status, error.code, error.param], [400, 'invalid_request', Object.keys(body)[0]]);
      }
  });

  it('answers a defect of its own as internal_error, with the request id and nothing of the cause', async () => {
    const key = await api.key('national');
    await api.database.query('alter table search_preferences rename column updated_at to mislaid');
    try {
      const { status, body, headers } = await api.get('/account/preferences', {}, { key, headers: { 'X-Request-Id': 'broken-1' } });
      assert.deepEqual([status, body.error.code, body.error.requestId], [500, 'internal_error', 'broken-1']);
      assert.match(body.error.docsUrl, /#internal_error$/);
      assert.ok(!JSON.stringify(body).includes('updated_at'));
      assert.ok(headers.get('X-RateLimit-Limit'));
    } finally {
      await api.database.query('alter table search_preferences rename column mislaid to updated_at');
    }
    assert.equal((await api.get('/account/preferences', {}, { key })).status, 200);
  });

  it('mints, lists, rotates and revokes keys, and shows a secret once', async () => {
    const key = await api.key('national');
    const minted = await send('POST', '', key, { name: 'second' });
    assert.equal(minted.status, 201);
    assert.match(minted.body.data.secret, /^svc_live_[A-Za-z0-9]{36}$/);
    assert.equal((await send('POST', '', key, {})).body.error.code, 'forbidden');
    const listed = await send('GET', '', key);
    assert.deepEqual(listed.body.data.map((k: { state: string }) => k.state).sort(), ['active', 'active']);
    assert.ok(!JSON.stringify(listed.body).includes(minted.body.data.secret));

    const rotated = await send('POST', `/${minted.body.data.id}/rotate`, key, { graceHours: 1 });
    assert.equal(rotated.status, 201);
    const old = await api.get('/projects/1', {}, { key: minted.body.data.secret });
    assert.equal(old.headers.get('X-Service-Key-Rotating'), 'true');
    assert.match(old.headers.get('Warning') ?? '', /stops working at 2026-11-20T20:00/);
    assert.equal((await send('DELETE', `/${rotated.body.data.id}`, key)).status, 200);
    assert.equal((await api.get('/projects/1', {}, { key: rotated.body.data.secret })).body.error.code, 'unauthorized');
  });

  it('keeps search preferences of the key’s user, merged field by field', async () => {
    const key = await api.key('state', { stateIds: [8], countyIds: [] });
    const patch = async (body: unknown) => {
      const response = await fetch(`${api.url}/v1/account/preferences`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      return {
        status: response.status,
        body: (await response.json()) as { data: Record<string, unknown>; error: { code: string; param: string } },
      };
    };
    assert.deepEqual((await api.get('/account/preferences', {}, { key })).body.data.propertyTypes, null);
    await patch({ propertyTypes: ['Residential', 'mixed_use'], counties: 'Boulder', website: 'https://acme.example' });
    const { body } = await patch({ website: null, states: ['CO'] });
    const { updatedAt, ...kept } = body.data;
    assert.deepEqual(kept, { propertyTypes: ['residential', 'mixed_use'], states: [8], counties: [8013], cities: null, website: null });
    assert.equal(updatedAt, '2026-11-20T19:00:00.000Z');
    assert.deepEqual(
      [(await patch({ states: ['TX'] })).body.error.code, (await patch({ propertyTypes: 'castle' })).body.error.code],
      ['geographic_access_denied', 'invalid_filter'],
    );
    assert.deepEqual(
      [(await patch({ website: 'javascript:alert(1)' })).body.error.param, (await patch({ color: 'red' })).body.error.param],
      ['website', 'color'],
    );
    assert.deepEqual((await api.get('/account/preferences', {}, { key })).body.data.counties, [8013]);
    await api.database.query(`update search_preferences set preferences = '{"counties": [2261, 8013, 46113], "cities": [4297999]}'`);
    const { counties, cities } = (await api.get('/account/preferences', {}, { key })).body.data;
    assert.deepEqual([counties, cities], [[2063, 2066, 8013, 46102], [4297983]], 'places that are no more are what has become of them');
  });

  it('refuses bodies that it cannot use', async () => {
    const key = await api.key('national');
    for (const body of ['{', '[]', '"x"', { nam: 'x' }, { name: '' }, { name: 'x'.repeat(300_000) }]) {
      const { status, body: answer } = await send('POST', '', key, body);
      assert.deepEqual([status, answer.error.code], [400, 'invalid_request'], String(body).slice(0, 20));
    }
    for (const [type, body] of Object.entries({ 'text/plain': '{"name":"x"}', 'application/x-www-form-urlencoded': 'name=x' })) {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type as string };
      const answer = await fetch(`${api.url}/api/user/api-keys`, { method: 'POST', headers, body: body as string });
      const { error } = (await answer.json()) as { error: { code: string; param: string } };
      assert.deepEqual([answer.status, error.code, error.param], [400, 'invalid_request', 'Content-Type']);
    }
    for (const graceHours of [2, '24'])
      assert.equal((await send('POST', '/not-a-uuid/rotate', key, { graceHours })).status, 400, String(graceHours));
    assert.equal((await send('PUT', '', key)).headers.get('Allow'), 'GET, POST');
  });

  it('is closed at the time of the service, by which its keys are checked', async () => {
    await api.key('api_only');
    const team = (await api.accounts.teams()).at(-1)?.id;
    const [user] = await api.accounts.users(team ?? 0);
    await api.accounts.closeUser(user?.id ?? 0);
    await api.accounts.close(team ?? 0);
    const [times] = await api.database.query<{ at: Date[] }>(
      `select array[t.closed_at, u.closed_at, k.revoked_at] as at from team t join app_user u on u.team_id = t.id join api_key k on k.team_id = t.id
       where t.id = $1`,
      [team],
    );
    assert.deepEqual(new Set(times?.at.map((at) => at.toISOString())), new Set([`${TODAY}T19:00:00.000Z`]));
  });
});
