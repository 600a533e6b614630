import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeNpmPackage } from '../src/clients/packages/npmPackage.ts';
import { makePythonWheel, pythonWheelName } from '../src/clients/packages/pythonWheel.ts';

// npm run build:client                 the packages that a service at http://localhost:8080 hands out, in dist
// npm run build:client -- URL FOLDER   of another service, elsewhere

const [serviceUrl = 'http://localhost:8080', target = 'dist'] = process.argv.slice(2);
const folder = path.resolve(target);
mkdirSync(folder, { recursive: true });
const packages = { 'landuse-api.tgz': await makeNpmPackage({ serviceUrl }), [pythonWheelName()]: makePythonWheel({ serviceUrl }) };
for (const [name, bytes] of Object.entries(packages)) {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  console.log(file);
}
