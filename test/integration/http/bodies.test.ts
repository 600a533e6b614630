/** Whatever is wrong with a body: a sentence that names the place and the remedy, for every field of every declared body. */
import assert from 'node:assert/strict';
import type { Json } from '../../support/json.ts';
import { answerOf, provideService, type TestAnswer } from '../../support/service.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  format?: string;
  anyOf?: Schema[];
}

/** One way to get a body wrong. */
interface Mistake {
  what: string;
  body: unknown;
  /** as `param` has it */
  param: string;
  /** the list as a whole, of which filters say it */
  orOf?: string;
  /** what the message says, besides the place */
  says: RegExp;
}

interface Operation {
  method: string;
  path: string;
  schema: Schema;
  example: Json;
}

const VALIDATOR_SPEAKS = /must (be|not|match|have|pass)|should|schema|additional propert|pattern/i;
const FILTERS = /\/(Filters|OrderedFilters|ExportFilters)$/;
const MANY = Number.MAX_SAFE_INTEGER;

const place = (param: string) => param.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
const typesOf = ({ type }: Schema) => [type ?? []].flat().filter((one) => one !== 'null');
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

class Mistakes {
  readonly #components: Record<string, Schema>;
  constructor(components: Record<string, Schema>) {
    this.#components = components;
  }

  read(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    const found = name === undefined ? schema : { ...this.#components[name], ...schema };
    const [branch] = schema.anyOf ?? [];
    return branch ? { ...this.read(branch), ...found } : found;
  }

  /** The least that a schema takes. */
  #value(given: Schema): unknown {
    const schema = this.read(given);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    const [type] = typesOf(schema);
    if (type === 'string') return schema.format === 'date-time' ? '2026-11-01T00:00:00Z' : 'https://hooks.example.com/x';
    if (type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => this.#value(schema.items ?? {}));
    if (type === 'object') return this.#object(schema);
    return type === 'boolean' ? true : (schema.minimum ?? 1);
  }

  #object({ properties = {}, required = [] }: Schema): Json {
    return Object.fromEntries(required.map((name) => [name, this.#value(properties[name] ?? {})]));
  }

  /** @param at where the object stands @param wrap puts an object there into a body */
  ofObject(schema: Schema, at: string, wrap: (value: unknown) => unknown): Mistake[] {
    const { properties = {}, required = [] } = schema;
    const base = this.#object(schema);
    const inside = (name: string) => (at ? `${at}.${name}` : name);
    const known = Object.keys(properties);
    const [first = ''] = known;
    const unknown = (name: string, says: RegExp) => ({
      what: `unknown ${name}`,
      body: wrap({ ...base, [name]: 1 }),
      param: inside(name),
      says,
    });
    const withField = (name: string) => (value: unknown) => wrap({ ...base, [name]: value });
    return [
      ...(first ? [unknown(`${first}z`, new RegExp(`did you mean '${escaped(place(inside(first)))}'\\?$`))] : []),
      unknown('zzzzzzzzz', first ? new RegExp(`it takes ${known.join(', ')}$`) : /leave it out/),
      ...required.map((name) => {
        const { [name]: _, ...without } = base;
        return { what: `without ${name}`, body: wrap(without), param: inside(name), says: /is missing\. [A-Z`].+: .+/ };
      }),
      ...Object.entries(properties).flatMap(([name, field]) => this.#ofField(field, inside(name), withField(name))),
    ];
  }

  #ofField(given: Schema, param: string, wrap: (value: unknown) => unknown): Mistake[] {
    const isFilters = FILTERS.test(given.$ref ?? '');
    const schema = this.read(given);
    const wrong = (what: string, value: unknown, says: RegExp): Mistake => ({ what: `${what} ${param}`, body: wrap(value), param, says });
    if (isFilters) return [wrong('number for', 5, /takes an object( of filters)? \(such as \{.+\}\), not 5$/)];
    const [type] = typesOf(schema);
    const found: Mistake[] = [];
    if (type !== undefined || schema.enum) {
      const isObject = type === 'object';
      found.push(wrong('wrong type of', isObject ? 5 : { a: 1 }, isObject ? /takes an object .*not 5$/ : /takes .+, not an object$/));
    }
    if (schema.enum) found.push(wrong('wrong value of', 'zzzzzzzz', /'zzzzzzzz' is not one of .+(, |all values: GET \/v1\/)?/));
    if (schema.const !== undefined) found.push(wrong('wrong value of', false, /takes true, not false$/));
    if (schema.minimum !== undefined)
      found.push(wrong('less than', schema.minimum - 1, new RegExp(`is not a .*number from ${schema.minimum}`)));
    if ((schema.maximum ?? MANY) < MANY) found.push(wrong('more than', (schema.maximum ?? 0) + 1, new RegExp(`to ${schema.maximum}$`)));
    if (schema.minLength) found.push(wrong('empty', '', /is empty; send a text of/));
    if (schema.maxLength)
      found.push(wrong('too long', 'x'.repeat(schema.maxLength + 1), new RegExp(`at most ${schema.maxLength} are allowed$`)));
    if (schema.format === 'date-time') found.push(wrong('no time', 'soon', /'soon' is not a time with its zone, such as "20/));
    if (schema.minItems) found.push(wrong('too few', [], new RegExp(`has no value; send at least (${schema.minItems}|one)$`)));
    if (type === 'object') found.push(...this.ofObject(schema, param, wrap));
    return type === 'array' ? [...found, ...this.#ofList(schema, param, wrap)] : found;
  }

  #ofList({ items = {}, maxItems }: Schema, param: string, wrap: (value: unknown) => unknown): Mistake[] {
    const item = this.read(items);
    const one = this.#value(items);
    const values = (length: number) => Array.from({ length }, (_, i) => (typeof one === 'number' ? i + 1 : one));
    const tooMany = (maxItems ?? MANY) < MANY ? [values((maxItems ?? 0) + 1)] : [];
    const says = new RegExp(`at most ${maxItems} are allowed`);
    const inside = `${param}.0`;
    const wrong = (name: string, sent: unknown) => [
      { what: `${name} in ${param}`, body: wrap([sent]), param: inside, orOf: param, says: new RegExp(`takes .+, not an? ${name}$`) },
    ];
    const [type = ''] = typesOf(item);
    return [
      ...tooMany.map((body) => ({ what: `too many ${param}`, body: wrap(body), param, says })),
      ...(type === 'object'
        ? this.ofObject(item, inside, (value) => wrap([value]))
        : type === 'array'
          ? wrong('object', {})
          : wrong('list', [])),
    ];
  }
}

const KEY_REQUESTS = 20;

describe('a body with a mistake', () => {
  const api = provideService();
  let operations: Operation[];
  let mistakes: Mistakes;
  let key: string;
  let requests = 0;
  before(async () => {
    const document = JSON.parse(JSON.stringify(api.service.openApi())) as Json;
    mistakes = new Mistakes(document.components.schemas);
    operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const content = (operation.requestBody as { content?: Record<string, { schema: Schema; example?: Json }> } | undefined)?.content;
        const json = content?.['application/json'];
        return json?.schema.properties ? [{ method, path, schema: json.schema, example: json.example ?? {} }] : [];
      }),
    );
  });

  /** A key that has sent fewer requests than the smallest allowance of a route of its own. */
  const keyWithAllowance = async () => {
    if (requests % KEY_REQUESTS === 0) key = await api.key();
    requests += 1;
    return key;
  };

  const send = async ({ method, path }: Pick<Operation, 'method' | 'path'>, body: unknown): Promise<TestAnswer> => {
    const headers = { Authorization: `Bearer ${await keyWithAllowance()}`, 'Content-Type': 'application/json' };
    const init = { method: method.toUpperCase(), headers, body: JSON.stringify(body) };
    return answerOf(await fetch(`${api.url}${path.replaceAll(/\{\w+\}/g, '1')}`, init));
  };

  /** What is wrong with the refusal of a mistake; undefined if nothing is. */
  async function complaint(operation: Operation, { what, body, param: sent, orOf, says }: Mistake): Promise<string | undefined> {
    const answer = await send(operation, body);
    const problems = (answer.body.error?.details?.problems ?? []) as { param: string; message: string }[];
    const param = problems.some((problem) => problem.param === sent) ? sent : (orOf ?? sent);
    const found = problems.filter((problem) => problem.param === param);
    const messages = found.map(({ message }) => message);
    const isPlain = problems.every(({ message }) => !VALIDATOR_SPEAKS.test(message));
    const named = place(param) === 'body' ? 'The body' : place(param);
    const isNamed = messages.every((message) => message.includes(named));
    if (answer.status === 400 && found.length > 0 && isPlain && isNamed && messages.some((message) => says.test(message))) return undefined;
    const where = `${operation.method} ${operation.path}`;
    return `${where}, ${what}: ${answer.status} ${JSON.stringify(problems.map((one) => [one.param, one.message]))} for ${says}`;
  }

  it('is refused in a sentence with the place and the remedy, for every field of every route', async () => {
    assert(operations.length >= 15, String(operations.length));
    const complaints: string[] = [];
    let count = 0;
    for (const operation of operations) {
      const whole = { what: 'a list', body: [], param: 'body', says: /^The body takes an object( \(such as \{.*\}\))?, not a list$/ };
      const found = [whole, ...mistakes.ofObject(operation.schema, '', (value) => value)];
      count += found.length;
      for (const mistake of found) {
        const wrong = await complaint(operation, mistake);
        if (wrong) complaints.push(wrong);
      }
    }
    assert.equal(complaints.length, 0, `${complaints.length} of ${count}:\n${complaints.slice(0, 40).join('\n')}`);
    assert(count > 250, String(count));
  });

  it('is told what was meant, in the words of the field', async () => {
    const problemOf = async (path: string, body: unknown) => {
      const { body: refused } = await send({ method: 'post', path: `/v1${path}` }, body);
      return refused.error.details.problems as Json[];
    };
    const [metric] = await problemOf('/analytics/aggregate', { metrics: [{ op: 'sum', field: 'acres' }] });
    assert.deepEqual([metric?.param, metric?.didYouMean], ['metrics.0.field', 'acreage']);
    const words = "metrics[0].field 'acres' is not one of its values; did you mean 'acreage'? (all values: GET /v1/analytics/datasets)";
    assert.deepEqual([metric?.message, metric?.reference], [words, '/v1/analytics/datasets']);
    const [dimension] = await problemOf('/analytics/rankings', { dimension: 'contry', metric: { op: 'count' } });
    assert.deepEqual([dimension?.didYouMean, dimension?.reference], ['county', '/v1/analytics/datasets']);
    const [filter] = await problemOf('/exports', { acreageMin: 2, filters: {} });
    assert.deepEqual([filter?.param, filter?.didYouMean], ['acreageMin', 'filters.acreageMin']);
    const [field] = await problemOf('/analytics/aggregate', { metrics: [{ op: 'count', feild: 'acreage' }] });
    assert.deepEqual([field?.param, field?.didYouMean], ['metrics.0.feild', 'metrics.0.field']);
  });

  it('in its path is told the path that was meant', async () => {
    const message = async (path: string) => {
      const headers = { Authorization: `Bearer ${await keyWithAllowance()}` };
      const { status, body } = await answerOf(await fetch(`${api.url}${path}`, { headers }));
      assert.deepEqual([status, body.error.code], [404, 'resource_not_found'], path);
      return String(body.error.message);
    };
    const meant = {
      '/v1/projects': '/v1/projects/search',
      '/v1/project/search': '/v1/projects/search',
      '/v1/projects/17/evidense': '/v1/projects/17/evidence',
      '/v1/alerts/alr_1/runs': '/v1/alerts/alr_1/run',
      '/v1/credits': '/v1/account/credits',
      '/projects/search': '/v1/projects/search',
      '/api/user/api-keys/7/rotates': '/api/user/api-keys/7/rotate',
    };
    for (const [path, right] of Object.entries(meant)) {
      const said = await message(path);
      assert(said.endsWith(`; did you mean ${right}?`), `${path}: ${said}`);
    }
    assert.match(await message('/v1/nothing'), /; the nearest path is \/v1\/.+, and \/openapi\.json has all$/);
    assert.match(await message('/nothing/of/it'), /in this API$/);
    const closed = await fetch(`${api.url}/v1/projects`);
    assert.equal(closed.status, 401);
  });
});
