/**
 * Requests made from the OpenAPI document alone: no 5xx, no status, header or field that the document does not have, and nothing taken that
 * its schemas rule out. The short form of `npm run fuzz`, without Python or a network.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { send, type WireAnswer, type WireRequest } from '../support/http.ts';
import type { Json } from '../support/json.ts';
import { lengthOf } from '../support/lengths.ts';
import { provide } from '../support/provide.ts';
import { testService } from '../support/service.ts';

const REQUESTS = lengthOf('FUZZ_DOCUMENT_REQUESTS');
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const MS_PER_REQUEST_MAX = 150;
/** of the parameters that have a bound, a list or a form */
const REFUSED_MIN = 100;
/** Beyond those that every answer over HTTP has. */
const DECLARED_WHERE_SENT = [
  'content-disposition',
  'content-range',
  'accept-ranges',
  'retry-after',
  'allow',
  'www-authenticate',
  'etag',
  'deprecation',
  'sunset',
  'link',
  'x-service-key-rotating',
];
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

function requestsOf(operation: Json, all: readonly Json[], path: string, method: string): fc.Arbitrary<Fuzzed> {
  const record = (place: string, required: boolean) => {
    const parameters = all.filter((one) => one.in === place);
    const values = Object.fromEntries(parameters.map((one) => [one.name, valueFor(one.schema.contentSchema ?? one.schema)]));
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
    // Without a value there it would be another path.
    url: `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode((inPath as Json)[name]) || '-')}?${Object.entries(query)
      .map(([name, value]) => `${name}=${encode(value)}`)
      .join('&')}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asText(value).replaceAll(/[^\x21-\x7e]/g, '')])),
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  }));
}

/** Values that nothing named takes; a schema that lets them all through rules nothing out. */
const UNFIT = ['no such value', '-1', '[]', '{"no":"such"}'];

/** What a query or a header says, as the JSON that its schema describes. */
function readAs({ type }: Json, text: string): unknown {
  if (type === 'object') return text.startsWith('{') ? JSON.parse(text) : text;
  if (type === 'array') return text.startsWith('[') ? JSON.parse(text) : [text];
  return /^-?\d+$/.test(text) && !String(type).includes('string') ? Number(text) : text;
}

/** A schema with what it refers to in place. */
function inPlace(document: Json, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inPlace(document, one));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...own } = value as Json;
  const found = $ref ? inPlace(document, document.components.schemas[$ref.split('/').at(-1)]) : {};
  return { ...(found as Json), ...Object.fromEntries(Object.entries(own).map(([key, one]) => [key, inPlace(document, one)])) };
}

/** Every operation with its parameters, references resolved. */
function operationsOf(document: Json): { path: string; method: string; operation: Json; parameters: Json[] }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      parameters: (operation.parameters as Json[]).map(
        ({ $ref, ...own }) => inPlace(document, $ref ? document.components.parameters[$ref.split('/').at(-1)] : own) as Json,
      ),
    })),
  );
}

/** Throws where an answer is not as the document says. */
function checker(document: Json): (path: string, method: string, answer: WireAnswer) => void {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const schemaAt = (...keys: string[]) =>
    `doc#/${keys.map((one) => encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  ajv.addSchema(JSON.parse(JSON.stringify({ ...document, $id: 'doc' }).replaceAll('"#/components', '"doc#/components')));
  return (path, method, answer) => {
    const said = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 400)}`;
    const notBuilt = answer.status === 503 && answer.body?.error?.param === 'format';
    assert(answer.status < 500 || notBuilt, said);
    const declared = document.paths[path][method].responses[answer.status];
    assert(declared, `undeclared ${said}`);
    const names = Object.keys(declared.headers).map((name) => name.toLowerCase());
    const undeclared = DECLARED_WHERE_SENT.filter((name) => name in answer.headers && !names.includes(name));
    assert.deepEqual(undeclared, [], said);
    if (answer.status === 304) return;
    const [content] = String(answer.headers['content-type'] ?? '').split(';');
    assert(declared.content[content as string], `${content} is undeclared: ${said}`);
    if (content !== 'application/json') return;
    const place = ['paths', path, method, 'responses', String(answer.status), 'content', 'application/json', 'schema'];
    const validate = ajv.getSchema(schemaAt(...place));
    assert(validate?.(answer.body), `${JSON.stringify(validate?.errors?.slice(0, 2))} ${said}`);
  };
}

describe('requests made from the document', function () {
  this.timeout(30_000 + REQUESTS * MS_PER_REQUEST_MAX);
  const api = provide(() => testService());
  let document: Json;
  let key: string;
  let checkAnswer: ReturnType<typeof checker>;
  const agent = new http.Agent({ keepAlive: true });
  before(async () => {
    await api.index.load([
      { kind: 'project', id: 2229, state: 'CO', county: 'Boulder County', propertyType: 'residential', meetingDate: '2026-10-01' },
      { kind: 'project', id: 2, mergedFrom: [3], state: 'TX', propertyType: 'commercial', meetingDate: '2026-11-01', acreage: 0 },
      { kind: 'document', id: 501_333, state: 'CO', county: 'Boulder County', title: 'Minutes' },
    ]);
    key = await api.key();
    document = JSON.parse(JSON.stringify(api.service.openApi())) as Json;
    checkAnswer = checker(document);
  });
  after(() => agent.destroy());

  /** Sends a request of an operation; the answer is as the document says. */
  async function ask(path: string, method: string, url: string, { headers, ...request }: WireRequest = {}): Promise<WireAnswer> {
    const type: Record<string, string> = request.body === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await send(api.url, url, { method: method.toUpperCase(), key, agent, ...request, headers: { ...type, ...headers } });
    checkAnswer(path, method, answer);
    return answer;
  }

  it('get a status, headers and a body that the document has, and no 5xx', async () => {
    const statuses: Record<number, number> = {};
    const requests = operationsOf(document).flatMap(({ path, method, operation, parameters }) =>
      LEFT_OUT.includes(operation.operationId) ? [] : [requestsOf(operation, parameters, path, method)],
    );
    const check = async ({ path, method, url, headers, body }: Fuzzed) => {
      const { status } = await ask(path, method, url, { headers, ...(body === undefined ? {} : { body }) });
      statuses[status] = (statuses[status] ?? 0) + 1;
    };
    await fc.assert(fc.asyncProperty(fc.oneof(...requests), check), { numRuns: REQUESTS, seed: SEED, endOnFailure: true });
    console.log(`      ${JSON.stringify(statuses)}`);
    assert((statuses[200] ?? 0) > REQUESTS / 5 && (statuses[400] ?? 0) > REQUESTS / 20, 'the requests reach both sides of the door');
  });

  it('are refused with a value that the schema of a parameter rules out', async () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    let refused = 0;
    for (const { path, method, parameters } of operationsOf(document))
      for (const { name, in: place, schema } of parameters) {
        const described = schema.contentSchema ?? schema;
        const unfit = UNFIT.find((text) => !ajv.validate(described, readAs(described, text)));
        if (unfit === undefined || place === 'path') continue;
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, one: string) =>
          encode(parameters.find((other) => other.name === one && other.in === 'path')?.schema.examples[0]),
        );
        const url = place === 'query' ? `${filled}?${name}=${encode(unfit)}` : filled;
        const headers: Record<string, string> = place === 'header' ? { [name]: unfit } : {};
        const { status, text } = await ask(path, method, url, { headers });
        assert(status >= 400 && status < 500, `${method} ${url} ${JSON.stringify(headers)}: ${status} ${text.slice(0, 200)}`);
        refused++;
      }
    console.log(`      ${refused} values refused`);
    assert(refused > REFUSED_MIN);
  });

  it('follow ids, cursors and keys from one answer to the next', async () => {
    const found = await ask('/v1/projects/search', 'get', '/v1/projects/search?dateRange=all');
    for (const { id, mergedFrom } of found.body.data)
      for (const one of mergedFrom ?? [id]) {
        assert.equal((await ask('/v1/projects/{id}', 'get', `/v1/projects/${one}`)).body.data.id, id);
        await ask('/v1/projects/{id}/changes', 'get', `/v1/projects/${one}/changes`);
      }
    const walked = await ask('/v1/projects/sync', 'get', '/v1/projects/sync?dateRange=all&limit=1');
    const rest = await ask('/v1/projects/sync', 'get', `/v1/projects/sync?dateRange=all&limit=1&cursor=${walked.body.meta.sync.cursor}`);
    assert.equal(new Set([...walked.body.data, ...rest.body.data].map(({ id }) => id)).size, 2);

    const makeList = () =>
      ask('/v1/lists', 'post', '/v1/lists', { body: '{"name":"Ours","projectIds":[2229]}', headers: { 'Idempotency-Key': 'one-list' } });
    const list = (await makeList()).body.data.id;
    assert.equal((await ask('/v1/lists/{id}/results', 'get', `/v1/lists/${list}/results`)).body.data[0].id, 2229);
    await ask('/v1/lists/{id}', 'delete', `/v1/lists/${list}`);
    assert.equal((await makeList()).status, 404);

    const keys = '/api/user/api-keys';
    const made = await ask(keys, 'post', keys, { body: '{"name":"second"}' });
    const { id, secret } = made.body.data;
    const rotated = await ask(`${keys}/{id}/rotate`, 'post', `${keys}/${id}/rotate`, { body: '{}' });
    assert.equal((await ask(keys, 'get', keys, { key: secret })).headers['x-service-key-rotating'], 'true');
    const { id: next, secret: nextSecret } = rotated.body.data;
    const listed = await ask(keys, 'get', keys);
    assert.deepEqual(listed.body.data.filter((one: Json) => [id, next].includes(one.id)).length, 2);
    await ask(`${keys}/{id}`, 'delete', `${keys}/${next}`);
    assert.equal((await ask('/v1/account/credits', 'get', '/v1/account/credits', { key: nextSecret })).status, 401);
  });
});
