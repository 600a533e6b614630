/** sync: a copy in a file, brought up to date by each run. */
import type { Command } from 'commander';
import { act, checkFolder } from './context.ts';
import { CopyFile } from './copyFile.ts';
import type { CopySource } from './copyTarget.ts';
import { collectFilters, FILTERS_HELP, refuseOwnParameters, type Typed } from './filters.ts';
import { type CopyOptions, keepCopy } from './keepCopy.ts';
import { representation } from './projects.ts';
import { addSpendingOptions } from './spending.ts';

interface SyncOptions extends CopyOptions {
  to: string;
  rebuild?: boolean;
}

/** The options of every command that keeps a copy. */
export const addCopyOptions = (command: Command): Command =>
  addSpendingOptions(
    command
      .addOption(representation('standard'))
      .option('--snapshot', 'begin with a snapshot, as a large copy does anyway')
      .option('--no-snapshot', 'walk every page'),
  );

/** Refuses parameters that a copy sets itself. @throws UserError */
export const refuseCopyParameters = (filters: Typed): void => refuseOwnParameters(filters, { representation: 'type --representation' });

export function addSyncCommand(program: Command): void {
  const syncing = program
    .command('sync')
    .description('a copy in a file, one record a line; the same command brings it up to date, and goes on after it was stopped')
    .argument('[filters...]', `${FILTERS_HELP}; dateRange=all for a full copy`, collectFilters)
    .requiredOption('--to <file>', 'file of the copy; FILE.sync and FILE.journal beside it say how far it is')
    .option('--rebuild', 'start over, and replace the file at the end');
  addCopyOptions(syncing).action(
    act(async (cli, filters: Typed = {}, options: SyncOptions) => {
      const { to: file, rebuild = false } = options;
      refuseCopyParameters(filters);
      checkFolder(file);
      const open = (source: CopySource) => CopyFile.open(file, { ...source, rebuild });
      const outcome = { file, ...(await keepCopy(cli, { target: file, filters, snapshotFormat: 'ndjson' }, open, options)) };
      cli.print(outcome, [outcome]);
    }),
  );
}
