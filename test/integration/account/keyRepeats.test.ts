/** Keys over HTTP: made once for an Idempotency-Key, one rate limit for those that replace one another, and none for a closed account. */
import assert from 'node:assert/strict';
import { checkAnswer, checkError, send, type WireAnswer } from '../../support/http.ts';
import { provideService } from '../../support/service.ts';

const KEYS = '/api/user/api-keys';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const PAID_LIMIT = 12;

describe('API keys', () => {
  const api = provideService({ env: { RATE_LIMIT_PAID: '1000' } });

  const post = (key: string, path: string, body: object, idempotencyKey?: string) =>
    send(api.url, path, {
      method: 'POST',
      key,
      headers: { 'Content-Type': 'application/json', ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}) },
      body: JSON.stringify(body),
    });
  const made = (answer: WireAnswer) => {
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const listed = async (key: string): Promise<{ id: string; state: string }[]> => (await send(api.url, KEYS, { key })).body.data;
  const works = async (key: string) => (await send(api.url, '/v1/locations/states/CO', { key })).status === 200;

  describe('under one Idempotency-Key', () => {
    it('are minted once: a repetition answers with the same key, without its secret, and says so', async () => {
      const key = await api.key();
      const first = made(await post(key, KEYS, { name: 'etl' }, 'mint-1'));
      assert(await works(first.secret));
      const again = await post(key, KEYS, { name: 'etl' }, 'mint-1');
      checkAnswer(again);
      assert.deepEqual(made(again), { ...first, secret: null });
      const [warning] = again.body.meta.warnings;
      assert.deepEqual([warning.code, warning.params], ['secret_not_repeated', { keyId: first.id }]);
      assert.equal((await listed(key)).length, 2);
      checkError(await post(key, KEYS, { name: 'etl' }), 'forbidden');
    });

    it('are minted once when 20 equal requests come at once', async () => {
      const key = await api.key();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, KEYS, { name: 'burst' }, 'mint-20')));
      const secrets = answers.filter(({ status, body }) => status === 201 && body.data.secret !== null);
      assert.equal(secrets.length, 1);
      for (const answer of answers) {
        if (answer.status !== 201) checkError(answer, 'idempotency_in_flight', 'Idempotency-Key');
        else assert.equal(answer.body.data.id, secrets[0]?.body.data.id);
      }
      assert.equal((await listed(key)).length, 2);
    });

    it('are rotated once, also when 20 equal requests come at once', async () => {
      const key = await api.key();
      const [{ id } = { id: '' }] = await listed(key);
      const rotate = () => post(key, `${KEYS}/${id}/rotate`, { graceHours: 1 }, 'rotate-1');
      const answers = await Promise.all(Array.from({ length: 20 }, rotate));
      const secrets = answers.filter(({ status, body }) => status === 201 && body.data.secret !== null);
      assert.equal(secrets.length, 1);
      const first = secrets[0]?.body.data;
      for (const answer of answers) if (answer.status !== 201) checkError(answer, 'idempotency_in_flight', 'Idempotency-Key');
      const again = await rotate();
      assert.deepEqual(made(again), { ...first, secret: null });
      assert.equal(again.body.data.predecessor.id, id);
      assert.equal(again.body.meta.warnings[0].code, 'secret_not_repeated');
      const states = (await listed(key)).map(({ state }) => state);
      assert.deepEqual(states.sort(), ['active', 'rotating']);
    });

    it('refuse another body: idempotency_key_reuse', async () => {
      const key = await api.key();
      const { id } = made(await post(key, KEYS, { name: 'a' }, 'reused'));
      checkError(await post(key, KEYS, { name: 'b' }, 'reused'), 'idempotency_key_reuse', 'Idempotency-Key');
      made(await post(key, `${KEYS}/${id}/rotate`, {}, 'reused'));
      made(await post(key, `${KEYS}/${id}/rotate`, { graceHours: 24 }, 'reused'));
      checkError(await post(key, `${KEYS}/${id}/rotate`, { graceHours: 1 }, 'reused'), 'idempotency_key_reuse');
    });

    it('are tried again after a refusal', async () => {
      const key = await api.key();
      const { id } = made(await post(key, KEYS, {}));
      checkError(await post(key, KEYS, {}, 'later'), 'forbidden');
      await send(api.url, `${KEYS}/${id}`, { method: 'DELETE', key });
      assert(made(await post(key, KEYS, {}, 'later')).secret);
      checkError(await post(key, `${KEYS}/${UNKNOWN_ID}/rotate`, {}, 'later'), 'resource_not_found');
    });
  });

  it('of a closed account do not rotate before they are reassigned', async () => {
    const team = await api.accounts.createTeam({ name: 'T', plan: 'national' });
    const [owner, gone, heir] = await Promise.all(
      (['owner', 'member', 'member'] as const).map((role, i) => api.accounts.createUser({ teamId: team.id, name: `U${i}`, role })),
    );
    const { secret } = await api.keys.mint(owner?.id ?? 0);
    const { key } = await api.keys.mint(gone?.id ?? 0);
    await api.accounts.closeUser(gone?.id ?? 0);
    const refused = await post(secret, `${KEYS}/${key.id}/rotate`, {});
    checkError(refused, 'invalid_request', 'id');
    assert.match(refused.body.error.message, /reassign/i);
    assert.equal((await listed(secret)).length, 2);
    assert.equal((await post(secret, `${KEYS}/${key.id}/reassign`, { userId: heir?.id })).status, 200);
    assert(await works(made(await post(secret, `${KEYS}/${key.id}/rotate`, {})).secret));
  });
});

describe('keys that replace one another', () => {
  const api = provideService({ env: { RATE_LIMIT_PAID: String(PAID_LIMIT) } });

  const user = async () => {
    const team = await api.accounts.createTeam({ name: 'T', plan: 'national' });
    return (await api.accounts.createUser({ teamId: team.id, name: 'U', role: 'owner' })).id;
  };
  /** A key and its replacements, each rotated into the next. */
  const lineage = async (userId: number, rotations: number) => {
    const keys = [await api.keys.mint(userId)];
    for (let i = 0; i < rotations; i++) keys.push(await api.keys.rotate(keys.at(-1)?.key.id ?? '', { teamId: null, userId: null }, 24));
    return keys;
  };

  it('have one allowance together, over several rotations; another key of the user has its own', async () => {
    const userId = await user();
    const keys = await lineage(userId, 2);
    const other = await api.keys.mint(userId);
    const statuses: number[] = [];
    for (let i = 0; i < PAID_LIMIT + 3; i++)
      statuses.push((await send(api.url, '/v1/locations/states/CO', { key: keys[i % 3]?.secret ?? '' })).status);
    assert.deepEqual(statuses, [...Array(PAID_LIMIT).fill(200), 429, 429, 429]);
    const { status, headers } = await send(api.url, '/v1/locations/states/CO', { key: other.secret });
    assert.deepEqual([status, headers['x-ratelimit-remaining']], [200, String(PAID_LIMIT - 1)]);
  });
});
