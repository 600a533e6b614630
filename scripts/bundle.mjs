// Makes the bundle of a program, for scripts/run.mjs.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

/** Decide what a bundle is besides its modules; npm writes the list of what is installed last. */
const ALSO = ['scripts/run.mjs', 'scripts/bundle.mjs', 'node_modules/.package-lock.json'];
/** Older ones stay for programs that run from them and load a part later. */
const KEPT_MS = 24 * 3_600_000;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** @returns the path of the bundle, which is named by `hashFiles` for the contents as they were read for it */
export async function bundleProgram(root, entry, place, hashFiles) {
  const bundles = path.dirname(place.list);
  removeOld(bundles);
  const draft = path.join(bundles, `draft-${process.pid}`);
  const read = new Map(ALSO.map((file) => [file, readFileSync(path.join(root, file))]));
  await build({
    absWorkingDir: root,
    entryPoints: { main: entry },
    outdir: draft,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true, // what a program imports late is a file of its own
    format: 'esm',
    platform: 'node',
    target: 'node24',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(${JSON.stringify(path.join(root, entry))});`,
    },
    plugins: [{ name: 'in place', setup: (esbuild) => keepPlaces(esbuild, root, read) }],
  }).finally(stop); // its process would live as long as the program
  for (const name of readdirSync(draft)) if (name.endsWith('.map')) shortenMap(path.join(draft, name));
  const files = [...read.keys()].sort();
  const bundle = place.bundle(hashFiles(files, (file) => read.get(file)));
  rmSync(path.dirname(bundle), { recursive: true, force: true });
  renameSync(draft, path.dirname(bundle));
  writeFileSync(`${draft}.json`, JSON.stringify(files));
  renameSync(`${draft}.json`, place.list);
  return bundle;
}

/** Has each module know its own place, as if it ran there, and notes what was read of the project. */
function keepPlaces({ onResolve, onLoad }, root, read) {
  // Large packages that a program may need late, or never, stay as they are.
  onResolve({ filter: /^[^./]/ }, ({ kind, path: name }) => (kind === 'dynamic-import' ? { path: name, external: true } : undefined));
  onLoad({ filter: /\.([cm]?js|ts|json)$/ }, ({ path: file }) => {
    const bytes = readFileSync(file);
    if (!file.includes('/node_modules/')) read.set(path.relative(root, file), bytes);
    const places = { 'import.meta.url': pathToFileURL(file), 'import.meta.filename': file, 'import.meta.dirname': path.dirname(file) };
    const contents = bytes.toString().replace(/\bimport\.meta\.(?:url|filename|dirname)\b/g, (name) => JSON.stringify(places[name]));
    return {
      contents,
      loader: path
        .extname(file)
        .replace(/^\.[cm]/, '.')
        .slice(1),
    };
  });
}

/** Leaves the lines of the project's own modules in a source map: the first error would wait for a third of a second for all that esbuild writes. */
function shortenMap(file) {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const isOurs = map.sources.map((source) => !source.includes('/node_modules/'));
  const at = { source: 0, line: 0, column: 0 }; // as read
  const put = { source: 0, line: 0 }; // as written
  let wasOurs = false;
  const lines = map.mappings.split(';').map((text) => {
    let first;
    for (const segment of text ? text.split(',') : []) {
      const [, source, line, column] = decode(segment);
      if (source === undefined) continue;
      at.source += source;
      at.line += line;
      at.column += column;
      first ??= { source: at.source, line: at.line };
    }
    if (!first) return '';
    if (!isOurs[first.source]) {
      const end = wasOurs ? 'A' : ''; // what follows has no source
      wasOurs = false;
      return end;
    }
    wasOurs = true;
    const written = `A${encode(first.source - put.source)}${encode(first.line - put.line)}A`;
    Object.assign(put, first);
    return written;
  });
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: lines.join(';') }));
}

/** Numbers in base 64, least digits first; 32 marks that more follow, and the last bit of all is the sign. */
function decode(text) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of text) {
    const bits = DIGITS.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}

function encode(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    text += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>= 5;
  } while (rest > 0);
  return text;
}

function removeOld(bundles) {
  for (const name of readdirSync(bundles)) {
    const file = path.join(bundles, name);
    if (name !== 'lock' && Date.now() - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { recursive: true, force: true });
  }
}
