// Runs a program of this project from a bundle, one file of its modules and packages, which starts in two thirds of the time:
//   node scripts/run.mjs src/main.ts ARGUMENTS     makes the bundle first where there is none of these very sources
//   node scripts/run.mjs --bundle src/main.ts …    only makes bundles
// A bundle is named for the contents of everything in it, so that a stale one is never found. Where it cannot be made, the modules run as they are.
// Stack traces name the modules and their lines. Plain JavaScript, which needs no preparation itself.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '..');
const CACHE = path.join(ROOT, 'node_modules', '.cache', 'landuse');

const [, , first, ...rest] = process.argv;
if (first === '--bundle') for (const entry of rest) await makeBundle(entry);
else await run(first);

async function run(entry) {
  // What is compiled is kept, also for the threads and processes of this one.
  process.env.NODE_COMPILE_CACHE ??= CACHE;
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
  const module = path.resolve(ROOT, entry);
  process.argv.splice(1, 2, module);
  const bundle = findBundle(entry) ?? (await makeBundle(entry).catch((error) => reportFailure(entry, error)));
  if (bundle) process.setSourceMapsEnabled(true);
  await import(pathToFileURL(bundle ?? module));
}

/** The bundle of these very sources; undefined if there is none. */
function findBundle(entry) {
  const place = placeOf(entry);
  try {
    const files = JSON.parse(readFileSync(place.list, 'utf8'));
    const bundle = place.bundle(hashFiles(files, (file) => readFileSync(path.join(ROOT, file))));
    return existsSync(bundle) ? bundle : undefined;
  } catch {
    return undefined; // there is no list, or a file of it is gone
  }
}

/** Where the list of the files of a program's bundle is kept, and the bundle of a hash. */
function placeOf(entry) {
  const start = path.join(CACHE, 'bundles', entry.replaceAll('/', '-'));
  return { list: `${start}.json`, bundle: (hash) => path.join(`${start}-${hash}`, 'main.mjs') };
}

/** Of the names and contents of files, and of the place where they stand, which a bundle repeats. */
function hashFiles(files, read) {
  const hash = createHash('sha1').update(ROOT);
  for (const file of files) hash.update(`\0${file}\0`).update(read(file));
  return hash.digest('hex').slice(0, 20);
}

async function makeBundle(entry) {
  const [{ bundleProgram }, { withLock }] = await Promise.all([import('./bundle.mjs'), import('./processLock.mjs')]);
  const lock = path.join(CACHE, 'bundles', 'lock');
  return withLock(lock, async () => findBundle(entry) ?? (await bundleProgram(ROOT, entry, placeOf(entry), hashFiles)));
}

/** A folder that cannot be written is usual in an image. */
function reportFailure(entry, error) {
  if (!['EROFS', 'EACCES', 'EPERM'].includes(error.code))
    console.error(`${entry} runs from its modules, since its bundle could not be made: ${error.message}`);
}
