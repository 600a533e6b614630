/** The MCP server over standard input and output, which asks a service by its address. */
import { randomBytes } from 'node:crypto';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { MAX_CREDITS_HEADER } from '../client/errors.ts';
import { ConnectionFailure, type LandUseClient } from '../client/index.ts';
import { Quotes } from './quotes.ts';
import { makeMcpServer } from './server.ts';

const DESCRIPTION_TIMEOUT_MS = 30_000;

/** A service of an older version would pass over what a call may cost at most, and charge. @throws ConnectionFailure */
async function throwUnlessBounding({ url }: LandUseClient): Promise<void> {
  const failure = (why: string, cause?: unknown) => new ConnectionFailure(`${url} ${why}`, { attempts: 1, cause });
  const answer = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(DESCRIPTION_TIMEOUT_MS) })
    .then((response) => response.json() as Promise<{ components?: { parameters?: object } }>)
    .catch((error: unknown) => {
      throw failure('does not describe itself', error);
    });
  if (!Object.hasOwn(answer.components?.parameters ?? {}, MAX_CREDITS_HEADER))
    throw failure('is older than this command and cannot hold a call to its quote: use its /mcp, or update it');
}

/** Serves until the input ends. Quotes live as long as the process. */
export async function serveStdio(client: LandUseClient, version: string): Promise<void> {
  let bounding: Promise<void> | undefined;
  const server = makeMcpServer({
    operator: {
      ask: async (id, input, agreed) => {
        bounding ??= throwUnlessBounding(client).catch((error: unknown) => {
          bounding = undefined; // asked again with the next call
          throw error;
        });
        await bounding;
        return client.call(id, input as never, agreed);
      },
    },
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
