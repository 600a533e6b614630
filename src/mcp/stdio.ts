/** The MCP server over standard input and output, which asks a service by its address. */
import { randomBytes } from 'node:crypto';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { LandUseClient } from '../client/index.ts';
import { Quotes } from './quotes.ts';
import { makeMcpServer } from './server.ts';

/** Serves until the input ends. Quotes live as long as the process. */
export async function serveStdio(client: LandUseClient, version: string): Promise<void> {
  const server = makeMcpServer({
    api: { ask: (id, input, idempotencyKey) => client.call(id, input as never, idempotencyKey ? { idempotencyKey } : {}) },
    quotes: new Quotes(randomBytes(32).toString('hex'), client.url),
    version,
    onDefect: (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
