/** Every command line of the project helps and refuses in the same way; none of it needs a server. */
import assert from 'node:assert/strict';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readAllPages } from '../../src/clients/cli/context.ts';
import { commandEnvironment, stackVariables } from '../../src/core/store/files/localStack.ts';
import { printable, printableJson, printableLines } from '../../src/terminal/printable.ts';
import { listOf, someOf, wholeNumber } from '../../src/terminal/program.ts';
import { markdownTable, textTable } from '../../src/terminal/textTable.ts';
import { type Ended, runHosted } from '../support/commandHost.ts';
import { newFolder } from '../support/folder.ts';
import { bareEnvironment, root, runProgram } from '../support/programs.ts';

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** One that can be imported too sees that it is the main module only in a process of its own. */
const run = (file: string, ...args: string[]): Promise<Ended> =>
  textOf(file).includes('import.meta.main') ? runProgram(file, args, bareEnvironment) : runHosted({ file, args, env: bareEnvironment });

/** Modules that make a command line; what some do not know they pass on to a test run. */
const scripts = globSync(['ingest/**/*.ts', 'scripts/**/*.ts', 'src/operate/**/*.ts'], { cwd: root })
  .filter((file) => /\bmakeProgram\(/.test(textOf(file)) && !textOf(file).includes('allowUnknownOption'))
  .sort();

describe('the command lines', () => {
  for (const file of scripts)
    it(`${file} helps with examples, and refuses an unknown option with exit code 2`, async () => {
      const help = await run(file, '--help');
      assert.deepEqual([help.code, help.stderr], [0, '']);
      assert.match(help.stdout, /^Usage: .+[\s\S]+\nExamples:\n {2}npm run /);
      const refused = await run(file, '--colour');
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /^error: (unknown option '--colour'|required option .+)\n\(add --help for usage\)\n$/);
    });

  it('a benchmark refuses what is no suite, and an option of another suite', async () => {
    const unknown = await run('scripts/proofs/bench/main.ts', 'leger');
    const foreign = await run('scripts/proofs/bench/main.ts', 'sync', '--owned', '3');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /Allowed choices are pages, peer, ledger/);
    assert.deepEqual([foreign.code, foreign.stderr], [2, '--owned is no option of sync.\n(add --help for usage)\n']);
  });
});

describe('arguments', () => {
  it('are checked, with a sentence that says what they must be', () => {
    assert.equal(wholeNumber(1, 600)('600'), 600);
    assert.equal(wholeNumber(1, Number.MAX_SAFE_INTEGER)('9007199254740991'), Number.MAX_SAFE_INTEGER, 'ids have up to 16 digits');
    for (const text of ['0', '601', '-1', '1.5', '1e2', ''])
      assert.throws(() => wholeNumber(1, 600)(text), { message: 'It must be a whole number from 1 to 600.' });
    assert.deepEqual(listOf(wholeNumber(0, 9))('1, 2'), [1, 2]);
    assert.deepEqual(someOf(['a', 'b'])('b,a'), ['b', 'a']);
    assert.throws(() => someOf(['a', 'b'])('c'), { message: "'c' is none of a, b." });
  });
});

describe('a collection', () => {
  it('is brought whole, page after page', async () => {
    const pages = [
      { data: [1, 2], meta: { hasMore: true } },
      { data: [3], meta: { hasMore: false } },
    ];
    const offsets: number[] = [];
    const all = await readAllPages(async ({ offset }) => {
      offsets.push(offset);
      return pages.shift() ?? assert.fail('a page too many');
    });
    assert.deepEqual(
      [all, offsets],
      [
        [1, 2, 3],
        [0, 2],
      ],
    );
  });
});

describe('tables', () => {
  it('align their columns, as text and as Markdown', () => {
    const rows = [
      { team: 1, name: 'Acme', email: null },
      { team: 12, name: 'Bo', email: 'bo@b.example' },
    ];
    assert.deepEqual(textTable(rows, ''), ['team  name  email', '1     Acme  -', '12    Bo    bo@b.example']);
    assert.deepEqual(textTable([], 'None yet.'), ['None yet.']);
    assert.equal(markdownTable(['walk', '/s'], [['raw', '1,000']]), '| walk |    /s |\n| ---- | ----: |\n| raw  | 1,000 |');
    assert.equal(markdownTable(['walk', ''], [['raw', '']]), '| walk |    |\n| ---- | -: |\n| raw  |    |');
  });
});

describe('text on a terminal', () => {
  it('has no control character of C0, DEL or C1; lines keep their ends, and JSON its value', () => {
    const every = [...Array(0xa1).keys()].map((code) => String.fromCharCode(code)).join('');
    assert.equal(printable('a\x1b[2J\nb\x9bc\x7fd é 🏠'), 'a\\x1b[2J\\x0ab\\x9bc\\x7fd é 🏠');
    assert.equal(printableLines('a\x1b\n\tb\r'), 'a\\x1b\n\tb\\x0d');
    assert.doesNotMatch(printable(every), /\p{Cc}/u);
    assert.doesNotMatch(printableLines(every), /(?![\n\t])\p{Cc}/u);
    assert.doesNotMatch(printableJson({ every }), /(?!\n)\p{Cc}/u);
    assert.deepEqual(JSON.parse(printableJson({ every })), { every });
    assert.deepEqual(textTable([{ name: 'a\x1b[31m\nb' }], ''), ['name', 'a\\x1b[31m\\x0ab']);
  });
});

describe('settings of a command run by hand', () => {
  let folder: string;
  const urls = { elasticsearchUrl: 'http://e', databaseUrl: 'postgres://p', redisUrl: 'redis://r' };
  const write = (state: object) => writeFileSync(path.join(folder, '.stack/stack.json'), JSON.stringify(state));

  beforeEach(() => {
    folder = newFolder('local-stack');
    mkdirSync(path.join(folder, '.stack'));
  });

  it('are completed from the stack that runs in the project, once it is ready', () => {
    const wanted = {
      ...{ ELASTICSEARCH_URL: 'http://e', DATABASE_URL: 'postgres://p', REDIS_URL: 'redis://r' },
      ...{ EXPORT_DIR: path.join(folder, '.stack/exports'), GENERATIONS_DIR: path.join(folder, '.stack/generations') },
    };
    assert.equal(stackVariables(folder), undefined);
    write({ owner: { pid: process.pid } });
    assert.equal(stackVariables(folder), undefined);
    write({ owner: { pid: process.pid }, urls });
    assert.deepEqual(stackVariables(folder), wanted);
    const { KEY_PEPPER, CURSOR_SECRET, ...rest } = commandEnvironment(folder, { KEY_PEPPER: '', DATABASE_SCHEMA: 's' });
    assert.deepEqual(rest, { ...wanted, DATABASE_SCHEMA: 's' });
    assert.ok(KEY_PEPPER && CURSOR_SECRET);
    assert.equal(commandEnvironment(folder, { DATABASE_URL: wanted.DATABASE_URL }).KEY_PEPPER, KEY_PEPPER);
  });

  it('are not taken from a stack that was killed, nor its secrets used for another database', () => {
    write({ owner: { pid: 2 ** 30 }, urls });
    assert.equal(stackVariables(folder), undefined);
    assert.deepEqual(commandEnvironment(folder, {}), {});
    write({ owner: { pid: process.pid }, urls });
    assert.deepEqual(commandEnvironment(folder, { DATABASE_URL: 'postgres://other' }), { DATABASE_URL: 'postgres://other' });
  });
});
