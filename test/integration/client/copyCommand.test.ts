/** landuse copy: what it refuses, and what it repairs; kills and differences are of test/fault/copyKills.test.ts. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { provideCuttingProxy } from '../../support/cuttingProxy.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { newFolder } from '../../support/folder.ts';
import type { Json } from '../../support/json.ts';
import { runLanduse } from '../../support/landuseProcess.ts';
import { queryCopy, queryDuckdb } from '../../support/tableRows.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 130;

/** Leaves so many bytes free, rounded to whole pages. */
async function fillDisk(folder: string, left: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(path.join(folder, 'filler'), Buffer.alloc(bavail * bsize - left));
}

describe('landuse copy', () => {
  const folder = newFolder('copy-command');
  const world = provideWorld(
    { today: TODAY },
    Array.from({ length: RECORDS }, (_, i) => project(i + 1, { acreage: i + 1 })),
  );
  const proxy = provideCuttingProxy(() => world.api.url);
  let key: string;

  before(async () => {
    await world.work();
    key = await world.api.key('api_only');
  });

  const copy = (args: readonly string[], options: { key?: string } = {}) =>
    runLanduse(['copy', ...args], { url: proxy.url, key, folder, ...options });

  async function copied(...args: string[]): Promise<Json> {
    const { code, stdout, stderr } = await copy([...args, '--yes']);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  }

  /** Expects a sentence without a stack, and that nothing was charged. */
  async function refused(args: readonly string[], message: RegExp, options: { key?: string } = {}) {
    const balance = await world.balance(key);
    const { code, stdout, stderr } = await copy([...args, '--yes'], options);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n\s+at |\.ts:\d/);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.equal(await world.balance(key), balance);
    return stderr;
  }

  it('refuses what it cannot do before anything is spent', async () => {
    await writeFile(path.join(folder, 'notes.txt'), 'no database, and long enough to have pages '.repeat(200));
    await mkdir(path.join(folder, 'full'));
    await writeFile(path.join(folder, 'full/mine.txt'), 'x');
    const postgres = String(world.api.env.DATABASE_URL);
    const unreachable = 'postgres://me:secret@127.0.0.1:1/warehouse';
    const nowhere = new URL('/nowhere', postgres).href;
    for (const [typed, message] of [
      ['dir --format csv', /'csv' is invalid\. Allowed choices are ndjson, parquet/],
      ['--into mysql x', /Allowed choices are postgres, duckdb, sqlite/],
      ['states=CO', /'states=CO' is a filter: the folder or the database goes before the filters/],
      ['dir colour=red', /colour/],
      ['dir --history', /--table and --history are of a copy in a database/],
      ['--into sqlite x.db --format parquet', /--format is of a copy in a folder/],
      ['--into sqlite x.db --table a-b', /It must be 1 to 50 of a-z/],
      ['full', /full holds other files, and no copy\.json of a copy/],
      ['full/mine.txt', /full\/mine\.txt is a file, and a copy takes a folder: name another one, or a database by --into/],
      ['none/dir', /none is no folder that can be written to/],
      ['--into sqlite none/x.db', /none is no folder: make it/],
      ['--into sqlite notes.txt', /notes\.txt cannot be opened: file is not a database\. Is notes\.txt a file of sqlite/],
      ['--into duckdb notes.txt', /notes\.txt cannot be opened: .+ Is notes\.txt a file of duckdb/],
      [`--into sqlite ${postgres}`, /for Postgres it is --into postgres/],
      ['--into postgres x.db', /'x\.db' is no address of Postgres/],
      [`--into postgres ${unreachable}`, /^postgres:\/\/127\.0\.0\.1:1\/warehouse cannot be opened: .*ECONNREFUSED.* Is it running/],
      [`--into postgres ${nowhere}`, /"nowhere" does not exist/],
    ] as const)
      assert.doesNotMatch(await refused(typed.split(' '), message), /secret/);
    assert(!existsSync(path.join(folder, 'dir')) && !existsSync(path.join(folder, 'x.db')));
  });

  it('does not mix copies of other filters, another team, another form or another table', async () => {
    const other = await world.api.key('api_only');
    const given = ['dateRange=all', 'states=CO'];
    await copied('folder', ...given);
    await copied('--into', 'sqlite', 'rows.db', ...given);
    for (const [target, remedy] of [
      [['folder'], 'or copy into another folder'],
      [['--into', 'sqlite', 'rows.db'], 'or name another table by --table'],
    ] as const) {
      const ofOthers = new RegExp(`was made of \\S+ with dateRange=all states=CO.+: repeat these, ${remedy}`);
      await refused([...target, 'dateRange=all', 'states=TX'], ofOthers);
      await refused([...target, ...given], new RegExp(`made with a key of another team .+: take its key, ${remedy}`), { key: other });
    }
    await refused(['folder', '--format', 'parquet', ...given], /was made with --format ndjson: repeat it/);
    await refused(['--into', 'sqlite', 'rows.db', '--history', ...given], /was made without --history/);
    new DatabaseSync(path.join(folder, 'own.db')).exec('create table projects (mine)');
    const foreign = /own\.db has a table projects that copy did not make: name another one by --table/;
    await refused(['--into', 'sqlite', 'own.db', ...given], foreign);
    assert.equal((await copied('--into', 'sqlite', 'own.db', '--table', 'theirs', ...given)).records, RECORDS);
  });

  it('may become another copy where its first request was refused', async () => {
    for (const target of [['unbegun'], ['--into', 'sqlite', 'unbegun.db']]) {
      await refused([...target, 'dateRange=all', 'sort=acreage'], /sort/);
      const { received } = await copied(...target, 'dateRange=all', 'acreageMax=3');
      assert.equal(received, 3);
      await refused([...target, 'dateRange=all', 'acreageMax=4'], /was made of .+ acreageMax=3/);
    }
    const sync = async (...filters: string[]) =>
      runLanduse(['sync', 'dateRange=all', ...filters, '--to', 'unbegun.ndjson', '--yes'], { url: proxy.url, key, folder });
    assert.match((await sync('sort=acreage')).stderr, /sort/);
    const { code, stderr } = await sync('acreageMax=3');
    assert.equal(code, 0, stderr);
    assert.match((await sync('acreageMax=4')).stderr, /was made of .+ acreageMax=3/);
  });

  it('leaves nothing where its price is refused', async () => {
    const own = await world.api.key('api_only');
    await copied('--into', 'sqlite', 'kept.db', 'dateRange=all', 'acreageMax=3');
    const dear = ['dateRange=all', 'acreageMin=20', '--max-credits', '5'];
    for (const args of [
      ['copy', 'dear'],
      ['copy', 'dear', '--snapshot'],
      ['copy', '--into', 'sqlite', 'dear.db', '--history'],
      ['copy', '--into', 'duckdb', 'dear.duckdb'],
      ['copy', '--into', 'sqlite', 'kept.db', '--table', 'dear', '--history'],
      ['copy', '--into', 'postgres', String(world.api.env.DATABASE_URL), '--table', 'dear'],
      ['sync', '--to', 'dear.ndjson'],
    ]) {
      const { code, stderr } = await runLanduse([...args, ...dear], { url: proxy.url, key: own, folder });
      assert.match(stderr, /^This would cost 1\d\d credits, and --max-credits leaves 5\. Nothing was charged\.\n$/, args.join(' '));
      assert.equal(code, 1);
    }
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('dear')),
      [],
    );
    const tables = await queryCopy('sqlite', path.join(folder, 'kept.db'), 'select name from sqlite_schema where sql is not null');
    assert.deepEqual(tables.map(({ name }) => name).sort(), ['landuse_copies', 'projects']);
    const left = `select table_name from information_schema.tables where table_name in ('dear', 'landuse_copies')`;
    assert.deepEqual(await world.api.database.query(left), []);
  });

  it('says how much the credits pay for, without an option that it does not have', async () => {
    const poor = await world.api.key('api_only', undefined, { monthlyCredits: 7 });
    const remedy = /are left: narrow the filters to 7 records or fewer\. Nothing was charged/;
    for (const args of [['poor'], ['poor', '--snapshot']]) await refused([...args, 'dateRange=all'], remedy, { key: poor });
  });

  for (const into of ['sqlite', 'duckdb'] as const)
    it(`leaves a table alone that is named as the one by which it is built again: ${into}`, async () => {
      const file = `names.${into}`;
      await copied('--into', into, file, '--table', 'own', 'dateRange=all');
      await copied('--into', into, file, '--table', 'own_seen', 'dateRange=all', 'acreageMax=3');
      const taken = /is built again by a table own_seen, and names\.\w+ has one that is not of this copy: rename that one/;
      await refused(['--into', into, file, '--table', 'own', 'dateRange=all', '--rebuild'], taken);
      const [{ n }] = await queryCopy(into, path.join(folder, file), 'select count(*) as n from own_seen');
      assert.equal(Number(n), 3);
    });

  it('resumes a download that broke off at its byte, in the same run', async () => {
    let cut = false;
    proxy.onAnswer = () => {
      if (cut || !proxy.requests.at(-1)?.path.includes('/files/')) return;
      cut = true;
      proxy.cuts = 1;
    };
    const outcome = await copied('resumed', 'dateRange=all', '--format', 'parquet');
    proxy.onAnswer = undefined;
    assert.deepEqual([outcome.snapshotRecords, outcome.changeFiles], [RECORDS, 0]);
    const [first, second] = proxy.requests.filter(({ path: asked }) => asked.includes('/files/'));
    assert.deepEqual([cut, first?.range], [true, undefined]);
    assert.match(second?.range ?? '', /^bytes=[1-9]\d+-$/);
    const [{ records }] = await queryDuckdb(':memory:', `select count(*) as records from '${folder}/resumed/snapshot/*.parquet'`);
    assert.equal(Number(records), RECORDS);
    assert.deepEqual((await readdir(path.join(folder, 'resumed'))).sort(), ['changes', 'copy.json', 'snapshot']);
  });

  it('takes limit for the pages of a walk, also where it begins with a snapshot', async () => {
    assert.equal((await copied('paged', 'dateRange=all', 'limit=50', '--snapshot')).snapshotRecords, RECORDS);
  });

  it('adds columns that came since, walks again where it is told to, and lets one of two runs work', async () => {
    const target = path.join(folder, 'grown.db');
    const args = ['--into', 'sqlite', target, 'dateRange=all', '--history'];
    await copied(...args);
    const database = new DatabaseSync(target);
    database.exec(`
      drop view projects;
      alter table projects_history drop column acreage;
      create view projects as select id from projects_history where is_current;
      insert into projects_history (id, "lastUpdated", valid_from, is_current) values (999999, '2026-01-01', '2026-01-01', 1)`);
    await world.api.index.load([project(1, { acreage: 77 })], { mode: 'increment' });
    const acres = async () => {
      const rows = await queryCopy('sqlite', target, 'select id, acreage from projects where id in (1, 2, 999999) order by id');
      return rows.map(({ id, acreage }) => `${id}: ${acreage}`);
    };
    assert.deepEqual(await copied(...args), { database: target, table: 'projects', records: RECORDS + 1, received: 1, removed: 0 });
    assert.deepEqual(await acres(), ['1: 77', '2: null', '999999: null']);
    const balance = await world.balance(key);
    assert.equal((await copied(...args, '--rebuild')).records, RECORDS);
    assert.deepEqual(await acres(), ['1: 77', '2: 2']);
    assert.equal(await world.balance(key), balance, 'what is held is free');
    database.exec('begin immediate; update landuse_copies set step = step + 1');
    await world.api.index.load([project(1, { acreage: 78 })], { mode: 'increment' });
    const racing = copy([...args, '--yes']);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    database.exec('commit');
    database.close();
    const outcome = await racing;
    assert([0, 1].includes(outcome.code ?? -1), outcome.stderr);
    if (outcome.code) assert.match(outcome.stderr, /Another copy is working on|locked/);
    await copied(...args);
    assert.equal((await acres())[0], '1: 78');
  });

  it('says that the disk is full, and goes on when there is room', async function () {
    const small = path.join(folder, 'small');
    await mkdir(small);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', small], { stdio: 'ignore' });
    } catch {
      this.skip(); // only the superuser mounts
    }
    try {
      const own = await world.api.key('api_only');
      for (const args of [['small/folder'], ['--into', 'sqlite', 'small/rows.db']]) {
        await fillDisk(small, 40_000);
        const failing = async () => {
          const full = await copy([...args, 'dateRange=all', '--yes'], { key: own });
          assert.equal(full.code, 1, full.stderr);
          const said =
            /cannot be written: the disk is full \(ENOSPC\); make room\. What was copied is kept|disk is full\. Rows and cursor agree/;
          assert.match(full.stderr, said);
          assert.doesNotMatch(full.stderr, /\n\s+at /);
        };
        await failing();
        await rm(path.join(small, 'filler'));
        await fillDisk(small, 0);
        await failing(); // before the first page
        await rm(path.join(small, 'filler'));
        const done = await copy([...args, 'dateRange=all', '--yes'], { key: own });
        assert.equal(done.code, 0, done.stderr);
      }
      const lines = readFileSync(path.join(small, 'folder/changes/000001.ndjson'), 'utf8').trimEnd().split('\n');
      assert.equal(new Set(lines.map((line) => JSON.parse(line).id)).size, RECORDS);
      assert.equal((await queryCopy('sqlite', path.join(small, 'rows.db'), 'select count(*) as n from projects'))[0].n, RECORDS);
      assert.equal(5_000 - (await world.balance(own)), RECORDS, 'each record is charged once');
    } finally {
      execFileSync('umount', [small]);
    }
  });
});
