/** The MCP server over streamable HTTP, without sessions: each POST is answered as JSON by a server of its own. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { RoutesBelow } from '../../http/openapi.ts';
import { makeOperator, type ToolCaller } from './inProcess.ts';
import { Quotes } from './quotes.ts';
import { makeMcpServer } from './server.ts';

interface McpHttpOptions {
  routes: RoutesBelow;
  /** signs quotes */
  secret: string;
  onDefect(error: unknown): void;
}

/** @returns what answers a POST whose body is parsed already */
export function mcpOverHttp({ routes, secret, onDefect }: McpHttpOptions) {
  const operatorOf = makeOperator(routes);
  return async (request: Request, body: unknown, caller: ToolCaller): Promise<Response> => {
    const quotes = new Quotes(secret, `team ${caller.principal.teamId}`);
    const server = makeMcpServer({ operator: operatorOf(caller), quotes, onDefect });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: body });
    } finally {
      await server.close();
    }
  };
}
