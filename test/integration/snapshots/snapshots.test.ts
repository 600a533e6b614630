/** Snapshots end to end on the real servers: accepted, built, billed, downloaded, and the bodies that are refused. */

import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { walkSearch } from '../../support/exports.ts';
import { TODAY } from '../../support/fixtures.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { pluck, sumOf } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';
import { Random } from '../../support/random.ts';
import { randomLine } from '../../support/randomProjects.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { snapshotBytes, takeSnapshot } from '../../support/snapshots.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 260;
const SEED = Number(process.env.SEED ?? 11);
const ALL = { dateRange: 'all' };
const MISSING = 'snp_0000000000000000000000';

/** Without what depends on when the pool was delivered a record. */
const content = (records: readonly Json[]) => records.map(({ delivery: _, ...record }) => record);
const byId = (records: readonly Json[]) => [...records].sort((a, b) => a.id - b.id);

describe('Snapshots', () => {
  const world = provideWorld({ today: TODAY, limits: { snapshotFileRecords: 40, snapshotPageRecords: 10 } });
  before(async () => {
    const random = new Random(SEED);
    const lines = Array.from({ length: RECORDS }, (_, i) => ({ kind: 'project', ...randomLine(random, i + 1, TODAY) }));
    await world.api.index.load([...lines, ...Array.from({ length: 40 }, (_, i) => projectLine(1_001 + i))]);
  });

  afterEach(() => world.api.checkLedger());
  const ids = (from: number, count: number) => Array.from({ length: count }, (_, i) => 1_001 + from + i);
  const named = (from: number, count: number) => ({ projectIds: ids(from, count) });
  const ledgerOf = (id: string) =>
    world.api.database.query<{ kind: string; amount: number }>('select kind, amount from ledger_entry where job_id = $1 order by id', [id]);
  const manifestOf = (id: string, key: string) => world.api.get(`/snapshots/${id}/manifest`, {}, { key });
  const end = (id: string, key: string) => world.send('DELETE', `/snapshots/${id}`, undefined, key);

  it('are accepted at once and wait, reserved, for a worker', async () => {
    const key = await world.api.key('api_only');
    const body = bodyOf(await world.snapshots.submit({ filters: named(0, 10) }, key), 202);
    const { id } = body.data;
    assert.match(id, /^snp_[0-9A-Za-z]{22}$/);
    assert.deepEqual(
      { ...body.data, createdAt: '' },
      {
        ...{ id, status: 'queued', source: { filters: named(0, 10) }, representation: 'standard', include: [] },
        ...{ format: 'ndjson', compression: 'gzip', geoparquet: null },
        ...{ createdAt: '', startedAt: null, readyAt: null, expiresAt: null, progress: { processed: 0, total: 10 }, matchCount: 10 },
        ...{ recordCount: null, fileCount: null, sizeBytes: null, creditsReserved: 10, creditsCharged: null, creditsRefunded: null },
        pollUrl: `http://landuse.test/v1/snapshots/${id}`,
        manifestUrl: `http://landuse.test/v1/snapshots/${id}/manifest`,
        error: null,
      },
    );
    assert.equal(await world.balance(key), 4_990);
    const early = await manifestOf(id, key);
    assert.deepEqual([early.status, early.body.error.code, early.body.error.details.status], [409, 'export_not_ready', 'queued']);
    const second = await world.snapshots.submit({ filters: named(0, 2) }, key);
    assert.deepEqual(
      [second.status, second.body.error.code, second.body.error.details],
      [409, 'snapshot_in_progress', { snapshotId: id }],
      JSON.stringify(second.body),
    );
    assert.equal(await world.balance(key), 4_990);
    await world.api.checkLedger();
    const cancelled = await end(id, key);
    const { creditsCharged, creditsRefunded } = cancelled.body.data;
    assert.deepEqual([cancelled.status, cancelled.body.data.status, creditsCharged, creditsRefunded], [200, 'cancelled', 0, 10]);
    assert.equal(await world.balance(key), 5_000);
    assertRefused(await manifestOf(id, key), 'export_expired');
    assert.deepEqual((await end(id, key)).body.data.status, 'cancelled');
  });

  it('let one of many that are asked for at once be queued', async () => {
    const key = await world.api.key('api_only');
    const answers = await Promise.all(Array.from({ length: 8 }, () => world.snapshots.submit({ filters: named(0, 5) }, key)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, ...Array.from({ length: 7 }, () => 409)]);
    assert.equal(await world.balance(key), 4_995);
    const { data } = answers.find(({ status }) => status === 202)?.body ?? {};
    await end(data.id, key);
  });

  it('repeat under one Idempotency-Key what was accepted, and reserve once', async () => {
    const key = await world.api.key('api_only');
    const headers = { 'Idempotency-Key': 'snapshot-1' };
    const first = await world.snapshots.submit({ filters: named(0, 5) }, key, headers);
    const again = await world.snapshots.submit({ filters: named(0, 5) }, key, headers);
    assert.deepEqual([again.status, again.body.data.id], [202, first.body.data.id]);
    assertRefused(await world.snapshots.submit({ filters: named(0, 6) }, key, headers), 'idempotency_key_reuse');
    assert.equal(await world.balance(key), 4_995);
    await end(first.body.data.id, key);
    const nothing = { status: 'no_matching_records', snapshotId: null, matchCount: 0 };
    for (let i = 0; i < 2; i++) {
      const none = await world.snapshots.submit({ filters: { projectIds: [9_999] } }, key, { 'Idempotency-Key': 'snapshot-2' });
      assert.deepEqual([none.status, none.body.data], [200, nothing]);
    }
  });

  it('refuse what is wrong with a body, all of it at once, and reserve nothing', async () => {
    const key = await world.api.key('api_only');
    const refusals: [body: unknown, code: string, param: string | null][] = [
      [{ format: 'parquet', compression: 'gzip' }, 'invalid_request', 'compression'],
      [{ format: 'xml' }, 'invalid_request', 'format'],
      [{ format: 'csv', filters: { states: 'Atlantis' } }, 'invalid_filter', 'filters.states'],
      [{ compression: 'brotli' }, 'invalid_request', 'compression'],
      [{ representation: 'huge' }, 'invalid_request', 'representation'],
      [{ filter: {} }, 'invalid_request', 'filter'],
      [{ filters: [] }, 'invalid_request', 'filters'],
      [{ filters: { stats: 'CO' } }, 'invalid_filter', 'filters.stats'],
      [{ filters: { limit: 5 } }, 'invalid_filter', 'filters.limit'],
      [{ filters: { cursor: 'x' } }, 'invalid_filter', 'filters.cursor'],
      [{ filters: {}, maxCredits: 0 }, 'invalid_request', 'maxCredits'],
      [{ filters: {}, maxCredits: 0.5 }, 'invalid_request', 'maxCredits'],
      [[], 'invalid_request', 'body'],
    ];
    for (const [body, code, param] of refusals) assertRefused(await world.snapshots.submit(body, key), code, param);
    for (const name of ['limit', 'sort', 'deliveryMode', 'include']) {
      const { message, details } = (await world.snapshots.submit({ [name]: 'x' }, key)).body.error;
      assert.equal(details.problems[0].didYouMean, undefined, message);
    }
    assert.equal((await world.snapshots.submit({ states: ['CO'] }, key)).body.error.details.problems[0].didYouMean, 'filters.states');
    const dear = await world.snapshots.submit({ filters: named(0, 10), maxCredits: 9 }, key);
    assertRefused(dear, 'invalid_request', 'maxCredits');
    assert.deepEqual([dear.body.error.details.creditsRequired, dear.body.error.details.maxCredits], [10, 9]);
    const poor = await world.api.key('api_only', undefined, { monthlyCredits: 7 });
    const short = await world.snapshots.submit({ filters: named(0, 10) }, poor);
    assertRefused(short, 'insufficient_credits');
    const { countUrl, ...quote } = short.body.error.details.quote;
    assert.deepEqual(quote, {
      ...{ matchCount: 10, matchCountIsExact: true, creditRate: 1, creditsRequired: 10, creditsRemaining: 7, affordableRecordCount: 7 },
    });
    const counted = new URL(countUrl);
    const priced = await world.api.get(`${counted.pathname.replace('/v1', '')}${counted.search}`, {}, { key: poor });
    assert.deepEqual([priced.status, priced.body.data?.creditsRequired], [200, 10], JSON.stringify(priced.body));
    const licensed = await world.api.key('state', { stateIds: [8], countyIds: [] });
    assertRefused(await world.snapshots.submit({ filters: { states: ['TX'] } }, licensed), 'geographic_access_denied');
    for (const one of [key, poor]) assert.equal((await world.api.get('/snapshots', {}, { key: one })).body.meta.total, 0);
    assert.deepEqual([await world.balance(key), await world.balance(poor)], [5_000, 7]);
  });

  it('of another team, and what is no snapshot, are not there', async () => {
    const [mine, theirs] = [await world.api.key('national'), await world.api.key('national')];
    const { id } = (await world.snapshots.submit({ filters: named(0, 3) }, mine)).body.data;
    const paths = (one: string) => [`/snapshots/${one}`, `/snapshots/${one}/manifest`, `/snapshots/${one}/files/part-00001.ndjson.gz`];
    for (const [i, foreign] of paths(id).entries()) {
      const [theirAnswer, missing] = [
        await world.api.get(foreign, {}, { key: theirs }),
        await world.api.get(paths(MISSING)[i] ?? '', {}, { key: theirs }),
      ];
      assert.deepEqual([theirAnswer.status, missing.status, theirAnswer.body.error.code], [404, 404, 'resource_not_found']);
    }
    assert.equal((await end(id, theirs)).status, 404);
    assert.equal((await world.snapshots.poll(id, mine)).body.data.status, 'queued');
    assert.equal((await world.api.get('/snapshots', {}, { key: theirs })).body.meta.total, 0);
    await end(id, mine);
  });

  it('hold every record exactly as a search serves it, by id, in files of equal size', async () => {
    await world.work();
    const key = await world.api.key('national');
    for (const [representation, compression] of Object.entries({ compact: 'gzip', standard: 'zstd', full: 'gzip' })) {
      const filters = { ...ALL, states: ['CO', 'TX'] };
      const expected = byId(await walkSearch(world, { ...filters, representation }, key));
      const { snapshot, manifest, records } = await takeSnapshot(world, { filters, representation, compression }, key);
      assert.deepEqual(content(records), content(expected), representation);
      assert.deepEqual(
        records.map(({ delivery }) => [delivery.alreadyExported, delivery.billed]),
        records.map(() => [true, false]),
      );
      const files = Math.ceil(expected.length / 40);
      assert.deepEqual([snapshot.recordCount, snapshot.matchCount, snapshot.fileCount], [expected.length, expected.length, files]);
      assert.deepEqual(
        manifest.files.map((file: Json) => [file.name, file.recordCount]),
        Array.from({ length: files }, (_, i) => [
          `part-0000${i + 1}.ndjson.${compression === 'gzip' ? 'gz' : 'zst'}`,
          Math.min(40, expected.length - 40 * i),
        ]),
      );
      assert.equal(snapshot.sizeBytes, sumOf(manifest.files, 'sizeBytes'));
      assert.deepEqual([manifest.snapshotId, manifest.generation, manifest.representation], [snapshot.id, 1, representation]);
      assert.deepEqual(manifest.filters, snapshot.source.filters);
      assert.equal(Date.parse(snapshot.expiresAt) - Date.parse(snapshot.readyAt), 72 * 3_600_000);
    }
  });

  const FORMS = [
    [{}, 'application/gzip'],
    [{ compression: 'zstd' }, 'application/zstd'],
    [{ format: 'parquet' }, 'application/vnd.apache.parquet'],
  ] as const;
  for (const [form, contentType] of FORMS)
    it(`are downloaded in parts, and resumed by their ETag: ${contentType}`, () => resumed(form, contentType));

  async function resumed(form: object, contentType: string): Promise<void> {
    const key = await world.api.key('national');
    const { manifest } = await takeSnapshot(world, { filters: { ...ALL, states: ['CO'] }, ...form }, key);
    const [{ url, sha256, sizeBytes }] = manifest.files;
    const get = (headers: Record<string, string>) => snapshotBytes(world, url, key, headers);
    const whole = await get({});
    assert.deepEqual(
      ['content-type', 'etag', 'accept-ranges', 'content-encoding', 'content-length'].map((name) => whole.headers.get(name)),
      [contentType, `"${sha256}"`, 'bytes', null, String(sizeBytes)],
    );
    for (const sent of [url, url.replace(/\/files\/.*/, '/manifest')]) {
      const address = `${world.api.url}${new URL(sent).pathname}`;
      const head = await fetch(address, { method: 'HEAD', headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' } });
      assert.deepEqual([head.status, await head.text()], [200, ''], address);
      const shown = await fetch(address, { headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' } });
      for (const name of ['content-type', 'content-length', 'etag'])
        assert(head.headers.get(name) && head.headers.get(name) === shown.headers.get(name), `${name} of ${address}`);
      await shown.body?.cancel();
    }
    const part = await get({ Range: 'bytes=100-', 'If-Range': `"${sha256}"` });
    assert.deepEqual([part.status, part.headers.get('content-range')], [206, `bytes 100-${sizeBytes - 1}/${sizeBytes}`]);
    assert.deepEqual(Buffer.concat([whole.bytes.subarray(0, 100), part.bytes]), whole.bytes);
    assert.equal((await get({ Range: 'bytes=100-', 'If-Range': '"another"' })).status, 200);
    assert.equal((await get({ 'If-None-Match': `"${sha256}"` })).status, 304);
    const beyond = await get({ Range: `bytes=${sizeBytes}-` });
    const { error } = JSON.parse(beyond.bytes.toString());
    assert.deepEqual(
      [beyond.status, beyond.headers.get('content-range'), beyond.headers.get('content-type')?.split(';')[0]],
      [...[416, `bytes */${sizeBytes}`, 'application/json']],
    );
    assert.deepEqual(
      [error.code, error.param, error.details.sizeBytes, typeof error.requestId],
      ['range_not_satisfiable', 'Range', sizeBytes, 'string'],
    );
    const ofAnotherForm = url.endsWith('.zst') ? 'part-00001.ndjson.gz' : 'part-00001.ndjson.zst';
    for (const name of ['part-09999.ndjson.gz', ofAnotherForm, 'part-1.ndjson.gz', '..%2f..%2fetc%2fpasswd']) {
      const answer = await snapshotBytes(world, url.replace(/[^/]+$/, name), key);
      assert.deepEqual([answer.status, JSON.parse(answer.bytes.toString()).error.code], [404, 'resource_not_found'], name);
    }
  }

  it('charge what is new once, whichever of a page, an export and a snapshot brings it', async () => {
    const key = await world.api.key('api_only');
    await world.api.get('/projects/search', { projectIds: ids(0, 5) }, { key });
    assert.equal(await world.balance(key), 4_995);
    assert.equal((await world.exports.completed({ projectIds: ids(5, 5) }, key)).creditsCharged, 5);
    const count = await world.api.get('/projects/count', named(0, 15), { key });
    assert.equal(count.body.data.creditsRequired, 5);
    const { snapshot, records } = await takeSnapshot(world, { filters: named(0, 15), maxCredits: 5 }, key);
    assert.deepEqual([snapshot.creditsReserved, snapshot.creditsCharged, snapshot.creditsRefunded], [5, 5, 0]);
    assert.deepEqual(
      records.map(({ delivery }) => delivery.billed),
      records.map((_, i) => i >= 10),
    );
    assert.equal(await world.balance(key), 4_985);
    assert.deepEqual(await ledgerOf(snapshot.id), [
      { kind: 'reservation', amount: -5 },
      { kind: 'refund', amount: 5 },
      { kind: 'charge', amount: -5 },
    ]);
    const again = await takeSnapshot(world, { filters: named(0, 15) }, key);
    assert.deepEqual([again.snapshot.creditsReserved, again.snapshot.creditsCharged], [0, 0]);
    const page = await world.api.get('/projects/search', { projectIds: ids(0, 15) }, { key });
    assert.equal(page.body.meta.creditsUsed, 0);
    const receipts = await world.api.get('/account/ledger', {}, { key });
    assert.equal(receipts.body.data.filter((one: Json) => one.cause.jobId === snapshot.id).length, 3);
  });

  it('give back what was delivered by another way while they were built', async () => {
    const key = await world.api.key('api_only');
    const { id } = (await world.snapshots.submit({ filters: named(0, 30) }, key)).body.data;
    const pages = await Promise.all([0, 10, 20].map((from) => world.api.get('/projects/search', { projectIds: ids(from, 10) }, { key })));
    const paidByPages = pages.reduce((sum, { body }) => sum + body.meta.creditsUsed, 0);
    const snapshot = await world.snapshots.settled(id, key);
    assert.equal(snapshot.status, 'ready');
    assert.equal(snapshot.creditsReserved, snapshot.creditsCharged + snapshot.creditsRefunded);
    assert.equal(paidByPages + snapshot.creditsCharged, 30);
    assert.equal(await world.balance(key), 4_970);
  });

  it('of a trial hold as many records as its credits pay for, and say so', async () => {
    const key = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    const { snapshot, records } = await takeSnapshot(world, { filters: { ...ALL, states: ['CO'] } }, key);
    assert(snapshot.matchCount > 50, String(snapshot.matchCount));
    assert.deepEqual([snapshot.recordCount, snapshot.creditsCharged, records.length], [50, 50, 50]);
    const { warnings } = (await world.snapshots.poll(snapshot.id, key)).body.meta;
    assert.deepEqual(
      pluck(
        warnings.filter((one: Json) => one.code === 'trial_truncated'),
        'params',
      ),
      [{ records: 50, matchCount: snapshot.matchCount }],
    );
    assert.equal(await world.balance(key), 0);
    assertRefused(await world.snapshots.submit({ filters: named(30, 10) }, key), 'credits_exhausted');
  });

  it('end with their files when they are deleted; nothing comes back', async () => {
    const key = await world.api.key('api_only');
    const { snapshot, manifest } = await takeSnapshot(world, { filters: named(0, 5) }, key);
    const deleted = await end(snapshot.id, key);
    assert.deepEqual([deleted.body.data.status, deleted.body.data.creditsCharged], ['expired', 5]);
    const gone = await snapshotBytes(world, manifest.files[0].url, key);
    assert.deepEqual([gone.status, JSON.parse(gone.bytes.toString()).error.code], [409, 'export_expired']);
    assert.equal(await world.balance(key), 4_995);
    await eventually('its files are gone', async () => !(await readdir(world.folder)).some((name) => name.startsWith(snapshot.id)), 90_000);
  });

  it('cancelled at any moment are either given back whole or ready and paid', async () => {
    const ended = new Set<string>();
    for (const wait of [0, 5, 15, 30, 60, 120, 400]) {
      const key = await world.api.key('api_only');
      const { id, creditsReserved } = (await world.snapshots.submit({ filters: { ...ALL, states: ['CO'] }, representation: 'full' }, key))
        .body.data;
      await sleep(wait);
      assert.equal((await end(id, key)).status, 200);
      const { status, creditsCharged, creditsRefunded } = (await world.snapshots.poll(id, key)).body.data;
      ended.add(status);
      const [charged, refunded] = status === 'cancelled' ? [0, creditsReserved] : [creditsReserved, 0];
      assert.deepEqual([creditsCharged, creditsRefunded], [charged, refunded], status);
      assert.equal(await world.balance(key), 5_000 - charged);
    }
    assert(ended.has('cancelled'), [...ended].join());
    for (const status of ended) assert(['cancelled', 'expired'].includes(status), status);
  });

  it('of which a file is lost give back what they charged, but for what another file holds', async () => {
    const key = await world.api.key('api_only');
    const { snapshot, manifest } = await takeSnapshot(world, { filters: named(0, 20) }, key);
    const other = await world.exports.completed({ projectIds: ids(0, 5) }, key);
    assert.equal(other.creditsCharged, 0);
    await world.api.checkLedger();
    const [file] = (await readdir(world.folder)).filter((name) => name.startsWith(snapshot.id));
    await rm(path.join(world.folder, file ?? ''));
    const lost = await snapshotBytes(world, manifest.files[0].url, key);
    const { error } = JSON.parse(lost.bytes.toString());
    assert.deepEqual([lost.status, error.code, error.details], [409, 'export_unavailable', { creditsRefunded: 15 }]);
    const failed = (await world.snapshots.poll(snapshot.id, key)).body.data;
    assert.deepEqual([failed.status, failed.creditsCharged, failed.creditsRefunded], ['failed', 5, 15]);
    assert.equal(await world.balance(key), 4_995);
    assertRefused(await manifestOf(snapshot.id, key), 'export_unavailable');
    await world.api.checkLedger();
    const page = await world.api.get('/projects/search', { projectIds: ids(0, 20) }, { key });
    assert.equal(page.body.meta.creditsUsed, 15);
  });

  it('are gone 72 hours after they were ready, with all that was stored; nothing comes back', async () => {
    const key = await world.api.key('api_only');
    const { snapshot, manifest } = await takeSnapshot(world, { filters: named(0, 20) }, key);
    const stored = async () => (await readdir(world.folder)).filter((name) => name.startsWith(snapshot.id));
    const { url } = manifest.files[0];
    const expiresAt = Date.parse(snapshot.expiresAt);
    await world.moveTo(new Date(expiresAt - 1).toISOString());
    assert.deepEqual([(await manifestOf(snapshot.id, key)).status, (await snapshotBytes(world, url, key)).status], [200, 200]);
    await world.moveTo(new Date(expiresAt).toISOString());
    const { status, creditsCharged, creditsRefunded } = (await world.snapshots.poll(snapshot.id, key)).body.data;
    assert.deepEqual([status, creditsCharged, creditsRefunded], ['expired', 20, 0]);
    const [gone, file] = [await manifestOf(snapshot.id, key), await snapshotBytes(world, url, key)];
    assertRefused(gone, 'export_expired');
    assert.deepEqual([file.status, JSON.parse(file.bytes.toString()).error.code], [409, 'export_expired']);
    assert.equal((await stored()).length, 1);
    await world.work(); // a worker begins with what was left to be done
    await eventually('its file is gone', async () => ((await stored()).length ? undefined : true));
    assert.equal(await world.balance(key), 4_980);
    assert.equal((await world.api.get('/projects/count', named(0, 20), { key })).body.data.creditsRequired, 0);
  });
});
