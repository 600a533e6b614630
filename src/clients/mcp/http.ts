/** The MCP server over streamable HTTP, without sessions: each POST is answered as JSON by a server of its own. */
import { createMcpHandler, isLegacyRequest, type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { ApiError } from '../../core/domain/errors.ts';
import type { Principal } from '../../core/domain/principal.ts';
import type { RoutesBelow } from '../../http/openapi.ts';
import { asRefusal, makeOperator, type ToolCaller } from './inProcess.ts';
import { Quotes } from './quotes.ts';
import { makeMcpServer } from './server.ts';

interface McpHttpOptions {
  routes: RoutesBelow;
  /** signs quotes */
  secret: string;
  onDefect(error: unknown): void;
  /** makes a call that may cost so many credits, within the bound of a connection @throws ApiError where it exceeds the bound */
  spend: SpendInConnection;
}

export type SpendInConnection = <T>(
  spending: { connection: NonNullable<Principal['connection']>; teamId: number; quoteId: string; credits: number },
  work: () => Promise<T>,
) => Promise<T>;

const METHOD_NOT_FOUND = -32_601;

/** Revisions up to 2025-11-25, which begin with `initialize`. */
async function answerInEarlierRevision(server: Server, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}

/** Revision 2026-07-28: every message names its revision. An unknown one is answered with the supported ones. */
async function answerInCurrentRevision(server: Server, request: Request, body: unknown, onDefect: McpHttpOptions['onDefect']) {
  let problem: unknown;
  const onerror = (error: Error) => {
    problem = error;
  };
  const handler = createMcpHandler(() => server, { legacy: 'reject', onerror });
  try {
    const response = await handler.fetch(request, { parsedBody: body });
    if (response.status >= 500) onDefect(problem); // others are mistakes of the client
    return response;
  } finally {
    await handler.close();
  }
}

/** The server has no notifications, so subscriptions are refused. */
function refuseSubscription(body: unknown): Response | undefined {
  const { id, method } = body as { id?: unknown; method?: unknown };
  if (method !== 'subscriptions/listen') return undefined;
  const error = { code: METHOD_NOT_FOUND, message: 'Method not found: the tools do not change, so that there is nothing to subscribe to' };
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status: 404 });
}

/** @returns a handler of POST requests with parsed bodies */
export function mcpOverHttp({ routes, secret, onDefect, spend }: McpHttpOptions) {
  const operatorOf = makeOperator(routes);
  return async (request: Request, body: unknown, caller: ToolCaller): Promise<Response> => {
    const quotes = new Quotes(secret, `team ${caller.principal.teamId}`);
    const { connection, teamId } = caller.principal;
    const spendWithin = async <T>(quoteId: string, credits: number, work: () => Promise<T>): Promise<T> => {
      if (!connection || credits === 0) return work();
      return spend({ connection, teamId, quoteId, credits }, work).catch((error: unknown) => {
        throw error instanceof ApiError ? asRefusal(error, caller.requestId) : error;
      });
    };
    const server = makeMcpServer({ operator: operatorOf(caller), quotes, onDefect, spend: spendWithin });
    if (await isLegacyRequest(request, body)) return answerInEarlierRevision(server, request, body);
    return refuseSubscription(body) ?? answerInCurrentRevision(server, request, body, onDefect);
  };
}
