/** The authorization server: oidc-provider with authorization codes, PKCE and rotating refresh tokens alone, for one resource and one scope. */
import { generateKeyPairSync } from 'node:crypto';
import { type Adapter, errors, type JWK, Provider, type ClientMetadata as ProviderClientMetadata } from 'oidc-provider';
import { ApiError } from '../../core/domain/errors.ts';
import { escapeHtml } from '../../core/domain/escapeHtml.ts';
import { isObject } from '../../http/body.ts';
import { MCP_SCOPE } from '../../http/mcpEndpoint.ts';
import type { OpenRoute } from '../../http/openRoutes.ts';
import { styledPagePolicy } from '../../http/securityHeaders.ts';
import { page } from '../../web/layout.ts';
import { STYLE } from '../../web/style.ts';
import { asPublicClient } from './clients.ts';

type Context = Parameters<NonNullable<OpenRoute['send']>>[0];

const OAUTH_ROOT = '/oauth/';
const AUTHORIZE_PATH = `${OAUTH_ROOT}authorize`;

const HOUR = 3_600;
/** How long a person has for the consent, a client to exchange its code, and a connection without use. */
const TTL = { Interaction: 600, AuthorizationCode: 60, AccessToken: HOUR, RefreshToken: 30 * 24 * HOUR, Session: 1, Grant: HOUR };
const CLIENT_ADDRESS_CHARACTERS_MAX = 1_000;
const COOKIE = { httpOnly: true, sameSite: 'lax' } as const;
/** Nobody stays signed in, so that this cookie is not sent. */
const SESSION_COOKIE = '_session';
const OFF = { enabled: false } as const;

export interface AuthorizationServerOptions {
  publicUrl: string;
  /** address of what a token opens */
  resource: string;
  adapter: (model: string) => Adapter;
  /** whether the key works for which a connection stands */
  keyWorks(keyId: string): Promise<boolean>;
  readClientDocument(url: string): Promise<Response>;
}

/** The provider wants a key for id tokens, of which there are none. */
const makeUnusedKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) as JWK;

/** A page about a request that cannot go on. */
export const refusalPage = (message: string) => ({
  headers: styledPagePolicy(STYLE),
  body: page({
    title: 'Not connected',
    path: AUTHORIZE_PATH,
    navigation: [],
    main: `<h1>Not connected</h1><p>${escapeHtml(message)}</p><p>Go back to the program, and start again there.</p>`,
  }),
});

export function makeAuthorizationServer({ publicUrl, resource, adapter, keyWorks, readClientDocument }: AuthorizationServerOptions) {
  const mountPath = new URL(publicUrl).pathname.replace(/\/$/, '');
  const isSecure = publicUrl.startsWith('https:');
  const provider = new Provider(publicUrl, {
    adapter,
    jwks: { keys: [makeUnusedKey()] },
    routes: { authorization: AUTHORIZE_PATH, token: `${OAUTH_ROOT}token`, revocation: `${OAUTH_ROOT}revoke` },
    responseTypes: ['code'],
    scopes: [],
    clientAuthMethods: ['none'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    features: {
      devInteractions: OFF,
      dPoP: OFF,
      pushedAuthorizationRequests: OFF,
      rpInitiatedLogout: OFF,
      userinfo: OFF,
      revocation: { enabled: true, allowedPolicy: async (_, { clientId }, token) => token.clientId === clientId },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: async (_, id) => id.length <= CLIENT_ADDRESS_CHARACTERS_MAX },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        getResourceServerInfo: (_, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget();
          return { scope: MCP_SCOPE, audience: resource, accessTokenFormat: 'opaque' };
        },
      },
    },
    cookies: { names: { session: SESSION_COOKIE }, long: COOKIE, short: COOKIE },
    ttl: TTL,
    interactions: { url: (_, { uid }) => `${mountPath}${OAUTH_ROOT}consent/${uid}` },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    rotateRefreshToken: () => true,
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    findAccount: async (_, accountId) =>
      (await keyWorks(accountId)) ? { accountId, claims: async () => ({ sub: accountId }) } : undefined,
    renderError: async (ctx, { error, error_description: why }) => {
      const { headers, body } = refusalPage(`${error}${why ? `: ${why}` : ''}`);
      ctx.set(headers);
      ctx.type = 'html';
      ctx.body = body;
    },
    fetch: async (url) => readClientDocument(String(url)),
  });
  provider.on('server_error', (ctx, error) => {
    ctx.state.serverError = error;
  });
  const [handle] = provider.middleware;

  return {
    provider,
    /** the path of this service at which a request goes on, as browsers reach it, whatever host the request named */
    pathOf: (url: string) => new URL(url).pathname,
    /** Answers a request to one of the provider's routes. @throws ApiError */
    async run(ctx: Context): Promise<void> {
      ctx.mountPath = mountPath;
      ctx.cookies.secure = isSecure;
      // There is one scope; what else clients ask for, such as openid, has no meaning here.
      if (ctx.path === AUTHORIZE_PATH) ctx.query = { ...ctx.query, scope: MCP_SCOPE };
      await handle?.(ctx as never, async () => {
        throw new ApiError('resource_not_found', `There is no ${ctx.method} ${ctx.path.slice(0, 200)}`);
      });
      const cookies = [ctx.response.get('Set-Cookie')].flat().filter((line) => line && !line.startsWith(`${SESSION_COOKIE}=`));
      if (cookies.length) ctx.set('Set-Cookie', cookies);
      else ctx.remove('Set-Cookie');
      if (ctx.state.serverError) throw ctx.state.serverError;
    },
    /** Checks the metadata of a client. @throws errors.InvalidClientMetadata */
    checkClient: (metadata: object) =>
      (provider.Client as unknown as { validate(given: object): Promise<void> }).validate(metadata as ProviderClientMetadata),
  };
}
export type AuthorizationServer = ReturnType<typeof makeAuthorizationServer>;

/** What counts of a client's document, as an answer that the provider reads; its own checks see the id. */
export function asClientAnswer(status: number, headers: Readonly<Record<string, unknown>>, text: string): Response {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    ['cache-control', 'expires'].includes(name) && typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    document = text; // refused as no JSON object
  }
  const body = isObject(document) ? { ...asPublicClient(document), client_id: document.client_id } : null;
  return new Response(JSON.stringify(body), { status: status >= 200 && status <= 599 ? status : 502, headers: kept });
}
