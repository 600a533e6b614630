import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { compose } from '../../src/compose.ts';
import { loadConfig } from '../../src/config.ts';
import { routesOf } from '../support/routes.ts';
import { ENDPOINTS, type Held, type Row, TABLES, WORK } from './coverage.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Where the specification lies beside a checkout of ours; elsewhere the list stands for itself. */
const specification = path.resolve(root, '../shared/contract/specification.md');

/** Rows that this service has beyond the specification's tables: lotCount is bounded like the other measurements. */
const ADDED = new Set(['lotCountMin/Max']);

const everyRow = Object.entries(TABLES).flatMap(([table, rows]) =>
  Object.entries<Row>(rows).map(([name, row]) => ({ name: `${table} ${name}`, row })),
);

/** Titles of all tests of a file, as they are written: a template without its backticks. */
function titlesOf(file: string): Set<string> {
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const titles = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'it' && node.arguments[0]) {
      const [title] = node.arguments;
      titles.add(ts.isStringLiteralLike(title) ? title.text : title.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** Paths with every parameter as `*`, by method: 'GET /projects/*'. */
const anonymous = (method: string, route: string) => `${method} ${route.replaceAll(/\{\w+\}|:\w+/g, '*')}`;

async function servedRoutes(): Promise<Set<string>> {
  const nowhere = { ELASTICSEARCH_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/x', REDIS_URL: 'redis://127.0.0.1:1' };
  const secret = 'x'.repeat(32);
  const service = compose(loadConfig({ ...nowhere, CURSOR_SECRET: secret, KEY_PEPPER: secret, LOG_LEVEL: 'silent' }));
  const routes = [...routesOf(service.app)].flatMap(([route, methods]) => [...methods].map((method) => anonymous(method, route)));
  await service.close();
  return new Set([...routes, 'GET /v1/health']);
}

describe('every row of the contract', () => {
  it('is held by a test that exists, or waits for work that is named', () => {
    const titles = new Map<string, Set<string>>();
    const held = everyRow.filter((entry): entry is { name: string; row: Held } => 'file' in entry.row);
    const missing = held.filter(({ row: { file, test } }) => {
      if (!titles.has(file)) titles.set(file, existsSync(path.join(root, file)) ? titlesOf(file) : new Set());
      return !titles.get(file)?.has(test);
    });
    assert.deepEqual(
      missing.map(({ name, row }) => `${name}: no test '${row.test}' in ${row.file}`),
      [],
    );
    assert(held.length > 100);
  });

  it('does not wait for work that is done, and what is held is served', async () => {
    const served = await servedRoutes();
    const done = Object.entries(WORK).filter(([, route]) => [...served].some((one) => one.split(' ')[1]?.startsWith(`/v1${route}`)));
    const works = new Set(done.map(([work]) => work));
    const stale = everyRow.filter(({ row }) => 'later' in row && works.has(row.later));
    assert.deepEqual(
      stale.map(({ name, row }) => `${name} waits for ${'later' in row ? row.later : ''}, whose routes are served`),
      [],
    );
    const unserved = Object.entries(ENDPOINTS).filter(([name, row]) => {
      const [method = '', route = ''] = name.split(' ');
      return 'file' in row && !served.has(anonymous(method, `/v1${route}`));
    });
    assert.deepEqual(
      unserved.map(([name]) => `${name} has a test and no route`),
      [],
    );
  });

  it('of the specification is listed, and no other', function () {
    if (!existsSync(specification)) this.skip();
    const wanted = rowsOf(readFileSync(specification, 'utf8'));
    for (const [table, names] of Object.entries(wanted)) {
      const listed = Object.keys(TABLES[table as keyof typeof TABLES]).filter((name) => !ADDED.has(name));
      assert.deepEqual([...new Set(names)].sort(), [...listed].sort(), table);
    }
  });
});

/** Cells of each table row, with the heading that it stands under and the first cell of its table's head. */
function cellsOf(text: string): { heading: string; head: string; cells: string[] }[] {
  let heading = '';
  let head: string | undefined;
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    if (!line.startsWith('|')) {
      head = undefined;
      return [];
    }
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', ''));
    if (head === undefined) {
      head = cells[0] ?? '';
      return [];
    }
    return /^-+$/.test(cells[0] ?? '') ? [] : [{ heading, head, cells }];
  });
}

/** 'GET, PATCH' | '/account/preferences' → two endpoints; a cell of several paths, or one that names further methods, likewise. */
function endpoints([methods = '', cell = '']: string[]): string[] {
  const named = `${methods} ${cell}`.match(/\b(GET|POST|PATCH|DELETE)\b/g) ?? [];
  const paths = cell.match(/\/[\w{}/-]+/g) ?? [];
  return [...new Set(named)].flatMap((method) => [...new Set(paths)].map((route) => `${method} ${route}`));
}

function rowsOf(text: string): Partial<Record<keyof typeof TABLES, string[]>> {
  const all = cellsOf(text);
  const under = (heading: string, head: string) =>
    all.filter((row) => row.heading === heading && row.head === head).map(({ cells }) => cells);
  const first = (cells: string[]) => cells[0] ?? '';
  const measurements = [...text.matchAll(/^Measurements.*$/gm)].flatMap(([line]) => [
    ...line.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+Min\/Max)`/g),
  ]);
  return {
    endpoint: under('Endpoint table', 'Method').flatMap(endpoints),
    parameter: [
      ...under('GET /projects/search', 'Parameter').flatMap((cells) => first(cells).split(', ')),
      ...measurements.map((m) => m[1] ?? ''),
    ],
    error: under('Errors', 'HTTP').map((cells) => cells[1] ?? ''),
    'error field': under('Errors', 'Field').map(first),
    warning: under('Warnings on successful responses', 'code').map(first),
    limit: under('Limits', 'Limit').map(first),
    credential: [...under('Authentication', 'Prefix'), ...under('Authentication', 'Response')].map(first),
  };
}
