/** mcp: the tools for agents, over standard input and output. */
import type { Command } from 'commander';
import { UserError } from '../../terminal/program.ts';
import { run } from './context.ts';

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('an MCP server on standard input and output, for agents')
    .action((_, command: Command) =>
      run(command, async (cli) => {
        const { serveStdio } = await loadServer(); // it takes longer to load than most commands to run
        await serveStdio(cli.client, '1');
      }),
    );
}

/** An installed command comes without the packages of the server. @throws UserError with what to install */
const loadServer = () =>
  import('../mcp/stdio.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UserError(
      'landuse mcp needs two more packages: npm install @modelcontextprotocol/sdk ajv (with --global where landuse was installed so).',
    );
  });
