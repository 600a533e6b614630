/** `npm run backup --recipient`: nothing of the backup can be read without the secret key, in a folder or a bucket. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { FileStore } from '../../../src/core/store/files/fileStore.ts';
import { decrypt, encrypt } from '../../../src/operate/backup/encryption.ts';
import { type Manifest, parseManifestName } from '../../../src/operate/backup/manifest.ts';
import { restoreBackup } from '../../../src/operate/backup/restore.ts';
import { takeBackup } from '../../../src/operate/backup/takeBackup.ts';
import { command, digests, PLAINLY, placeOf, QUIETLY, REPLACING, sourcesOf } from '../../support/backups.ts';
import { bytesOf, describeStores, FOREVER, pieces } from '../../support/fileStores.ts';
import { newFolder } from '../../support/folder.ts';
import { projectLine } from '../../support/projectLine.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 5;
const EVER = new Date(8.64e15);

async function keyPair() {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

async function contents(store: FileStore): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for await (const { name } of store.listOlder(EVER)) found.set(name, await bytesOf((await store.read(name, FOREVER)).content));
  return found;
}

describe('An encrypted backup', () => {
  const world = provideWorld();
  before(async () => {
    await world.api.index.keep();
    world.api.env.GENERATIONS_DIR = await world.api.index.keptFolder();
    await world.api.index.load(Array.from({ length: RECORDS }, (_, i) => projectLine(i + 1)));
    await world.work();
    await world.exports.completed({ filters: { dateRange: 'all' }, maxCredits: RECORDS }, await world.api.key('api_only'));
  });

  const folder = newFolder('backup');
  const rowsNow = () => digests((text, values) => world.api.database.query(text, values), world.api.config.databaseSchema);

  describeStores('lies', (store) => {
    const take = (...recipients: string[]) => takeBackup(sourcesOf(world.api), store(), QUIETLY, recipients);
    const restore = (manifest: Manifest, options = REPLACING) => restoreBackup(sourcesOf(world.api), store(), manifest, options, QUIETLY);

    it('with every part encrypted, and is put back row for row and file for file by its secret key alone', async () => {
      const { identity, recipient } = await keyPair();
      const manifest = await take(recipient);
      const before = await rowsNow();
      assert.deepEqual([manifest.recipients, manifest.missing], [[recipient], []]);
      for (const [name, content] of await contents(store()))
        if (!parseManifestName(name)) assert.equal(content.subarray(0, 21).toString(), 'age-encryption.org/v1', name);

      await world.api.key();
      const files = readdirSync(world.folder).map((name) => [name, readFileSync(path.join(world.folder, name))] as const);
      for (const [name] of files) rmSync(path.join(world.folder, name));
      const now = await rowsNow();
      await assert.rejects(restore(manifest), new RegExp(`is encrypted to ${recipient}: add --identity FILE`));
      const other = { ...REPLACING, identities: [(await keyPair()).identity] };
      await assert.rejects(restore(manifest, other), /UserError: \S+\.age cannot be decrypted with --identity: no identity matched/);
      assert.deepEqual(await rowsNow(), now);
      const checked = await restore(manifest, { ...PLAINLY, checkOnly: true });
      assert.match(checked.warnings.join(), /^It is encrypted to age1\w+; whether a secret key opens it was not looked at/);

      const { outcome, files: putBack, warnings } = await restore(manifest, { ...REPLACING, identities: [identity] });
      assert.deepEqual([outcome, putBack, warnings], ['restored', files.length, []]);
      assert.deepEqual(await rowsNow(), before);
      for (const [name, content] of files) assert(content.equals(readFileSync(path.join(world.folder, name))), name);
    });
  });

  it('has one part for files of the same content, shared with backups to the same keys alone, and with none that is not encrypted', async () => {
    const [ours, theirs] = [await keyPair(), await keyPair()];
    const key = await world.api.key('api_only');
    for (let i = 0; i < 2; i++) await world.exports.completed({ filters: { dateRange: 'all' }, maxCredits: RECORDS }, key);
    const partsOf = (files: Manifest['files']) => files.map(({ part }) => part.file);
    const take = (...recipients: string[]) => takeBackup(sourcesOf(world.api), placeOf(folder), QUIETLY, recipients);
    const first = await take(ours.recipient);
    const exports = first.files.filter(({ kind }) => kind === 'export');
    assert(new Set(partsOf(exports)).size < exports.length);
    const second = await take(ours.recipient);
    assert.deepEqual(second.files, first.files);
    const apart = [await take(theirs.recipient), await take(ours.recipient, theirs.recipient), await take()];
    const parts = new Set([first, ...apart].flatMap(({ files }) => partsOf(files)));
    assert.equal(parts.size, 4 * new Set(partsOf(first.files)).size);
    for (const { name } of exports) rmSync(path.join(world.folder, name));
    const options = { ...REPLACING, identities: [ours.identity] };
    const { outcome, files } = await restoreBackup(sourcesOf(world.api), placeOf(folder), second, options, QUIETLY);
    assert.deepEqual([outcome, files], ['restored', exports.length]);
  });

  it('is made and put back by the commands, which say what it holds; its folder and files are their owner’s alone', async () => {
    const folder = path.join(newFolder('backup'), 'new');
    const { identity, recipient } = await keyPair();
    const file = path.join(path.dirname(folder), 'identity.txt');
    writeFileSync(file, `# public key: ${recipient}\n${identity}\n`);
    const taken = await command('backup', world.api.env, '--to', folder, '--recipient', recipient);
    assert.match(taken.json?.holds, /^names, e-mail addresses and telephone numbers of members/, taken.err);
    const mode = (at: string) => (statSync(at).mode & 0o777).toString(8);
    assert.equal(mode(folder), '700');
    for (const name of readdirSync(folder)) assert.equal(mode(path.join(folder, name)), '600', name);
    const checked = await command('restore', world.api.env, '--from', folder, '--check', '--identity', file);
    assert.deepEqual([checked.json?.outcome, checked.json?.warnings], ['checked', []], checked.err);
    const refused = async (name: 'backup' | 'restore', ...args: string[]) => (await command(name, world.api.env, ...args)).err;
    assert.match(await refused('backup', '--to', folder, '--recipient', 'age1x'), /--recipient age1x is no public key of age/);
    writeFileSync(file, 'secret');
    assert.match(await refused('restore', '--from', folder, '--identity', file), /has to hold secret keys of age alone/);
    assert.match(await refused('restore', '--from', folder, '--identity', `${file}s`), /cannot be read: ENOENT/);
    rmSync(path.dirname(folder), { recursive: true });
  });

  it('is encrypted and decrypted as it passes: no more than some chunks are held, whatever its size', async () => {
    const { identity, recipient } = await keyPair();
    const CHUNK = 65_536;
    const HELD_MAX = 16;
    let given = 0;
    async function* source() {
      for (let i = 0; i < 200; i++) {
        given++;
        yield Buffer.alloc(CHUNK, i);
      }
    }
    let taken = 0;
    for await (const chunk of decrypt(encrypt(source(), [recipient]), [identity], 'it')) {
      taken += chunk.length / CHUNK;
      assert(given - taken <= HELD_MAX, `${given} chunks were read where ${taken} had come out`);
    }
    assert.equal(taken, 200);
  });

  it('whose content breaks off fails as that did', async () => {
    const { identity, recipient } = await keyPair();
    async function* cut() {
      yield Buffer.alloc(100_000);
      throw new RangeError('cut short');
    }
    const read = async (content: AsyncIterable<Uint8Array>) => {
      for await (const _ of content);
    };
    await assert.rejects(read(encrypt(cut(), [recipient])), /^RangeError: cut short$/);
    async function* cutLater() {
      for await (const chunk of encrypt(pieces(200_000), [recipient])) {
        yield chunk.subarray(0, 40);
        throw new RangeError('cut short');
      }
    }
    await assert.rejects(read(decrypt(cutLater(), [identity], 'it')), /^RangeError: cut short$/);
  });
});
