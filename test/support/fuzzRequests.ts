/** Requests as a careless or hostile client sends them: names from the tables and made-up ones, values from lists of trouble. */
import { CANONICAL } from '../../src/core/filter/names.ts';
import { FILTER_NAMES, filterOf } from '../../src/core/filter/table.ts';
import type { Random } from './random.ts';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

const NAMES = [...CANONICAL.keys(), 'before'];
/** Fields of every body that a route takes. */
const FIELDS = ['name', 'graceHours', 'userId', 'propertyTypes', 'states', 'counties', 'cities', 'website'];
const EXAMPLES = new Map<string, string>(FILTER_NAMES.map((name) => [name, filterOf(name).example]));

const METHODS = [...Array.from({ length: 24 }, () => 'GET'), 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

const words = (text: string) => text.split(' ');
const SEGMENTS = [...words('1 999 0 -1 1e9 9007199254740993 CO Springfield .. . % %00 %ff'), 'Boulder County', '', ' '];
const MORE_SEGMENTS = [...words(`__proto__ constructor search count sync ö 日本 ' " <b> {id} :id 1;DROP *`), 'a'.repeat(300)];

const TEXTS = [
  ...['', ' ', '\0', 'a\0b', '\u0001', '\ud800', '\u202e', '\ufeff', '\r\nX: y', 'x'.repeat(501), '1,'.repeat(600)],
  ...words(', ,, | || - 0 -0 00 1 -1 1.5 1e308 -1e308 1e999 NaN Infinity 0x10 1_000 true false TRUE yes null undefined'),
  ...words(`[] {} [[]] [null] [1,2 {"a": " ' \\ \` <script> 💥 ı ß ŉ é % %zz %E0%A4%A ../../etc/passwd`),
  ...words('__proto__ constructor toString valueOf hasOwnProperty $where * ? *:* ( )) ~ / ~~~'),
  ...words('CO Texas 8 Springfield Orange residential approved unknown city_council| |approved a|b|c last_1_month last_1_year all'),
  ...['a OR 1=1', 'Boulder County', 'Residential - Multifamily', 'City Council|Approved', '1 Jan 2026'],
  ...words('2026 2026-02 2026-02-30 2026-13 0000 0001 9999 9999-12-31 +010000-01-01 20260101 2026-01-01T00:00:00Z'),
  ...words('2026-01-01T24:00:00Z 2026-01-01T00:00:60Z 2026-01-01T00:00:00+99:99 2026-01-01T00:00:00.123456789-12:00'),
  ...words('inside outside desc compact csv contacts {"cachedOnly":true} {"cachedOnly":1} {"__proto__":{"cachedOnly":true}} new'),
];

const coordinate = (random: Random, reach: number) =>
  random.pick([0, reach, -reach, reach + 1, 1e-9, random.next() * reach, -random.next() * reach, random.integer(-reach, reach)]);

function shape(random: Random): string {
  const lng = () => coordinate(random, 180);
  const lat = () => coordinate(random, 90);
  const points = Array.from({ length: random.pick([1, 3, 4, 5, 8, 40]) }, () => [lng(), lat()]);
  const closed = random.chance(0.8) ? [...points, points[0]] : points;
  return JSON.stringify(
    random.pick<unknown>([
      { north: lat(), south: lat(), east: lng(), west: lng() },
      { lat: lat(), lng: lng(), radiusMeters: random.pick([0, 99, 100, 1000, 500_000, 500_001, -1, 1e308]) },
      closed,
      closed,
      [closed],
      { type: 'Polygon', coordinates: [closed] },
    ]),
  );
}

function value(random: Random, name: string): string {
  const example = EXAMPLES.get(CANONICAL.get(name) ?? '');
  const kind = random.next();
  if (kind < 0.55 && example !== undefined) return example;
  if (kind < 0.6) return shape(random);
  if (kind < 0.65) return String(random.integer(-10, 20_000));
  if (kind < 0.7) return JSON.stringify(random.some(TEXTS, random.integer(0, 4)));
  if (kind < 0.75) return random.some(TEXTS, random.integer(1, 4)).join(',');
  if (kind < 0.8) return Array.from({ length: random.integer(1, 30) }, () => String.fromCodePoint(random.integer(1, 0x2fff))).join('');
  return random.pick(TEXTS);
}

/** Mostly encoded as it should be, at times not. `\ud800` has no encoding, so that it goes as the replacement character. */
const encode = (random: Random, text: string) =>
  random.chance(0.95) ? encodeURIComponent(text.toWellFormed()) : text.replace(/[^\x21-\x7e]|[#"<>]/g, '%');

function query(random: Random): string {
  const count = random.pick([0, 1, 1, 1, 2, 2, 3, 5, 12]);
  const pairs = Array.from({ length: count }, () => {
    const name = random.chance(0.9) ? random.pick(NAMES) : random.pick(TEXTS);
    return random.chance(0.03) ? encode(random, name) : `${encode(random, name)}=${encode(random, value(random, name))}`;
  });
  return pairs.length ? `?${pairs.join(random.chance(0.97) ? '&' : ';')}` : random.pick(['', '', '?', '?&', '?=']);
}

/** A declared path with its parameters filled in, or something like one. */
function path(random: Random, declared: readonly string[]): string {
  const segment = () => encode(random, random.pick(random.chance(0.5) ? SEGMENTS : MORE_SEGMENTS));
  const filled = random.pick(declared).replaceAll(/:\w+/g, segment);
  const kind = random.next();
  if (kind < 0.5) return random.pick(['/v1/projects/search', '/v1/projects/count']);
  if (kind < 0.92) return filled;
  if (kind < 0.95) return `${filled}/${segment()}`;
  if (kind < 0.97)
    return random.pick(['/', '//', '/v1', '/v1/', '//v1/projects/1', '/v2/projects/search', '/health', '/ready', '/docs/errors']);
  return `/${Array.from({ length: random.integer(1, 6) }, segment).join('/')}`;
}

const HEADERS: readonly [string, readonly string[]][] = [
  ['X-Request-Id', ['abc', 'a b', 'x'.repeat(255), 'x'.repeat(256), '']],
  ['X-Service-Schema-Version', ['2026-08-27', '2020-01-01', '']],
  ['Idempotency-Key', ['k-1', 'k 1', '', 'x'.repeat(256)]],
  ['Content-Type', ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'nonsense']],
  ['Accept', ['text/html', '*/*', 'x']],
  ['Accept-Encoding', ['gzip', 'identity;q=0']],
  ['Authorization', ['Basic QTpC', 'Bearer', 'Bearer x', 'Bearer svc_test_x', 'Bearer svc_live_x']],
  ['Cookie', ['session=1', '\u00e9=\u00e9']],
  ['X-Forwarded-For', ['1.2.3.4', 'nonsense, , ,', '::1']],
  ['Expect', ['100-continue', 'x']],
  ['Range', ['bytes=0-']],
  ['If-Modified-Since', ['now']],
  ['Transfer-Encoding', ['chunked']],
];

const BODIES = [...words('{} [] null 1 "x" { {"a":1} {"__proto__":{"x":1}} {"name":null} a=b&c=d'), '', '\0', '['.repeat(2_000)];

/** Mostly an object with fields that some route takes. Half a character goes as its escape, which a parser takes. */
function body(random: Random): string {
  if (random.chance(0.4)) return random.pick(BODIES);
  const text = () => random.pick([random.pick(TEXTS), `https://example.com/${random.pick(TEXTS)}`, String(random.integer(-10, 99_999))]);
  const field = () => random.pick<unknown>([text(), text(), [text(), text()], random.integer(-10, 2 ** 40), null, { a: text() }]);
  return JSON.stringify(Object.fromEntries(random.some(FIELDS, random.integer(1, 3)).map((name) => [name, field()])));
}

/** One request. @param declared paths of the routes, with `:name` parameters; @param key a key that is good */
export function fuzzRequest(random: Random, declared: readonly string[], key: string): FuzzRequest {
  const method = random.pick(METHODS);
  const headers: Record<string, string> = {};
  for (const [name, values] of random.chance(0.3) ? random.some(HEADERS, random.integer(1, 4)) : []) headers[name] = random.pick(values);
  if (random.chance(0.96)) headers['X-API-Key'] = key;
  const sent = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && random.chance(0.7) ? body(random) : undefined;
  const target = sent !== undefined && random.chance(0.5) ? '/v1/account/preferences' : path(random, declared);
  if (sent !== undefined && random.chance(0.8)) headers['Content-Type'] = 'application/json';
  return { method, path: `${target}${random.chance(0.3) ? '' : query(random)}`, headers, ...(sent === undefined ? {} : { body: sent }) };
}
