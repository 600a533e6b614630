/** Alerts of a test service on a clock that the test moves, with a worker of this process. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { serviceWorker } from '../../src/app.ts';
import type { Worker } from '../../src/core/jobs/worker.ts';
import type { Screener } from '../../src/features/aiSearch/screener.ts';
import { QUICK, startedWorker } from './jobs.ts';
import { type TestAnswer, type TestService, testService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Any = any;

export interface TeamOfTwo {
  owner: string;
  ownerId: number;
  mate: string;
  mateId: number;
  teamId: number;
}

export interface AlertWorld {
  api: TestService;
  at: { now: Date };
  moveTo(iso: string): Promise<void>;
  send(method: string, path: string, body?: unknown, key?: string, idempotencyKey?: string): Promise<TestAnswer>;
  create(body: object, key?: string): Promise<Any>;
  run(id: string, key?: string, idempotencyKey?: string): Promise<TestAnswer>;
  matches(id: string, parameters?: Record<string, unknown>, key?: string): Promise<number[]>;
  team(): Promise<TeamOfTwo>;
  work(): Promise<Worker>;
  /** key of an API Only team */
  key: string;
  /** mails in the outbox, oldest first */
  mails(): Promise<{ event: string; topic: string; recipient: string; text: string }[]>;
  stop(): Promise<void>;
}

/** @param env further settings of the service and its workers @param screener of the service, in place of the built-in one */
export async function alertWorld(
  start = '2026-11-18T19:00:00.000Z',
  env: Record<string, string> = {},
  screener?: Screener,
): Promise<AlertWorld> {
  const at = { now: new Date(start) };
  const api = await testService({ now: () => at.now, env, ...(screener ? { screener } : {}) });
  const workers: Worker[] = [];
  const key = await api.key('api_only');
  let runs = 0;
  const send: AlertWorld['send'] = async (method, path, body, given = key, idempotencyKey = undefined) => {
    const response = await fetch(`${api.url}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${given}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: TestAnswer = { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    // A busy machine: nothing was done, and it is asked again, as a client does.
    return answer.body.error?.code === 'rate_limiter_unavailable' ? send(method, path, body, given, idempotencyKey) : answer;
  };
  return {
    api,
    at,
    key,
    send,
    moveTo: async (iso) => {
      at.now = new Date(iso);
      await api.databaseClock({ at: at.now });
    },
    create: async (body, given) => {
      const { status, body: answer } = await send('POST', '/alerts', { name: 'Alert', ...body }, given);
      assert.equal(status, 201, JSON.stringify(answer));
      return answer.data;
    },
    run: (id, given, idempotencyKey) => {
      runs += 1;
      return send('POST', `/alerts/${id}/run`, undefined, given, idempotencyKey ?? `run-${runs}`);
    },
    matches: async (id, parameters = {}, given = key) => {
      const { status, body } = await api.get(`/alerts/${id}/matches`, { representation: 'compact', ...parameters }, { key: given });
      assert.equal(status, 200, JSON.stringify(body));
      return (body.data as Any).map((record: Any) => record.id);
    },
    team: async () => {
      const owner = await api.key('api_only');
      const [latest] = (await api.accounts.teams()).slice(-1);
      const teamId = latest?.id ?? 0;
      const mate = await api.accounts.createUser({ teamId, name: 'Mate', email: `mate-${teamId}@example.com`, role: 'member' });
      const [me] = await api.accounts.users(teamId);
      return { owner, ownerId: me?.id ?? 0, mate: (await api.keys.mint(mate.id)).secret, mateId: mate.id, teamId };
    },
    work: async () => {
      const worker = serviceWorker(api.config, pino({ level: 'silent' }), () => at.now, QUICK);
      return startedWorker(worker, workers);
    },
    mails: async () =>
      api.database.query(
        `select m.event, s.topic, s.recipient, m.content::text as text from mail m join mail_subscription s on s.token = m.subscription order by m.id`,
      ),
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop(0)));
      await api.stop();
    },
  };
}
