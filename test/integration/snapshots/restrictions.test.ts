/** The restrictions of a snapshot: a file of their own, as the list shows them, within the licence, and apart from the records. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Json } from '../../support/json.ts';
import { projectLine } from '../../support/projectLine.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { bodyOf } from '../../support/service.ts';
import { snapshotBytes, takeSnapshot } from '../../support/snapshots.ts';
import { provideWorld } from '../../support/world.ts';

const LAND = { restrictionKind: 'ban', jurisdictionType: 'state', county: undefined, jurisdiction: 'Wyoming', state: 'WY' };
const LINES = [
  restrictionLine(903, { effectiveTo: '2026-11-19', evidence: [{ field: 'status', quote: 'adopts a moratorium' }] }),
  restrictionLine(901),
  restrictionLine(902, LAND),
];

describe('The restrictions of a snapshot', () => {
  const world = provideWorld({ today: '2026-11-20' });
  before(async () => {
    await world.api.index.load([projectLine(1), projectLine(2, { state: 'WY', county: 'Laramie County' }), ...LINES], SOURCES);
    await world.work();
  });
  const take = (key: string, body: object = {}) => takeSnapshot(world, { filters: { dateRange: 'all' }, ...body }, key);
  const idsIn = (lines: readonly Json[]) => lines.map(({ id }) => id);
  async function read({ restrictions }: Json, key: string): Promise<Json[]> {
    const { status, headers, bytes } = await snapshotBytes(world, restrictions.url, key);
    assert.deepEqual([status, headers.get('etag')], [200, `"${restrictions.sha256}"`]);
    assert.deepEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')], [restrictions.sizeBytes, restrictions.sha256]);
    const text = (restrictions.name.endsWith('.gz') ? gunzipSync(bytes) : zstdDecompressSync(bytes)).toString();
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, restrictions.recordCount);
    return lines.map((line) => JSON.parse(line));
  }

  for (const [compression, name] of [
    ['gzip', 'restrictions.ndjson.gz'],
    ['zstd', 'restrictions.ndjson.zst'],
  ] as const)
    it(`are lines as the list shows them, apart from the records: ${compression}`, async () => {
      const key = await world.api.key('api_only');
      const { snapshot, manifest } = await take(key, { compression, filters: { states: ['WY'], dateRange: 'all' } });
      assert.deepEqual([manifest.restrictions.name, manifest.restrictions.on], [name, '2026-11-20']);
      assert.deepEqual([snapshot.recordCount, snapshot.fileCount, manifest.files.length, snapshot.creditsCharged], [1, 1, 1, 1]);
      assert.equal(snapshot.sizeBytes, manifest.files[0].sizeBytes + manifest.restrictions.sizeBytes);
      const { data } = bodyOf(await world.api.get('/restrictions', {}, { key }));
      const lines = await read(manifest, key);
      assert.deepEqual(
        lines,
        [...data].sort((a, b) => a.id - b.id),
      );
      assert.deepEqual(
        [idsIn(lines), lines.map(({ status }) => status)],
        [
          [901, 902, 903],
          ['in_force', 'in_force', 'expired'],
        ],
      );
    });

  it('are those of the licence, with those of a state where a county of it is licensed; none is no file', async () => {
    const county = await world.api.key('county', { stateIds: [], countyIds: [56_021] });
    assert.deepEqual(idsIn(await read((await take(county)).manifest, county)), [902]);
    const texas = await world.api.key('state', { stateIds: [48], countyIds: [] });
    await world.api.index.load([projectLine(3, { state: 'TX', county: 'Travis County' })], { mode: 'increment' });
    const { manifest } = await take(texas);
    assert.deepEqual([manifest.recordCount, manifest.restrictions], [1, null]);
    const { url } = manifest.files[0];
    const gone = await snapshotBytes(world, url.replace('part-00001', 'restrictions'), texas);
    assert.deepEqual([gone.status, JSON.parse(gone.bytes.toString()).error.code], [404, 'resource_not_found']);
  });

  it('answer HEAD and ranges, and are not there for another team, in another form, or once deleted', async () => {
    const [key, theirs] = [await world.api.key('national'), await world.api.key('national')];
    const { snapshot, manifest } = await take(key);
    const { url, sizeBytes } = manifest.restrictions;
    const head = await fetch(`${world.api.url}${new URL(url).pathname}`, { method: 'HEAD', headers: { Authorization: `Bearer ${key}` } });
    assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, String(sizeBytes), '']);
    const part = await snapshotBytes(world, url, key, { Range: 'bytes=10-' });
    assert.deepEqual([part.status, part.bytes.length], [206, sizeBytes - 10]);
    for (const [address, by] of [
      [url, theirs],
      [url.replace('.gz', '.zst'), key],
      [url.replace('restrictions', 'part-00000'), key],
    ])
      assert.equal((await snapshotBytes(world, address as string, by as string)).status, 404, address);
    bodyOf(await world.send('DELETE', `/snapshots/${snapshot.id}`, undefined, key));
    assert.equal((await snapshotBytes(world, url, key)).status, 409);
  });
});
