/** Clients that use a service in every way that writes to Postgres, all at once, until they are stopped; they remember what was acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './json.ts';
import { Random } from './random.ts';
import type { TestWorld } from './world.ts';

const EXPORTED = 20;
const DELIVERED = 10;
/** Between two orders of one client that each keep a worker busy. */
const ORDER_MS = 150;

/** Something that a client was answered: it was asked for, and the answer came, at these moments. */
export interface Acknowledged {
  kind: 'list' | 'alert' | 'export';
  id: string;
  key: string;
  asked: number;
  answered: number;
}

export interface DrillLoad {
  acknowledged: readonly Acknowledged[];
  /** answers by status */
  answers: ReadonlyMap<number, number>;
  /** @returns when the last request has been answered */
  stop(): Promise<void>;
}

/** @param records how many are loaded; their ids start at 1 @param keys of metered teams, a set of clients each */
export function startLoad(
  { api }: TestWorld,
  { records, keys, seed }: { records: number; keys: readonly string[]; seed: number },
): DrillLoad {
  const acknowledged: Acknowledged[] = [];
  const answers = new Map<number, number>();
  let stopped = false;
  const call = async (method: string, path: string, key: string, body?: object) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(path.endsWith('/run') ? { 'Idempotency-Key': randomUUID() } : {}),
    };
    const answer = await fetch(`${api.url}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    return { ok: answer.ok, data: ((await answer.json()) as Json).data };
  };
  const create = async (kind: Acknowledged['kind'], key: string, body: object): Promise<string | undefined> => {
    const asked = Date.now();
    const { ok, data } = await call('POST', `/${kind}s`, key, body);
    if (ok) acknowledged.push({ kind, id: data.id, key, asked, answered: Date.now() });
    return ok ? data.id : undefined;
  };
  const clients: ((key: string, random: Random) => Promise<unknown>)[] = [
    (key, random) => call('GET', `/projects/search?dateRange=all&limit=5&offset=${random.integer(0, records - 5)}`, key),
    (key, random) => call('GET', `/projects/${random.integer(1, records)}`, key),
    async (key, random) => {
      const from = random.integer(1, records - EXPORTED);
      await create('export', key, { projectIds: Array.from({ length: EXPORTED }, (_, i) => from + i) });
      await sleep(ORDER_MS);
    },
    async (key, random) => {
      const id = await create('alert', key, {
        name: 'Alert',
        filters: { counties: ['Boulder County'], acreageMin: random.integer(1, 9) },
        maxRecordsPerRun: DELIVERED,
      });
      if (id) await call('POST', `/alerts/${id}/run`, key);
      await sleep(ORDER_MS);
    },
    async (key, random) => {
      const id = await create('list', key, { name: 'List', projectIds: [random.integer(1, records)] });
      if (id) await call('PATCH', `/lists/${id}`, key, { name: `List of ${random.integer(1, 1_000)}` });
    },
  ];
  const running = keys.flatMap((key, i) =>
    clients.map(async (client, j) => {
      const random = new Random(seed + 100 * i + j);
      while (!stopped) await client(key, random);
    }),
  );
  return {
    acknowledged,
    answers,
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
}
