/** Measures switching the served set under load: every answer must be of one generation, and none may fail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { whole } from '../../../src/terminal/textTable.ts';
import { type FiguresRow, p99, quantile } from '../../lib/report.ts';
import { apiRequest, makeTarget, type Request, sendAndRead, type Target } from './loadGenerator.ts';

const PATHS = [
  '/projects/search?representation=compact&limit=50',
  '/projects/search?representation=compact&limit=50&dateRange=all&sort=lastUpdated&order=desc',
  '/projects/count?dateRange=all',
  '/projects/count?status=approved',
];
const CONNECTIONS = 8;
const PAUSE_MS = 100;
const BEFORE_MS = 10_000;

/** What an answer says about the data, without what it says about the pool. */
function contentOf(body: unknown): string {
  const { data } = body as { data: unknown };
  return JSON.stringify(data, (name, value) => (name === 'delivery' ? undefined : value));
}

async function fetchAnswers(target: Target, requests: readonly Request[]): Promise<string[]> {
  const found: string[] = [];
  for (const request of requests) found.push(contentOf((await sendAndRead(target, request)).body));
  return found;
}

/** Answers seen during an operation; equal contents are stored once. */
interface Seen {
  milliseconds: number[];
  failed: number;
  failures: Set<string>;
  /** how many answers to each request had which content */
  contents: Map<string, number>[];
}

/** Sends requests until stopped. */
async function askOn(target: Target, requests: readonly Request[], first: number, seen: Seen, stop: AbortSignal): Promise<void> {
  for (let i = first; !stop.aborted; i++) {
    const of = i % requests.length;
    const began = performance.now();
    const answer = await sendAndRead(target, requests[of] as Request).catch(() => ({ status: 0, body: undefined }));
    seen.milliseconds.push(performance.now() - began);
    if (answer.status !== 200) {
      seen.failed += 1;
      seen.failures.add(`${answer.status} ${(answer.body as { error?: { code?: string } })?.error?.code ?? 'no answer'}`);
    } else {
      const content = contentOf(answer.body);
      const counts = seen.contents[of] as Map<string, number>;
      counts.set(content, (counts.get(content) ?? 0) + 1);
    }
    await sleep(PAUSE_MS);
  }
}

/** Sends requests on all connections until the work is done. @returns the answers seen */
async function watchAnswers(target: Target, requests: readonly Request[], work: () => Promise<unknown>): Promise<Seen> {
  const done = new AbortController();
  const seen: Seen = { milliseconds: [], failed: 0, failures: new Set(), contents: PATHS.map(() => new Map()) };
  const asking = Array.from({ length: CONNECTIONS }, (_, i) => askOn(target, requests, i, seen, done.signal));
  await work().finally(() => done.abort());
  await Promise.all(asking);
  return seen;
}

/** Answers that are of none of these moments. */
const mixedOf = ({ contents }: Seen, moments: readonly (readonly string[])[]): number =>
  contents
    .flatMap((counts, of) => [...counts].filter(([content]) => moments.every((known) => content !== known[of])))
    .reduce((sum, [, count]) => sum + count, 0);

/**
 * Seconds are until searches are answered from what is served then, with the start of the command's process, and until sync shows it, too, and the
 * command has ended.
 * @param command changes what is served, and calls when that is done, before it ends; its title and the command itself
 */
export async function measureSwitch(
  url: string,
  key: string,
  [title, command]: [string, (onServed: () => void) => Promise<unknown>],
): Promise<FiguresRow> {
  const target = makeTarget(url, [], CONNECTIONS, true);
  const requests = PATHS.map((path) => apiRequest(path, key));
  const before = await fetchAnswers(target, requests);
  const quiet = await watchAnswers(target, requests, () => sleep(BEFORE_MS));
  let [began, servedSeconds, seconds] = [performance.now(), 0, 0];
  let meanwhile: Promise<string[]> = Promise.resolve([]);
  const secondsSinceStart = () => (performance.now() - began) / 1000;
  const onServed = () => {
    servedSeconds = secondsSinceStart();
    meanwhile = fetchAnswers(target, requests);
  };
  const seen = await watchAnswers(target, requests, async () => {
    began = performance.now();
    await command(onServed);
    seconds = secondsSinceStart();
  });
  const moments = [before, await meanwhile, await fetchAnswers(target, requests)];
  target.agent.destroy();
  return {
    command: title,
    'served after s': servedSeconds,
    'sync follows after s': seconds,
    'answers meanwhile': seen.milliseconds.length,
    failed: [whole(seen.failed), ...seen.failures].join(', '),
    mixed: mixedOf(seen, moments),
    'p99 ms before': whole(p99(quiet.milliseconds)),
    'p99 ms': whole(p99(seen.milliseconds)),
    'longest ms': whole(quantile(seen.milliseconds, 1)),
  };
}
