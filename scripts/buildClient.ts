import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// npm run build:client            JavaScript, types and manifest of the client in dist/client; then: npm pack ./dist/client
// npm run build:client -- FOLDER  the same elsewhere
//
// What it makes runs on Node 20 and in browsers as it is, and depends on nothing.

const root = path.resolve(import.meta.dirname, '..');
const source = path.join(root, 'src/clients/client');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist/client'));

const compiled = spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', source, '--outDir', folder], { stdio: 'inherit' });
if (compiled.status === 0) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const entry = { types: './index.d.ts', default: './index.js' };
  const manifest = {
    name,
    version,
    license,
    private: true,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.3' },
    exports: { '.': entry, './client': entry },
    files: ['*.js', '*.d.ts'],
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(path.join(source, 'README.md'), path.join(folder, 'README.md'));
}
process.exitCode = compiled.status ?? 1;
