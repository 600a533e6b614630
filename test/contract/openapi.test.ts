/** The OpenAPI document: valid, complete, and no change that breaks a client without the changelog saying so. */
import assert from 'node:assert/strict';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { compareDocuments } from '../../scripts/openapi/compare.ts';
import { findUnnamedBreaks, makeDocument, readCommittedDocument } from '../../scripts/openapi/snapshot.ts';
import { FILTER_NAMES } from '../../src/core/filter/table.ts';
import type { Json } from '../support/json.ts';

const RULES: Exclude<Parameters<typeof createConfig>[0], string | undefined> = {
  extends: ['recommended'],
  rules: {
    // The service is not published under a licence of software; its terms are the customer's contract.
    'info-license': 'off',
    // The server is the one that answers, which is this machine in a test.
    'no-server-example.com': 'off',
    'no-server-trailing-slash': 'error',
    'operation-description': 'error',
    'tag-description': 'error',
    'no-invalid-schema-examples': 'error',
    // Fields that a schema does not name may come at any time; test/contract/examples.test.ts holds examples against their schemas.
    'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true },
    'no-invalid-parameter-examples': 'error',
  },
};

describe('the OpenAPI document', () => {
  let document: Json;
  before(async () => {
    document = await makeDocument();
  });

  it('is valid OpenAPI 3.1 and lints clean', async () => {
    const config = await createConfig(RULES);
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    );
  });

  it('is the committed one', () => {
    const { breaking, additive } = compareDocuments(readCommittedDocument(), document);
    assert.deepEqual(
      findUnnamedBreaks({ breaking, additive }),
      [],
      'breaks clients, and no entry of changelog.json names it under "breaks"',
    );
    assert.deepEqual(
      readCommittedDocument(),
      document,
      `run "npm run openapi" and commit test/contract/openapi.json; new: ${additive.join('; ')}`,
    );
  });

  it('gives every parameter a meaning and an example, and every operation a line that can be run', () => {
    for (const [path, methods] of Object.entries<Json>(document.paths))
      for (const [method, operation] of Object.entries<Json>(methods)) {
        assert(operation['x-codeSamples'][0].source.startsWith('curl '), `${method} ${path}`);
        for (const { $ref, ...own } of operation.parameters as Json[]) {
          const parameter = $ref ? document.components.parameters[$ref.split('/').at(-1)] : own;
          assert(!parameter.content && parameter.description && parameter.schema.examples?.length, `${method} ${path}: ${parameter.name}`);
        }
      }
  });
});

/** Lists of tokens beside their places in the document; codes of errors and warnings are parts of one list each. */
function tokenLists(value: unknown, place = ''): [tokens: string, place: string][] {
  if (typeof value !== 'object' || value === null) return [];
  const { enum: tokens } = value as { enum?: unknown };
  const own: [string, string][] = Array.isArray(tokens) && tokens.length > 1 && !place.endsWith('/code') ? [[tokens.join(), place]] : [];
  return [...own, ...Object.entries(value).flatMap(([key, one]) => tokenLists(one, `${place}/${key}`))];
}

describe('what generators make clients of', () => {
  let document: Json;
  before(async () => {
    document = await makeDocument();
  });
  const bodies = () =>
    Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).flatMap(([method, { requestBody }]) => {
        const schema = requestBody?.content['application/json'].schema;
        return schema ? [{ name: `${method} ${path}`, properties: (schema.properties ?? {}) as Json }] : [];
      }),
    );

  it('is a name for each list of tokens that stands in several places', () => {
    const places = Map.groupBy(tokenLists(document), ([tokens]) => tokens);
    assert.deepEqual(
      [...places.values()].filter((found) => found.length > 1).map((found) => found.map(([, place]) => place)),
      [],
    );
  });

  it('is a field for each filter, in every body that takes filters', () => {
    const taking = bodies().filter(({ properties }) => 'filters' in properties);
    assert.equal(taking.length, 13);
    for (const { name, properties } of taking)
      assert.match(properties.filters.$ref ?? '', /\/(Filters|OrderedFilters|ExportFilters)$/, name);
    const { Filters, OrderedFilters, ExportFilters } = document.components.schemas as Json;
    assert.deepEqual(Object.keys(Filters.properties), FILTER_NAMES);
    for (const [name, schema] of Object.entries<Json>(Filters.properties)) assert.ok(schema.type ?? schema.$ref, `${name} has no type`);
    for (const { allOf } of [OrderedFilters, ExportFilters]) assert.equal(allOf[0].$ref, '#/components/schemas/Filters');
  });

  it('are the three representations of a record by their names, and null', () => {
    const { data } = document.paths['/v1/projects/{id}'].get.responses['200'].content['application/json'].schema.properties;
    const names = ['CompactProject', 'StandardProject', 'FullProject'];
    assert.deepEqual(data.anyOf, [...names.map((name) => ({ $ref: `#/components/schemas/${name}` })), { type: 'null' }]);
  });

  it('is the message of every type of event', () => {
    const types = document.components.schemas.MessageType.enum as string[];
    assert.deepEqual(Object.keys(document.webhooks), types);
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const type of types) {
      const { schema, example } = document.webhooks[type].post.requestBody.content['application/json'];
      assert.equal(example.type, type);
      assert.ok(ajv.validate(schema, example), `${type}: ${ajv.errorsText()}`);
    }
  });
});

describe('a change of the document', () => {
  const before: Json = readCommittedDocument();
  const changed = (change: (document: Json) => void) => {
    const document = structuredClone(before);
    change(document);
    return compareDocuments(before, document);
  };
  const SEARCH = '/v1/projects/search';

  const BREAKING: Record<string, [change: (document: Json) => void, words: string]> = {
    'a path that goes': [(d) => delete d.paths[SEARCH], `paths: path ${SEARCH} is gone`],
    'a method that goes': [(d) => delete d.paths['/api/user/api-keys'].post, '/api/user/api-keys: method post is gone'],
    'a parameter that goes': [(d) => d.paths[SEARCH].get.parameters.shift(), `GET ${SEARCH}: parameter query states is gone`],
    'an alias that goes': [
      (d) => d.components.parameters.states['x-aliases'].shift(),
      `GET ${SEARCH}: alias state of query states is gone`,
    ],
    'a token that goes': [(d) => d.components.schemas.Status.enum.shift(), 'Status: enum approved is gone'],
    'a parameter that becomes required': [
      (d) => Object.assign(d.components.parameters.states, { required: true }),
      `GET ${SEARCH}: parameter query states is required now`,
    ],
    'a type that narrows': [
      (d) => Object.assign(d.components.parameters.acreageMin.schema, { type: 'integer' }),
      `GET ${SEARCH}: query acreageMin: type number is gone`,
    ],
    'a bound that tightens': [
      (d) => Object.assign(d.components.parameters.q.schema, { maxLength: 100 }),
      `GET ${SEARCH}: query q: maxLength 500 is 100`,
    ],
    'values that are listed now': [
      (d) => Object.assign(d.components.parameters.q.schema, { enum: ['solar'] }),
      `GET ${SEARCH}: query q: only listed values may be sent now`,
    ],
    'a field of any type': [
      (d) => delete d.components.schemas.CompactProject.properties.city.type,
      'CompactProject.city: any type is possible now',
    ],
    'a status that goes': [(d) => delete d.paths[SEARCH].get.responses['200'], `GET ${SEARCH}: status 200 is gone`],
    'a field that goes': [(d) => delete d.components.schemas.CompactProject.properties.address, 'CompactProject: field address is gone'],
    'a field that may be null now': [
      (d) => Object.assign(d.components.schemas.CompactProject.properties.id, { type: ['integer', 'null'] }),
      'CompactProject.id: type null is new',
    ],
    'a field that may be absent now': [(d) => d.components.schemas.CompactProject.required.shift(), 'CompactProject: id is optional now'],
    'an error code that goes': [
      (d) => d.components.schemas.Error.properties.error.properties.code.enum.shift(),
      'Error.error.code: enum account_disabled is gone',
    ],
  };
  for (const [title, [change, words]] of Object.entries(BREAKING))
    it(`breaks clients: ${title}`, () => {
      const changes = changed(change);
      assert(changes.breaking.includes(words), changes.breaking.join('\n'));
      assert.deepEqual(findUnnamedBreaks(changes, new Set(changes.breaking)), []);
      assert(findUnnamedBreaks(changes, new Set()).includes(words));
    });

  const ADDITIVE: Record<string, (document: Json) => void> = {
    'a new path': (d) => Object.assign(d.paths, { '/v1/new': { get: {} } }),
    'a new parameter': (d) => d.paths[SEARCH].get.parameters.push({ name: 'new', in: 'query', schema: { type: 'string' } }),
    'a new token': (d) => d.components.schemas.Status.enum.push('new'),
    'a parameter that takes anything': (d) => delete d.components.parameters.acreageMin.schema.type,
    'a looser bound': (d) => Object.assign(d.components.parameters.q.schema, { maxLength: 1000 }),
    'a new field': (d) => Object.assign(d.components.schemas.FullProject.properties, { fresh: { type: 'string' } }),
    'a new error code': (d) => d.components.schemas.Error.properties.error.properties.code.enum.push('new_code'),
  };
  for (const [title, change] of Object.entries(ADDITIVE))
    it(`only adds: ${title}`, () => {
      const { breaking, additive } = changed(change);
      assert.deepEqual(breaking, []);
      assert(additive.length > 0);
    });
});
