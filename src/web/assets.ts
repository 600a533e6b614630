/** Files that pages load: those in `src/web/map`, `src/web/docs` and `src/web/shared`, and files of packages. Each name contains a digest of its content. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Asset {
  /** the path with the digest */
  path: string;
  type: string;
  content(): string | Promise<string>;
}

const ROOT = '/assets/';
const DIGEST_LENGTH = 12;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Files of the folder that are served; others are for developers. */
const SERVED = /\.(js|css|svg)$/;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);

/**
 * An asset.
 * @param name without the digest
 * @param seed text from which the content follows
 */
export function assetOf(name: string, seed: string, content: () => string | Promise<string> = () => seed): Asset {
  const { dir, name: stem, ext } = path.posix.parse(name);
  return { path: `${ROOT}${path.posix.join(dir, `${stem}.${digestOf(seed)}${ext}`)}`, type: TYPES[ext] ?? 'text/plain', content };
}

const packageFile = (name: string, specifier: string): Asset =>
  assetOf(name, readFileSync(fileURLToPath(import.meta.resolve(specifier)), 'utf8'));

/** Modules that the page imports by their bare names. */
const PACKAGES = {
  'maplibre-gl': 'maplibre-gl.mjs',
  preact: 'preact.mjs',
  'preact/hooks': 'preact-hooks.mjs',
  htm: 'htm.mjs',
} as const;

export interface PageAssets {
  all: readonly Asset[];
  /** an import map: the path of each module by its bare name */
  imports: Readonly<Record<string, string>>;
  /** the entry module, its stylesheet, the icon, and the worker of the map's renderer */
  entry: string;
  style: string;
  icon: string;
  worker: string;
}

/** What the pages of both folders load. */
const SHARED = 'shared';

/** Files of a folder of ours, by name. */
function ownAssets(folder: string): Map<string, Asset> {
  const from = path.resolve(import.meta.dirname, folder);
  const names = readdirSync(from).filter((name) => SERVED.test(name));
  return new Map(names.map((name) => [name, assetOf(`${folder}/${name}`, readFileSync(path.join(from, name), 'utf8'))]));
}

/** Our own files import each other by relative names, which the import map resolves to the paths with digests. */
const ownImports = (folder: string, own: ReadonlyMap<string, Asset>) =>
  Object.fromEntries(
    [...own].filter(([name]) => name.endsWith('.js')).map(([name, { path: served }]) => [`${ROOT}${folder}/${name}`, served]),
  );

/** Files that the pages of the reference load. */
export interface DocsAssets {
  all: readonly Asset[];
  imports: Readonly<Record<string, string>>;
}

export function readDocsAssets(): DocsAssets {
  const own = ownAssets('docs');
  const shared = ownAssets(SHARED);
  return { all: [...own.values(), ...shared.values()], imports: { ...ownImports('docs', own), ...ownImports(SHARED, shared) } };
}

export function readAssets(): PageAssets {
  const own = ownAssets('map');
  const shared = ownAssets(SHARED);
  const packages = new Map(Object.entries(PACKAGES).map(([specifier, name]) => [specifier, packageFile(name, specifier)]));
  const worker = packageFile('maplibre-gl-worker.mjs', 'maplibre-gl/dist/maplibre-gl-worker.mjs');
  const ownPath = (name: string) => {
    const asset = own.get(name);
    if (!asset) throw new Error(`src/web/map/${name} is missing`);
    return asset.path;
  };
  return {
    all: [...own.values(), ...shared.values(), ...packages.values(), worker],
    imports: Object.fromEntries([
      ...[...packages].map(([specifier, asset]) => [specifier, asset.path]),
      ...Object.entries({ ...ownImports('map', own), ...ownImports(SHARED, shared) }),
    ]),
    entry: ownPath('main.js'),
    style: ownPath('map.css'),
    icon: ownPath('icon.svg'),
    worker: worker.path,
  };
}
