/** A copy in a file survives being killed at any moment, and is refused where it could be wrong. */
import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CopyFile } from '../../src/clients/cli/copyFile.ts';
import { modelOf, pageOf } from '../support/copyChild.ts';
import { newFolder } from '../support/folder.ts';
import { lengthOf } from '../support/lengths.ts';
import { Random } from '../support/random.ts';

const KILLS = lengthOf('COPY_KILLS');
const child = path.resolve(import.meta.dirname, '../support/copyChild.ts');

describe('a copy in a file', () => {
  let folder: string;
  let file: string;
  const given = { url: 'http://x', query: { states: 'CO' }, rebuild: false };
  const read = (name = file) =>
    new Map(
      readFileSync(name, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { id: number; page: number })
        .map(({ id, page }) => [id, page]),
    );
  const sorted = (map: Map<number, number>) => [...map].sort(([a], [b]) => a - b);

  beforeEach(() => {
    folder = newFolder('copy');
    file = path.join(folder, 'copy.ndjson');
  });

  it('holds the last state of every record, and each once, after every walk', async () => {
    for (const pages of [3, 5, 5, 9]) {
      const copy = await CopyFile.open(file, given);
      for (let n = Number(copy.cursor ?? 0) + 1; n <= pages; n++) await copy.add(pageOf(n));
      assert.deepEqual(await copy.finish(), { records: modelOf(pages).size });
      assert.deepEqual(sorted(read()), sorted(modelOf(pages)));
      assert.equal(existsSync(`${file}.journal`), false);
    }
  });

  it('is whole after the process was killed at any moment', async () => {
    const chance = new Random(17);
    let pages = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      pages += 40;
      const work = fork(child, ['copy-child', file, String(pages)], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
      const ended = once(work, 'exit');
      while (!existsSync(`${file}.sync`) && work.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
      setTimeout(() => work.kill('SIGKILL'), chance.integer(0, 250));
      await ended;
    }
    const copy = await CopyFile.open(file, { url: 'http://x', query: {}, rebuild: false });
    for (let n = Number(copy.cursor ?? 0) + 1; n <= pages; n++) await copy.add(pageOf(n));
    await copy.finish();
    assert.deepEqual(sorted(read()), sorted(modelOf(pages)));
  });

  it('holds records with separators of lines that JSON does not escape', async () => {
    const record = { id: 1, summary: 'one\u2028two\u2029three' };
    for (const cursor of ['1', '2']) {
      const copy = await CopyFile.open(file, given);
      await copy.add({ removed: [], records: [record, { ...record, id: Number(cursor) + 5 }], cursor });
      await copy.finish();
    }
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).sort((a, b) => a.id - b.id),
      [record, { ...record, id: 6 }, { ...record, id: 7 }],
    );
  });

  it('can be taken over by another process once it was released, and goes on with the files of its own snapshot alone', async () => {
    const copy = await CopyFile.open(file, given);
    copy.noteSnapshot('snp_1');
    writeFileSync(copy.partOf('part-00001.ndjson.gz'), 'of the first');
    copy.noteSnapshot('snp_1');
    assert(existsSync(copy.partOf('part-00001.ndjson.gz')), 'it goes on where it was');
    copy.release();
    assert.equal(JSON.parse(readFileSync(`${file}.sync`, 'utf8')).pid, 0);
    const again = await CopyFile.open(file, given);
    again.noteSnapshot('snp_2');
    assert.equal(existsSync(again.partOf('part-00001.ndjson.gz')), false);
    assert(existsSync(`${file}.sync`));
  });

  it('forgets what a page left half written', async () => {
    const copy = await CopyFile.open(file, given);
    await copy.add(pageOf(1));
    writeFileSync(`${file}.journal`, '{"id":1,"record":{"id', { flag: 'a' });
    await (await CopyFile.open(file, given)).finish();
    assert.deepEqual(sorted(read()), sorted(modelOf(1)));
  });

  const opens = (more: object) => CopyFile.open(file, { ...given, ...more });

  it('is refused with a sentence if it is damaged, of other filters, of another service, or in use', async () => {
    const copy = await opens({});
    await copy.add(pageOf(1));
    await assert.rejects(opens({ query: { states: 'TX' } }), { message: /^\S+ was made of http:\/\/x with states=CO: .+--rebuild\.$/ });
    await assert.rejects(opens({ url: 'http://y' }), { message: /was made of http:\/\/x/ });
    const note = JSON.parse(readFileSync(`${file}.sync`, 'utf8'));
    writeFileSync(`${file}.sync`, JSON.stringify({ ...note, pid: process.ppid }));
    await assert.rejects(opens({}), { message: /^Another sync \(process \d+\) is working on/ });
    for (const damaged of ['{"version":', 'null', '{"version":1,"cursor":7}', '']) {
      writeFileSync(`${file}.sync`, damaged);
      await assert.rejects(opens({}), {
        message: /^\S+copy\.ndjson\.sync, which says how far the copy is, is damaged: add --rebuild to start over\.$/,
      });
    }
    assert.equal((await opens({ rebuild: true })).cursor, undefined);
  });

  it('does not replace a file that it did not make, and keeps the old one until a rebuild is through', async () => {
    writeFileSync(file, '{"id":1,"page":0}\n');
    await assert.rejects(opens({}), { message: /was not made by sync/ });
    const copy = await opens({ rebuild: true });
    await copy.add(pageOf(2));
    assert.deepEqual(sorted(read()), [[1, 0]]);
    await copy.finish();
    assert.equal(read().has(1), false);
    rmSync(file);
    await assert.rejects(opens({}), { message: /is gone/ });
  });

  it('leaves what stood in a file where the disk takes only a part of what is to replace it', () => {
    const durableFiles = path.resolve(import.meta.dirname, '../../src/clients/cli/durableFiles.ts');
    writeFileSync(file, 'before');
    const script = `import { replaceFile } from '${durableFiles}'; try { replaceFile('${file}', 'x'.repeat(20_000)) } catch ({ code }) { console.log(code) }`;
    const limited = 'trap "" XFSZ; ulimit -f 8; exec "$0" --input-type=module-typescript -e "$1"';
    assert.equal(execFileSync('/bin/sh', ['-c', limited, process.execPath, script], { encoding: 'utf8' }).trim(), 'EFBIG');
    assert.equal(readFileSync(file, 'utf8'), 'before');
  });
});
