/** Makes the OpenAPI document from the declarations of routes, the filter table and the error table. Pure. */
import type { TSchema } from 'typebox';
import { DETAILS, mayLackDetails } from '../core/domain/errorDetails.ts';
import { ERRORS, type ErrorDescription } from '../core/domain/errorTable.ts';
import { INCLUDED, REPRESENTATIONS, recordSchema } from '../core/domain/record/schemas.ts';
import { WARNINGS } from '../core/domain/warnings.ts';
import { file, type Route } from './declaration.ts';
import { filterSchemas } from './filterFields.ts';
import { nameTokens, TEXT_OR_NUMBER } from './openapiNames.ts';
import { downloadParameters, headerParameters, makeSharedParameters, pathParameters, queryParameters } from './openapiParameters.ts';
import { allowExtraFields, describeResponses, HEADERS, isDownload } from './openapiResponses.ts';
import { type DocumentedEvent, describeWebhooks } from './openapiWebhooks.ts';
import type { OpenReference, OpenRoute } from './openRoutes.ts';
import { openRouteLimit, type RateLimits } from './rateLimit.ts';
import { acceptsBasicAuth } from './roots.ts';
import { SCHEMA_VERSION } from './versioning.ts';

type Json = Record<string, unknown>;

/** Routes by the prefix under which they are served. */
export type RoutesBelow = Readonly<Record<string, readonly Route[]>>;

export interface Documented {
  /** root of the service, without a trailing slash */
  publicUrl: string;
  routes: RoutesBelow;
  openRoutes: readonly OpenRoute[];
  /** event types of webhooks */
  events: readonly DocumentedEvent[];
  /** requests per trailing 60 seconds */
  limits: Pick<RateLimits, 'paid' | 'trial' | 'health' | 'file'>;
}

/** The component of a record's schema. */
const componentName = (representation: string) => `${representation[0]?.toUpperCase()}${representation.slice(1)}Project`;
export const recordReference = (representation: string) => ({ $ref: `#/components/schemas/${componentName(representation)}` });

/** The documented form of an open route: no key, query parameters or charge. */
const asRoute = (
  reference: OpenReference,
  method: 'get' | 'post',
  { lifetime, rate, headers }: Pick<OpenRoute, 'lifetime' | 'rate' | 'headers'>,
) => ({
  ...reference,
  section: 'Service' as const,
  method,
  access: 'open' as const,
  errors: reference.errors ?? [],
  query: { own: {} },
  body: undefined,
  ...(lifetime ? { lifetime } : {}),
  ...(rate ? { rate } : {}),
  ...(headers?.Link ? { linked: true } : {}),
});

type DocumentedRoute = ReturnType<typeof asRoute> | Route;

/** Matches the example of an id that differs in every installation. */
const OPAQUE_ID = /^[a-z]{3}_0+$/;

const filled = (path: string, params: Route['params'] = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example, schema } = params[name] ?? {};
    const variable = name === 'id' ? '$ID' : `$${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
    return schema?.format === 'uuid' || OPAQUE_ID.test(String(example)) ? variable : encodeURIComponent(String(example));
  });

/** A shell command that works with the demo; `$KEY` is a key, `$ID` the id of something created before. */
function curlLine(route: DocumentedRoute, path: string, publicUrl: string): string {
  const { method, access, body } = route;
  const example = 'example' in route ? route.example : undefined;
  return [
    'curl -sg',
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    ...(access === 'key' ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...('idempotent' in route && route.idempotent === 'required' ? ["-H 'Idempotency-Key: once'"] : []),
    ...(body ? [`-H 'Content-Type: application/json' -d '${JSON.stringify(example?.body ?? {})}'`] : []),
    `"${publicUrl}${example?.path ?? filled(path, route.params)}"`,
  ].join(' ');
}

const SECURITY = [{ bearer: [] }, { header: [] }];

const requiredFields = ({ required = [] }: { required?: readonly string[] }) => required;

function operation(route: DocumentedRoute, path: string, { publicUrl, limits }: Documented): Json {
  const { id, section, summary, description, access, body, params } = route;
  const metered = 'metered' in route ? route.metered : undefined;
  const example = 'example' in route ? route.example : undefined;
  const idempotent = 'idempotent' in route && route.idempotent ? { idempotent: route.idempotent } : {};
  const { lifetime } = route;
  const credits = access === 'key' ? [`**Credits:** ${metered ?? 'free'}.`] : [];
  const rate =
    access === 'key'
      ? `**Rate:** one request of the key's allowance: ${limits.paid} in any 60 seconds on a paid plan, ${limits.trial} on a trial.`
      : `**Rate:** ${openRouteLimit(('rate' in route && route.rate) || 'page', limits)} in any 60 seconds for each source address.`;
  const keep = lifetime ? [`**Keep:** ${lifetime.seconds} seconds, then ask with \`If-None-Match\`.`] : [];
  const content = { 'application/json': { schema: body, ...(example?.body ? { example: example.body } : {}) } };
  return {
    operationId: id,
    tags: [section],
    summary,
    description: [...(description ? [description] : []), ...credits, rate, ...keep].join('\n\n'),
    ...(access === 'open' ? { security: [] } : acceptsBasicAuth(path) ? { security: [...SECURITY, { basic: [] }] } : {}),
    parameters: [
      ...pathParameters(params),
      ...queryParameters(route),
      ...headerParameters({ ...idempotent, ...(metered ? { metered } : {}), ...(lifetime ? { lifetime } : {}) }),
      ...(isDownload(route) ? downloadParameters() : []),
    ],
    // The body is optional when no field is required; an absent one counts as `{}`.
    ...(body ? { requestBody: { required: requiredFields(body).length > 0, content } } : {}),
    responses: describeResponses(route),
    'x-codeSamples': [{ lang: 'Shell', source: curlLine(route, path, publicUrl) }],
  };
}

function paths(documented: Documented): Json {
  const found: Record<string, Json> = {};
  const add = (path: string, route: DocumentedRoute) => {
    found[path] = { ...found[path], [route.method]: operation(route, path, documented) };
  };
  for (const [prefix, routes] of Object.entries(documented.routes)) for (const route of routes) add(`${prefix}${route.path}`, route);
  for (const {
    reference,
    postReference,
    paths: [first = '/', ...others],
    lifetime,
    rate,
    headers,
    refusal,
  } of documented.openRoutes) {
    const path = reference.path ?? first;
    if (found[path]) continue;
    if (postReference) add(path, asRoute(postReference, 'post', {}));
    const also = others.length && !reference.path ? [`Also at ${others.map((other) => `\`${other}\``).join(', ')}.`] : [];
    const statuses = refusal ? new Set((reference.errors ?? []).map((code) => ERRORS[code].status)) : [];
    const pages = [...statuses].map((status) => file('text/html', { status, description: 'As a page, for those who prefer HTML' }));
    const description = [...(reference.description ? [reference.description] : []), ...also].join('\n\n');
    add(
      path,
      asRoute({ ...reference, answers: [...reference.answers, ...pages], ...(description ? { description } : {}) }, 'get', {
        ...(lifetime ? { lifetime } : {}),
        ...(rate ? { rate } : {}),
        ...(headers ? { headers } : {}),
      }),
    );
  }
  return found;
}

const detailsName = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}Details`;
const DETAILS_REFERENCES: ReadonlyMap<TSchema, Json> = new Map(
  Object.entries(DETAILS).map(([name, schema]) => [schema, { $ref: `#/components/schemas/${detailsName(name)}` }]),
);
/** Schema of `details` of an error code. */
function detailsOf({ details }: ErrorDescription): Json {
  const reference = details && DETAILS_REFERENCES.get(details);
  if (!details || !reference) return { type: 'null' };
  return mayLackDetails(details) ? { anyOf: [reference, { type: 'null' }] } : reference;
}

const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'param', 'details', 'docsUrl', 'requestId'],
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(ERRORS),
          description: 'Stable token; branch on it',
          'x-details': Object.fromEntries(Object.entries(ERRORS).map(([code, row]) => [code, detailsOf(row)])),
        },
        message: { type: 'string', description: 'For people; may change' },
        param: { type: ['string', 'null'], description: 'The parameter, header or path in the body' },
        details: { anyOf: [...DETAILS_REFERENCES.values(), { type: 'null' }], description: 'Figures and lists, by the code' },
        docsUrl: { type: 'string', format: 'uri' },
        requestId: { type: 'string' },
      },
    },
  },
};

const TAGS: Record<Route['section'], string> = {
  Projects: 'Search, count, sync and read projects.',
  'AI search': 'Questions in plain words, answered by jobs with records that are proven by quotes.',
  Documents: 'The minutes that records come from.',
  Account: 'Credits, receipts and saved preferences.',
  Keys: 'Mint, list, rotate, reassign and revoke keys.',
  Places: 'States, counties and cities, and which of them the licence covers.',
  Words: 'Tokens and labels that records carry and filters take.',
  Exports: 'CSV files of whole match sets.',
  Snapshots: 'Everything that filters select, as files of one moment, with the cursor from which sync goes on.',
  Contacts: 'Look-ups of the people behind projects.',
  Lists: 'Projects or criteria saved under a name, and shared.',
  Alerts: 'Standing searches: what is new or changed, daily, weekly or monthly.',
  Webhooks: 'Events of a team, sent to addresses of its own and signed.',
  Analytics: 'Counts and statistics of a selection, which hold no record.',
  GIS: 'OGC API - Features, and tiles, for desktop GIS and libraries.',
  Service: 'Without a key: health, this document, the guides.',
};

export function openApiDocument(documented: Documented): Json {
  return nameTokens({
    openapi: '3.1.0',
    info: {
      title: 'Land Use Intelligence API',
      version: SCHEMA_VERSION,
      summary: 'US land-use projects, read from the minutes of city and county meetings',
      description: 'Guides: [/docs](/docs). Errors: [/docs/errors](/docs/errors). Changes: [/changelog.json](/changelog.json).',
    },
    servers: [{ url: documented.publicUrl }],
    security: SECURITY,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(documented),
    webhooks: describeWebhooks(documented.events, documented.publicUrl),
    'x-warnings': WARNINGS,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        basic: { type: 'http', scheme: 'basic', description: 'The key as user or password; below `/ogc` alone' },
      },
      headers: HEADERS,
      parameters: makeSharedParameters(),
      schemas: {
        Error: ERROR_SCHEMA,
        TextOrNumber: TEXT_OR_NUMBER,
        ...Object.fromEntries(Object.entries(DETAILS).map(([name, schema]) => [detailsName(name), allowExtraFields(schema)])),
        ...Object.fromEntries(REPRESENTATIONS.map((one) => [componentName(one), recordSchema(one, one === 'full' ? INCLUDED : [])])),
        ...filterSchemas(),
      },
    },
  });
}
