import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeNpmPackage } from '../src/clients/packages/npmPackage.ts';

// npm run build:client               the package that a service at http://localhost:8080 hands out, in dist/landuse-api.tgz
// npm run build:client -- URL FILE   of another service, elsewhere

const [serviceUrl = 'http://localhost:8080', target = 'dist/landuse-api.tgz'] = process.argv.slice(2);
const file = path.resolve(target);
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, await makeNpmPackage({ serviceUrl }));
console.log(file);
