/** The examples of the reference in the languages of the clients: each is one that the client takes. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { codeSamples } from '../../src/web/codeSamples.ts';
import { COMMAND_LINES } from '../../src/web/commandLines.ts';
import { type Document, operationsOf } from '../../src/web/openapiView.ts';
import { READING_ORDER } from '../../src/web/readingOrder.ts';
import { assertNone, pluck } from '../support/lists.ts';

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const document = JSON.parse(readFileSync(path.join(root, 'test/contract/openapi.json'), 'utf8')) as Document;
const operations = operationsOf(document, READING_ORDER);
const samples = operations.flatMap((operation) => codeSamples(operation, document).map((sample) => ({ operation, ...sample })));
const samplesIn = (language: string) => samples.filter((sample) => sample.language === language);

describe('examples of the reference', () => {
  it('in TypeScript are taken by the compiler, with the types of the client', async () => {
    mkdirSync(path.join(root, '.stack'), { recursive: true });
    const folder = mkdtempSync(path.join(root, '.stack', 'samples-'));
    try {
      const client = path.join(root, 'src/clients/client/index.ts');
      for (const { operation, source } of samplesIn('TypeScript'))
        writeFileSync(path.join(folder, `${operation.operationId}.ts`), `${source.replace("'landuse-api'", `'${client}'`)}\nexport {};\n`);
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
      const compiler = path.join(root, 'node_modules/.bin/tsc');
      const problems = await execute(process.execPath, [compiler, '-p', folder, '--noEmit']).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      );
      assert.equal(problems, '');
      assert(samplesIn('TypeScript').length > 60);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('in Python call methods that the client has', () => {
    const generated = readFileSync(path.join(root, 'src/clients/python/landuse_api/_generated.py'), 'utf8');
    const python = samplesIn('Python');
    const unknown = python.filter(({ source }) => {
      const [, resource = '', method = ''] = /api\.(\w+)\.(\w+)\(/.exec(source) ?? [];
      const name = resource.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
      const [, body = ''] = new RegExp(`^class ${name}Resource\\(Resource\\):\\n((?:(?:    .*)?\\n)+)`, 'm').exec(generated) ?? [];
      return !body.includes(`    def ${method}(`);
    });
    assert.deepEqual(pluck(unknown, 'source'), []);
    assert.equal(python.length, samplesIn('TypeScript').length);
  });

  it('for the command line name commands and options that there are', async () => {
    assertNone(Object.keys(COMMAND_LINES), (id) => !operations.some(({ operationId }) => operationId === id));
    const program = path.join(root, 'src/clients/cli/main.ts');
    const helps = new Map<string, Promise<string>>();
    for (const line of Object.values(COMMAND_LINES)) {
      const words = (/^landuse ((?:[a-z]+ ?)+?)(?= (?:\S*[^a-z ]\S*)|$)/.exec(line)?.[1] ?? '').split(' ');
      const help = helps.get(words.join(' ')) ?? execute(process.execPath, [program, ...words, '--help']).then(({ stdout }) => stdout);
      helps.set(words.join(' '), help);
      const text = await help;
      assert(text.startsWith(`Usage: landuse ${words.join(' ')}`), line);
      for (const [option] of line.matchAll(/--[a-z-]+/g)) assert(text.includes(option), `${line}: ${option}`);
    }
  });
});
