// Installs the npm packages when they are missing or package-lock.json has changed; silent when there is nothing to do.
// Plain JavaScript without dependencies: it runs on the machine's own Node, before Node 24 has been installed.
//   node scripts/install.mjs           for development: brings Node 24 and Postgres too
//   node scripts/install.mjs service   what runs the service: where NODE_ENV=production, without the development packages, on the machine's Node 24
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './processLock.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SHOWN_LINES = 8;
const NODE_LEAST = 24;
const production = process.env.NODE_ENV === 'production' && process.argv[2] === 'service';

if (production && !existsSync(path.join(root, 'node_modules/.bin/node')) && Number.parseInt(process.versions.node, 10) < NODE_LEAST)
  fail(
    `Node ${NODE_LEAST} or newer has to run the service; this is ${process.versions.node}. Without NODE_ENV=production it is installed with the packages.`,
  );
else if (!isInstalled())
  await withLock(path.join(root, '.stack', 'install.lock'), installOnce, () =>
    console.error('Waiting for another installation of the packages …'),
  );

function installOnce() {
  if (isInstalled()) return;
  const problem = lockProblem();
  if (problem) return fail(problem);
  const started = Date.now();
  console.error('Installing packages …');
  const npm = process.env.npm_execpath;
  const args = ['ci', production ? '--omit=dev' : '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, encoding: 'utf8' })
    : spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (result.error) return fail(`npm could not be started (${result.error.code}): install Node.js together with npm.`);
  if (result.status !== 0) {
    console.error(npmErrors(`${result.stderr}`));
    return fail('The packages could not be installed: npm ci failed with the message above.');
  }
  if (!isInstalled())
    return fail('npm ci left packages out: look whether npm is told to skip install scripts (npm config get ignore-scripts).');
  console.error(`Packages installed (${((Date.now() - started) / 1000).toFixed(1)} s).`);
}

/** The first error lines of npm, without its help and the place of its log. */
function npmErrors(text) {
  const lines = text.split('\n').filter((line) => line.startsWith('npm error ') && line.trim() !== 'npm error');
  return (lines.length > 0 ? lines : text.trim().split('\n')).slice(0, SHOWN_LINES).join('\n');
}

function fail(sentence) {
  console.error(sentence);
  process.exitCode = 1;
}

/** npm writes node_modules/.package-lock.json last, so an interrupted installation never counts as complete. */
function isInstalled() {
  const wanted = packages('package-lock.json');
  const present = packages('node_modules/.package-lock.json');
  if (!wanted || !present || !(production || existsSync(path.join(root, 'node_modules/.bin/node')))) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    const found = present[name];
    if (name === '') return true;
    if (found) return found.version === entry.version && found.integrity === entry.integrity;
    return entry.optional || entry.devOptional || entry.peer || (entry.dev && production);
  });
}

function lockProblem() {
  const wanted = packages('package-lock.json');
  if (!wanted) return 'package-lock.json is missing: restore it from version control.';
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const agrees = ['dependencies', 'devDependencies'].every((key) => {
    const ours = manifest[key] ?? {};
    const locked = wanted[''][key] ?? {};
    return Object.keys({ ...ours, ...locked }).every((name) => ours[name] === locked[name]);
  });
  if (!agrees) return 'package.json and package-lock.json disagree: run npm install and commit both.';
  const unproven = Object.keys(wanted).filter((name) => name !== '' && !wanted[name].integrity);
  if (unproven.length > 0)
    return `package-lock.json lacks the digest of ${unproven[0]} (${unproven.length} in all): restore it, or remove it and node_modules and run npm install.`;
  return undefined;
}

function packages(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
