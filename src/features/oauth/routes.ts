/** Routes of OAuth: metadata, the endpoints that it names, and a person's connections. */
import { Type } from 'typebox';
import { ApiError } from '../../core/domain/errors.ts';
import { lazily } from '../../core/domain/lazily.ts';
import { nullable, object } from '../../core/domain/record/field.ts';
import { type Connection, ConnectionStore } from '../../core/identity/connections.ts';
import { makeKeyScope } from '../../core/identity/keys.ts';
import type { GuardOptions } from '../../core/outgoing/guardedConnector.ts';
import { isObject, readBody, runAlone } from '../../http/body.ts';
import { readBodyInTime } from '../../http/bodyDeadline.ts';
import { file, json, type Route, route } from '../../http/declaration.ts';
import { MCP_SCOPE, offersOauth, RESOURCE_METADATA_PATH } from '../../http/mcpEndpoint.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { opaqueId } from '../../http/pathParameters.ts';
import { MCP_PATH } from '../../http/roots.ts';
import { moment, whole } from '../../http/schemas.ts';
import { guidePath } from '../../web/docsFrame.ts';
import type { ServingPlatform } from '../feature.ts';
import { asPublicClient, ClientIds } from './clients.ts';

type Context = Parameters<NonNullable<OpenRoute['send']>>[0];

const ROOT = '/oauth/';
const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';
const JSON_TYPE = 'application/json';
const REGISTRATION_BYTES_MAX = 16 * 1024;
const DOCUMENT_BYTES_MAX = 5 * 1024;
const DOCUMENT_TIMEOUT_MS = 2_500;
/** Paths whose answers pages of every origin may read: nothing there depends on what a browser stores. */
const OPEN_TO_PAGES = ['register', 'token', 'revoke'].map((name) => `${ROOT}${name}`);

/** Metadata of the authorization server (RFC 8414). */
const describeServer = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}${ROOT}authorize`,
  token_endpoint: `${publicUrl}${ROOT}token`,
  registration_endpoint: `${publicUrl}${ROOT}register`,
  revocation_endpoint: `${publicUrl}${ROOT}revoke`,
  scopes_supported: [MCP_SCOPE],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${publicUrl}${guidePath('mcp')}`,
});

/** Metadata of the MCP endpoint (RFC 9728). */
const describeResource = (publicUrl: string) => ({
  resource: `${publicUrl}${MCP_PATH}`,
  authorization_servers: [publicUrl],
  scopes_supported: [MCP_SCOPE],
  bearer_methods_supported: ['header'],
  resource_name: 'Land Use Intelligence',
  resource_documentation: `${publicUrl}${guidePath('mcp')}`,
});

/** Which servers may be asked for the document of a client. */
export const guardOfDocuments = ({ config }: Pick<ServingPlatform, 'config'>): GuardOptions => ({
  allowPrivate: false,
  ports: config.webhookPorts,
});

/** The parts that need oidc-provider, loaded at their first use. */
const loadServer = ({ publicUrl, keys, database, lookUpKey, once }: ServingPlatform, clients: ClientIds, connections: ConnectionStore) =>
  lazily(async () => {
    const [{ makeAuthorizationServer, asClientAnswer }, { makeAdapters }, { answerConsent }, { fetchDocument }] = await Promise.all([
      import('./authorizationServer.ts'),
      import('./store.ts'),
      import('./consentRoutes.ts'),
      import('../../core/outgoing/fetchDocument.ts'),
    ]);
    const resource = `${publicUrl}${MCP_PATH}`;
    const reading = { ...once(guardOfDocuments), bytesMax: DOCUMENT_BYTES_MAX, timeoutMs: DOCUMENT_TIMEOUT_MS };
    const server = makeAuthorizationServer({
      publicUrl,
      resource,
      adapter: makeAdapters({
        database,
        hash: (secret) => keys.hashSecret(secret),
        openClient: (id) => clients.open(id),
        resource,
        scope: MCP_SCOPE,
      }),
      keyWorks: (keyId) => connections.keyWorks(keyId),
      readClientDocument: async (url) => {
        const { status, headers, text } = await fetchDocument(url, reading);
        return asClientAnswer(status, headers, text);
      },
    });
    const services = { server, connections, lookUpKey, origin: new URL(publicUrl).origin };
    return { ...server, answerConsent: (ctx: Context) => answerConsent(services, ctx) };
  });

/** Registers a client (RFC 7591). What it cannot have, such as a secret, is left out of the answer. */
async function register(ctx: Context, clients: ClientIds, checkClient: (metadata: object) => Promise<void>): Promise<void> {
  try {
    await runAlone(ctx, readBody(REGISTRATION_BYTES_MAX));
    const { body } = ctx.request;
    if (!isObject(body)) throw new ApiError('invalid_request', 'Send the metadata of a client as a JSON object');
    const metadata = asPublicClient(body);
    const client = { client_id: clients.seal(metadata), ...metadata };
    await checkClient(client);
    ctx.status = 201;
    ctx.body = { ...client, client_id_issued_at: Math.floor(Date.now() / 1000) };
  } catch (error) {
    const { status, message, error_description = message } = error as Error & { status?: number; error_description?: string };
    if (status !== 400) throw error;
    ctx.status = 400;
    ctx.body = { error: 'invalid_client_metadata', error_description };
  }
}

const oauthReference = (example: 'authorize' | 'token') =>
  ({
    path: `${ROOT}{endpoint}`,
    params: { endpoint: { schema: { type: 'string' }, summary: 'An endpoint of the metadata', example, names: 'endpoint', parse: String } },
    errors: ['resource_not_found'],
  }) as const;

const GOES_ON = file('text/html', { status: 303, description: 'Goes on to the page of consent, or back to the program' });
const NOT_CONNECTED = file('text/html', { status: 400, description: 'A page for a person: the request cannot go on' });
const oauthRefusal = (status: 400 | 401) =>
  file(JSON_TYPE, {
    status,
    description: '`register`, `token` and `revoke` refuse as OAuth says (RFC 6749 and 7591)',
    schema: object({ error: Type.String(), error_description: Type.Optional(Type.String()) }),
  });

export function openOauthRoutes(platform: ServingPlatform): OpenRoute[] {
  const { publicUrl, config, database, now } = platform;
  const clients = new ClientIds(config.cursorSecret);
  const load = loadServer(platform, clients, new ConnectionStore(database, now));
  const requireOauth = () => {
    if (offersOauth(publicUrl)) return;
    throw new ApiError(
      'resource_not_found',
      'Programs cannot connect by OAuth here, since PUBLIC_URL is plain http; use an API key, or serve https',
    );
  };
  const metadata = (paths: readonly string[], id: string, summary: string, describe: (url: string) => object): OpenRoute => ({
    rate: 'oauth',
    paths,
    anyOrigin: paths,
    handle: () => {
      requireOauth();
      return describe(publicUrl);
    },
    reference: { id, summary, answers: [file(JSON_TYPE, { schema: { type: 'object' } })], errors: ['resource_not_found'] },
  });
  const answer = async (ctx: Context): Promise<void> => {
    const server = await load();
    if (ctx.path.startsWith(`${ROOT}consent/`)) return server.answerConsent(ctx);
    if (ctx.path === `${ROOT}register` && ctx.method === 'POST') return register(ctx, clients, server.checkClient);
    await server.run(ctx);
  };
  return [
    metadata(
      [RESOURCE_METADATA_PATH, '/.well-known/oauth-protected-resource'],
      'getResourceMetadata',
      'Which authorization server gives tokens for the tools (RFC 9728)',
      describeResource,
    ),
    metadata([SERVER_METADATA_PATH], 'getAuthorizationServer', 'The endpoints of OAuth, and what they take (RFC 8414)', describeServer),
    {
      rate: 'oauth',
      paths: [],
      below: ROOT,
      anyOrigin: OPEN_TO_PAGES,
      handle: () => '',
      send: async (ctx) => {
        requireOauth();
        ctx.set('Cache-Control', 'no-store');
        if (ctx.method !== 'POST') return answer(ctx);
        // A body that does not arrive ends the request, whoever reads it.
        await runAlone(ctx, [readBodyInTime(async (_, next) => answer(ctx).then(next))]);
      },
      reference: {
        ...oauthReference('authorize'),
        answers: [file('text/html'), GOES_ON, NOT_CONNECTED],
        id: 'openOauth',
        summary: 'OAuth: authorize, and the page on which a person consents',
      },
      postReference: {
        ...oauthReference('token'),
        answers: [
          file(JSON_TYPE, { schema: { type: 'object' }, description: 'A token, or nothing where one is revoked' }),
          file(JSON_TYPE, { schema: { type: 'object' }, status: 201, description: 'The client, registered' }),
          GOES_ON,
          NOT_CONNECTED,
          oauthRefusal(400),
          oauthRefusal(401),
        ],
        id: 'useOauth',
        summary: 'OAuth: register, token and revoke, as its metadata names them',
      },
    },
  ];
}

const connection = object({
  id: Type.String(),
  client: object({
    id: Type.String({ description: 'What it registered, signed, or the address of its metadata' }),
    name: nullable(Type.String({ description: 'What it calls itself' })),
    returnsTo: Type.String({ description: 'Where it was when it connected: an origin, or a scheme' }),
  }),
  keyId: Type.String({ format: 'uuid' }),
  userId: whole,
  monthlyCredits: Type.Integer({ minimum: 0, description: 'Most credits that it may spend in a calendar month (UTC)' }),
  creditsSpent: Type.Integer({ minimum: 0, description: 'Of this month' }),
  createdAt: moment,
  expiresAt: Type.String({ format: 'date-time', description: 'When it ends unless it is used before' }),
});

const view = ({ clientId, clientName, returnsTo, createdAt, expiresAt, ...others }: Connection) => ({
  ...others,
  client: { id: clientId, name: clientName, returnsTo },
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

export function connectionRoutes({ database, keys, now }: ServingPlatform): Route[] {
  const connections = new ConnectionStore(database, now);
  return [
    route('Account', 'listConnections', 'GET /account/connections', {
      summary: 'Programs connected to the tools by OAuth: of your keys, or of the whole team’s for its owner; newest first',
      answers: [json(Type.Array(connection))],
      handle: async ({ principal }) => ({ data: (await connections.list(makeKeyScope(principal))).map(view) }),
    }),
    route('Account', 'endConnection', 'DELETE /account/connections/{id}', {
      summary: 'End a connection; its tokens stop at once',
      params: { id: opaqueId('connection', 'Id of the connection', 'con') },
      answers: [json(object({ id: Type.String(), deleted: Type.Literal(true) }))],
      handle: async ({ principal, params: { id } }) => {
        await connections.end(id, makeKeyScope(principal));
        keys.forgetResolved();
        return { data: { id, deleted: true as const } };
      },
    }),
  ];
}
