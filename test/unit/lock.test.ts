import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

interface LockedPackage {
  integrity?: string;
  resolved?: string;
}

describe('package-lock.json', () => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
  const { packages } = lock;
  const locked = Object.entries(packages).filter(([name]) => name !== '');
  const named = (wrong: (entry: LockedPackage) => boolean) => locked.filter(([, entry]) => wrong(entry)).map(([name]) => name);

  it('holds the digest of every package, so that npm installs nothing else under its name', () => {
    assert(locked.length > 100);
    assert.deepEqual(
      named(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')),
      [],
    );
  });

  it('holds no download address: those are the business of the machine that installs', () => {
    assert.deepEqual(
      named(({ resolved }) => resolved !== undefined),
      [],
    );
  });

  it('is refused before anything is fetched where a digest is missing', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lock-'));
    try {
      mkdirSync(path.join(folder, 'scripts'));
      for (const file of ['package.json', 'scripts/install.mjs', 'scripts/process-lock.mjs'])
        cpSync(path.join(root, file), path.join(folder, file));
      const { integrity: _, ...unproven } = packages['node_modules/koa'] ?? {};
      const broken = { ...lock, packages: { ...packages, 'node_modules/koa': unproven } };
      writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(broken));
      const { status, stderr } = spawnSync(process.execPath, ['scripts/install.mjs'], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 1);
      assert.match(stderr, /^package-lock\.json lacks the digest of node_modules\/koa \(1 in all\): [^\n]+\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
