/** Takes a snapshot: repeats each request, at any API process, until it is answered. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type JsonBody, type ReceivedAnswer, type SentRequest, type ServiceProcesses, sendToAny } from '../../lib/apiClient.ts';
import type { CopiedRecord } from '../../lib/syncCopy.ts';

const RETRY_MS = 100;
const REQUEST_TIMEOUT_MS = 30_000;
/** Temporary refusals: a snapshot of the team is being built, or a request with the key is in progress. */
const WAITED_FOR = ['snapshot_in_progress', 'idempotency_in_flight'];

export interface SnapshotTaker extends Omit<ServiceProcesses, 'timeoutMs'> {
  /** filters and representation, as sync takes them */
  parameters: Readonly<Record<string, string>>;
  /** called for each request that was not answered */
  onLost: () => void;
}

export interface TakenSnapshot {
  records: CopiedRecord[];
  cursor: string;
  creditsUsed: number;
}

/** Takes a snapshot and reads its files. @returns undefined if nothing matches or it failed */
export async function takeSnapshot(taker: SnapshotTaker): Promise<TakenSnapshot | undefined> {
  const idempotencyKey = randomUUID();
  const body = bodyOf(taker.parameters);
  const { data: queued } = (await sendUntilAnswered(taker, { method: 'POST', path: '/snapshots', body, idempotencyKey })).body;
  if (!queued.id) return undefined;
  const path = `/snapshots/${queued.id}`;
  for (;;) {
    const { data } = (await sendUntilAnswered(taker, { path })).body;
    if (['failed', 'cancelled', 'expired'].includes(data.status)) return undefined;
    if (data.status === 'ready') {
      const { body: manifest } = await sendUntilAnswered(taker, { path: `${path}/manifest` });
      const records: CopiedRecord[] = [];
      for (const file of manifest.files) records.push(...(await readFile(taker, file)));
      if (records.length !== manifest.recordCount) throw new Error(`${path}: ${records.length} records of ${manifest.recordCount}`);
      return { records, cursor: manifest.sync.cursor, creditsUsed: data.creditsCharged };
    }
    await sleep(RETRY_MS, undefined, { signal: taker.signal });
  }
}

/** The filters of sync as a body states them. */
function bodyOf({ representation = 'standard', ...parameters }: Readonly<Record<string, string>>): JsonBody {
  const filters = Object.entries(parameters).map(([name, value]) => {
    if (name === 'polygon') return [name, JSON.parse(value)];
    if (name === 'includeGovernmentDecisions') return [name, value === 'true'];
    return [name, name === 'dateRange' ? value : [value]];
  });
  return { filters: Object.fromEntries(filters), representation };
}

/** Sends a request until it is answered with 2xx. @throws Error for an answer that repeating cannot change */
async function sendUntilAnswered(taker: SnapshotTaker, request: SentRequest): Promise<ReceivedAnswer> {
  for (; ; await sleep(RETRY_MS, undefined, { signal: taker.signal })) {
    const answer = await sendToAny({ ...taker, timeoutMs: REQUEST_TIMEOUT_MS }, request);
    const { status, body } = answer;
    if (status >= 200 && status < 300) return answer;
    if (status === 0) taker.onLost();
    else if (status < 500 && !WAITED_FOR.includes(body.error?.code)) throw new Error(`${request.path}: ${status} ${JSON.stringify(body)}`);
  }
}

interface ListedFile {
  url: string;
  sha256: string;
  recordCount: number;
}

/** Reads a file, and repeats that if it is incomplete. */
async function readFile(taker: SnapshotTaker, { url, sha256, recordCount }: ListedFile): Promise<CopiedRecord[]> {
  const path = new URL(url).pathname.replace(/^\/v1/, '');
  const { bytes } = await sendUntilAnswered(taker, { path });
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error(`${path}: ${bytes.length} bytes that are not those of the manifest`);
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
  if (lines.length !== recordCount) throw new Error(`${path}: ${lines.length} records of ${recordCount}`);
  return lines.map((line) => JSON.parse(line));
}
