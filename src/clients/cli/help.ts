/** help: of a command, or of the filters that commands take. */
import type { Command } from 'commander';
import { addCommand, UserError } from '../../terminal/program.ts';
import { act, type Cli, readDescription } from './context.ts';

interface Description {
  paths: Record<string, { get?: { parameters?: { $ref?: string }[] } }>;
  components: {
    parameters: Record<string, { name: string; description?: string; 'x-example'?: string }>;
  };
}

const PARAMETER = '#/components/parameters/';
const FILTERED_PATH = '/v1/projects/count';

/** Prints every filter with its meaning, from the service's own description; needs no key. */
async function showFilters(cli: Cli): Promise<void> {
  const { paths, components } = await readDescription<Description>(cli);
  const names = (paths[FILTERED_PATH]?.get?.parameters ?? []).flatMap(({ $ref }) => $ref?.slice(PARAMETER.length) ?? []);
  const filters = names.flatMap((name) => {
    const { description, 'x-example': example = '' } = components.parameters[name] ?? {};
    return description ? [{ filter: name, example, meaning: description }] : [];
  });
  cli.print(filters, filters);
}

export function addHelpCommand(program: Command): void {
  program.helpCommand(false);
  addCommand(program, 'help', 'of a command; "help filters": every filter with its meaning')
    .argument('[command]', 'its name')
    .action(
      act(async (cli, name?: string) => {
        if (name === 'filters') return showFilters(cli);
        const found = program.commands.find((one) => one.name() === name);
        if (name !== undefined && !found) throw new UserError(`There is no command ${name}. "landuse help" lists them.`);
        (found ?? program).outputHelp();
      }),
    );
}
