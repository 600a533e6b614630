/** The MCP server, loaded at its first call, since it would be a sixth of the code that a process loads at its start. */
import type { Logger } from 'pino';
import { lazily } from '../../core/domain/lazily.ts';
import type { AnswerMcp } from '../../http/mcpEndpoint.ts';
import type { RoutesBelow } from '../../http/openapi.ts';
import type { SpendInConnection } from './http.ts';

interface LazyMcpOptions {
  routes: RoutesBelow;
  secret: string;
  log: Logger;
  spend: SpendInConnection;
}

export function lazyMcp({ routes, secret, log, spend }: LazyMcpOptions): AnswerMcp {
  const load = lazily(async (): Promise<AnswerMcp> => {
    const { mcpOverHttp } = await import('./http.ts');
    const onDefect = (error: unknown) => log.error({ err: error }, 'A tool failed');
    return mcpOverHttp({ routes, secret, onDefect, spend });
  });
  return async (...call) => (await load())(...call);
}
