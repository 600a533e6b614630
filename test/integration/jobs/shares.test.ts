/** What a team may have waiting and kept: beyond it nothing is queued or reserved. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import { exportJob } from '../../../src/features/exports/job.ts';
import { engineer, project, TODAY } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import type { TestAnswer } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const WAITING = 3;
const IDS = [1, 2, 3];

type Submit = (key: string, idempotencyKey?: string) => Promise<TestAnswer>;

describe('A team', () => {
  const world = provideWorld({ today: TODAY, env: { TEAM_JOBS_WAITING: String(WAITING) }, limits: { teamExportBytes: 2000 } }, [
    ...IDS.map((id) => project(id)),
    ...IDS.map(engineer),
  ]);

  const send = async (path: string, body: object, key: string, idempotencyKey: string): Promise<TestAnswer> => {
    const answer = await fetch(`${world.api.url}/v1${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as TestAnswer['body'] };
  };
  const KINDS: Record<string, Submit> = {
    exports: (key, once = randomUUID()) => send('/exports', { projectIds: IDS }, key, once),
    'AI searches': (key, once = randomUUID()) => send('/projects/ai-search/jobs', { query: 'warehouses', limit: 5 }, key, once),
    enrichments: (key, once = randomUUID()) => send('/enrichments', { projectIds: IDS }, key, once),
  };
  const clean = async () => assert.deepEqual((await auditLedger(world.api.database)).differences, []);
  const reserved = async () => (await world.api.database.query<{ n: number }>('select count(*)::integer as n from reservation'))[0]?.n;

  for (const [kind, submit] of Object.entries(KINDS))
    it(`has so many ${kind} waiting and no more: 429, nothing reserved or queued, and repeats of what was accepted answer so`, async () => {
      const key = await world.api.key('api_only');
      // So that contacts may be looked up: what is looked up has to be purchased.
      assert.equal((await world.api.get('/projects/search', { projectIds: '1,2,3' }, { key })).status, 200);
      const once = randomUUID();
      const first = await submit(key, once);
      assert.equal(first.status, 202, JSON.stringify(first.body));
      const answers = await Promise.all(Array.from({ length: WAITING + 2 }, () => submit(key)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [...Array(WAITING - 1).fill(202), 429, 429, 429]);
      const before = { balance: await world.balance(key), reserved: await reserved() };
      const refused = await submit(key);
      assert.deepEqual(
        [refused.status, refused.body.error.code, refused.body.error.details],
        [429, 'rate_limit_exceeded', { limit: WAITING, waiting: WAITING }],
      );
      assert.match(refused.headers.get('Retry-After') ?? '', /^[1-9]\d*$/);
      assert.deepEqual({ balance: await world.balance(key), reserved: await reserved() }, before);
      const again = await submit(key, once);
      assert.deepEqual([again.status, again.body.data.id], [202, first.body.data.id]);
      // Another team has its own share, and so has another kind.
      assert.equal((await submit(await newcomer())).status, 202);
      const [other] = Object.entries(KINDS).filter(([name]) => name !== kind);
      assert.equal((await other?.[1](key))?.status, 202);
      await clean();
    });

  it('that queues much at once leaves connections to others', async () => {
    await using narrow = await world.api.another({ DATABASE_CONNECTIONS: '3' });
    const [greedy, quiet] = [await newcomer(), await newcomer()];
    const submitted = (key: string) =>
      fetch(`${narrow.url}/v1/exports`, {
        method: 'POST',
        body: JSON.stringify({ projectIds: IDS }),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
      });
    const [team] = await world.api.database.query<{ id: number }>(
      'select team_id as id from credit_pool order by team_id desc offset 1 limit 1',
    );
    const burst = await world.api.database.transaction(async (tx) => {
      // As if one of its requests took long.
      await tx.query(
        `select pg_advisory_xact_lock(hashtextextended('waiting ' || $1::text || ' of ' || $2::integer || ' in ' || current_schema(), 0))`,
        [exportJob.name, team?.id],
      );
      const sent = Array.from({ length: 8 }, () => submitted(greedy));
      await eventually('requests that wait', async () => {
        const [locks] = await world.api.database.query<{ n: number }>(
          `select count(*)::integer as n from pg_locks where locktype = 'advisory' and not granted`,
        );
        return locks?.n ? true : undefined;
      });
      await sleep(300);
      assert.equal((await submitted(quiet)).status, 202);
      return sent;
    });
    for (const answer of burst) assert.ok([202, 429].includes((await answer).status), String((await answer).status));
  });

  const newcomer = async () => {
    const key = await world.api.key('api_only');
    await world.api.get('/projects/search', { projectIds: '1,2,3' }, { key });
    return key;
  };

  it('may queue again when what waited has begun, under the key that was refused too', async () => {
    const key = await newcomer();
    const submit = KINDS['AI searches'] as Submit;
    for (let i = 0; i < WAITING; i++) assert.equal((await submit(key)).status, 202);
    const once = randomUUID();
    assert.equal((await submit(key, once)).status, 429);
    await using _worker = await world.work();
    const { status, body } = await (async () => {
      for (;;) {
        const answer = await submit(key, once);
        if (answer.status !== 429) return answer;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    assert.equal(status, 202);
    await world.aiSearch.settled(body.data.id, key);
  });

  it('keeps a limited number of bytes of export files: 403 with the figures, nothing reserved, until some expire', async () => {
    const key = await world.api.key('api_only');
    const worker = await world.work();
    const first = await world.exports.completed({ projectIds: IDS }, key);
    assert.equal(first.status, 'ready');
    const usedBytes = Number(first.sizeBytes);
    assert(usedBytes >= 2000, `${usedBytes} bytes`);
    const before = { balance: await world.balance(key), reserved: await reserved() };
    for (const answer of [
      await world.exports.submit({ projectIds: [1] }, key),
      await world.api.get('/projects/search', { format: 'csv', projectIds: '1' }, { key }),
    ]) {
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden']);
      assert.deepEqual(answer.body.error.details, { usedBytes, limitBytes: 2000 });
      assert.match(answer.body.error.message, /expires at/);
    }
    assert.deepEqual({ balance: await world.balance(key), reserved: await reserved() }, before);
    assert.equal((await world.exports.submit({ projectIds: [1] }, await world.api.key('api_only'))).status, 202);
    await world.api.database.query(`update export set expires_at = service_now() - interval '1 s' where id = $1`, [first.id]);
    assert.equal((await world.exports.submit({ projectIds: [1] }, key)).status, 202);
    await worker.stop();
    await clean();
  });
});
