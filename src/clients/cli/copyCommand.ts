/** copy: a whole copy in a folder or in the table of a database, brought up to date by each run. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../terminal/program.ts';
import type { SnapshotFormat } from '../client/index.ts';
import { act, type Cli, checkFolder } from './context.ts';
import { CopyFolder } from './copyFolder.ts';
import type { CopySource } from './copyTarget.ts';
import { collectFilters, FILTERS_HELP, type Typed } from './filters.ts';
import { type CopyOptions, keepCopy } from './keepCopy.ts';
import type { Row } from './output.ts';
import { addCopyOptions, refuseCopyParameters } from './sync.ts';
import { readColumns } from './tables/columns.ts';
import { openDatabase } from './tables/database.ts';
import { type DatabaseKind, DIALECTS } from './tables/dialects.ts';
import { TableCopy } from './tables/tableCopy.ts';

interface CopyCommandOptions extends CopyOptions {
  format?: SnapshotFormat;
  into?: DatabaseKind;
  table?: string;
  history?: boolean;
  rebuild?: boolean;
}

const EXAMPLES = `
Examples:
  landuse copy landuse dateRange=all --format parquet --yes
  landuse copy --into sqlite landuse.db states=CO dateRange=all --max-credits 5000
  landuse copy --into duckdb landuse.duckdb dateRange=all --history --yes
  PGPASSWORD=… landuse copy --into postgres postgres://etl@warehouse.example/warehouse dateRange=all --table landuse --yes

The same command later brings the copy up to date, and goes on after it was stopped or killed.
A folder has snapshot/ (files as they were downloaded), changes/ (a file for each run: {"seq", "id", "record"}, record null where it left) and copy.json.
A table has a column for each field; with --history NAME_history has every version with valid_from, valid_to and is_current, and NAME shows the current.`;

const DEFAULT_TABLE = 'projects';

/** Only snapshots have Parquet files, and a trial's snapshot is incomplete. */
async function snapshotOptions(cli: Cli, format: SnapshotFormat, options: CopyOptions): Promise<CopyOptions> {
  if (format !== 'parquet') return options;
  if (options.snapshot === false)
    throw new UserError('--format parquet comes from a snapshot: leave --no-snapshot out, or take --format ndjson.');
  if ((await cli.ask('getCredits')).data.plan.id === 'trial')
    throw new UserError('--format parquet comes from a snapshot, and those of a trial hold its first records alone: take --format ndjson.');
  return { ...options, snapshot: true };
}

async function copyIntoFolder(cli: Cli, folder: string, filters: Typed, options: CopyCommandOptions): Promise<Row> {
  const { format = 'ndjson' } = options;
  checkFolder(folder);
  const wanted = { target: folder, filters, snapshotFormat: format };
  const open = (source: CopySource) => CopyFolder.open(folder, { source, format });
  return { folder, ...(await keepCopy(cli, wanted, open, await snapshotOptions(cli, format, options))) };
}

async function copyIntoTable(cli: Cli, target: string, filters: Typed, options: CopyCommandOptions & { into: DatabaseKind }): Promise<Row> {
  const { into, table = DEFAULT_TABLE, history = false, rebuild = false, representation } = options;
  const columns = await readColumns(cli, representation);
  const database = await openDatabase(into, target);
  const { startPacedBar: startBar } = cli;
  const wanted = { target: database.name, filters, snapshotFormat: 'ndjson' } as const;
  const open = (source: CopySource) =>
    TableCopy.open(database, { table, source, columns, history, rebuild, startBar, now: () => new Date() });
  try {
    return { database: database.name, table, ...(await keepCopy(cli, wanted, open, options)) };
  } finally {
    await database.close();
  }
}

/** Refuses options that do not fit the target. @throws UserError */
function refuseMisfits(target: string, { into, format, table, history, rebuild }: CopyCommandOptions): void {
  if (/^[A-Za-z][\w[\]]*=/.test(target))
    throw new UserError(`'${target}' is a filter: the folder or the database goes before the filters, as in "landuse copy DIR ${target}".`);
  if (into && format) throw new UserError('--format is of a copy in a folder: leave it out, or --into.');
  if (!into && /^postgres(ql)?:\/\//.test(target)) throw new UserError('postgres://… is a database: add --into postgres.');
  if (!into && (table || history))
    throw new UserError('--table and --history are of a copy in a database: add --into sqlite, duckdb or postgres.');
  if (!into && rebuild) throw new UserError('A folder is not built again: copy into another one, where what you hold is free.');
}

function tableName(text: string): string {
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(text))
    throw new InvalidArgumentError('It must be 1 to 50 of a-z, 0-9 and _, and begin with a letter.');
  return text;
}

export function addCopyCommand(program: Command): void {
  const copying = program
    .command('copy')
    .description('a whole copy in a folder, or in the table of a database; the same command brings it up to date')
    .argument('<target>', 'folder of the copy; with --into the file of the database, or the address of Postgres')
    .argument('[filters...]', `${FILTERS_HELP}; dateRange=all for a full copy`, collectFilters)
    .addOption(new Option('--format <name>', 'of the snapshot of a folder; ndjson unless given').choices(['ndjson', 'parquet']))
    .addOption(new Option('--into <database>', 'keep a table').choices(Object.keys(DIALECTS)))
    .option('--table <name>', `of the copy; ${DEFAULT_TABLE} unless given`, tableName)
    .option('--history', 'keep every version of a record in the table')
    .option('--rebuild', 'walk from the beginning; rows stay until it is through')
    .addHelpText('after', EXAMPLES);
  addCopyOptions(copying).action(
    act(async (cli, target: string, filters: Typed = {}, options: CopyCommandOptions) => {
      const { into } = options;
      refuseMisfits(target, options);
      refuseCopyParameters(filters);
      const outcome = into
        ? await copyIntoTable(cli, target, filters, { ...options, into })
        : await copyIntoFolder(cli, target, filters, options);
      cli.print(outcome, [outcome]);
    }),
  );
}
