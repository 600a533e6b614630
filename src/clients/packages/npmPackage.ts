/**
 * The npm package that a service hands out: the TypeScript client and the command `landuse`, made of their sources as they stand here, so that
 * they always fit the service. The packages that the command needs travel with it: nothing else has to be fetched.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createTarGzip, type TarFileInput } from 'nanotar';
import { isolatedDeclarationSync, transformSync } from 'oxc-transform';

export interface PackageOptions {
  /** root of the service that is asked unless another one is named */
  serviceUrl: string;
}

const SOURCES = path.resolve(import.meta.dirname, '../..');
const CLIENT = 'clients/client';
const COMMAND = 'clients/cli/main';
const BIN = 'landuse.js';
/** The sources keep their place below the package's manifest. */
const CODE = 'src';
const NAME = 'landuse-api';
const BUNDLED = ['commander', 'cli-progress', 'csv-parse', 'pg'];
/** 70 MB of native code, which only copies into DuckDB need: whoever wants them installs it beside. */
const OPTIONAL = '@duckdb/node-api';
/** One moment for all files, so that the same sources make the same bytes. */
const MADE_AT = Date.UTC(2000, 0, 1);
const RELATIVE_IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}\/[^"']+)\2/g;

/** @returns a gzipped tar, the same bytes for the same sources and options @throws Error where a source cannot be translated */
export async function makeNpmPackage(options: PackageOptions): Promise<Uint8Array> {
  const files = [...clientFiles(options), ...bundledFiles()];
  return createTarGzip(
    files.map(({ name, data }) => ({
      name: `package/${name}`,
      data: data ?? '',
      attrs: { mtime: MADE_AT, mode: name === BIN ? '755' : '644' },
    })),
  );
}

function clientFiles({ serviceUrl }: PackageOptions): TarFileInput[] {
  const files = new Map<string, string>([
    ['package.json', `${JSON.stringify(manifest(), null, 2)}\n`],
    ['README.md', readFileSync(path.join(SOURCES, CLIENT, 'README.md'), 'utf8').replaceAll('http://localhost:8080', serviceUrl)],
    [BIN, `#!/usr/bin/env node\nimport './${CODE}/${COMMAND}.js';\n`],
  ]);
  const waiting = [`${CLIENT}/index`, COMMAND];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (files.has(`${CODE}/${module}.js`)) continue;
    const source = sourceOf(module, serviceUrl);
    const script = translated(module, transformSync(`${module}.ts`, source, { typescript: { onlyRemoveTypeImports: true } }));
    files.set(`${CODE}/${module}.js`, script);
    if (module.startsWith(CLIENT)) files.set(`${CODE}/${module}.d.ts`, translated(module, isolatedDeclarationSync(`${module}.ts`, source)));
    const typed = files.get(`${CODE}/${module}.d.ts`) ?? '';
    for (const [, , , target = ''] of `${script}\n${typed}`.matchAll(RELATIVE_IMPORT))
      waiting.push(path.posix.join(path.posix.dirname(module), target).replace(/\.js$/, ''));
  }
  return [...files].map(([name, data]) => ({ name, data }));
}

function sourceOf(module: string, serviceUrl: string): string {
  const source = readFileSync(path.join(SOURCES, `${module}.ts`), 'utf8');
  return module === `${CLIENT}/defaultUrl` ? source.replace("'http://localhost:8080'", JSON.stringify(serviceUrl)) : source;
}

/** With imports of what the files are called in the package. */
function translated(module: string, { code, errors }: { code: string; errors: readonly { message: string }[] }): string {
  if (errors[0]) throw new Error(`${module}.ts cannot be translated for the package: ${errors[0].message}`);
  return code.replace(RELATIVE_IMPORT, (_, start, quote, target) => `${start}${quote}${target.replace(/\.ts$/, '.js')}${quote}`);
}

function manifest(): object {
  const { version, dependencies, devDependencies } = JSON.parse(readFileSync(path.join(SOURCES, '../package.json'), 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const entry = { types: `./${CODE}/${CLIENT}/index.d.ts`, default: `./${CODE}/${CLIENT}/index.js` };
  return {
    name: NAME,
    version,
    description: 'Client and command line of the Land Use Intelligence API',
    license: 'UNLICENSED',
    type: 'module',
    engines: { node: '>=20.3' },
    exports: { '.': entry },
    bin: { landuse: `./${BIN}` },
    dependencies: Object.fromEntries(BUNDLED.map((name) => [name, dependencies[name]])),
    bundleDependencies: BUNDLED,
    peerDependencies: { [OPTIONAL]: `>=${devDependencies[OPTIONAL]}` },
    peerDependenciesMeta: { [OPTIONAL]: { optional: true } },
  };
}

/** The bundled packages with those that they need, each once, as npm lays them out. */
function bundledFiles(): TarFileInput[] {
  const folders = new Map<string, string>();
  const add = (name: string, from: string) => {
    if (folders.has(name)) return;
    const folder = packageFolder(name, from);
    folders.set(name, folder);
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    for (const needed of Object.keys(dependencies)) add(needed, folder);
  };
  for (const name of BUNDLED) add(name, SOURCES);
  return [...folders].flatMap(([name, folder]) =>
    filesBelow(folder).map((file) => ({ name: `node_modules/${name}/${file}`, data: readFileSync(path.join(folder, file)) })),
  );
}

function packageFolder(name: string, from: string): string {
  const folders = createRequire(path.join(from, 'index.js')).resolve.paths(name) ?? [];
  const found = folders.map((folder) => path.join(folder, name)).find((folder) => existsSync(path.join(folder, 'package.json')));
  if (!found) throw new Error(`The package ${name} is not installed.`);
  return found;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('node_modules'))
    .sort();
