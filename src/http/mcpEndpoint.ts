/** The endpoint of MCP clients; the rate limit and the key apply as to every request. */
import type { Context, Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import { principalOf } from './authenticate.ts';
import { isObject, readBody, refuseNonJsonBody, runAlone } from './body.ts';
import type { Bucket } from './rateLimit.ts';
import { isLoopbackHost, MCP_PATH } from './roots.ts';

/** Answers a parsed message of the protocol. */
export type AnswerMcp = (
  request: Request,
  body: unknown,
  caller: { principal: Principal; requestId: string; signal: AbortSignal; charged(credits: number): void },
) => Promise<Response>;

/** Where the metadata of the endpoint is (RFC 9728). */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;
/** What a token allows. */
export const MCP_SCOPE = 'mcp';

/** Whether programs can connect by OAuth: never over plain http, except on this machine. */
export function offersOauth(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || isLoopbackHost(hostname);
}

/** Parameters of a 401, by which a client finds how to connect (RFC 9728); none where it cannot. */
export const mcpChallenge = (publicUrl: string): string[] =>
  offersOauth(publicUrl) ? [`scope="${MCP_SCOPE}"`, `resource_metadata="${publicUrl}${RESOURCE_METADATA_PATH}"`] : [];

/** Codes of JSON-RPC: no JSON; no message. */
const [PARSE_ERROR, INVALID_REQUEST] = [-32_700, -32_600];
/** Largest message that is read although its request is refused: a call of a tool is shorter. */
const REFUSED_BYTES_MAX = 32 * 1024;

const isCall = (body: unknown): body is { id: string | number } =>
  isObject(body) && body.method === 'tools/call' && (typeof body.id === 'string' || typeof body.id === 'number');

function refuseMessage(ctx: Context, code: number, message: string): void {
  ctx.status = 400;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code, message } };
}

/** The message of a request over the rate; undefined if it is long, or cannot be read: its rate is refused, whatever else is wrong with it. */
function readRefusedMessage(ctx: Context): Promise<unknown> {
  ctx.state.refusedMessage ??=
    ctx.request.length <= REFUSED_BYTES_MAX
      ? runAlone(ctx, readBody(REFUSED_BYTES_MAX)).then(
          () => ctx.request.body,
          () => undefined,
        )
      : Promise.resolve(undefined);
  return ctx.state.refusedMessage;
}

/** Messages of a client that connects. Official clients give up at a 429, so that these have an allowance of their own beyond the key's. */
const CONNECTING: ReadonlySet<unknown> = new Set(['initialize', 'notifications/initialized', 'server/discover', 'tools/list', 'ping']);
const CONNECTING_PER_MINUTE = 60;

/** The bucket of a connecting client's message that is over the rate of its key; undefined for other requests. */
export async function connectingBucket(ctx: Context): Promise<Bucket | undefined> {
  if (ctx.path !== MCP_PATH || ctx.method !== 'POST') return undefined;
  const message = await readRefusedMessage(ctx);
  return isObject(message) && CONNECTING.has(message.method) ? { name: 'connecting', limit: CONNECTING_PER_MINUTE } : undefined;
}

/** Answers a call of a tool that the rate limit refuses as the tool would, so that a model sees the wait; other messages keep the status 429. */
async function answerRateRefusal(ctx: Context, error: ApiError): Promise<boolean> {
  if (error.code !== 'rate_limit_exceeded') return false;
  const body = await readRefusedMessage(ctx);
  if (!isCall(body)) return false;
  ctx.set(error.headers);
  const content = [{ type: 'text', text: `${error.code}: ${error.message}` }];
  ctx.status = 200;
  ctx.body = { jsonrpc: '2.0', id: body.id, result: { content, isError: true, resultType: 'complete' } }; // the type since revision 2026-07-28
  return true;
}

/** Answers refusals of the endpoint as clients of the protocol expect them: rates of calls as results, unreadable messages by their code. */
export const mcpRefusals: Middleware = async (ctx, next) => {
  if (ctx.path !== MCP_PATH || ctx.method !== 'POST') return next();
  try {
    await next();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (await answerRateRefusal(ctx, error)) return;
    if (!(error.cause instanceof SyntaxError)) throw error;
    refuseMessage(ctx, PARSE_ERROR, error.message);
  }
};

function asRequest(ctx: Context): Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'].filter((name) => ctx.get(name));
  const headers = new Headers(names.map((name) => [name, ctx.get(name)]));
  return new Request('http://service/mcp', { method: 'POST', headers });
}

/**
 * The middleware of the endpoint.
 * @param admit lets a request run when its turn comes
 * @param origins whose pages may call it; this prevents DNS rebinding, by which another site's page could reach the server
 */
export function mcpEndpoint(answer: AnswerMcp, admit: Middleware, origins: readonly string[]): Middleware[] {
  const only =
    (middleware: Middleware): Middleware =>
    (ctx, next) =>
      ctx.path === MCP_PATH ? middleware(ctx, next) : next();
  const refuseForeignOrigin: Middleware = (ctx, next) => {
    const { origin } = ctx.req.headers;
    if (origin === undefined || origins.includes(origin)) return next();
    throw new ApiError(
      'forbidden',
      `Pages of ${origin.slice(0, 200)} may not call ${MCP_PATH}; the operator lists those that may in CORS_ORIGINS`,
      {
        param: 'Origin',
      },
    );
  };
  const refuseOthers: Middleware = (ctx, next) => {
    // No stream of server messages is offered, since there are none.
    if (ctx.method === 'POST') return next();
    throw new ApiError('method_not_allowed', `${MCP_PATH} takes POST, not ${ctx.method}`, { headers: { Allow: 'POST' } });
  };
  const readMessage: Middleware = async (ctx, next) => {
    if (!(await ctx.state.refusedMessage)) await runAlone(ctx, readBody());
    return next();
  };
  const respond: Middleware = async (ctx: Context) => {
    const { requestId, signal } = ctx.state;
    if (!ctx.request.rawBody) return refuseMessage(ctx, PARSE_ERROR, 'The body is empty; send a message of JSON-RPC');
    if (Array.isArray(ctx.request.body)) return refuseMessage(ctx, INVALID_REQUEST, 'Send one message a request, not a list');
    const charged = (credits: number) => {
      ctx.state.credits = (ctx.state.credits ?? 0) + credits;
    };
    const response = await answer(asRequest(ctx), ctx.request.body, { principal: principalOf(ctx.state), requestId, signal, charged });
    ctx.status = response.status;
    ctx.body = await response.text();
    ctx.type = response.headers.get('content-type') ?? 'application/json';
  };
  return [refuseForeignOrigin, refuseOthers, refuseNonJsonBody, readMessage, admit, respond].map(only);
}
