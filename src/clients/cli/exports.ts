/** export: everything that matches as a CSV file. */
import { rename } from 'node:fs/promises';
import type { Command } from 'commander';
import { addCommand, UserError, wholeNumber } from '../../terminal/program.ts';
import type { ExportJob } from '../client/index.ts';
import { act, addPlainCommand, type Cli, checkFolder, readAllPages, showWarnings, waitForFiles } from './context.ts';
import { downloadInto } from './download.ts';
import { explainDiskError } from './durableFiles.ts';
import { asBody, collectFilters, FILTERS_HELP, type Typed } from './filters.ts';
import type { Row } from './output.ts';
import { countIfPossible } from './projects.ts';
import { addSpendingOptions, Spending, type SpendingOptions } from './spending.ts';

const CREDITS_MAX = 1_000_000;

/** Most look-ups of one export (src/docs/exports.md). */
const LOOK_UPS_MAX = 1_000;

/** Credits for records and contacts: charged, or reserved while the export is not settled. */
const creditsOf = (job: Pick<ExportJob, 'creditsCharged' | 'creditsReserved' | 'contactCreditsCharged' | 'contactCreditsReserved'>) =>
  (job.creditsCharged ?? job.creditsReserved) + (job.contactCreditsCharged ?? job.contactCreditsReserved);

const exportRow = ({ id, status, rowCount, matchCount, expiresAt, ...credits }: ExportJob): Row => ({
  id,
  status,
  rows: rowCount ?? matchCount,
  credits: creditsOf(credits),
  expires: expiresAt,
});

/** The file gets its name when it is complete. The name of the partial file contains the export's id, so that no other export continues it. */
async function download(cli: Cli, { id, sizeBytes, sha256 }: ExportJob, file: string): Promise<void> {
  if (sizeBytes === null || sha256 === null) throw new Error(`The export ${id} is ready without a file`);
  const part = `${file}.${id}.part`;
  const ask = (from: number) => cli.client.download(id, { signal: cli.signal, from });
  const remedy = `The export is ready: landuse download ${id} --to ${file}`;
  await downloadInto(cli, { name: id, part, sizeBytes, sha256, ask, remedy });
  await rename(part, file).catch((error: unknown) => {
    throw explainDiskError(error, file, remedy);
  });
}

interface ExportOptions extends SpendingOptions {
  wait?: boolean;
  to?: string;
  contacts?: boolean;
  maxContactCredits?: number;
  list?: string;
}

/** How many contacts an export would look up, at most. */
async function countLookUps(cli: Cli, filters: Typed, list: string | undefined): Promise<number> {
  if (list) return Math.min((await cli.ask('getList', { id: list })).data.projectCount ?? LOOK_UPS_MAX, LOOK_UPS_MAX);
  const counted = await countIfPossible(cli, { ...filters, include: 'contacts' });
  return counted ? (counted.contacts?.lookUps ?? 0) : LOOK_UPS_MAX;
}

/** Asks for look-ups that use an allowance; those that cost credits are part of the price of the export. */
async function confirmAllowance(cli: Cli, spending: Spending, filters: Typed, list: string | undefined): Promise<void> {
  if ((await cli.ask('getCredits')).data.contactCreditRate > 0) return;
  const lookUps = await countLookUps(cli, filters, list);
  if (lookUps) await spending.confirmLookUps(lookUps);
}

async function exportMatches(cli: Cli, filters: Typed = {}, options: ExportOptions): Promise<void> {
  const { wait, to, contacts, maxContactCredits, list } = options;
  if (to) checkFolder(to);
  if (maxContactCredits !== undefined && !contacts) throw new UserError('--max-contact-credits needs --contacts.');
  const body = {
    filters: asBody(filters),
    ...(contacts ? { include: 'contacts' } : {}),
    ...(maxContactCredits === undefined ? {} : { maxContactCredits }),
    ...(list ? { listId: list } : {}),
  };
  const spending = new Spending(cli, options);
  if (contacts) await confirmAllowance(cli, spending, filters, list);
  const { data, meta } = await spending.ask('createExport', { body });
  showWarnings(cli, meta);
  if (data.exportJobId === null) return cli.print([], [], 'Nothing matches: no file was made.');
  const queued = data as ExportJob;
  const job = wait || to ? await waitForFiles(cli, 'export', queued) : queued;
  spending.recordCharge(creditsOf(job));
  if (to) await download(cli, job, to);
  else if (!wait) cli.note(`It is being built: landuse download ${job.id} --to FILE waits for it.`);
  cli.print(job, [{ ...exportRow(job), ...(to ? { file: to } : {}) }]);
  await spending.report();
}

export function addExportCommands(program: Command): void {
  const exporting = addCommand(program, 'export', 'a CSV of everything that matches, up to 10,000 rows')
    .argument('[filters...]', FILTERS_HELP, collectFilters)
    .option('--wait', 'until it is ready')
    .option('--to <file>', 'wait, and write it there')
    .option('--list <id>', 'of a list; filters stay inside it')
    .option('--contacts', 'look contacts up before it is built')
    .option('--max-contact-credits <credits>', 'refuse when the contacts would cost more', wholeNumber(0, CREDITS_MAX));
  addSpendingOptions(exporting).action(act(exportMatches));
  addPlainCommand(program, 'exports', 'exports of your team, newest first', async (cli) => {
    const data = await readAllPages((page) => cli.ask('listExports', page));
    cli.print(data, data.map(exportRow), 'No exports yet.');
  });
  addCommand(program, 'download', 'the file of an export, when it is ready; free')
    .argument('<id>', 'id of the export, exp_…')
    .requiredOption('--to <file>', 'where to write it')
    .action(
      act(async (cli, id: string, { to }: { to: string }) => {
        const { data } = await cli.ask('getExport', { id });
        const job = await waitForFiles(cli, 'export', data);
        await download(cli, job, to);
        cli.print(job, [{ ...exportRow(job), file: to }]);
      }),
    );
}
