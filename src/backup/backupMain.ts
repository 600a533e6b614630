/** npm run backup: what the service cannot do without, in a folder or a bucket. */
import { makeProgram, wholeNumber } from '../terminal/program.ts';
import { mebibytes } from '../terminal/table.ts';
import { filesText, placeIn, printBackups, type Run, runCommand, runProgram, SETTINGS_HELP } from './command.ts';
import { keepNewest } from './list.ts';
import { type Manifest, sizeOf } from './manifest.ts';
import { takeBackup } from './take.ts';

const KEEP_MAX = 1_000;

interface Options {
  to?: string;
  keep?: number;
  list?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  npm run backup -- --to /var/backups/landuse
  npm run backup -- --to https://s3.example/backups/landuse --keep 14
  npm run backup -- --to /var/backups/landuse --list
${SETTINGS_HELP}`;

function lines(manifest: Manifest, to: string, removed: readonly string[], seconds: number): string[] {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `${manifest.name} in ${to}: ${manifest.tables.length} tables with ${rows} rows as of ${manifest.moment}, ${filesText(manifest.files)}, ` +
      `${mebibytes(sizeOf(manifest))}, in ${seconds} s.`,
    ...manifest.missing.map(({ kind, name, why }) => `Not in it: the ${kind} file ${name} is ${why}.`),
    ...manifest.warnings.map((warning) => `Warning: ${warning}`),
    ...(removed.length ? [`Removed: ${removed.join(', ')}.`] : []),
    'Not in it either, and needed with it: KEY_PEPPER, CURSOR_SECRET and the other settings.',
  ];
}

async function backup({ sources, place, store, watch, print }: Run, { keep }: Options): Promise<void> {
  const started = performance.now();
  const manifest = await takeBackup(sources, store, watch);
  const removed = keep === undefined ? [] : await keepNewest(store, keep, watch.signal);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  print({ ...manifest, bytes: sizeOf(manifest), removed, seconds }, lines(manifest, place, removed, seconds));
}

const program = makeProgram(
  'npm run backup --',
  'Back up Postgres, the files of exports and those that loads have kept, while the service goes on.',
  EXAMPLES,
)
  .option('--to <place>', 'a folder, or https://endpoint/bucket/folder')
  .option('--keep <count>', 'keep so many of the newest backups there and remove the others', wholeNumber(1, KEEP_MAX))
  .option('--list', 'show the backups that are there, and take none')
  .option('--json', 'print one JSON value on standard output; failures as JSON on standard error')
  .action((options: Options) => {
    const to = placeIn(program, '--to', options.to);
    return runCommand({ option: '--to', place: to, json: options.json ?? false }, (run) =>
      options.list ? printBackups(run) : backup(run, options),
    );
  });

await runProgram(program);
