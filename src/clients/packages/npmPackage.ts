/**
 * Makes the npm package that the service serves: the TypeScript client and the command `landuse`, from the sources of this version, so that they
 * always fit the service. It contains the packages that the command needs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createTarGzip, type TarFileInput } from 'nanotar';
import { isolatedDeclarationSync, transformSync } from 'oxc-transform';

export interface PackageOptions {
  /** default root URL of the service */
  serviceUrl: string;
}

const SOURCES = path.resolve(import.meta.dirname, '../..');
const CLIENT = 'clients/client';
const COMMAND = 'clients/cli/main';
const BIN = 'landuse.js';
/** Sources keep their paths relative to the package's manifest. */
const CODE = 'src';
const NAME = 'landuse-api';
const BUNDLED = ['commander', 'cli-progress', 'pg'];
/** Left out: 70 MB of native code that only copies into DuckDB need. Who wants them installs it separately. */
const OPTIONAL = '@duckdb/node-api';
/** A fixed time for all files, so that equal sources make equal bytes. */
const MADE_AT = Date.UTC(2000, 0, 1);
const RELATIVE_IMPORT = /(\bfrom\s*|\bimport\s*(?:\(\s*)?)(["'])(\.{1,2}\/[^"']+)\2/g;

/** Makes the package. @returns a gzipped tar, equal for equal sources and options @throws Error if a source cannot be translated */
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

/** Translates a source, with imports of the files' names in the package. */
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

/** The bundled packages and their dependencies, each once, in npm's layout. */
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
