/** The endpoint of MCP clients; the rate limit and the key apply as to every request. */
import type { Context, Middleware } from 'koa';
import { ApiError } from '../core/domain/errors.ts';
import type { Principal } from '../core/domain/principal.ts';
import { principalOf } from './authenticate.ts';
import { readBody, refuseNonJsonBody } from './body.ts';

export const MCP_PATH = '/mcp';

/** Answers a parsed message of the protocol. */
export type AnswerMcp = (
  request: Request,
  body: unknown,
  caller: { principal: Principal; requestId: string; signal: AbortSignal; charged(credits: number): void },
) => Promise<Response>;

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
  const respond: Middleware = async (ctx: Context) => {
    const { requestId, signal } = ctx.state;
    if (Array.isArray(ctx.request.body)) throw new ApiError('invalid_request', 'Send one message a request, not a list', { param: 'body' });
    const charged = (credits: number) => {
      ctx.state.credits = (ctx.state.credits ?? 0) + credits;
    };
    const response = await answer(asRequest(ctx), ctx.request.body, { principal: principalOf(ctx.state), requestId, signal, charged });
    ctx.status = response.status;
    ctx.body = await response.text();
    ctx.type = response.headers.get('content-type') ?? 'application/json';
  };
  return [refuseForeignOrigin, refuseOthers, refuseNonJsonBody, ...readBody(), admit, respond].map(only);
}
