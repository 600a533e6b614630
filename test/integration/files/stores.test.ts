/** Files of exports in a folder and in a bucket: whole or not there, readable in parts, and clear about what failed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CreateMultipartUploadCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { BucketStore } from '../../../src/core/store/files/bucketStore.ts';
import { openExportFiles } from '../../../src/core/store/files/exportFiles.ts';
import { FileStoreError, type FileStoreFailure } from '../../../src/core/store/files/fileStore.ts';
import { FolderStore } from '../../../src/core/store/files/folderStore.ts';
import { startBucketServer } from '../../support/bucketServer.ts';
import { bytesOf, describeStores, EARLIER, FOREVER, LATER, namesOlder, pieces } from '../../support/fileStores.ts';
import { newFolder } from '../../support/folder.ts';
import { provide } from '../../support/provide.ts';

const MIB = 1024 * 1024;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const fails = (failure: FileStoreFailure, message: RegExp) => (error: unknown) => {
  assert(error instanceof FileStoreError, String(error));
  assert.equal(error.failure, failure);
  assert.match(error.message, message);
  return true;
};

describeStores('Files', (store) => {
  // 0: nothing at all; 8 MiB: a part of an upload to the byte; more: several parts
  for (const sizes of [[], [0], [1], [100_000, 0, 50_000], [8 * MIB], [8 * MIB, 1], [3 * MIB, 9 * MIB, 5 * MIB, 7]])
    it(`are read as they were written, in pieces of ${sizes.join(', ') || 'nothing'} bytes`, async () => {
      const whole = await bytesOf(pieces(...sizes));
      const written = await store().write('exp_whole.csv', pieces(...sizes), FOREVER);
      assert.deepEqual(written, { sizeBytes: whole.length, sha256: sha256(whole) });
      const { sizeBytes, content } = await store().read('exp_whole.csv', FOREVER);
      assert.equal(sizeBytes, whole.length);
      assert.equal(sha256(await bytesOf(content)), written.sha256);
    });

  it('are read in parts, and say how long the whole is', async () => {
    await store().write('exp_part.csv', pieces(10, 10), FOREVER);
    for (const [first, last, expected] of [
      [0, 0, 'a'],
      [8, 11, 'aabb'],
      [19, 19, 'b'],
      [0, 19, 'a'.repeat(10) + 'b'.repeat(10)],
    ] as const) {
      const { sizeBytes, content } = await store().read('exp_part.csv', FOREVER, { first, last });
      assert.deepEqual([sizeBytes, String(await bytesOf(content))], [20, expected]);
    }
  });

  it('are replaced as a whole', async () => {
    await store().write('exp_again.csv', pieces(50), FOREVER);
    await store().write('exp_again.csv', pieces(0, 7), FOREVER);
    assert.equal(String(await bytesOf((await store().read('exp_again.csv', FOREVER)).content)), 'bbbbbbb');
  });

  it('that fail or are aborted on the way leave nothing, and the earlier file as it was', async () => {
    await store().write('exp_kept.csv', pieces(5), FOREVER);
    for (const name of ['exp_kept.csv', 'exp_never.csv']) {
      for (const sizes of [[10], [9 * MIB, 9 * MIB]]) {
        const broken = async function* () {
          yield* pieces(...sizes);
          throw new Error('no more records');
        };
        await assert.rejects(store().write(name, broken(), FOREVER), /^Error: no more records$/);
        const stop = new AbortController();
        const aborted = async function* () {
          yield* pieces(...sizes);
          stop.abort(new Error('the lease is lost'));
        };
        await assert.rejects(store().write(name, aborted(), stop.signal), /^Error: the lease is lost$/);
        await assert.rejects(store().write(name, pieces(1), stop.signal), /^Error: the lease is lost$/);
      }
    }
    assert.equal(await store().stat('exp_never.csv'), undefined);
    assert.equal((await store().stat('exp_kept.csv'))?.sizeBytes, 5);
    assert.equal(await store().removeAbandoned(LATER), 0);
  });

  it('are told by stat, missing ones by undefined or a clear error', async () => {
    await store().write('exp_a.csv', pieces(3), FOREVER);
    const stat = await store().stat('exp_a.csv');
    assert.deepEqual([stat?.name, stat?.sizeBytes], ['exp_a.csv', 3]);
    assert(stat && stat.modifiedAt > EARLIER && stat.modifiedAt < LATER);
    assert.equal(await store().stat('exp_a.cs'), undefined);
    await assert.rejects(store().read('exp_gone.csv', FOREVER), fails('missing', /There is no exp_gone\.csv/));
  });

  it('are deleted, also twice', async () => {
    await store().write('exp_old.csv', pieces(3), FOREVER);
    await store().delete('exp_old.csv');
    await store().delete('exp_old.csv');
    assert.equal(await store().stat('exp_old.csv'), undefined);
  });

  it('are listed by age', async () => {
    await store().write('exp_list-1.csv', pieces(3), FOREVER);
    assert.deepEqual(await namesOlder(store(), EARLIER), []);
    assert((await namesOlder(store(), LATER)).includes('exp_list-1.csv'));
  });

  it('have no names that lead elsewhere', async () => {
    for (const name of ['', '.', '..', '../x', 'a/b', 'a\\b', '/etc/passwd', 'a\0b', '.partial-x', 'a..b', 'ä', 'x'.repeat(201)]) {
      await assert.rejects(store().write(name, pieces(1), FOREVER), TypeError, name);
      await assert.rejects(async () => store().read(name, FOREVER), TypeError, name);
      await assert.rejects(async () => store().stat(name), TypeError, name);
      await assert.rejects(async () => store().delete(name), TypeError, name);
    }
  });

  it('let go of a reader that is aborted', async () => {
    await store().write('exp_read.csv', pieces(4 * MIB), FOREVER);
    const stop = new AbortController();
    const { content } = await store().read('exp_read.csv', stop.signal);
    const reading = bytesOf(content);
    stop.abort();
    await assert.rejects(reading, { name: 'AbortError' });
    await assert.rejects(store().read('exp_read.csv', stop.signal), { name: 'AbortError' });
  });
});

describe('A folder of files', () => {
  const folder = newFolder('folder');

  /** Writes 32 MiB under the name, slowly when told so, in a process of its own, which `shell` starts. */
  const writer = (name: string, pauseMs: number) => `
    import { FolderStore } from ${JSON.stringify(path.resolve('src/core/store/files/folderStore.ts'))};
    const content = async function* () {
      for (let i = 0; i < 32; i++) {
        yield Buffer.alloc(${MIB});
        if (i === 3) console.log('writing');
        await new Promise((resolve) => setTimeout(resolve, ${pauseMs}));
      }
    };
    try {
      await new FolderStore(${JSON.stringify(folder)}).write(${JSON.stringify(name)}, content(), new AbortController().signal);
      console.log('written');
    } catch (error) {
      console.log(error.failure + ': ' + error.message);
    }`;

  it('has no half file under its name when the writer is killed, and the rest can be removed', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer('exp_killed.csv', 50)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const store = new FolderStore(folder);
    assert.equal(readdirSync(folder).length, 1, 'what was half written is there');
    assert.deepEqual(await namesOlder(store, LATER), []);
    assert.equal(await store.removeAbandoned(EARLIER), 0, 'one that may still be written stays');
    assert.equal(await store.removeAbandoned(LATER), 1);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('keeps what it holds from other users of the machine, also in a folder that was open to them', async () => {
    const modeOf = (...names: string[]) => (statSync(path.join(folder, ...names)).mode & 0o777).toString(8);
    const made = new FolderStore(path.join(folder, 'made'));
    await made.write('exp_new.csv', pieces(1), FOREVER);
    assert.deepEqual([modeOf('made'), modeOf('made', 'exp_new.csv')], ['700', '600']);

    for (const [name, open] of [
      ['written', (store: FolderStore) => store.write('exp_new.csv', pieces(1), FOREVER)],
      ['read', async (store: FolderStore) => (await store.read('exp_old.csv', FOREVER)).content.destroy()],
      ['listed', (store: FolderStore) => namesOlder(store, LATER)],
    ] as const) {
      mkdirSync(path.join(folder, name));
      writeFileSync(path.join(folder, name, 'exp_old.csv'), 'id\r\n');
      chmodSync(path.join(folder, name), 0o755);
      chmodSync(path.join(folder, name, 'exp_old.csv'), 0o644);
      await open(new FolderStore(path.join(folder, name)));
      assert.deepEqual([modeOf(name), modeOf(name, 'exp_old.csv')], ['700', '600'], name);
    }

    mkdirSync(path.join(folder, 'shared'));
    chmodSync(path.join(folder, 'shared'), 0o1777);
    await new FolderStore(path.join(folder, 'shared')).write('exp_new.csv', pieces(1), FOREVER);
    assert.deepEqual([modeOf('shared'), modeOf('shared', 'exp_new.csv')], ['777', '600'], 'a folder such as /tmp stays shared');
    for (const name of ['made', 'written', 'read', 'listed', 'shared']) rmSync(path.join(folder, name), { recursive: true });
  });

  it('reports missing space, and keeps nothing of the file', async () => {
    const script = path.join(folder, 'writer.mjs');
    writeFileSync(script, writer('exp_large.csv', 0));
    // A limit of the process stands for a full disk: 8 MiB, in blocks of 512 bytes; its signal is ignored, as the shell's child inherits.
    const child = spawn('/bin/sh', ['-c', 'trap "" XFSZ; ulimit -f 16384; exec "$0" "$1"', process.execPath, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert.match(String(await bytesOf(child.stdout)), /^writing\nfull: No room for exp_large\.csv .*EXPORT_DIR/);
    assert.deepEqual(readdirSync(folder), ['writer.mjs']);
    rmSync(script);
  });

  it('names the setting where the folder cannot be used', async () => {
    writeFileSync(path.join(folder, 'plain'), '');
    const store = new FolderStore(path.join(folder, 'plain', 'exports'));
    await assert.rejects(store.write('a.csv', pieces(1), FOREVER), fails('unavailable', /ENOTDIR.*EXPORT_DIR/));
    await assert.rejects(store.read('a.csv', FOREVER), fails('unavailable', /ENOTDIR.*EXPORT_DIR/));
  });
});

describe('A bucket of files', () => {
  const server = provide(() => startBucketServer());
  it('is chosen by the settings', async () => {
    const { url, keyId, secret } = server.options;
    const settings = { exportDir: url, exportBucketKey: { keyId, secret } };
    const store = await openExportFiles(settings);
    await store.write('exp_set.csv', pieces(3), FOREVER);
    assert.deepEqual(readdirSync(server.folder), ['exp_set.csv']);
    const below = await BucketStore.open({ ...server.options, url: `${url}/backups` });
    await below.write('exp_below.csv', pieces(3), FOREVER);
    assert.deepEqual([await namesOlder(store, LATER), await namesOlder(below, LATER)], [['exp_set.csv'], ['exp_below.csv']]);
    await below.delete('exp_below.csv');
    below.close();
    await store.delete('exp_set.csv');
    assert(!((await openExportFiles({ ...settings, exportDir: '/no/such/folder' })) instanceof BucketStore));
  });

  it('that refuses the key or is not there is named with the setting to look at, on every call', async () => {
    const cases = [
      [{ ...server.options, secret: 'x'.repeat(32) }, /SignatureDoesNotMatch, status 403.*EXPORT_BUCKET_KEY/],
      [{ ...server.options, keyId: 'nobody' }, /status 403.*EXPORT_BUCKET_KEY/],
      [{ ...server.options, url: `${server.options.url}-gone` }, /NoSuchBucket, status 404.*EXPORT_DIR/],
    ] as const;
    for (const [options, message] of cases) {
      const store = await BucketStore.open(options);
      const unavailable = fails('unavailable', message);
      await assert.rejects(store.write('a.csv', pieces(3), FOREVER), unavailable);
      await assert.rejects(store.write('a.csv', pieces(9 * MIB), FOREVER), unavailable);
      await assert.rejects(store.read('a.csv', FOREVER), unavailable);
      await assert.rejects(store.stat('a.csv'), unavailable);
      await assert.rejects(namesOlder(store, LATER), unavailable);
      store.close();
    }
  });

  it('keeps uploads of killed writers out of sight until they are removed', async () => {
    const { url, keyId, secret } = server.options;
    const { origin } = new URL(url);
    const client = new S3Client({
      endpoint: origin,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: keyId, secretAccessKey: secret },
    });
    const at = { Bucket: 'exports', Key: 'exp_killed.csv' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
    await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber: 1, Body: Buffer.alloc(5 * MIB) }));
    client.destroy();
    const store = await BucketStore.open(server.options);
    assert.equal(await store.stat('exp_killed.csv'), undefined);
    assert.equal(await store.removeAbandoned(EARLIER), 0);
    assert.equal(await store.removeAbandoned(LATER), 1);
    assert.equal(await store.removeAbandoned(LATER), 0);
    store.close();
  });

  it('that hangs is given up in time, and an abort ends the wait at once', async () => {
    const store = await BucketStore.open({ ...server.options, timeoutMs: 200 });
    await store.write('exp_hang.csv', pieces(3), FOREVER);
    server.freeze(true);
    try {
      const asked = performance.now();
      await assert.rejects(store.read('exp_hang.csv', FOREVER), fails('unavailable', /TimeoutError.*EXPORT_DIR/));
      assert(performance.now() - asked < 5000);
      const patient = await BucketStore.open(server.options);
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('the client left')), 50);
      const aborted = performance.now();
      await assert.rejects(patient.read('exp_hang.csv', stop.signal), /the client left/);
      assert(performance.now() - aborted < 2000);
      patient.close();
    } finally {
      server.freeze(false);
      store.close();
    }
  });

  it('that loses its folder in the middle of a file says so', async () => {
    const store = await BucketStore.open(server.options);
    const content = async function* () {
      yield* pieces(9 * MIB);
      rmSync(server.folder, { recursive: true });
      yield* pieces(9 * MIB);
    };
    try {
      await assert.rejects(store.write('exp_lost.csv', content(), FOREVER), fails('unavailable', /exp_lost\.csv/));
    } finally {
      mkdirSync(server.folder, { recursive: true });
      store.close();
    }
  });
});
