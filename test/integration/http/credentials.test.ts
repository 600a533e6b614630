import assert from 'node:assert/strict';
import { EVERY_KEY } from '../../../src/core/identity/keys.ts';
import { checkError, sendChecked, type WireAnswer } from '../../support/http.ts';
import { provideService } from '../../support/service.ts';

const PATH = '/v1/locations/states/CO';
const CO = { stateIds: [8], countyIds: [] };

describe('credentials over HTTP', () => {
  const api = provideService({
    env: { RATE_LIMIT_PAID: '60', RATE_LIMIT_TRIAL: '10', RATE_LIMIT_ANONYMOUS: '10', RATE_LIMIT_HEALTH: '120', TRUST_PROXY: 'true' },
  });
  let key: string;
  before(async () => {
    key = await api.key();
  });

  let address = 0;
  /** Asks from an address of its own unless one is given, so that the tests share no anonymous bucket. */
  const ask = async (headers: Record<string, string | string[]>, path = PATH): Promise<WireAnswer> => {
    address += 1;
    return sendChecked(api.url, path, { headers: { 'X-Forwarded-For': `10.0.0.${address}`, ...headers } });
  };
  const remaining = ({ headers }: WireAnswer) => Number(headers['x-ratelimit-remaining']);

  /** A team with one user and a key of it that can be tampered with. */
  const account = async (plan: 'national' | 'state' = 'national') => {
    const team = await api.accounts.createTeam({ name: 'T', plan, ...(plan === 'state' ? { licence: CO } : {}) });
    const user = await api.accounts.createUser({ teamId: team.id, name: 'U', role: 'owner' });
    return { teamId: team.id, userId: user.id, ...(await api.keys.mint(user.id)) };
  };

  it('are accepted as Bearer in any capitalisation and spacing, and as X-API-Key', async () => {
    const spellings = [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`, `bEaReR\t${key}  `].map((Authorization) => ({ Authorization }));
    const headers = [...spellings, { 'X-API-Key': key }, { 'x-api-key': ` ${key} ` }, { Authorization: 'Basic QTpC', 'X-API-Key': key }];
    for (const [i, one] of headers.entries()) {
      const answer = await ask(one);
      assert.equal(answer.status, 200, JSON.stringify(one));
      assert.equal(remaining(answer), 59 - i, 'every spelling spends the same bucket');
    }
  });

  it('are accepted twice where both are the same, and refused as invalid_request where they differ, never chosen from', async () => {
    const other = await api.key();
    const same = [{ Authorization: `Bearer ${key}`, 'X-API-Key': key }, { Authorization: [`Bearer ${key}`, `bearer  ${key}`] }];
    for (const headers of same as Record<string, string | string[]>[])
      assert.equal((await ask(headers)).status, 200, JSON.stringify(headers));
    for (const headers of [
      { Authorization: `Bearer ${key}`, 'X-API-Key': other },
      { Authorization: `Bearer ${key}`, 'X-API-Key': 'not-a-key' },
      { Authorization: [`Bearer ${key}`, `Bearer ${other}`] },
      { 'X-API-Key': [key, other] },
    ] as Record<string, string | string[]>[]) {
      const answer = await ask(headers);
      checkError(answer, 'invalid_request', 'Authorization');
      assert.match(answer.body.error.message, /2 different credentials/);
      assert.equal(answer.headers['x-ratelimit-limit'], '10', 'at the expense of the address, of neither key');
    }
  });

  it('are missing_api_key if there is none, or if what is sent is no service key', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer' },
      { Authorization: 'Bearer ' },
      { Authorization: key },
      { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      { Authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x' },
      { 'X-API-Key': '' },
      { 'X-API-Key': 'not-a-key' },
      { 'X-API-Key': 'x'.repeat(5_000) },
      { 'X-API-Key': 'caf\u00e9' },
    ] as Record<string, string>[])
      checkError(await ask(headers), 'missing_api_key', 'Authorization');
  });

  it('are no cookie, no login token and no query parameter', async () => {
    for (const Cookie of [`session=${key}`, `api_key=${key}; svc_session=1`, `Authorization=Bearer ${key}`])
      checkError(await ask({ Cookie }), 'missing_api_key');
    for (const name of ['api_key', 'key', 'access_token', 'token']) checkError(await ask({}, `${PATH}?${name}=${key}`), 'missing_api_key');
    checkError(await ask({ 'X-Session-Token': key, 'X-Auth-Token': key }), 'missing_api_key');
  });

  it('are unauthorized where the key is unknown, mistyped, or of the sandbox', async () => {
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    for (const credential of [mistyped, 'svc_test_abc', 'legacy_unknown', `svc_live_${'0'.repeat(36)}`])
      checkError(await ask({ 'X-API-Key': credential }), 'unauthorized', 'Authorization');
    assert.match((await ask({ 'X-API-Key': 'svc_test_abc' })).body.error.message, /sandbox/i);
  });

  it('are unauthorized where the key was revoked or its user closed the account', async () => {
    const revoked = await account();
    await api.keys.revoke(revoked.key.id, EVERY_KEY);
    checkError(await ask({ 'X-API-Key': revoked.secret }), 'unauthorized');
    const closed = await account();
    await api.accounts.closeUser(closed.userId);
    await api.accounts.setStatus(closed.teamId, 'disabled');
    checkError(await ask({ 'X-API-Key': closed.secret }), 'unauthorized');
  });

  it('are account_disabled or subscription_required by the state of the team', async () => {
    const disabled = await account();
    await api.accounts.setStatus(disabled.teamId, 'disabled');
    checkError(await ask({ 'X-API-Key': disabled.secret }), 'account_disabled');
    const lapsed = await account();
    await api.accounts.setStatus(lapsed.teamId, 'lapsed');
    const answer = await ask({ 'X-API-Key': lapsed.secret });
    checkError(answer, 'subscription_required');
    assert.equal(answer.status, 402);
    assert.equal(answer.headers['x-service-key-rotating'], undefined);
    await api.accounts.setStatus(lapsed.teamId, 'active');
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // as long as a process remembers a key
    assert.equal((await ask({ 'X-API-Key': lapsed.secret })).status, 200);
    const rotating = await account();
    await api.keys.rotate(rotating.key.id, EVERY_KEY, 1);
    await api.accounts.setStatus(rotating.teamId, 'lapsed');
    const warned = await ask({ 'X-API-Key': rotating.secret });
    assert.deepEqual([warned.status, warned.headers['x-service-key-rotating']], [402, 'true']);
  });

  it('warn while a key rotates, and are key_expired after its grace window', async () => {
    const old = await account();
    const replacement = await api.keys.rotate(old.key.id, EVERY_KEY, 1);
    const answer = await ask({ 'X-API-Key': old.secret });
    assert.deepEqual([answer.status, answer.headers['x-service-key-rotating']], [200, 'true']);
    assert.match(String(answer.headers.warning), /^299 - ".*\d{4}-\d\d-\d\dT.*"$/);
    const refused = await ask({ 'X-API-Key': old.secret, 'X-Request-Id': 'a b' });
    assert.deepEqual([refused.status, refused.headers['x-service-key-rotating']], [400, 'true']);
    assert.equal((await ask({ 'X-API-Key': replacement.secret })).headers['x-service-key-rotating'], undefined);
    await api.database.query('update api_key set expires_at = now() where id = $1', [old.key.id]);
    await new Promise((resolve) => setTimeout(resolve, 600));
    checkError(await ask({ 'X-API-Key': old.secret }), 'key_expired');
  });

  it('of the old name go on working', async () => {
    const { userId } = await account();
    await api.keys.importLegacy(userId, 'legacy_0123456789abcdef');
    assert.equal((await ask({ Authorization: 'Bearer legacy_0123456789abcdef' })).status, 200);
  });

  it('show the refusals before anything of the route: a refused key learns nothing of paths', async () => {
    for (const path of ['/v1/projects/1', '/v1/nothing', '/v1/projects/search?limit=0', '/v2'])
      checkError(await ask({ 'X-API-Key': 'svc_test_abc' }, path), 'unauthorized');
  });

  describe('and rate limits', () => {
    const burst = (count: number, headers: Record<string, string>, path = PATH) =>
      Promise.all(Array.from({ length: count }, () => ask(headers, path)));
    const tally = (answers: WireAnswer[]) => {
      const counts: Record<number, number> = {};
      for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    };

    it('a paid key has 60 requests in 60 seconds, then 429 with Retry-After', async () => {
      const paid = await api.key();
      const answers = await burst(70, { 'X-API-Key': paid });
      assert.deepEqual(tally(answers), { 200: 60, 429: 10 });
      const over = answers.find((answer) => answer.status === 429) as WireAnswer;
      checkError(over, 'rate_limit_exceeded');
      const wait = Number(over.headers['retry-after']);
      assert(wait >= 50 && wait <= 61, `${wait} s`);
      assert.equal(over.headers['x-ratelimit-remaining'], '0');
    });

    it('a trial key has 10 from its first request on, a missing credential 10 an address, an unusable one 10 a credential', async () => {
      assert.deepEqual(tally(await burst(12, { 'X-API-Key': await api.key('trial', CO) })), { 200: 10, 429: 2 });
      const address = { 'X-Forwarded-For': '10.9.0.1' };
      assert.deepEqual(tally(await burst(12, address)), { 401: 10, 429: 2 });
      assert.deepEqual(tally(await burst(1, { ...address, Authorization: 'Basic QTpC' })), { 429: 1 });
      for (const credential of ['svc_test_burst', 'legacy_burst'])
        assert.deepEqual(tally(await burst(12, { 'X-API-Key': credential })), { 401: 10, 429: 2 });
      assert.deepEqual(tally(await burst(1, { 'X-API-Key': 'svc_test_other' })), { 401: 1 });
      assert.equal(remaining(await ask({ 'X-API-Key': await api.key() })), 59, 'at the expense of nobody else');
    });

    it('health has 120 an address, whatever key is sent', async () => {
      const headers = { 'X-Forwarded-For': '10.9.0.2', 'X-API-Key': 'svc_test_abc' };
      assert.deepEqual(tally(await burst(125, headers, '/v1/health')), { 200: 120, 429: 5 });
    });
  });
});
