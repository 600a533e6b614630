/** AI searches of a test service: asked, worked on by a worker of this process, polled. */
import { type ExportWorld, exportWorld, polled } from './exports.ts';
import { eventually } from './jobs.ts';
import type { TestAnswer, TestServiceOptions } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Any = any;

const JOBS = '/projects/ai-search/jobs';

export interface AiWorld extends ExportWorld {
  ask(body: unknown, key: string, headers?: Record<string, string>): Promise<TestAnswer>;
  poll(id: string, key: string): Promise<TestAnswer>;
  cancel(id: string, key: string): Promise<TestAnswer>;
  /** polls until the search is settled */
  settled(id: string, key: string): Promise<Any>;
  /** asks and waits; the search as it is then */
  answered(body: unknown, key: string): Promise<Any>;
}

export async function aiWorld(options: TestServiceOptions = {}): Promise<AiWorld> {
  const world = await exportWorld(options);
  const { api } = world;
  const send = (path: string, key: string, init: RequestInit): Promise<TestAnswer> =>
    eventually(`an answer to ${path}`, async () => {
      const response = await fetch(`${api.url}/v1${path}`, { ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers } });
      const body = (await response.json()) as TestAnswer['body'];
      // A busy machine: nothing was done, and it is asked again, as a client does.
      if (body.error?.code === 'rate_limiter_unavailable') return undefined;
      return { status: response.status, headers: response.headers, body };
    });
  const ask: AiWorld['ask'] = (body, key, headers = {}) =>
    send(JOBS, key, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } });
  const poll: AiWorld['poll'] = (id, key) => send(`${JOBS}/${id}`, key, {});
  const settled: AiWorld['settled'] = (id, key) =>
    polled(
      id,
      () => poll(id, key),
      ({ settledAt }) => Boolean(settledAt),
    );
  return {
    ...world,
    ask,
    poll,
    cancel: (id, key) => send(`${JOBS}/${id}`, key, { method: 'DELETE' }),
    settled,
    answered: async (body, key) => {
      const { status, body: answer } = await ask(body, key);
      if (status !== 202) throw new Error(`${status}: ${JSON.stringify(answer)}`);
      return settled(answer.data.id, key);
    },
  };
}
