import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@babel/parser';
import { traverseFast } from '@babel/types';

const root = path.resolve(import.meta.dirname, '../..');
const document = JSON.parse(readFileSync(path.join(root, 'test/contract/openapi.json'), 'utf8')) as Document;

/** Rows of the specification's tables, and headers, each with the test that holds it; its title with `${…}` where that is made of values. */
const everyRow = readFileSync(path.join(import.meta.dirname, 'coverage.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [table = '', row = '', file = '', test = ''] = line.split('\t');
    return { table, row, file: `test/${file}`, test };
  });
const rowsIn = (table: string) => everyRow.filter((one) => one.table === table).map(({ row }) => row);

/** Titles of all tests of a file, as they are written: a template without its backticks. */
function titlesOf(file: string): Set<string> {
  const text = readFileSync(path.join(root, file), 'utf8');
  const titles = new Set<string>();
  traverseFast(parse(text, { sourceType: 'module', plugins: ['typescript'] }), (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'it') return;
    const [title] = node.arguments;
    if (title) titles.add(title.type === 'StringLiteral' ? title.value : text.slice((title.start ?? 0) + 1, (title.end ?? 0) - 1));
  });
  return titles;
}

/** Paths with every parameter as `*`, by method: 'GET /projects/*'. */
const anonymous = (method: string, route: string) => `${method} ${route.replaceAll(/\{\w+\}|:\w+/g, '*')}`;

/** Every operation of the document, which is made from the routes themselves. */
const served = new Set(
  Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.keys(methods).map((method) => anonymous(method.toUpperCase(), route)),
  ),
);

describe('every row of the contract', () => {
  it('is held by a test that exists', () => {
    const titles = new Map<string, Set<string>>();
    const missing = everyRow.filter(({ file, test }) => {
      if (!titles.has(file)) titles.set(file, existsSync(path.join(root, file)) ? titlesOf(file) : new Set());
      return !titles.get(file)?.has(test);
    });
    assert.deepEqual(
      missing.map(({ table, row, file, test }) => `${table} ${row}: no test '${test}' in ${file}`),
      [],
    );
    assert(everyRow.length > 100);
  });

  it('that is an endpoint is served', () => {
    const unserved = rowsIn('endpoint').filter((name) => {
      const [method = '', route = ''] = name.split(' ');
      return !served.has(anonymous(method, route)) && !served.has(anonymous(method, `/v1${route}`));
    });
    assert.deepEqual(
      unserved.map((name) => `${name} has a test and no route`),
      [],
    );
  });

  it('of the OpenAPI document is listed, and every listed one is in the document', () => {
    const described = rowsOf(document);
    for (const [table, names] of Object.entries(described)) {
      const due = rowsIn(table);
      assert.deepEqual(
        { unlisted: names.filter((name) => !due.includes(name)), undescribed: due.filter((name) => !names.includes(name)) },
        { unlisted: [], undescribed: [] },
        table,
      );
    }
  });
});

interface Document {
  paths: Record<string, Record<string, unknown>>;
  components: {
    parameters: Record<string, { name: string; in: string }>;
    headers: object;
    schemas: { Error: { properties: { error: { properties: Record<string, { enum?: string[] }> } } } };
  };
  'x-warnings': object;
}

/** `acreageMin` and `acreageMax` are one row. */
function rowOfParameter(name: string, names: readonly string[]): string {
  const stem = /^(.+)(Min|Max)$/.exec(name)?.[1];
  return stem && names.includes(`${stem}Min`) && names.includes(`${stem}Max`) ? `${stem}Min/Max` : name;
}

/** What the document describes, by the tables that list it. Routes of keys stand under their whole path, others below the API root. */
function rowsOf({ paths, components, 'x-warnings': warnings }: Document): Record<string, string[]> {
  const endpoints = Object.entries(paths).flatMap(([route, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${route.replace(/^\/v1(?=\/)/, '')}`),
  );
  const parameters = Object.values(components.parameters).filter((parameter) => parameter.in === 'query');
  const names = parameters.map(({ name }) => name);
  const { code, ...fields } = components.schemas.Error.properties.error.properties;
  return {
    endpoint: endpoints,
    parameter: [...new Set(names.map((name) => rowOfParameter(name, names)))],
    error: code?.enum ?? [],
    'error field': ['code', ...Object.keys(fields)],
    warning: Object.keys(warnings),
    header: [
      ...Object.keys(components.headers),
      ...Object.values(components.parameters).flatMap(({ name, in: place }) => (place === 'header' ? [name] : [])),
      ...['Authorization', 'X-API-Key', 'Cookie'],
    ],
  };
}
