import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeNpmPackage } from '../src/clients/packages/npmPackage.ts';
import { makePythonWheel, pythonWheelName } from '../src/clients/packages/pythonWheel.ts';
import { makeProgram } from '../src/terminal/program.ts';

const EXAMPLES = `
Examples:
  npm run build:client                                           into dist
  npm run build:client -- https://land.example.com packages      of another service, elsewhere`;

const [serviceUrl = '', target = ''] = makeProgram('npm run build:client --', 'Makes the packages that a service hands out.', EXAMPLES)
  .argument('[url]', 'of the service', 'http://localhost:8080')
  .argument('[folder]', 'where they are written', 'dist')
  .parse().processedArgs as string[];
const folder = path.resolve(target);
mkdirSync(folder, { recursive: true });
const packages = { 'landuse-api.tgz': await makeNpmPackage({ serviceUrl }), [pythonWheelName()]: makePythonWheel({ serviceUrl }) };
for (const [name, bytes] of Object.entries(packages)) {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  console.log(file);
}
