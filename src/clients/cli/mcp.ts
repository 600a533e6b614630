/** mcp: the tools for agents, over standard input and output. */
import type { Command } from 'commander';
import { run } from './context.ts';
import { NoKey } from './failures.ts';
import { serveStdio } from './mcpBridge.ts';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('an MCP server on standard input and output, for agents')
    .action((_, command: Command) =>
      run(command, async ({ settings }) => {
        if (!settings.key) throw new NoKey(`There is no key for ${settings.url}.`);
        await serveStdio(settings);
      }),
    );
}
