/** Downloads snapshots, and keeps copies by sync, like a client. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { readCharges } from '../../scripts/lib/charges.ts';
import type { Json } from './json.ts';
import type { TestWorld } from './world.ts';

export interface TakenSnapshot {
  snapshot: Json;
  manifest: Json;
  /** of NDJSON */
  records: Json[];
  files: Buffer[];
}

const bytesOf = async ({ api }: Pick<TestWorld, 'api'>, path: string, key: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${api.url}${path}`, { headers: { Authorization: `Bearer ${key}`, ...headers } });
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

/** The response to a GET of a file, by the URL in its manifest. */
export const snapshotBytes = (world: Pick<TestWorld, 'api'>, url: string, key: string, headers?: Record<string, string>) =>
  bytesOf(world, new URL(url).pathname, key, headers);

/** Downloads a ready snapshot, and checks the digests of its files. @returns its manifest and all records */
export async function downloadSnapshot(world: Pick<TestWorld, 'api'>, snapshot: Json, key: string): Promise<TakenSnapshot> {
  const answer = await bytesOf(world, `/v1/snapshots/${snapshot.id}/manifest`, key);
  const manifest = JSON.parse(answer.bytes.toString());
  assert.equal(answer.status, 200, JSON.stringify(manifest));
  const records: Json[] = [];
  const files: Buffer[] = [];
  for (const file of manifest.files) {
    const { status, bytes } = await snapshotBytes(world, file.url, key);
    assert.equal(status, 200);
    assert.deepEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')], [file.sizeBytes, file.sha256]);
    files.push(bytes);
    if (file.name.endsWith('.parquet')) continue;
    const text = (file.name.endsWith('.gz') ? gunzipSync(bytes) : zstdDecompressSync(bytes)).toString();
    const lines = text.split('\n');
    assert.equal(lines.pop(), '');
    assert.equal(lines.length, file.recordCount);
    records.push(...lines.map((line) => JSON.parse(line)));
  }
  if (manifest.format === 'ndjson') assert.equal(records.length, manifest.recordCount);
  return { snapshot, manifest, records, files };
}

/** Queues a snapshot, waits for its files and downloads them. */
export async function takeSnapshot(world: Pick<TestWorld, 'api' | 'snapshots'>, body: unknown, key: string): Promise<TakenSnapshot> {
  const snapshot = await world.snapshots.completed(body, key);
  assert.equal(snapshot.status, 'ready', JSON.stringify(snapshot));
  return downloadSnapshot(world, snapshot, key);
}

/** Applies a walk from a cursor, or from the beginning, to a copy. @returns the last cursor */
export async function applyWalk(
  copy: Map<number, Json>,
  { api }: Pick<TestWorld, 'api'>,
  parameters: Record<string, unknown>,
  key: string,
  from?: string,
): Promise<string> {
  for (let cursor = from; ; ) {
    const { status, body } = await api.get('/projects/sync', { ...parameters, limit: 100, ...(cursor ? { cursor } : {}) }, { key });
    if (status === 503) continue; // a switch is under way
    assert.equal(status, 200, JSON.stringify(body));
    for (const { id } of body.meta.sync.removed) copy.delete(id);
    for (const record of body.data) copy.set(record.id, record);
    cursor = body.meta.sync.cursor as string;
    if (!body.meta.sync.hasMore) return cursor;
  }
}

const content = (records: Iterable<Json>) => [...records].map(({ delivery: _, ...record }) => record).sort((a, b) => a.id - b.id);

/**
 * Asserts that the files of a compact snapshot and the walk from its cursor hold together what a walk from the beginning holds, and that nothing
 * was charged twice; charges have to be watched.
 * @param fresh key of a team that walks from the beginning
 */
export async function assertOneWalk(
  world: Pick<TestWorld, 'api'>,
  filters: Record<string, unknown>,
  { snapshot, key, fresh }: { snapshot: Json; key: string; fresh: string },
): Promise<Map<number, Json>> {
  const { manifest, records } = await downloadSnapshot(world, snapshot, key);
  const copy = new Map(records.map((record) => [record.id, record]));
  assert.equal(copy.size, records.length);
  const parameters = { ...filters, representation: 'compact' };
  await applyWalk(copy, world, parameters, key, manifest.sync.cursor);
  const walk = new Map<number, Json>();
  await applyWalk(walk, world, parameters, fresh);
  assert.deepEqual(content(copy.values()), content(walk.values()));
  const { ledger, deliveries, duplicated } = await readCharges(world.api.database);
  assert.deepEqual([ledger - deliveries, duplicated], [0, 0], 'no content is billed twice');
  await world.api.checkLedger();
  return copy;
}
