/** Switching what is served under load: every answer must be that of one generation, and none may fail. */
import { ask, makeTarget, type Target } from './client.ts';
import type { Request } from './recorder.ts';

const PATHS = [
  '/v1/projects/search?representation=compact&limit=50',
  '/v1/projects/search?representation=compact&limit=50&dateRange=all&sort=lastUpdated&order=desc',
  '/v1/projects/count?dateRange=all',
  '/v1/projects/count?status=approved',
];
const CONNECTIONS = 8;

export interface Switched {
  command: string;
  seconds: number;
  requests: number;
  failed: number;
  /** answers that are neither what was served before nor what is served after */
  mixed: number;
  longestMs: number;
}

/** What an answer tells of the data, apart from how the pool stands to it. */
function contentOf(body: unknown): string {
  const { data } = body as { data: unknown };
  return JSON.stringify(data, (name, value) => (name === 'delivery' ? undefined : value));
}

async function answers(target: Target, requests: readonly Request[]): Promise<string[]> {
  const found: string[] = [];
  for (const request of requests) found.push(contentOf((await ask(target, request)).body));
  return found;
}

interface Seen {
  of: number;
  content: string;
  ms: number;
}

/** Asks on and on until told to stop. */
async function askOn(target: Target, requests: readonly Request[], first: number, seen: Seen[], stop: AbortSignal): Promise<number> {
  let failed = 0;
  for (let i = first; !stop.aborted; i++) {
    const of = i % requests.length;
    const began = performance.now();
    const answer = await ask(target, requests[of] as Request).catch(() => ({ status: 0, body: undefined }));
    if (answer.status === 200) seen.push({ of, content: contentOf(answer.body), ms: performance.now() - began });
    else failed += 1;
  }
  return failed;
}

/** @param command changes what is served; its title and the command itself */
export async function measureSwitch(url: string, key: string, [title, command]: [string, () => Promise<unknown>]): Promise<Switched> {
  const target = makeTarget(url, [], CONNECTIONS, true);
  const requests = PATHS.map((path) => ({ method: 'GET', path, headers: { authorization: `Bearer ${key}` }, body: '' }));
  const before = await answers(target, requests);
  const done = new AbortController();
  const seen: Seen[] = [];
  const asking = Array.from({ length: CONNECTIONS }, (_, i) => askOn(target, requests, i, seen, done.signal));
  const began = performance.now();
  await command().finally(() => done.abort());
  const seconds = (performance.now() - began) / 1000;
  const failed = (await Promise.all(asking)).reduce((sum, count) => sum + count, 0);
  const after = await answers(target, requests);
  target.agent.destroy();
  return {
    command: title,
    seconds,
    requests: seen.length + failed,
    failed,
    mixed: seen.filter(({ of, content }) => content !== before[of] && content !== after[of]).length,
    longestMs: Math.max(...seen.map(({ ms }) => ms)),
  };
}
