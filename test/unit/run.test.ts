import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '../support/folder.ts';
import { root, runProgram } from '../support/programs.ts';

const PROGRAM = `
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import facts from './facts.json' with { type: 'json' };
import { word } from './word.ts';
const { late } = await import('./late.ts');
const own = readFileSync(new URL('own.txt', import.meta.url), 'utf8');
console.log(JSON.stringify([process.argv.slice(1), import.meta.dirname, own, facts.one, word, late, typeof Ajv]));
`;

describe('A program run from a bundle', () => {
  let folder: string;
  const at = (file: string) => path.join(folder, file);
  const write = (file: string, text: string) => writeFileSync(at(file), text);
  const bundles = () => readdirSync(at('node_modules/.cache/landuse/bundles')).filter((name) => /-[0-9a-f]{20}$/.test(name));

  beforeEach(() => {
    folder = newFolder('bundled');
    for (const name of ['scripts', 'src', 'node_modules']) mkdirSync(at(name));
    for (const name of ['run.mjs', 'bundle.mjs', 'processLock.mjs']) cpSync(path.join(root, 'scripts', name), at(`scripts/${name}`));
    for (const name of ['esbuild', 'ajv']) symlinkSync(path.join(root, 'node_modules', name), at(`node_modules/${name}`));
    write('package.json', '{ "type": "module" }');
    write('node_modules/.package-lock.json', '{}');
    write('src/facts.json', '{ "one": 1 }');
    write('src/own.txt', 'own');
    write('src/word.ts', "export const word: string = 'old';\n");
    write('src/late.ts', "export const late = 'late';\n");
    write('src/main.ts', PROGRAM);
  });

  const run = (file = 'src/main.ts', ...args: string[]) =>
    runProgram(at('scripts/run.mjs'), [file, ...args], { PATH: process.env.PATH ?? '' });
  const shown = (word: string, ...args: string[]) =>
    `${JSON.stringify([[at('src/main.ts'), ...args], at('src'), 'own', 1, word, 'late', 'function'])}\n`;

  it('has the arguments, the place, the files and the packages that it has where it stands, and is bundled once', async () => {
    assert.deepEqual(await run('src/main.ts', 'a', '--b'), { code: 0, stdout: shown('old', 'a', '--b'), stderr: '' });
    const [made] = bundles();
    assert.deepEqual(await run(), { code: 0, stdout: shown('old'), stderr: '' });
    assert.deepEqual(bundles(), [made]);
  });

  it('is never an older one: a change is run even where size and time of the file are as before', async () => {
    await run();
    const { atime, mtime } = statSync(at('src/word.ts'));
    write('src/word.ts', "export const word: string = 'new';\n");
    utimesSync(at('src/word.ts'), atime, mtime);
    assert.equal((await run()).stdout, shown('new'));
    write('src/facts.json', '{ "one": 2 }');
    assert.equal((await run()).stdout, shown('new').replace('"own",1', '"own",2'));
    write('src/word.ts', "export const word: string = 'old';\n");
    write('src/facts.json', '{ "one": 1 }');
    assert.equal((await run()).stdout, shown('old'));
    write('node_modules/.package-lock.json', '{ "packages": {} }');
    await run();
    assert.equal(bundles().length, 4);
  });

  it('names modules and lines in stack traces', async () => {
    write('src/late.ts', "// one\n// two\nexport const late = 'late';\nthrow new Error('thrown late');\n");
    const { code, stderr } = await run();
    assert.equal(code, 1);
    assert.match(stderr, /Error: thrown late\n {4}at .*src\/late\.ts:4:/);
  });

  it('runs from its modules where no bundle can be made, and says why', async () => {
    write('node_modules/.cache', 'no folder');
    const { code, stdout, stderr } = await run();
    assert.equal(code, 0);
    assert.equal(stdout, shown('old'));
    assert.match(stderr, /^src\/main\.ts runs from its modules, since its bundle could not be made: ENOTDIR/);
  });
});
