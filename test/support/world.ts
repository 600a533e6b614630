/** A test service with a clock that the test moves, workers in this process, and a client for each feature. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { type Received, type Receiver, startReceiver } from '../../scripts/lib/webhookReceiver.ts';
import { composeServiceWorker } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { RunnerSettings } from '../../src/core/jobs/runnerSettings.ts';
import type { Worker } from '../../src/core/jobs/worker.ts';
import { newFolder } from './folder.ts';
import { eventually, QUICK, startJobWorker, type TestWorker } from './jobs.ts';
import type { Json } from './json.ts';
import { provide } from './provide.ts';
import { answerOf, bodyOf, type TestAnswer, type TestService, type TestServiceOptions, testService } from './service.ts';

/** A clock that stands at a Wednesday morning of the customers, and a usual key whose plan has alerts. */
export const FOR_ALERTS = { start: '2026-11-18T19:00:00.000Z', plan: 'api_only' } as const satisfies WorldOptions;
/** The same, with webhooks that may be sent to receivers on loopback. */
export const FOR_WEBHOOKS = { ...FOR_ALERTS, env: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_PORTS: 'any' } } as const satisfies WorldOptions;
const SETTLED_WITHIN_MS = 60_000;
/** Of a worker that is woken by its jobs: looking for them as often as QUICK does takes a tenth of a processor, in each file that has one. */
const CALMER: Partial<RunnerSettings> = { sweepMs: 1_000, pollMs: 1_000 };

export interface WorldOptions extends Omit<TestServiceOptions, 'now'> {
  /** ISO 8601: where the clock stands until `moveTo`; noon of `today`, or the real time, unless set */
  start?: string;
}

/** A kind of job as customers use it. Without a key it is the service's usual one. */
export interface JobClient {
  submit(body: unknown, key?: string, headers?: Record<string, string>): Promise<TestAnswer>;
  poll(id: string, key?: string): Promise<TestAnswer>;
  /** polls until the job has its last status; the job as it is then */
  settled(id: string, key?: string): Promise<Json>;
  /** submits a job and polls until it has its last status; the job as it is then */
  completed(body: unknown, key?: string): Promise<Json>;
}

export interface TestTeam {
  owner: string;
  ownerId: number;
  mate: string;
  mateId: number;
  teamId: number;
}

export interface TestWorld extends AsyncDisposable {
  api: TestService;
  /** where exports are written */
  folder: string;
  now(): Date;
  moveTo(iso: string): Promise<void>;
  /** starts a worker in this process @param env settings other than those of the API @param jobs what is not as quick as in other tests */
  work(env?: Record<string, string>, jobs?: Partial<RunnerSettings>): Promise<TestWorker>;
  /** a request below the API root; repeated where a busy machine did nothing, as a client does */
  send(method: string, path: string, body?: unknown, key?: string, idempotencyKey?: string): Promise<TestAnswer>;
  /** GET; repeated where a busy service answers 503, as a client does */
  read(path: string, parameters: Record<string, unknown>, key: string): Promise<TestAnswer>;
  balance(key: string): Promise<number>;
  /** enrichments of the month */
  allowance(key: string): Promise<Json>;
  /** one project as the key reads it */
  record(id: number, key: string): Promise<Json>;
  /** a team with an owner and a member, on the API Only plan */
  team(): Promise<TestTeam>;
  /** mails in the outbox, oldest first */
  mails(): Promise<{ event: string; topic: string; recipient: string; text: string }[]>;
  /** a receiver of webhooks on loopback, closed with the world */
  startReceiver(): Promise<Receiver>;
  /** the last of `count` requests, when a receiver has that many */
  got(from: Receiver, count: number): Promise<Received>;
  exports: JobClient;
  snapshots: JobClient;
  enrichments: JobClient;
  aiSearch: JobClient & {
    cancel(id: string, key?: string): Promise<TestAnswer>;
    judge(id: string, body: object, key?: string): Promise<TestAnswer>;
  };
  /** an export as text, or the refusal */
  download(id: string, key: string, headers?: Record<string, string>): Promise<{ status: number; headers: Headers; text: string }>;
  alerts: {
    create(body: object, key?: string): Promise<Json>;
    run(id: string, key?: string, idempotencyKey?: string): Promise<TestAnswer>;
    /** a run that completes; what it delivered */
    completed(id: string, key?: string): Promise<Json>;
    /** ids of the matches */
    matches(id: string, parameters?: Record<string, unknown>, key?: string): Promise<number[]>;
  };
  webhooks: {
    /** one to a receiver, with its secret */
    create(to: Receiver, body?: object, key?: string): Promise<Json>;
    attempts(id: string, key?: string): Promise<Json[]>;
    /** the log, newest first, when it has at least `count` rows */
    logged(id: string, count: number, key?: string): Promise<Json[]>;
  };
  stop(): Promise<void>;
}

const dataOf = (answer: TestAnswer, expected?: number): Json => bodyOf(answer, expected).data;

export async function testWorld({ start, ...options }: WorldOptions = {}): Promise<TestWorld> {
  const noon = options.today && `${options.today}T19:00:00Z`;
  let standsAt = start || noon ? new Date((start ?? noon) as string) : undefined;
  const now = () => standsAt ?? new Date();
  const folder = newFolder('exports');
  const api = await testService({
    ...options,
    ...(standsAt ? { now } : {}),
    env: { EXPORT_DIR: folder, ...options.env },
  });
  const workers: Worker[] = [];
  const receivers: Receiver[] = [];
  let runs = 0;

  const ask = (where: string, key: string, init: RequestInit = {}) =>
    fetch(`${api.url}/v1${where}`, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } });
  const request = async (
    method: string,
    where: string,
    body: unknown,
    key: string | undefined,
    headers: Record<string, string> = {},
  ): Promise<TestAnswer> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent =
      text === undefined ? { method, headers } : { method, body: text, headers: { 'Content-Type': 'application/json', ...headers } };
    const answer = await answerOf(await ask(where, key ?? (await api.usualKey()), sent));
    // A busy machine: nothing was done.
    return answer.body.error?.code === 'rate_limiter_unavailable' ? request(method, where, body, key, headers) : answer;
  };
  const read: TestWorld['read'] = (where, parameters, key) =>
    eventually(`an answer to ${where}`, async () => {
      const answer = await api.get(where, parameters, { key });
      return answer.status === 503 ? undefined : answer;
    });

  const jobClient = (root: string, usualHeaders: () => Record<string, string>, isSettled: (job: Json) => boolean): JobClient => {
    const submit: JobClient['submit'] = (body, key, headers = usualHeaders()) => request('POST', root, body, key, headers);
    const poll: JobClient['poll'] = (id, key) => request('GET', `${root}/${id}`, undefined, key);
    const settled: JobClient['settled'] = (id, key) =>
      eventually(
        `the end of ${id}`,
        async () => {
          const answer = await poll(id, key);
          if (answer.status === 503) return undefined; // a busy machine
          const job = dataOf(answer);
          return isSettled(job) ? job : undefined;
        },
        SETTLED_WITHIN_MS,
      );
    const completed: JobClient['completed'] = async (body, key) => settled(dataOf(await submit(body, key), 202).id, key);
    return { submit, poll, settled, completed };
  };
  const aiSearch = jobClient(
    '/projects/ai-search/jobs',
    () => ({}),
    ({ settledAt }) => Boolean(settledAt),
  );
  const attempts = async (id: string, key?: string): Promise<Json[]> =>
    dataOf(await request('GET', `/webhooks/${id}/attempts`, undefined, key));
  const stop = async () => {
    await Promise.all(workers.map((worker) => worker.stop(0)));
    await api.stop();
    await Promise.all(receivers.map((opened) => opened.stop()));
  };

  const run: TestWorld['alerts']['run'] = (id, key, idempotencyKey = `run-${++runs}`) =>
    request('POST', `/alerts/${id}/run`, undefined, key, { 'Idempotency-Key': idempotencyKey });

  return {
    api,
    folder,
    now,
    read,
    moveTo: async (iso) => {
      standsAt = new Date(iso);
      await api.databaseClock({ at: standsAt });
    },
    work: async (env = {}, jobs = {}) => {
      const settings = { ...QUICK, ...CALMER, ...jobs };
      return startJobWorker(
        composeServiceWorker(loadConfig({ ...api.env, ...env }, options.limits), pino({ level: 'silent' }), now, settings),
        workers,
      );
    },
    send: (method, where, body, key, idempotencyKey) =>
      request(method, where, body, key, idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
    balance: api.balance,
    allowance: async (key) => dataOf(await read('/account/credits', {}, key)).enrichment,
    record: async (id, key) => dataOf(await read(`/projects/${id}`, {}, key)),
    team: async () => {
      const owner = await api.key('api_only');
      const teamId = (await api.accounts.teams()).at(-1)?.id ?? 0;
      const mate = await api.accounts.createUser({ teamId, name: 'Mate', email: `mate-${teamId}@example.com`, role: 'member' });
      const [me] = await api.accounts.users(teamId);
      return { owner, ownerId: me?.id ?? 0, mate: (await api.keys.mint(mate.id)).secret, mateId: mate.id, teamId };
    },
    mails: () =>
      api.database.query(
        `select m.event, s.topic, s.recipient, m.content::text as text
         from mail m join mail_subscription s on s.token = m.subscription order by m.id`,
      ),
    startReceiver: async () => {
      const opened = await startReceiver();
      receivers.push(opened);
      return opened;
    },
    got: (from, count) => eventually(`${count} requests`, () => (from.got.length >= count ? from.got[count - 1] : undefined)),
    exports: jobClient(
      '/exports',
      () => ({}),
      ({ status }) => ['ready', 'failed', 'expired'].includes(status),
    ),
    snapshots: jobClient(
      '/snapshots',
      () => ({}),
      ({ status }) => !['queued', 'building'].includes(status),
    ),
    enrichments: jobClient(
      '/enrichments',
      () => ({ 'Idempotency-Key': randomUUID() }),
      ({ settledAt }) => Boolean(settledAt),
    ),
    aiSearch: {
      ...aiSearch,
      cancel: (id, key) => request('DELETE', `/projects/ai-search/jobs/${id}`, undefined, key),
      judge: (id, body, key) => request('POST', `/projects/ai-search/jobs/${id}/feedback`, body, key),
    },
    download: async (id, key, headers = {}) => {
      const answer = await ask(`/exports/${id}/download`, key, { headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    alerts: {
      create: async (body, key) => dataOf(await request('POST', '/alerts', { name: 'Alert', ...body }, key), 201),
      run,
      completed: async (id, key) => {
        const delivery = dataOf(await run(id, key));
        assert.equal(delivery.status, 'completed', JSON.stringify(delivery));
        return delivery;
      },
      matches: async (id, parameters = {}, key = undefined) => {
        const answer = await api.get(`/alerts/${id}/matches`, { representation: 'compact', ...parameters }, { ...(key ? { key } : {}) });
        return dataOf(answer).map((record: Json) => record.id);
      },
    },
    webhooks: {
      create: async (to, body = {}, key = undefined) =>
        dataOf(await request('POST', '/webhooks', { url: to.url, types: ['alert.delivery.completed'], ...body }, key), 201),
      attempts,
      logged: (id, count, key) =>
        eventually(`${count} attempts`, async () => {
          const rows = await attempts(id, key);
          return rows.length >= count ? rows : undefined;
        }),
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A world for the tests of a suite, started before them and stopped after them. @param lines that it serves */
export function provideWorld(options: WorldOptions = {}, lines?: readonly object[]): TestWorld {
  const world = provide(() => testWorld(options));
  if (lines) before(() => world.api.index.load(lines));
  return world;
}
