/** Exports and backups whose store fails: a disk without room, a bucket that is gone. Nothing is charged for what did not arrive. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditLedger } from '../../src/core/ledger/audit.ts';
import { openPlace } from '../../src/operate/backup/backupPlace.ts';
import { restoreBackup } from '../../src/operate/backup/restore.ts';
import { takeBackup } from '../../src/operate/backup/takeBackup.ts';
import { digests, QUIETLY, REPLACING, sourcesOf } from '../support/backups.ts';
import { type BucketServer, startBucketServer } from '../support/bucketServer.ts';
import { CuttingProxy } from '../support/cuttingProxy.ts';
import { TODAY } from '../support/fixtures.ts';
import { HttpProxy } from '../support/httpProxy.ts';
import { eventually } from '../support/jobs.ts';
import type { Json } from '../support/json.ts';
import { projectLine } from '../support/projectLine.ts';
import { snapshotBytes, takeSnapshot } from '../support/snapshots.ts';
import { provideWorld, type TestWorld, testWorld } from '../support/world.ts';

const CHILD = fileURLToPath(new URL('../support/workerChild.ts', import.meta.url));
const RECORDS = 120;
const FILTERS = { filters: { dateRange: 'all' } };
const CREDITS = 5_000;

const LINES = Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1));

async function givenBack(world: TestWorld, id: string, key: string): Promise<Json> {
  const made: Json = await world.exports.settled(id, key);
  const { status, creditsReserved, creditsCharged, creditsRefunded } = made;
  assert.deepEqual([status, creditsReserved, creditsCharged, creditsRefunded], ['failed', RECORDS, 0, RECORDS], JSON.stringify(made));
  assert.equal(await world.balance(key), CREDITS);
  assert.equal((await world.api.get('/projects/count', { dateRange: 'all' }, { key })).body.data.creditsRequired, RECORDS);
  const { status: code, text } = await world.download(id, key);
  const { error } = JSON.parse(text);
  assert.deepEqual([code, error.code, error.details], [409, 'export_unavailable', { creditsRefunded: RECORDS }]);
  assert.deepEqual((await auditLedger(world.api.database)).differences, []);
  return made;
}

describe('Without room on the disk', () => {
  const world = provideWorld({ today: TODAY }, LINES);
  let worker: ChildProcess;
  afterEach(async () => {
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  });

  /** A limit of the process stands for a full disk, in blocks of 512 bytes; its signal is ignored, as the shell's child inherits. */
  function startWorker(blocks: number): void {
    const limited = `ulimit -f ${blocks}; trap "" XFSZ; exec "$0" "$1"`;
    worker = spawn('sh', ['-c', limited, process.execPath, CHILD], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    worker.send({ env: world.api.env, now: `${TODAY}T19:00:00Z` });
  }

  it('an export fails after its last attempt, says so, gives its credits back and leaves nothing', async () => {
    const key = await world.api.key('api_only');
    const { body } = await world.exports.submit(FILTERS, key);
    startWorker(8);
    const made = await givenBack(world, body.data.id, key);
    assert.equal(made.error.code, 'service_unavailable');
    assert.match(made.error.message, /could not be written/);
    assert.deepEqual(await readdir(world.folder), []);
  });

  it('a snapshot fails after its last attempt, says so, gives its credits back and leaves nothing', async () => {
    const key = await world.api.key('api_only');
    const { body } = await world.snapshots.submit({ filters: { dateRange: 'all' }, representation: 'full' }, key);
    assert(body.data.creditsReserved > 0);
    startWorker(0);
    const made = await world.snapshots.settled(body.data.id, key);
    const { status, creditsCharged, creditsRefunded, error } = made;
    assert.deepEqual([status, creditsCharged, creditsRefunded], ['failed', 0, body.data.creditsReserved]);
    assert.equal(error.code, 'service_unavailable');
    assert.match(error.message, /no room/);
    assert.deepEqual(await readdir(world.folder), []);
    assert.deepEqual((await auditLedger(world.api.database)).differences, []);
  });
});

describe('A snapshot without room in the bucket', () => {
  let world: TestWorld;
  let bucket: BucketServer;
  let proxy: HttpProxy;
  let isFull = true;
  before(async () => {
    bucket = await startBucketServer();
    const { url, keyId, secret } = bucket.options;
    proxy = new HttpProxy(url, ({ method, status, headers, body }, response) => {
      if (!isFull || method !== 'PUT') response.writeHead(status, headers).end(body);
      else
        response
          .writeHead(507, { 'Content-Type': 'application/xml' })
          .end('<Error><Code>XMinioStorageFull</Code><Message>Full</Message></Error>');
    });
    const env = { EXPORT_DIR: `${await proxy.start()}${new URL(url).pathname}`, EXPORT_BUCKET_KEY: `${keyId}:${secret}` };
    world = await testWorld({ today: TODAY, env, limits: { snapshotFileRecords: 50, snapshotPageRecords: 50 } });
    await world.api.index.load(LINES);
    await world.work();
  });
  after(async () => {
    await world.stop();
    await proxy.stop();
    await bucket.stop();
  });

  it('fails after its last attempt, says so and gives its credits back; with room again it is whole, in parts too, and goes when it is deleted', async () => {
    const key = await world.api.key('api_only');
    const body = { filters: { dateRange: 'all' }, representation: 'compact' };
    const failed = await world.snapshots.completed(body, key);
    const { status, creditsReserved, creditsCharged, creditsRefunded, error } = failed;
    assert.deepEqual([status, creditsReserved, creditsCharged, creditsRefunded], ['failed', RECORDS, 0, RECORDS], JSON.stringify(failed));
    assert.equal(error.code, 'service_unavailable');
    assert.match(error.message, /no room/);
    const { status: code, body: gone } = await world.api.get(`/snapshots/${failed.id}/manifest`, {}, { key });
    assert.deepEqual([code, gone.error.code, gone.error.details], [409, 'export_unavailable', { creditsRefunded: RECORDS }]);
    isFull = false;
    const stored = async (id: string) => (await readdir(bucket.folder)).filter((name) => name.startsWith(id));
    assert.equal(await world.balance(key), CREDITS);
    const { snapshot, manifest, records, files } = await takeSnapshot(world, body, key);
    assert.deepEqual([records.length, manifest.files.length, (await stored(snapshot.id)).length], [RECORDS, 3, 3]);
    const part = await snapshotBytes(world, manifest.files[1].url, key, { Range: 'bytes=100-' });
    assert.deepEqual([part.status, part.bytes], [206, files[1]?.subarray(100)]);
    await world.send('DELETE', `/snapshots/${snapshot.id}`, undefined, key);
    await world.work(); // a worker begins with what was left to be done
    await eventually('its files are gone', async () => ((await stored(snapshot.id)).length ? undefined : true));
    assert.equal(await world.balance(key), CREDITS - RECORDS);
    assert.deepEqual((await auditLedger(world.api.database)).differences, []);
  });

  it('of which an object is lost gives back what it charged', async () => {
    const key = await world.api.key('api_only');
    const { snapshot, manifest } = await takeSnapshot(world, { filters: { dateRange: 'all' }, representation: 'compact' }, key);
    const [name = ''] = (await readdir(bucket.folder)).filter((stored) => stored.startsWith(snapshot.id)).sort();
    await rm(path.join(bucket.folder, name));
    const lost = await snapshotBytes(world, manifest.files[0].url, key);
    const { error } = JSON.parse(lost.bytes.toString());
    assert.deepEqual([lost.status, error.code, error.details], [409, 'export_unavailable', { creditsRefunded: RECORDS }]);
    assert.equal(await world.balance(key), CREDITS);
    assert.deepEqual((await auditLedger(world.api.database)).differences, []);
  });
});

describe('A bucket', () => {
  let world: TestWorld;
  let bucket: BucketServer;
  before(async () => {
    bucket = await startBucketServer();
    const { url, keyId, secret } = bucket.options;
    const env = { EXPORT_DIR: url, EXPORT_BUCKET_KEY: `${keyId}:${secret}` };
    world = await testWorld({ today: TODAY, env });
    await world.api.index.load(LINES);
  });
  after(async () => {
    await world.stop();
    await bucket.stop();
  });

  it('gives a backup back, and leaves nothing of a restore that it cut short, which names the object', async () => {
    await using proxy = new CuttingProxy(bucket.options.url);
    const place = `${await proxy.start()}/${new URL(bucket.options.url).pathname.slice(1)}/backups`;
    const store = await openPlace('--from', place, { backupBucketKey: bucket.options });
    const sources = sourcesOf(world.api);
    const schema = sources.databaseSchema;
    const rows = () => digests((text, values) => world.api.database.query(text, values), schema);
    const key = await world.api.key('api_only');
    const worker = await world.work();
    const { id } = await world.exports.completed(FILTERS, key);
    await worker.stop(); // its own jobs write rows, too
    const before = await rows();
    const manifest = await takeBackup(sources, store, QUIETLY);
    assert.deepEqual([manifest.files.map(({ kind }) => kind), manifest.missing], [['export'], []]);
    const restore = async () => {
      const report = await restoreBackup(sources, store, manifest, REPLACING, QUIETLY);
      await world.api.databaseClock(); // the restored schema comes with the server's time
      return report;
    };
    await world.api.key();
    const after = await rows();
    for (const { name } of manifest.files) await rm(path.join(bucket.folder, name));
    const read = () => proxy.requests.filter(({ method, path }) => method === 'GET' && path.includes('.copy.gz')).length;
    const cutAt = read() + manifest.tables.length + 3;
    proxy.onAnswer = () => {
      if (read() === cutAt) [proxy.cuts, proxy.onAnswer] = [1, undefined];
    };
    const cutShort =
      /^FileStoreError: The bucket of backups failed at \S+\.copy\.gz \(ECONNRESET\): see --from, .* Nothing was replaced: run/;
    await assert.rejects(restore(), cutShort);
    assert.deepEqual(await rows(), after);
    const aside = await world.api.database.query('select from pg_namespace where nspname = $1', [`${schema}_restoring`]);
    assert.deepEqual(aside, []);
    const { outcome, files, audit: books } = await restore();
    assert.deepEqual([outcome, files, books?.differences, await rows()], ['restored', 0, [], before]);
    assert.equal((await world.download(String(id), key)).status, 200);
  });

  it('that is gone is export_unavailable, and refunds: a file that vanished, a server that is stopped, before the file and after', async () => {
    await world.work();
    const keys = await Promise.all(Array.from({ length: 3 }, () => world.api.key('api_only')));
    const [vanished, stopped, late] = keys as [string, string, string];
    const made: Json[] = await Promise.all([world.exports.completed(FILTERS, vanished), world.exports.completed(FILTERS, stopped)]);
    assert.equal((await world.download(made[0].id, vanished)).status, 200);
    await rm(bucket.folder, { recursive: true });
    assert.equal((await world.download(made[0].id, vanished)).status, 409);
    await givenBack(world, made[0].id, vanished);
    await bucket.stop();
    assert.equal((await world.download(made[1].id, stopped)).status, 409);
    await givenBack(world, made[1].id, stopped);
    const { body } = await world.exports.submit(FILTERS, late);
    await givenBack(world, body.data.id, late);
  });
});
