/** Which backups a restore uses: those that this service signed, and of a damaged one the parts that are whole. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { findDependentTables, LOSSES } from '../../../src/operate/backup/leaveOut.ts';
import { chooseBackup } from '../../../src/operate/backup/list.ts';
import { type Manifest, makeManifestName, signManifest, writeManifest } from '../../../src/operate/backup/manifest.ts';
import { command, PLAINLY, placeOf, provideBackups, QUIETLY, REPLACING, sourcesOf } from '../../support/backups.ts';
import { newFolder } from '../../support/folder.ts';

const RECORDS = 5;

describe('A backup', () => {
  const { world, folder, place, rowsNow, take, restore } = provideBackups(RECORDS);
  const { signal } = QUIETLY;

  describe('whose place somebody else could write to', () => {
    const other = 'a pepper of their own, of more than 32 characters';
    const foreign = newFolder('foreign');
    let manifest: Manifest;
    before(async () => {
      manifest = await take(placeOf(foreign));
    });

    const write = (changed: Manifest) => writeFileSync(path.join(foreign, makeManifestName(changed.name)), writeManifest(changed));
    const attempt = (options = REPLACING) => command('restore', world.api.env, '--from', foreign, ...flagsOf(options));
    const flagsOf = ({ checkOnly, unsigned }: typeof REPLACING) => [
      checkOnly ? '--check' : '--replace',
      ...(unsigned ? ['--unsigned'] : []),
    ];

    /** Other rows, and all that needs no secret made to agree with them. */
    function forge(signature: (forged: Manifest) => string | null): void {
      const part = manifest.tables.find(({ name }) => name === 'team')?.part;
      assert(part);
      const rows = gunzipSync(readFileSync(path.join(foreign, part.file))).toString();
      const rich = gzipSync(rows.replaceAll('\tapi_only\t', '\tnational\t'));
      assert.notEqual(rich.length, part.sizeBytes);
      writeFileSync(path.join(foreign, part.file), rich);
      const sha256 = createHash('sha256').update(rich).digest('hex');
      const tables = manifest.tables.map((table) =>
        table.part === part ? { ...table, part: { ...part, sizeBytes: rich.length, sha256 } } : table,
      );
      const forged = { ...manifest, tables };
      write({ ...forged, signature: signature(forged) });
    }

    it('is restored and checked only where its manifest is signed under KEY_PEPPER, whatever else agrees', async () => {
      assert.equal((await attempt({ ...PLAINLY, checkOnly: true })).json.signed, true);
      const before = await rowsNow();
      const others = (forged: Manifest) => {
        const { signature: _, format: __, ...unsigned } = forged;
        return signManifest(unsigned, { ...sourcesOf(world.api).secrets, KEY_PEPPER: other }).signature;
      };
      for (const signature of [() => null, () => 'x', (forged: Manifest) => forged.signature, others]) {
        forge(signature);
        for (const options of [REPLACING, { ...PLAINLY, checkOnly: true }]) {
          const { code, err } = await attempt(options);
          assert.equal(code, 1, err);
          const refusal =
            /^The backup \S+ is not signed under KEY_PEPPER: nothing shows that this service made it\. .*add --unsigned to go on\.$/;
          assert.match(JSON.parse(err).error.message, refusal);
        }
      }
      assert.deepEqual(await rowsNow(), before);
    });

    it('goes on with --unsigned, and says what that means', async () => {
      write({ ...manifest, signature: null });
      const { code, json, err } = await attempt({ ...PLAINLY, checkOnly: true, unsigned: true });
      assert.equal(code, 1, 'a part is not the one that it names');
      assert.match(err, /\.team\.copy\.gz/);
      assert.equal(json, undefined);
      forge(() => null);
      const before = await take();
      const forged = await attempt({ ...REPLACING, unsigned: true });
      assert.equal(forged.json.signed, false, forged.err);
      assert.match(forged.json.warnings[0], /not signed under KEY_PEPPER: .* may have chosen its keys, members, credits and addresses\.$/);
      const [listed] = (await command('restore', world.api.env, '--from', foreign, '--list')).json;
      assert.equal(listed.signed, false);
      await restore(REPLACING, before.name);
    });

    it('is none where an older one lies there under a newer name', async () => {
      const older = await take();
      const name = '20990101T000000Z-000000';
      writeFileSync(path.join(folder, makeManifestName(name)), readFileSync(path.join(folder, makeManifestName(older.name))));
      await assert.rejects(chooseBackup(place, undefined, signal), /The manifest of the backup 20990101T000000Z-000000 is damaged/);
      rmSync(path.join(folder, makeManifestName(name)));
    });
  });

  describe('of which some parts are damaged', () => {
    it('gives all others with --without, and says what is lost', async () => {
      const team = await world.api.key('national');
      const created = await world.api.post('/lists', { name: 'Kept', projectIds: [1, 2] }, { key: team });
      assert.equal(created.status, 201);
      const damaged = newFolder('damaged');
      const at = placeOf(damaged);
      const manifest = await take(at);
      const before = await rowsNow();
      const spoil = (file: string) => writeFileSync(path.join(damaged, file), 'spoilt');
      spoil(manifest.tables.find(({ name }) => name === 'list_project')?.part.file ?? '');
      const file = manifest.files.find(({ kind }) => kind === 'export');
      spoil(file?.part.file ?? '');
      const attempt = (...args: string[]) => command('restore', world.api.env, '--from', damaged, ...args);
      const refused = await attempt('--check');
      assert.match(
        JSON.parse(refused.err).error.message,
        /All other parts are whole\. To restore them: --without list_project --without file-[0-9a-f]{64}\n {2}Lost without list_project: the records of lists; the lists stay, empty\n {2}Lost without \S+: the file of an export/,
      );
      const without = ['--without', 'list_project', '--without', file?.name ?? ''];
      const checked = await attempt('--check', ...without);
      assert.deepEqual([checked.json?.outcome, checked.json?.leftOut.length], ['checked', 2], checked.err);
      const { json, err } = await attempt('--replace', ...without);
      assert.equal(json?.outcome, 'restored', err);
      const restored = await rowsNow();
      assert.deepEqual({ ...restored, list_project: '' }, { ...before, list_project: '' });
      assert.match(restored.list_project ?? '', /^0 /);
      assert.deepEqual((await world.api.get(`/lists/${created.body.data.id}`, {}, { key: team })).body.data.name, 'Kept');

      spoil(manifest.tables.find(({ name }) => name === 'ledger_entry')?.part.file ?? '');
      assert.match((await attempt('--check')).err, /Nothing works without ledger_entry/);
      assert.match(
        (await attempt('--replace', '--without', 'ledger_entry')).err,
        /ledger_entry cannot be left out: nothing works without it/,
      );
      assert.match((await attempt('--replace', '--without', 'nothing')).err, /has no part nothing/);
    });

    it('leaves out with a table all that refer to it', async () => {
      const references = await world.api.database.query<{ from: string; to: string }>(
        `select t.relname::text as from, r.relname::text as to from pg_constraint c
         join pg_class t on t.oid = c.conrelid join pg_class r on r.oid = c.confrelid
         where c.contype = 'f' and c.connamespace = to_regnamespace($1)`,
        [world.api.config.databaseSchema],
      );
      for (const { from, to } of references)
        if (to in LOSSES) assert(findDependentTables(to).has(from), `${from} refers to ${to}, and cannot be there without it`);
      const tables = new Set((await take()).tables.map(({ name }) => name));
      for (const name of Object.keys(LOSSES)) assert(tables.has(name), `${name} is a table`);
    });
  });
});
