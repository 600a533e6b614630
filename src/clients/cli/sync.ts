/** sync: a copy in a file, brought up to date by each run. */
import type { Command } from 'commander';
import { UserError } from '../../terminal/program.ts';
import { isRefusal } from '../client/index.ts';
import { type Cli, checkFolder, run, showWarnings } from './context.ts';
import { CopyFile } from './copy.ts';
import { Cancelled } from './failures.ts';
import { collectFilters, FILTERS_HELP, refuseOwn, type Typed } from './filters.ts';
import { representation } from './projects.ts';
import { copySnapshot, SNAPSHOT_FROM } from './snapshot.ts';
import { addSpendingOptions, Spending, type SpendingOptions } from './spending.ts';

interface SyncOptions extends SpendingOptions {
  to: string;
  representation: 'compact' | 'standard' | 'full';
  rebuild?: boolean;
  snapshot?: boolean;
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

/** Whether a new copy begins with a snapshot. Of a trial that would hold the first records alone, and a walk brings the rest. */
async function beginsWithSnapshot(cli: Cli, copy: CopyFile, matchCount: number, { snapshot }: SyncOptions): Promise<boolean> {
  if (!copy.isNew || snapshot === false) return false;
  if (copy.snapshotId || snapshot) return true;
  return matchCount >= SNAPSHOT_FROM && (await cli.ask('getCredits')).data.plan.id !== 'trial';
}

/** How many records a copy has and what they would cost; zeros where a count does not say: it takes projectIds alone. */
async function countOf(cli: Cli, filters: Typed): Promise<{ matchCount: number; creditsRequired: number }> {
  try {
    return (await cli.ask('countProjects', filters)).data;
  } catch (error) {
    if (isRefusal(error, 'invalid_request')) return { matchCount: 0, creditsRequired: 0 }; // whatever else is wrong, the walk is refused for
    throw error;
  }
}

/** Walks until nothing is new; a page that costs more than was agreed to is asked for again once somebody agrees. */
async function walk(cli: Cli, filters: Typed, spending: Spending, options: SyncOptions): Promise<Outcome> {
  const { to: file, representation: how, rebuild = false } = options;
  const query = { ...filters, representation: how };
  const { matchCount, creditsRequired } = await countOf(cli, filters);
  const copy = await CopyFile.open(file, { url: cli.settings.url, query, rebuild });
  const outcome = { records: 0, received: 0, removed: 0 };
  if (await beginsWithSnapshot(cli, copy, matchCount, options)) await copySnapshot(cli, copy, { filters, representation: how }, spending);
  const seen = new Set<string>();
  const walkOn = async () => {
    const bar = cli.startBar('sync', matchCount);
    try {
      for await (const page of walkPages()) {
        await copy.add(page);
        spending.note(page.meta.creditsUsed);
        outcome.received += page.records.length;
        outcome.removed += page.removed.length;
        bar.update(outcome.received);
        showWarnings(cli, page.meta, seen);
        cli.signal.throwIfAborted();
      }
    } finally {
      bar.stop();
    }
  };
  const walkPages = () =>
    cli.client.sync(query, {
      cursor: copy.cursor,
      signal: cli.signal,
      get maxCredits() {
        return spending.left; // of the next page
      },
    });
  for (let done = false; !done; ) {
    try {
      await walkOn();
      done = true;
    } catch (error) {
      await spending.agree(error, async () => creditsRequired);
    }
  }
  outcome.records = await copy.finish();
  return outcome;
}

export function addSyncCommand(program: Command): void {
  const syncing = program
    .command('sync')
    .description('a copy in a file, one record a line; the same command brings it up to date, and goes on after it was stopped')
    .argument('[filters...]', `${FILTERS_HELP}; dateRange=all for a full copy`, collectFilters)
    .requiredOption('--to <file>', 'file of the copy; FILE.sync and FILE.journal beside it say how far it is')
    .addOption(representation('standard'))
    .option('--rebuild', 'start over, and replace the file at the end')
    .option('--snapshot', 'begin with a snapshot, as a large copy does anyway')
    .option('--no-snapshot', 'walk every page');
  addSpendingOptions(syncing).action((filters: Typed = {}, options: SyncOptions, command: Command) =>
    run(command, async (cli) => {
      refuseOwn(filters, { representation: 'type --representation' });
      checkFolder(options.to);
      const spending = new Spending(cli, options);
      const { records, received, removed } = await walk(cli, filters, spending, options).catch((error: unknown) => {
        throw explained(error, options.to);
      });
      cli.print({ file: options.to, records, received, removed }, [{ file: options.to, records, received, removed }]);
      await spending.report();
    }),
  );
}
