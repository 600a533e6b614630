import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { configTable, removedTable } from '../../src/config.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

describe('the guide to settings', () => {
  it('lists every setting as the configuration defines it', () => {
    const guide = readFileSync(path.join(root, 'src/docs/settings.md'), 'utf8');
    for (const table of [configTable(), removedTable()]) assert.ok(guide.includes(table), `Replace the table of settings with:\n${table}`);
  });
});

describe('README', () => {
  it('names only npm scripts that exist', () => {
    const named = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1] as string);
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
  });

  it('links only files that exist', () => {
    const links = [...readme.matchAll(/\]\((?!http)([^)#]+)\)/g)].map((match) => match[1] as string);
    assert.deepEqual(
      links.filter((link) => !existsSync(path.join(root, link))),
      [],
    );
  });
});
