/** mcp: the tools for agents, over standard input and output. */
import type { Command } from 'commander';
import { run } from './context.ts';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('an MCP server on standard input and output, for agents')
    .action((_, command: Command) =>
      run(command, async (cli) => {
        const { serveStdio } = await import('../mcp/stdio.ts'); // it takes longer to load than most commands to run
        await serveStdio(cli.client, '1');
      }),
    );
}
