/** Responses in the OpenAPI document: answers and refusals by status, with their headers. */
import { ERRORS, type ErrorCode } from '../core/domain/errorTable.ts';
import type { AnswerSpec, Route } from './declaration.ts';

import { GEOJSON, geoJsonSchema } from './geoJson.ts';

type Json = Record<string, unknown>;

/** Every authenticated route can answer these. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_filter',
  'missing_api_key',
  'unauthorized',
  'key_expired',
  'account_disabled',
  'subscription_required',
  'method_not_allowed',
  'rate_limit_exceeded',
  'internal_error',
  'rate_limiter_unavailable',
  'service_unavailable',
];
const OPEN_ERRORS: readonly ErrorCode[] = ['invalid_request', 'method_not_allowed', 'rate_limit_exceeded', 'internal_error'];

/** The part of a route that determines its responses; open routes have it too. */
export type AnsweringRoute = Pick<Route, 'access' | 'errors' | 'answers' | 'lifetime' | 'query' | 'body'> & {
  /** whether its answers have a `Link` header whatever their content */
  linked?: boolean;
};

/** Error codes of a route, in the order of the error table. */
function listErrors({ access, errors, body }: Pick<Route, 'access' | 'errors' | 'body'>): ErrorCode[] {
  const ofBody: readonly ErrorCode[] = body ? ['request_timeout'] : [];
  const codes = new Set([...errors, ...ofBody, ...(access === 'open' ? OPEN_ERRORS : COMMON_ERRORS)]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Headers of refusals in addition to those of every answer. */
const ERROR_HEADERS: Partial<Record<ErrorCode, string>> = {
  method_not_allowed: 'Allow',
  missing_api_key: 'WWW-Authenticate',
  unauthorized: 'WWW-Authenticate',
  key_expired: 'WWW-Authenticate',
  account_disabled: 'WWW-Authenticate',
  range_not_satisfiable: 'Content-Range',
  rate_limit_exceeded: 'Retry-After',
  idempotency_in_flight: 'Retry-After',
  rate_limiter_unavailable: 'Retry-After',
  service_unavailable: 'Retry-After',
  search_unavailable: 'Retry-After',
};

const header = (description: string, schema: Json = { type: 'string' }) => ({ description, schema });
const number = { type: 'integer' };

export const HEADERS: Readonly<Record<string, Json>> = {
  'X-Request-Id': header('The request id: yours where you sent one'),
  'X-Service-Schema-Version': header('Version of this contract'),
  'X-Service-Environment': header('Environment of the service'),
  'X-RateLimit-Limit': header('Requests per trailing 60 seconds', number),
  'X-RateLimit-Remaining': header('Requests left of them', number),
  'X-RateLimit-Reset': header('Unix seconds at which all are left again', number),
  'RateLimit-Policy': header('The same as a structured field: `q` requests in `w` seconds'),
  RateLimit: header('Of that policy `r` requests are left; `t` seconds until more are'),
  'X-Service-Key-Rotating': header('`true` while the key that was sent is being replaced', { type: 'string', enum: ['true'] }),
  Warning: header('While the key rotates: when it stops working'),
  'Cache-Control': header('How long the answer may be kept'),
  ETag: header('Names this content: send it in `If-None-Match` to hear whether it is still the same'),
  Deprecation: header('The request used a name that is on its way out: since when, `@` and Unix seconds (RFC 9745)'),
  Sunset: header('The earliest day on which that name stops working (RFC 8594)'),
  Link: header(
    '`rel="next"`: the next page, where there is one; `rel="deprecation"`: where to read about a name that is on its way out; `rel="api-catalog"`: the catalogue of the APIs of this host',
  ),
  'Content-Crs': header('The coordinate system of GeoJSON: WGS 84, longitude first'),
  'Content-Disposition': header('The name of the file'),
  'Accept-Ranges': header('`bytes`: parts of the file may be asked for with `Range`'),
  'Content-Range': header('Which part of the file this is, and how long it is'),
  'Retry-After': header('Seconds to wait before the request is repeated', number),
  Allow: header('Methods that the path takes'),
  'WWW-Authenticate': header('`Bearer`: how a key is sent'),
  Location: header('Where it goes on'),
};

const EVERY_ANSWER = Object.keys(HEADERS).slice(0, 8);
const ROTATION = ['X-Service-Key-Rotating', 'Warning'];
const DEPRECATION = ['Deprecation', 'Sunset', 'Link'];

const references = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Whether an authenticated route serves a stored file, whole or in part. */
export const isDownload = ({ access, answers, lifetime }: Pick<AnsweringRoute, 'access' | 'answers' | 'lifetime'>) =>
  access === 'key' && !lifetime && answers.some(({ kind }) => kind === 'file');

const DOWNLOAD = ['ETag', 'Accept-Ranges', 'Content-Disposition', 'Content-Range'];

/** Whether a request may use names of the filter table, some of which are deprecated. */
const takesTable = ({ query, body }: Pick<AnsweringRoute, 'query' | 'body'>) =>
  'table' in query || Object.hasOwn((body as { properties?: object } | undefined)?.properties ?? {}, 'filters');

/** Whether an answer is a page that others may follow. */
const hasPages = ({ answers }: Pick<AnsweringRoute, 'answers'>) =>
  answers.some(
    (answer) => answer.kind === 'json' && PAGED.some((name) => Object.hasOwn((answer.meta as Json | undefined)?.properties ?? {}, name)),
  );

/** Fields in `meta` of a page: the page's position, or the cursor of a walk. */
const PAGED = ['hasMore', 'sync'];

function describeHeaders(route: AnsweringRoute, ...more: string[]): Json {
  return references([
    ...EVERY_ANSWER,
    ...(route.access === 'key' ? ROTATION : []),
    'Cache-Control',
    ...(takesTable(route) ? DEPRECATION : []),
    ...(hasPages(route) || route.linked ? ['Link'] : []),
    ...more,
  ]);
}

function metaSchema(meta: Json | undefined): Json {
  const base = { schemaVersion: { type: 'string' }, requestId: { type: 'string' } };
  const { properties = {}, required = [] } = (meta ?? {}) as { properties?: Json; required?: string[] };
  return { type: 'object', required: ['schemaVersion', 'requestId', ...required], properties: { ...base, ...properties } };
}

/** Schema of the whole body of an answer. */
export function bodySchema(answer: Extract<AnswerSpec, { kind: 'json' }>): Json {
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: answer.data, meta: metaSchema(answer.meta as Json | undefined) },
  };
}

/** The schema with additional fields allowed, since they may be added at any time. */
export function allowExtraFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(allowExtraFields);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'additionalProperties' || value !== false);
  return Object.fromEntries(kept.map(([key, value]) => [key, allowExtraFields(value)]));
}

function describeContent(answer: AnswerSpec): [type: string, schema: unknown] {
  switch (answer.kind) {
    case 'json':
      return ['application/json', allowExtraFields(bodySchema(answer))];
    case 'geojson':
      return [GEOJSON, allowExtraFields(geoJsonSchema(answer.data))];
    case 'bare':
      return [answer.contentType, allowExtraFields(answer.data)];
    case 'file':
      return [answer.contentType, allowExtraFields(answer.schema ?? { type: answer.contentType.endsWith('json') ? 'object' : 'string' })];
  }
}

/** Content of the answers with one status; several with the same content type are alternatives. */
function describeContents(answers: readonly AnswerSpec[]): Json {
  const byType = Map.groupBy(answers.map(describeContent), ([type]) => type);
  return Object.fromEntries(
    [...byType].map(([type, found]) => {
      const schemas = found.map(([, schema]) => schema);
      return [type, { schema: schemas.length > 1 ? { anyOf: schemas } : schemas[0] }];
    }),
  );
}

const isRedirect = (status: string): boolean => status === '303';

function describeSuccesses(route: AnsweringRoute): Json {
  const kept = isDownload(route) ? DOWNLOAD : route.lifetime ? ['ETag'] : [];
  const byStatus = Map.groupBy(route.answers, ({ status }) => String(status));
  const answered = [...byStatus].map(([status, answers]) => {
    const crs = answers.some(({ kind }) => kind === 'geojson') ? ['Content-Crs'] : [];
    const description = answers.map((answer) => answer.description).join('\n\n');
    const headers = describeHeaders(route, ...kept, ...crs, ...(isRedirect(status) ? ['Location'] : []));
    return [status, { description, headers, ...(isRedirect(status) ? {} : { content: describeContents(answers) }) }];
  });
  const unchanged = {
    description: 'What `If-None-Match` names is still the same; counts as a request',
    headers: describeHeaders(route, ...kept),
  };
  return { ...Object.fromEntries(answered), ...(route.lifetime ? { 304: unchanged } : {}) };
}

const pascal = (token: string) =>
  token
    .split('_')
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');

/** Names the schema of refusals, which generators then make once: what every route with a key answers has the shortest name. */
function nameRefusals(status: number, codes: readonly ErrorCode[]): string {
  const common = COMMON_ERRORS.filter((code) => ERRORS[code].status === status);
  const isOpen = common.some((code) => !codes.includes(code));
  return `${isOpen ? 'Open' : ''}Refusal${status}${codes
    .filter((code) => !common.includes(code))
    .map(pascal)
    .join('')}`;
}

/** A response for each status, with the codes and their meanings. */
function describeFailures(route: AnsweringRoute): Json {
  const byStatus = Map.groupBy(listErrors(route), (code) => ERRORS[code].status);
  const failed = [...byStatus].map(([status, codes]) => {
    const more = codes.flatMap((code) => ERROR_HEADERS[code] ?? []);
    const schema = {
      title: nameRefusals(status, codes),
      allOf: [{ $ref: '#/components/schemas/Error' }],
      properties: { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } },
    };
    return [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
        headers: describeHeaders(route, ...new Set(more)),
        content: { 'application/json': { schema } },
      },
    ];
  });
  return Object.fromEntries(failed);
}

interface Described extends Json {
  description: string;
  content?: Record<string, { schema: unknown }>;
}

/** A refusal that some parts of the route answer in a form of their own, such as a page. */
function addForm(refusal: Described, own: Described): Described {
  const content = { ...refusal.content };
  for (const [type, { schema }] of Object.entries(own.content ?? {}))
    content[type] = { schema: content[type] ? { anyOf: [content[type].schema, schema] } : schema };
  return { ...refusal, description: `${refusal.description}\n\n${own.description}`, content };
}

/** Every response of a route, by status. */
export function describeResponses(route: AnsweringRoute): Json {
  const answers = describeSuccesses(route) as Record<string, Described>;
  const failures = describeFailures(route) as Record<string, Described>;
  const inTwoForms = Object.entries(failures).map(([status, one]) => [status, answers[status] ? addForm(one, answers[status]) : one]);
  return { ...answers, ...Object.fromEntries(inTwoForms) };
}
