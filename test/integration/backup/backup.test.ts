/** `npm run backup` and `npm run restore`: what goes in comes out, row for row, or the restore says why not and changes nothing. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Suppressions } from '../../../src/core/people/suppressions.ts';
import type { FileStore } from '../../../src/core/store/files/fileStore.ts';
import { FolderStore } from '../../../src/core/store/files/folderStore.ts';
import { migrate } from '../../../src/core/store/postgres/migrate.ts';
import { SUPPRESSION_HOOKS } from '../../../src/features.ts';
import { openPlace } from '../../../src/operate/backup/backupPlace.ts';
import { chooseBackup, keepNewest, listBackups } from '../../../src/operate/backup/list.ts';
import { isShared, type Manifest, makeManifestName, readManifest } from '../../../src/operate/backup/manifest.ts';
import { restoreBackup } from '../../../src/operate/backup/restore.ts';
import { takeBackup } from '../../../src/operate/backup/takeBackup.ts';
import {
  command,
  commandWithoutRoom,
  PLAINLY,
  placeOf,
  provideBackups,
  QUIETLY,
  REPLACING,
  sourcesOf,
  startCommand,
} from '../../support/backups.ts';
import { runSql } from '../../support/database.ts';
import { FOREVER } from '../../support/fileStores.ts';
import { newFolder } from '../../support/folder.ts';
import { eventually } from '../../support/jobs.ts';
import { makeNextVersion, NEXT_MIGRATION } from '../../support/nextVersion.ts';
import { projectLine } from '../../support/projectLine.ts';

const RECORDS = 40;
const CREDITS = 5_000;
const ALL = { dateRange: 'all' };

describe('A backup', () => {
  const { world, folder, place, rowsNow, take, restore } = provideBackups(RECORDS);
  let key: string;
  before(async () => {
    key = await world.api.key('api_only');
  });

  const { signal } = QUIETLY;
  const schemaOf = () => world.api.config.databaseSchema;
  const quote = async () => (await world.api.get('/projects/count', ALL, { key })).body.data.creditsRequired;
  const deliver = async (offset: number, limit: number) => {
    const { status } = await world.api.get('/projects/search', { ...ALL, offset, limit }, { key });
    assert.equal(status, 200);
  };

  it('comes back row for row under a running API, which then prices by what the pool holds, and hides whom the list names', async () => {
    const suppressions = new Suppressions(world.api.database, world.api.config.keyPepper);
    const [early, late] = [{ email: 'early@example.com' }, { email: 'late@example.com' }];
    const suppress = (person: { email: string }, note: string) =>
      suppressions.add([{ kind: 'email', text: person.email, note }], SUPPRESSION_HOOKS);
    await suppress(early, 'request 1');
    await deliver(0, 10);
    assert.equal(await quote(), RECORDS - 10);
    const before = await rowsNow();
    const manifest = await take();
    assert.deepEqual([manifest.missing, manifest.warnings], [[], []]);
    assert.deepEqual(manifest.files.map(({ kind }) => kind).sort(), ['export', 'generation', 'generation']);

    await deliver(10, 30);
    await suppress(late, 'request 2');
    assert.equal(await quote(), 0);
    assert((await suppressions.fresh()).covers(late));
    const report = await restore();
    assert.deepEqual(await rowsNow(), before);
    assert.deepEqual([report.outcome, report.audit?.differences], ['restored', []]);
    assert.equal(await quote(), RECORDS - 10, 'what the process remembered of the pool is of another life of the database');
    assert.equal(await world.balance(key), CREDITS - 10);
    const known = await suppressions.fresh();
    assert.deepEqual([known.covers(early), known.covers(late)], [true, false]);
    const { rows, suppressions: unlisted } = report.lost ?? {};
    assert.equal(rows?.find(({ table }) => table === 'delivery')?.rows, 30);
    assert.equal(unlisted?.map(({ note }) => note).join(), 'request 2');
  });

  it('is reported with what it lost where it is put back and cannot be checked', async () => {
    const manifest = await take();
    await deliver(10, 5);
    const unlisted: FileStore = {
      ...bound(new FolderStore(world.folder)),
      listOlder: () => {
        throw new Error('the folder cannot be listed');
      },
    };
    const target = { ...sourcesOf(world.api), exports: async () => unlisted };
    const { outcome, audit, lost, unproven } = await restoreBackup(target, place, manifest, REPLACING, QUIETLY);
    assert.deepEqual([outcome, audit, unproven], ['restored', null, 'the folder cannot be listed']);
    assert.equal(lost?.rows?.find(({ table }) => table === 'delivery')?.rows, 5);
  });

  it('gives no number again that was given after it', async () => {
    const numbers = 'select (select max(id) from ledger_entry)::float8 as entry, (select max(seq) from delivery)::float8 as seq';
    const newest = async () => (await world.api.database.query<{ entry: number; seq: number }>(numbers))[0] ?? { entry: 0, seq: 0 };
    await take();
    await deliver(10, 5);
    const given = await newest();
    await restore();
    await deliver(20, 5);
    const now = await newest();
    assert(now.entry > given.entry && now.seq > given.seq, JSON.stringify([given, now]));
  });

  it('names what a restore lost: keys that work again, export files that no job knows, exports without their file', async () => {
    const manifest = await take();
    await world.api.key();
    const report = await restore();
    assert(report.lost?.rows?.map(({ table }) => table).includes('api_key'));
    const oldest = 'select id from api_key where revoked_at is null order by created_at limit 1';
    const [live] = await world.api.database.query<{ id: string }>(oldest);
    await take();
    await world.api.database.query('update api_key set revoked_at = now() where id = $1', [live?.id]);
    const files = readdirSync(world.folder);
    writeFileSync(path.join(world.folder, 'exp_nobody.csv'), 'x');
    const { lost } = await restore();
    assert.equal(lost?.keysThatWorkAgain.map(({ id }) => id).join(), live?.id);
    assert.deepEqual([lost?.exportFilesWithoutJob, lost?.exportsWithoutFile], [['exp_nobody.csv'], []]);
    rmSync(path.join(world.folder, 'exp_nobody.csv'));
    for (const file of files) rmSync(path.join(world.folder, file));
    const again = await restore(REPLACING, manifest.name);
    assert.deepEqual([again.files, readdirSync(world.folder)], [files.length, files]);
  });

  it('names snapshots without their files, which no backup has, and files of snapshots that are not known', async () => {
    const snapshot = await world.snapshots.completed({ filters: ALL, maxCredits: RECORDS }, await world.api.key('api_only'));
    assert.equal(snapshot.status, 'ready', JSON.stringify(snapshot));
    await take();
    const stray = 'snp_nobody-1-part-00001.parquet';
    writeFileSync(path.join(world.folder, stray), 'x');
    const whole = (await restore()).lost;
    assert.deepEqual([whole?.snapshotFilesWithoutJob, whole?.snapshotsWithoutFile], [[stray], []]);
    for (const file of readdirSync(world.folder)) if (file.startsWith('snp_')) rmSync(path.join(world.folder, file));
    const { lost } = await restore();
    assert.deepEqual([lost?.snapshotFilesWithoutJob, lost?.snapshotsWithoutFile], [[], [snapshot.id]]);
    assert.deepEqual([lost?.exportFilesWithoutJob, lost?.exportsWithoutFile], [[], []]);
  });

  it('names every key that stopped since, however it did, and every leak that it does not know', async () => {
    const { database } = world.api;
    const made: { id: string; userId: number; teamId: number }[] = [];
    const newest = 'select id, user_id as "userId", team_id as "teamId" from api_key order by created_at desc limit 1';
    for (let i = 0; i < 7; i++) {
      await world.api.key();
      made.push(...(await database.query<(typeof made)[number]>(newest)));
    }
    const [closed, disabled, rotated, leaked, known, mute, spare] = made;
    const set = (what: string, ...ids: unknown[]) => database.query(`update api_key set ${what} where id = $1`, ids);
    await set('revoked_at = now()', known?.id);
    await set('revoked_at = now(), leaked_at = now()', mute?.id);
    await take();
    await database.query('update app_user set closed_at = now() where id = $1', [closed?.userId]);
    await database.query(`update team set status = 'disabled' where id = $1`, [disabled?.teamId]);
    await set(`expires_at = now() + interval '1 hour', replaced_by = $2`, rotated?.id, spare?.id);
    for (const key of [leaked, known]) await set('revoked_at = coalesce(revoked_at, now()), leaked_at = now()', key?.id);
    const { lost } = await restore();
    const stopped = [closed, disabled, rotated, leaked, known].flatMap((key) =>
      key ? { id: key.id, teamId: key.teamId, leaked: key === leaked || key === known } : [],
    );
    const expected = stopped.sort((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(lost?.keysThatWorkAgain, expected);
  });

  describe('of the files that loads have kept', () => {
    const nowhere = () => ({ ...sourcesOf(world.api), generations: async () => null });
    const sharedFiles = () => readdirSync(folder).filter(isShared).sort();
    const ofGenerations = (manifest: Manifest) => manifest.files.filter(({ kind }) => kind === 'generation').map(({ name }) => name);

    it('has each once, and puts them back where the settings say, also in place of those that were altered', async () => {
      const kept = await world.api.index.keptFolder();
      await take();
      const before = sharedFiles();
      await world.api.index.load([projectLine(RECORDS)], { mode: 'increment' });
      const manifest = await take();
      assert.deepEqual(ofGenerations(manifest).sort(), readdirSync(kept).sort());
      assert.equal(sharedFiles().length, before.length + 2, 'the increment and its state');

      const elsewhere = newFolder('generations');
      const target = { ...sourcesOf(world.api), generations: async () => ({ store: new FolderStore(elsewhere), place: elsewhere }) };
      const putBack = () => restoreBackup(target, place, manifest, REPLACING, QUIETLY);
      assert.equal((await putBack()).files, ofGenerations(manifest).length);
      for (const name of readdirSync(kept))
        assert(readFileSync(path.join(kept, name)).equals(readFileSync(path.join(elsewhere, name))), name);
      const [name = ''] = readdirSync(kept);
      const content = readFileSync(path.join(kept, name));
      writeFileSync(path.join(elsewhere, name), content.toReversed());
      writeFileSync(path.join(elsewhere, `${world.api.index.prefix}-g9-c9.state.zst`), 'x');
      const { files, lost, warnings } = await putBack();
      assert(content.equals(readFileSync(path.join(elsewhere, name))));
      assert.deepEqual([files, warnings, lost?.generationFilesMissing], [1, [], []]);
      assert.deepEqual(lost?.generationFilesWithoutCommit, [`${world.api.index.prefix}-g9-c9.state.zst`]);
    });

    it('says that it has none where there is no place for them, or they are not there, and so does its restore', async () => {
      const { code, json, err } = await command('backup', { ...world.api.env, GENERATIONS_DIR: 'off' }, '--to', folder);
      assert.equal(code, 0, err);
      assert.deepEqual(ofGenerations(json), []);
      const warning =
        /^This backup holds no files .*no place for them was set \(GENERATIONS_DIR is off\).* cannot be built again from it\.$/;
      assert.match(json.warnings.join(), warning);
      const whole = await take();
      const checked = await restoreBackup(nowhere(), place, whole, { ...PLAINLY, checkOnly: true }, QUIETLY);
      assert.match(checked.warnings.join(), /^No place .*: the 4 of the backup are not put back/);

      const kept = await world.api.index.keptFolder();
      const name = readdirSync(kept).find((file) => file.endsWith('.state.zst')) ?? '';
      renameSync(path.join(kept, name), path.join(folder, name));
      const fresh = placeOf(path.join(folder, 'fresh'));
      const { missing, warnings } = await take(fresh);
      renameSync(path.join(folder, name), path.join(kept, name));
      assert.deepEqual(missing, [{ kind: 'generation', name, why: 'missing', keptIn: kept }]);
      assert.deepEqual(warnings, ['The index cannot be built again from this backup: it lacks 1 of the 2 files for that.']);
    });

    it('keeps the parts of earlier backups when a file is damaged, and mends such a part from the file', async () => {
      const kept = await world.api.index.keptFolder();
      const own = newFolder('parts');
      const at = placeOf(own);
      const first = await take(at);
      const { name = '', part } = first.files.find(({ kind }) => kind === 'generation') ?? {};
      const [source, shared] = [path.join(kept, name), path.join(own, part?.file ?? '')];
      const content = readFileSync(source);
      const check = () => restoreBackup(sourcesOf(world.api), at, first, { ...PLAINLY, checkOnly: true }, QUIETLY);
      try {
        writeFileSync(source, content.subarray(1));
        assert.deepEqual((await take(at)).missing, [], 'the part of the earlier backup is whole');
        assert.equal((await check()).outcome, 'checked');
        rmSync(source);
        assert.deepEqual((await take(at)).missing, []);

        const damaged = content.subarray(0, -1);
        writeFileSync(shared, damaged);
        writeFileSync(source, content.subarray(2));
        const { missing } = await take(at);
        assert.deepEqual(missing, [{ kind: 'generation', name, why: 'damaged', keptIn: kept }]);
        assert(readFileSync(shared).equals(damaged), 'what is left of the part is not deleted');

        writeFileSync(source, content);
        const write: FileStore['write'] = (file, chunks, abort) =>
          file === part?.file ? at.write(file, chunks, abort) : Promise.reject(new Error('cut short'));
        await assert.rejects(take({ ...bound(at), write }), /cut short/);
        assert.equal((await check()).outcome, 'checked', 'a backup that fails removes no part of another');
      } finally {
        writeFileSync(source, content);
      }
    });
  });

  it('is none for a version that does not know its format', async () => {
    const { signature: _, ...newer } = { ...(await take()), format: 4 };
    const sha256 = createHash('sha256').update(JSON.stringify(newer)).digest('hex');
    assert.equal(readManifest(JSON.stringify({ manifest: newer, sha256 })), null);
  });

  it('is none until its manifest is written, wherever it is cut short', async () => {
    const cut = newFolder('cut');
    const whole = placeOf(cut);
    const parts = readdirSync(folder).filter((file) => file.startsWith((readdirSync(folder).sort()[0] ?? '').slice(0, 23))).length;
    for (const allowed of [0, 1, Math.floor(parts / 2), parts - 1]) {
      let written = 0;
      // As a process that is killed: it writes no more and removes nothing.
      const dying: FileStore = {
        ...bound(whole),
        write: (name, content, abort) => {
          if (written++ === allowed) throw new Error('cut short');
          return whole.write(name, content, abort);
        },
        delete: async () => {},
      };
      await assert.rejects(take(dying), /cut short/);
      await assert.rejects(chooseBackup(whole, undefined, signal), /There is no backup: one that did not finish is none/);
    }
  });

  it('that fails removes what it wrote, and names the disk that is full', async () => {
    const full = newFolder('full');
    const { code, err } = await commandWithoutRoom(1, world.api.env, '--to', full);
    assert.equal(code, 1, err);
    assert.match(JSON.parse(err).error.message, /^No room for \S+ in the folder of backups: free some, or let --to name another$/);
    assert.deepEqual(readdirSync(full), []);
  });

  it('of which a byte was changed, or a part is gone, is refused before anything is written', async () => {
    const damaged = newFolder('damaged');
    const at = placeOf(damaged);
    const manifest = await take(at);
    const before = await rowsNow();
    const attempt = () => restore(REPLACING, undefined, at);
    const flip = (file: string) => {
      const bytes = readFileSync(path.join(damaged, file));
      const place = Math.floor(bytes.length / 2);
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      writeFileSync(path.join(damaged, file), bytes);
    };
    const part = manifest.tables.find(({ name }) => name === 'ledger_entry')?.part.file ?? '';
    const good = readFileSync(path.join(damaged, part));
    flip(part);
    const changed =
      /is damaged; nothing of it was used\. There is no other one\.\n.*ledger_entry\.copy\.gz has been changed since it was written/;
    await assert.rejects(attempt(), changed);
    rmSync(path.join(damaged, part));
    await assert.rejects(attempt(), /ledger_entry\.copy\.gz is missing/);
    writeFileSync(path.join(damaged, part), good.subarray(1));
    await assert.rejects(attempt(), /ledger_entry\.copy\.gz has \d+ bytes in place of \d+/);
    writeFileSync(path.join(damaged, part), good);
    flip(makeManifestName(manifest.name));
    await assert.rejects(attempt(), /The manifest of the backup \S+ is damaged/);
    assert.deepEqual(await rowsNow(), before);
  });

  it('is refused under another secret, which the sentence names, and holds none of them', async () => {
    const manifest = await take();
    const sources = sourcesOf(world.api);
    const other = 'another secret of more than 32 characters';
    for (const name of ['KEY_PEPPER', 'CURSOR_SECRET'] as const)
      await assert.rejects(
        restoreBackup({ ...sources, secrets: { ...sources.secrets, [name]: other } }, place, manifest, REPLACING, QUIETLY),
        new RegExp(`^UserError: ${name} is not the secret that the backup ${manifest.name} was made under`),
      );
    const fresh = { ...sources, secrets: { ...sources.secrets, CURSOR_SECRET: other } };
    const options = { ...PLAINLY, checkOnly: true, newCursorSecret: true };
    assert.equal((await restoreBackup(fresh, place, manifest, options, QUIETLY)).outcome, 'checked');
    const text = readFileSync(path.join(folder, makeManifestName(manifest.name)), 'utf8');
    for (const secret of Object.values(sources.secrets)) assert(!text.includes(secret));
  });

  it('is not put over rows unless that is asked for', async () => {
    await take();
    const before = await rowsNow();
    await deliver(25, 1);
    const { code, err } = await command('restore', world.api.env, '--from', folder);
    assert.equal(code, 1);
    assert.match(JSON.parse(err).error.message, /^The schema \S+ is not empty: \d+ tables hold rows \(.*Add --replace/);
    assert.notDeepEqual(await rowsNow(), before);
    const { json } = await command('restore', world.api.env, '--from', folder, '--replace');
    assert.equal(json.outcome, 'restored');
    assert.deepEqual(await rowsNow(), before);
    assert.equal((await restore(PLAINLY)).outcome, 'already', 'one that was killed after its last step is run again');
  });

  it('is put back by a second run where the first was killed, which left the service as it was', async () => {
    await take();
    const before = await rowsNow();
    await deliver(30, 1);
    const after = await rowsNow();
    const child = startCommand('restore', world.api.env, '--from', folder, '--replace');
    const aside = `select from pg_tables where schemaname = current_schema() || '_restoring' and tablename = 'delivery'`;
    await eventually('tables aside', async () => {
      return (await world.api.database.query(aside)).length > 0 || child.exitCode !== null || undefined;
    });
    assert(child.kill('SIGKILL'), 'it was still at it');
    await once(child, 'exit');
    assert.deepEqual(await rowsNow(), after);
    await restore();
    assert.deepEqual(await rowsNow(), before);
    assert.equal(await quote(), (await world.api.get('/projects/count', ALL, { key })).body.data.creditsRequired);
  });

  it('of a version before is put back and migrated; that of a newer one is refused', async () => {
    const next = await makeNextVersion();
    const { restoreBackup: restoreInNext } = await next.load<{ restoreBackup: typeof restoreBackup }>('src/operate/backup/restore.ts');
    const { takeBackup: takeInNext } = await next.load<{ takeBackup: typeof takeBackup }>('src/operate/backup/takeBackup.ts');
    const { databaseUrl: url } = world.api.config;
    const old = `${schemaOf()}_old`;
    await migrate(url, old);
    await runSql(url, `insert into "${old}".team (name, plan) values ('Acme', 'api_only')`);
    const at = placeOf(path.join(folder, 'old'));
    const sources = { ...sourcesOf(world.api), databaseSchema: old };
    const manifest = await takeBackup(sources, at, QUIETLY);
    await runSql(url, `drop schema "${old}" cascade`);
    const report = await restoreInNext(sources, at, manifest, PLAINLY, QUIETLY);
    assert.equal(report.outcome, 'restored');
    const [row] = await world.api.database.query<{ nickname: string }>(`select nickname from "${old}".team`);
    assert.equal(row?.nickname, 'acme');
    const newer = await takeInNext(sources, at, QUIETLY);
    await runSql(url, `drop schema "${old}" cascade`);
    const refusal = new RegExp(`${NEXT_MIGRATION} is not that of this one\\. Restore it with the version`);
    await assert.rejects(restoreBackup(sources, at, newer, PLAINLY, QUIETLY), refusal);
    next.remove();
  });

  it('is listed and checked by the commands, and the oldest go', async () => {
    const taken = await command('backup', world.api.env, '--to', folder, '--keep', '2');
    assert.equal(taken.code, 0, taken.err);
    const listed = await listBackups(place, signal);
    assert.deepEqual([listed.length, listed[0]?.name], [2, taken.json.name]);
    assert.deepEqual(await keepNewest(place, 1, signal), [listed[1]?.name]);
    const check = await command('restore', world.api.env, '--from', folder, '--check');
    assert.deepEqual([check.json.outcome, check.json.backup], ['checked', taken.json.name]);
    assert.equal((await chooseBackup(place, undefined, FOREVER)).name, taken.json.name);
    await assert.rejects(chooseBackup(place, 'other', signal), /There is no backup other; there are /);
    const bucket = { backupBucketKey: { keyId: 'id', secret: 'secret' } };
    const noPlace = /--to has to be a folder, or https:.*s3\.REGION\.amazonaws\.com/;
    await assert.rejects(openPlace('--to', 's3://backups/landuse', bucket), noPlace);
    const stranger = Object.assign(new URL(world.api.env.DATABASE_URL ?? ''), { password: 'another' }).href;
    const { code, err } = await command('backup', { ...world.api.env, DATABASE_URL: stranger }, '--to', folder);
    assert.equal(code, 3);
    assert.match(JSON.parse(err).error.message, /^Postgres cannot be reached \(password .*\): is DATABASE_URL right/);
  });
});

/** The methods of a store, for a copy of which some are replaced. */
const bound = (store: FileStore): FileStore => ({
  write: store.write.bind(store),
  read: store.read.bind(store),
  stat: store.stat.bind(store),
  delete: store.delete.bind(store),
  listOlder: store.listOlder.bind(store),
  removeAbandoned: store.removeAbandoned.bind(store),
  freeBytes: store.freeBytes.bind(store),
});
