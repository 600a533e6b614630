// node scripts/installPython.mjs              what the tests of the Python client need: an environment in .stack/python with the packages of
//                                             test/support/python/requirements.txt, and their wheels beside it, so that tests install without a network
// node scripts/installPython.mjs connectors   what the tests of dlt, Singer and the readers of Parquet need, in .stack/connectors, of connectors.txt
// Silent when there is nothing to do. Python is looked for as $PYTHON or python3. Without one the service works all the same: those tests say what is missing.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './processLock.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SETS = {
  python: { file: 'requirements.txt', keepsWheels: true },
  connectors: { file: 'connectors.txt', keepsWheels: false },
};
const [, , name = 'python'] = process.argv;
const set = SETS[name];
if (!set) throw new Error(`There is no set of Python packages called ${name}: ${Object.keys(SETS).join(', ')}`);
const requirements = path.join(root, 'test/support/python', set.file);
const folder = path.join(root, '.stack', name);
/** Written last, so that an interrupted installation never counts as complete. */
const installed = path.join(folder, 'installed.txt');
const LEAST = '3.10';
const SHOWN_LINES = 8;

if (!isInstalled())
  await withLock(path.join(root, `.stack/${name}.lock`), installOnce, () =>
    console.error('Waiting for another installation of the Python packages …'),
  );

function installOnce() {
  if (isInstalled()) return;
  const python = process.env.PYTHON ?? 'python3';
  const suits = spawnSync(python, ['-c', `import sys, venv, ensurepip; sys.exit(sys.version_info < (${LEAST.replace('.', ', ')}))`]);
  if (suits.status !== 0)
    return console.error(
      `Python ${LEAST} or newer with venv was not found (${python}; another one: PYTHON=…): the tests of the Python client will fail.`,
    );
  console.error('Installing Python packages for the tests …');
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const pip = [path.join(fresh, 'bin/python'), '-m', 'pip', '--disable-pip-version-check', '--quiet'];
  const install = [...pip, 'install', '--no-compile']; // most modules are never imported: those that are compile themselves
  const wheels = path.join(fresh, 'wheels');
  const pinned = ['--require-hashes', '--only-binary=:all:', '--requirement', requirements];
  const steps = [
    [python, '-m', 'venv', fresh],
    ...(set.keepsWheels
      ? [
          [...pip, 'download', ...pinned, '--dest', wheels],
          [...install, '--no-index', '--find-links', wheels, ...pinned],
        ]
      : [[...install, '--no-deps', ...pinned]]),
  ];
  for (const [command, ...args] of steps) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0) continue;
    console.error(error?.message ?? stderr.trim().split('\n').slice(-SHOWN_LINES).join('\n'));
    console.error('The Python packages could not be installed: the tests of the Python client will fail.');
    return;
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  writeFileSync(installed, readFileSync(requirements));
}

function isInstalled() {
  return existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(requirements, 'utf8');
}
