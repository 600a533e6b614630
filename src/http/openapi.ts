/** The OpenAPI document: what the declarations of routes, the filter table and the error table say, in one JSON. Pure. */
import { ERRORS, type ErrorCode } from '../domain/errors.ts';
import { REPRESENTATIONS, recordSchema } from '../domain/record/schemas.ts';
import type { AnswerSpec, Route } from './declaration.ts';
import { headerParameters, pathParameters, queryParameters, tableParameters } from './openapiParameters.ts';
import { SCHEMA_VERSION } from './versioning.ts';

type Json = Record<string, unknown>;

/** Routes by the prefix that they are served under. */
export type RoutesBelow = Readonly<Record<string, readonly Route[]>>;

/** Every authenticated route can answer these, whatever it does. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
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
const OPEN_ERRORS: readonly ErrorCode[] = ['method_not_allowed', 'rate_limit_exceeded', 'internal_error'];

/** Codes that a route can answer. */
export const errorsOf = ({ access, errors }: Route): readonly ErrorCode[] => [
  ...new Set([...errors, ...(access === 'open' ? OPEN_ERRORS : COMMON_ERRORS)]),
];

/** Schemas of records are named once and referred to by name. */
const componentName = (representation: string) => `${representation[0]?.toUpperCase()}${representation.slice(1)}Project`;
export const recordReference = (representation: string) => ({ $ref: `#/components/schemas/${componentName(representation)}` });

const ANSWER_HEADERS: Json = Object.fromEntries(
  [
    'X-Request-Id',
    'X-Service-Schema-Version',
    'X-Service-Environment',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

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

function success(answer: AnswerSpec): Json {
  const content =
    answer.kind === 'json'
      ? { 'application/json': { schema: bodySchema(answer) } }
      : { [answer.contentType]: { schema: answer.schema ?? {} } };
  return { description: answer.description, headers: ANSWER_HEADERS, content };
}

/** One response a status: its codes, each with what it means. */
function failures(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        String(status),
        {
          description: group.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
          headers: ANSWER_HEADERS,
          content: {
            'application/json': {
              schema: {
                allOf: [{ $ref: '#/components/schemas/Error' }],
                properties: { error: { type: 'object', properties: { code: { enum: group } } } },
              },
            },
          },
        },
      ]),
  );
}

function operation(route: Route): Json {
  const { id, section, summary, description, metered, body, answers, example } = route;
  const parameters = [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)];
  return {
    operationId: id,
    tags: [section],
    summary,
    description: [description, `**Credits:** ${metered ?? 'free'}.`].filter(Boolean).join('\n\n'),
    ...(route.access === 'open' ? { security: [] } : {}),
    ...(parameters.length ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: body, ...(example?.body ? { example: example.body } : {}) } },
          },
        }
      : {}),
    responses: { ...Object.fromEntries(answers.map((answer) => [String(answer.status), success(answer)])), ...failures(errorsOf(route)) },
    ...(example?.path ? { 'x-example': example.path } : {}),
  };
}

function paths(routesBelow: RoutesBelow): Json {
  const found: Record<string, Json> = {};
  for (const [prefix, routes] of Object.entries(routesBelow))
    for (const route of routes) {
      const path = `${prefix}${route.path}` || '/';
      found[path] = { ...found[path], [route.method]: operation(route) };
    }
  return found;
}

const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'param', 'details', 'docsUrl', 'requestId'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS), description: 'Stable token; branch on it' },
        message: { type: 'string', description: 'For people; may change' },
        param: { type: ['string', 'null'], description: 'The parameter, header or path in the body' },
        details: { type: ['object', 'null'], description: '`problems[]` on 400, `quote` on 402' },
        docsUrl: { type: 'string', format: 'uri' },
        requestId: { type: 'string' },
      },
    },
  },
};

const header = (description: string, type = 'string') => ({ description, schema: { type } });

const HEADERS: Json = {
  'X-Request-Id': header('The request id: yours where you sent one'),
  'X-Service-Schema-Version': header('Version of this contract'),
  'X-Service-Environment': header('Environment of the service'),
  'X-RateLimit-Limit': header('Requests per trailing 60 seconds', 'integer'),
  'X-RateLimit-Remaining': header('Requests left of them', 'integer'),
  'X-RateLimit-Reset': header('Unix seconds at which all are left again', 'integer'),
};

/** @param publicUrl root of the service, without a trailing slash */
export function openApiDocument(publicUrl: string, routesBelow: RoutesBelow): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Land Use Intelligence API',
      version: SCHEMA_VERSION,
      summary: 'US land-use projects, read from the minutes of city and county meetings',
      description: 'Errors: [/docs/errors](/docs/errors). Changes: [/changelog.json](/changelog.json).',
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }, { header: [] }],
    tags: [...new Set(Object.values(routesBelow).flatMap((routes) => routes.map(({ section }) => section)))].map((name) => ({ name })),
    paths: paths(routesBelow),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      headers: HEADERS,
      parameters: tableParameters(),
      schemas: {
        Error: ERROR_SCHEMA,
        ...Object.fromEntries(REPRESENTATIONS.map((representation) => [componentName(representation), recordSchema(representation)])),
      },
    },
  };
}
