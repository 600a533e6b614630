/** The state of the map page as a call of the clients. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../src/web/app/map/code.ts';

const root = path.resolve(import.meta.dirname, '../..');
const filters = {
  states: 'CO,48',
  cities: 'Boulder, CO,Denver, CO',
  propertyTypes: 'residential,commercial',
  acreageMin: '2.5',
  hasConstructionDetails: 'true',
  circle: '{"lat":40,"lng":-105,"radiusMeters":500}',
  q: 'solar|"battery, storage"',
  dateRange: 'all',
};
const asked = { publicUrl: 'https://api.acme.example', filters };

describe('the code of a search on the map', () => {
  it('has lists, numbers and flags as the clients take them', () => {
    const code = codeOf('python', { ...asked, call: 'count' });
    for (const line of ['states=["CO",48],', 'cities=["Boulder, CO","Denver, CO"],', 'acreageMin=2.5,', 'hasConstructionDetails=True,'])
      assert(code.includes(`        ${line}\n`), code);
    assert(code.includes('circle={"lat":40,"lng":-105,"radiusMeters":500},'));
    assert(code.includes('q="solar|\\"battery, storage\\"",'));
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: code });
  });

  it('in TypeScript is taken by the compiler, with the types of the client', () => {
    mkdirSync(path.join(root, '.stack'), { recursive: true });
    const folder = mkdtempSync(path.join(root, '.stack', 'map-code-'));
    try {
      const client = path.join(root, 'src/clients/client/index.ts');
      for (const call of ['search', 'count', 'map'] as const) {
        const code = codeOf('typescript', { ...asked, call });
        writeFileSync(path.join(folder, `${call}.ts`), `${code.replace("'landuse-api'", `'${client}'`)}\nexport {};\n`);
      }
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
      execFileSync(process.execPath, [path.join(root, 'node_modules/.bin/tsc'), '-p', folder, '--noEmit']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
