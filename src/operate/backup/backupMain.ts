/** npm run backup: backs up everything that the service needs to a folder or a bucket. */
import { secondsSince } from '../../core/domain/durations.ts';
import { makeProgram, wholeNumber } from '../../terminal/program.ts';
import { mebibytes } from '../../terminal/textTable.ts';
import { keepNewest } from './list.ts';
import { type Manifest, sumSizes } from './manifest.ts';
import { type BackupRun, collectValue, describeFiles, printBackups, requirePlace, runCommand, SETTINGS_HELP } from './runCommand.ts';
import { takeBackup } from './takeBackup.ts';

const KEEP_MAX = 1_000;

interface Options {
  to?: string;
  keep?: number;
  recipient: string[];
  list?: boolean;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  npm run backup -- --to /var/backups/landuse
  npm run backup -- --to https://s3.example/backups/landuse --keep 14
  npm run backup -- --to /var/backups/landuse --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p
  npm run backup -- --to /var/backups/landuse --list
${SETTINGS_HELP}`;

function describeBackup(manifest: Manifest, to: string, removed: readonly string[], seconds: number): string[] {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `${manifest.name} in ${to}: ${manifest.tables.length} tables with ${rows} rows as of ${manifest.moment}, ${describeFiles(manifest.files)}, ` +
      `${mebibytes(sumSizes(manifest))}, in ${seconds} s.`,
    ...manifest.missing.map(({ kind, name, why }) => `Not in it: the ${kind} file ${name} is ${why}.`),
    ...manifest.warnings.map((warning) => `Warning: ${warning}`),
    ...(removed.length ? [`Removed: ${removed.join(', ')}.`] : []),
    `It holds ${manifest.holds}.`,
    manifest.recipients
      ? `Encrypted to ${manifest.recipients.join(', ')}: only their secret keys open it.`
      : 'Nothing of it is encrypted: whoever can read its place reads them all. --recipient encrypts it.',
    'Not in it either, and needed with it: KEY_PEPPER, CURSOR_SECRET and the other settings.',
  ];
}

async function backup({ sources, place, store, watch, print }: BackupRun, { keep, recipient }: Options): Promise<void> {
  const started = performance.now();
  const manifest = await takeBackup(sources, store, watch, recipient);
  const removed = keep === undefined ? [] : await keepNewest(store, keep, watch.signal);
  const seconds = secondsSince(started);
  print({ ...manifest, bytes: sumSizes(manifest), removed, seconds }, describeBackup(manifest, place, removed, seconds));
}

const program = makeProgram(
  'npm run backup --',
  'Back up Postgres, the files of exports and those that loads have kept, while the service goes on.',
  EXAMPLES,
)
  .option('--to <place>', 'a folder, or https://endpoint/bucket/folder')
  .option('--keep <count>', 'keep so many of the newest backups there and remove the others', wholeNumber(1, KEEP_MAX))
  .option('--recipient <key>', 'encrypt it to this public key of age (age1…); may be repeated', collectValue, [])
  .option('--list', 'show the backups that are there, and take none')
  .option('--json', 'print one JSON value on standard output; failures as JSON on standard error')
  .action((options: Options) => {
    const to = requirePlace(program, '--to', options.to);
    return runCommand({ option: '--to', place: to, json: options.json ?? false }, (run) =>
      options.list ? printBackups(run) : backup(run, options),
    );
  });

await program.parseAsync();
