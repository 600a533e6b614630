/** Exports of a test service: submitted, built by a worker of this process, downloaded. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { serviceWorker } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { csvHeader, csvRows } from '../../src/core/domain/record/csv.ts';
import type { Worker } from '../../src/core/jobs/worker.ts';
import { eventually, QUICK, startedWorker } from './jobs.ts';
import { type TestAnswer, type TestService, type TestServiceOptions, testService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Any = any;

/** Every record of a search, in its order, as pages give them. */
export async function walked(world: ExportWorld, parameters: Record<string, unknown>, key: string): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = [];
  for (;;) {
    const { status, body } = await world.api.get('/projects/search', { ...parameters, offset: records.length, limit: 100 }, { key });
    assert.equal(status, 200, JSON.stringify(body));
    records.push(...body.data);
    if (!body.meta.hasMore) return records;
  }
}

/** Asserts that a file is that of these records; a difference is shown by its row. */
export function assertFile(text: string, records: readonly Record<string, unknown>[], about?: string): void {
  const expected = csvHeader() + (records.length ? csvRows(records) : '');
  if (text === expected) return;
  const [rows, wanted] = [text.split('\r\n'), expected.split('\r\n')];
  const row = wanted.findIndex((line, i) => rows[i] !== line);
  assert.deepEqual([rows.length, rows[row]], [wanted.length, wanted[row]], about);
  assert.equal(rows.length, wanted.length, about);
}

export interface ExportWorld {
  api: TestService;
  folder: string;
  post(body: unknown, key: string, headers?: Record<string, string>): Promise<TestAnswer>;
  poll(id: string, key: string): Promise<TestAnswer>;
  /** GET, again where a busy service answers 503, as a client does */
  read(path: string, parameters: Record<string, unknown>, key: string): Promise<TestAnswer>;
  /** the file as text, or the refusal */
  download(id: string, key: string, headers?: Record<string, string>): Promise<{ status: number; headers: Headers; text: string }>;
  /** starts a worker in this process @param env settings other than those of the API */
  work(env?: Record<string, string>): Promise<Worker>;
  /** polls until the export has a last status */
  done(id: string, key: string): Promise<Record<string, unknown>>;
  /** submits, works and waits; the export as it is then */
  built(body: unknown, key: string): Promise<Record<string, unknown>>;
  balance(key: string): Promise<number>;
  stop(): Promise<void>;
}

/** What a poll of a job says at its end. @param isDone decides by `data` */
export const polled = (id: string, poll: () => Promise<TestAnswer>, isDone: (data: Any) => boolean): Promise<Any> =>
  eventually(
    `the end of ${id}`,
    async () => {
      const { status, body } = await poll();
      if (status === 503) return undefined; // a busy machine: asked again, as a client does
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
      return isDone(body.data) ? (body.data as Any) : undefined;
    },
    60_000,
  );

export async function exportWorld(options: TestServiceOptions = {}): Promise<ExportWorld> {
  const folder = await mkdtemp(path.join(tmpdir(), 'exports-'));
  const api = await testService({ ...options, env: { EXPORT_DIR: folder, ...options.env } });
  const workers: Worker[] = [];
  const now = options.today ? () => new Date(`${options.today}T19:00:00Z`) : () => new Date();
  const send = (where: string, key: string, init: RequestInit = {}) =>
    fetch(`${api.url}/v1${where}`, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } });
  const poll = (id: string, key: string) => api.get(`/exports/${id}`, {}, { key });
  const post: ExportWorld['post'] = async (body, key, headers = {}) => {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } };
    const answer = await send('/exports', key, init);
    const sent = { status: answer.status, headers: answer.headers, body: (await answer.json()) as TestAnswer['body'] };
    // A busy machine: nothing was done, and it is asked again, as a client does.
    return sent.body.error?.code === 'rate_limiter_unavailable' ? post(body, key, headers) : sent;
  };
  const done: ExportWorld['done'] = (id, key) =>
    polled(
      id,
      () => poll(id, key),
      ({ status }) => ['ready', 'failed', 'expired'].includes(status),
    );
  return {
    api,
    folder,
    post,
    poll,
    read: (where, parameters, key) =>
      eventually(`an answer to ${where}`, async () => {
        const answer = await api.get(where, parameters, { key });
        return answer.status === 503 ? undefined : answer;
      }),
    done,
    download: async (id, key, headers = {}) => {
      const answer = await send(`/exports/${id}/download`, key, { headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    work: async (env = {}) => {
      const worker = serviceWorker(loadConfig({ ...api.env, ...env }), pino({ level: 'silent' }), now, QUICK);
      return startedWorker(worker, workers);
    },
    built: async (body, key) => {
      const { status, body: answer } = await post(body, key);
      if (status !== 202) throw new Error(`${status}: ${JSON.stringify(answer)}`);
      return done(answer.data.id, key);
    },
    balance: async (key) => (await api.get('/account/credits', {}, { key })).body.meta.creditsRemaining,
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop(0)));
      await api.stop();
      await rm(folder, { recursive: true });
    },
  };
}
