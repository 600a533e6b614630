/** sync: a copy in a file, brought up to date by each run. */
import type { Command } from 'commander';
import { UserError } from '../../terminal/program.ts';
import { startBar } from '../../terminal/progress.ts';
import { isRefusal } from '../client/index.ts';
import { type Cli, checkFolder, run, showWarnings } from './context.ts';
import { CopyFile } from './copy.ts';
import { Cancelled } from './failures.ts';
import { collectFilters, FILTERS_HELP, refuseOwn, type Typed } from './filters.ts';
import { representation } from './projects.ts';

interface SyncOptions {
  to: string;
  representation: 'compact' | 'standard' | 'full';
  rebuild?: boolean;
}

interface Outcome {
  records: number;
  received: number;
  removed: number;
}

/** A walk that is stopped has lost nothing; says so with the sentence of its end. */
function explained(error: unknown, file: string): unknown {
  if (error instanceof Cancelled)
    return new Cancelled(`Stopped. The same command goes on where it was; ${file} follows when it is through.`);
  if (isRefusal(error, 'invalid_cursor'))
    return new UserError(
      `${file} cannot be brought up to date, since the licence or the service has changed: add --rebuild to start over.`,
    );
  return error;
}

/** How many records a copy begins with; 0 where a count does not say: it takes projectIds alone. */
async function sizeOf(cli: Cli, filters: Typed): Promise<number> {
  try {
    return (await cli.ask('countProjects', filters)).data.matchCount;
  } catch (error) {
    if (isRefusal(error, 'invalid_request')) return 0; // whatever else is wrong, the walk is refused for
    throw error;
  }
}

async function walk(cli: Cli, filters: Typed, { to: file, representation: how, rebuild = false }: SyncOptions): Promise<Outcome> {
  const query = { ...filters, representation: how };
  const { client } = cli;
  const size = await sizeOf(cli, filters);
  const copy = await CopyFile.open(file, { url: cli.settings.url, query, rebuild });
  const bar = startBar('sync', size);
  const [seen, outcome] = [new Set<string>(), { records: 0, received: 0, removed: 0 }];
  try {
    for await (const page of client.sync(query, { cursor: copy.cursor, signal: cli.signal })) {
      await copy.add(page);
      outcome.received += page.records.length;
      outcome.removed += page.removed.length;
      bar.update(outcome.received);
      showWarnings(cli, page.meta, seen);
      cli.signal.throwIfAborted();
    }
    outcome.records = await copy.finish();
    return outcome;
  } finally {
    bar.stop();
  }
}

export function addSyncCommand(program: Command): void {
  program
    .command('sync')
    .description('a copy in a file, one record a line; the same command brings it up to date, and goes on after it was stopped')
    .argument('[filters...]', `${FILTERS_HELP}; dateRange=all for a full copy`, collectFilters)
    .requiredOption('--to <file>', 'file of the copy; FILE.sync and FILE.journal beside it say how far it is')
    .addOption(representation('standard'))
    .option('--rebuild', 'start over, and replace the file at the end')
    .action((filters: Typed = {}, options: SyncOptions, command: Command) =>
      run(command, async (cli) => {
        refuseOwn(filters, { representation: 'type --representation' });
        checkFolder(options.to);
        const { records, received, removed } = await walk(cli, filters, options).catch((error: unknown) => {
          throw explained(error, options.to);
        });
        cli.print({ file: options.to, records, received, removed }, [{ file: options.to, records, received, removed }]);
      }),
    );
}
