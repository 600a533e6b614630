/** hearings: which body meets when, and how many matching projects are on. */
import type { Command } from 'commander';
import { act, showWarnings } from './context.ts';
import { collectFilters, FILTERS_HELP, type Typed } from './filters.ts';
import type { Row } from './output.ts';

export function addHearingsCommand(program: Command): void {
  program
    .command('hearings')
    .description('which body meets when, and how many of the projects that match are on; the next 30 days, or from=… to=…; free')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .action(
      act(async (cli, filters: Typed = {}) => {
        const { data, meta } = await cli.ask('listHearings', filters);
        showWarnings(cli, meta);
        if (meta.suppressed) cli.note('Few of the matching projects are not yours: only yours are shown.');
        if (meta.truncated) cli.note('There are more hearings: name a shorter time, or further filters.');
        const rows = data.map(
          ({ date, bodyLabel, place, projectCount }): Row => ({ date, body: bodyLabel, place: place.label, projects: projectCount }),
        );
        cli.print(data, rows, 'No hearing of a matching project is known.');
      }),
    );
}
