/** Requests made from the OpenAPI document alone: no 5xx, no status, header or field that the document does not have. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { send } from '../support/http.ts';
import { type TestService, testService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into key by key
type Json = Record<string, any>;

const REQUESTS = Number(process.env.FUZZ_DOCUMENT_REQUESTS ?? 600);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const MS_PER_REQUEST_MAX = 150;
/** Beyond those that every answer over HTTP has. */
const DECLARED_WHERE_SENT = ['retry-after', 'allow', 'www-authenticate', 'etag', 'deprecation', 'sunset', 'link', 'x-service-key-rotating'];
/** Would replace or stop the key that the requests carry, or fill the account. */
const LEFT_OUT = ['mintKey', 'rotateKey', 'revokeKey', 'reassignKey'];

/** Half of the values follow the schema, some are its neighbours, some are trouble. */
function valueFor(schema: Json): fc.Arbitrary<unknown> {
  const follows = schema.enum ? fc.constantFrom(...schema.enum) : fc.constantFrom(...(schema.examples ?? ['x']));
  const near = fc.oneof(
    fc.integer(),
    fc.double(),
    fc.boolean().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    ...(schema.type === 'array' ? [fc.array(valueFor(schema.items ?? {}), { maxLength: 4 })] : []),
  );
  return fc.oneof(
    { arbitrary: follows, weight: 6 },
    { arbitrary: near, weight: 2 },
    { arbitrary: fc.string({ unit: 'binary' }), weight: 1 },
  );
}

const asText = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));
const encode = (value: unknown) => encodeURIComponent(asText(value).toWellFormed());

interface Fuzzed {
  path: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

function requestsOf(document: Json, path: string, method: string): fc.Arbitrary<Fuzzed> {
  const operation = document.paths[path][method];
  const all = (operation.parameters as Json[]).map(
    ({ $ref, ...own }): Json => ($ref ? document.components.parameters[$ref.split('/').at(-1)] : own),
  );
  const record = (place: string, required: boolean) => {
    const parameters = all.filter((one) => one.in === place);
    const values = Object.fromEntries(parameters.map((one) => [one.name, valueFor(one.schema ?? one.content['application/json'].schema)]));
    return required
      ? fc.record(values)
      : fc
          .subarray(Object.keys(values), { maxLength: Math.min(4, parameters.length) })
          .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, values[name] as fc.Arbitrary<unknown>]))));
  };
  const fields = operation.requestBody?.content['application/json'].schema.properties as Json | undefined;
  const body = fields
    ? fc.record(Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, valueFor(schema)])), { requiredKeys: [] })
    : fc.constant(undefined);
  return fc.tuple(record('path', true), record('query', false), record('header', false), body).map(([inPath, query, headers, sent]) => ({
    path,
    method,
    url: `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode((inPath as Json)[name]))}?${Object.entries(query)
      .map(([name, value]) => `${name}=${encode(value)}`)
      .join('&')}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asText(value).replaceAll(/[^\x21-\x7e]/g, '')])),
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  }));
}

describe('requests made from the document', function () {
  this.timeout(30_000 + REQUESTS * MS_PER_REQUEST_MAX);
  let api: TestService;
  let document: Json;
  let key: string;
  before(async () => {
    api = await testService();
    await api.index.load([
      { kind: 'project', id: 2229, state: 'CO', county: 'Boulder County', propertyType: 'residential', meetingDate: '2026-10-01' },
      { kind: 'project', id: 2, mergedFrom: [3], state: 'TX', propertyType: 'commercial', meetingDate: '2026-11-01', acreage: 0 },
      { kind: 'document', id: 501_333, state: 'CO', county: 'Boulder County', title: 'Minutes' },
    ]);
    key = await api.key();
    document = JSON.parse(JSON.stringify(api.service.openApi())) as Json;
  });
  after(() => api.stop());

  it('get a status, headers and a body that the document has, and no 5xx', async () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const schemaAt = (...keys: string[]) =>
      `doc#/${keys.map((one) => encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    ajv.addSchema(JSON.parse(JSON.stringify({ ...document, $id: 'doc' }).replaceAll('"#/components', '"doc#/components')));
    const agent = new http.Agent({ keepAlive: true });
    const statuses: Record<number, number> = {};
    const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).flatMap(([method, { operationId }]) =>
        LEFT_OUT.includes(operationId) ? [] : [requestsOf(document, path, method)],
      ),
    );
    const check = async ({ path, method, url, headers, body }: Fuzzed) => {
      const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const answer = await send(api.url, url, {
        method: method.toUpperCase(),
        key,
        headers: { ...type, ...headers },
        agent,
        ...(body === undefined ? {} : { body }),
      });
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const said = `${answer.status} ${answer.text.slice(0, 400)}`;
      const notBuilt = answer.status === 503 && answer.body?.error?.param === 'format';
      assert(answer.status < 500 || notBuilt, said);
      const declared = document.paths[path][method].responses[answer.status];
      assert(declared, `undeclared ${said}`);
      const names = Object.keys(declared.headers).map((name) => name.toLowerCase());
      const undeclared = DECLARED_WHERE_SENT.filter((name) => name in answer.headers && !names.includes(name));
      assert.deepEqual(undeclared, [], said);
      const [content] = String(answer.headers['content-type'] ?? '').split(';');
      if (answer.status === 304) return;
      assert(declared.content[content as string], `${content} is undeclared: ${said}`);
      if (content !== 'application/json') return;
      const validate = ajv.getSchema(
        schemaAt('paths', path, method, 'responses', String(answer.status), 'content', 'application/json', 'schema'),
      );
      assert(validate?.(answer.body), `${JSON.stringify(validate?.errors?.slice(0, 2))} ${said}`);
    };
    await fc.assert(fc.asyncProperty(fc.oneof(...operations), check), { numRuns: REQUESTS, seed: SEED, endOnFailure: true });
    agent.destroy();
    console.log(`      ${JSON.stringify(statuses)}`);
    assert((statuses[200] ?? 0) > REQUESTS / 5 && (statuses[400] ?? 0) > REQUESTS / 20, 'the requests reach both sides of the door');
  });
});
