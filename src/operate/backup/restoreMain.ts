/** npm run restore: restores a backup, audits the books, and lists what is lost. */
import { EXIT_FAILED, makeProgram } from '../../terminal/program.ts';
import { textTable } from '../../terminal/textTable.ts';
import { readIdentities } from './encryption.ts';
import { chooseBackup } from './list.ts';
import type { RestoreLosses } from './lost.ts';
import { type RestoreReport, restoreBackup } from './restore.ts';
import { type BackupRun, collectValue, printBackups, requirePlace, runCommand, SETTINGS_HELP } from './runCommand.ts';

const NAMED_AT_MOST = 10;

interface Options {
  from?: string;
  backup?: string;
  list?: boolean;
  check?: boolean;
  replace?: boolean;
  newCursorSecret?: boolean;
  unsigned?: boolean;
  without: string[];
  identity?: string;
  json?: boolean;
}

const EXAMPLES = `
Examples:
  npm run restore -- --from /var/backups/landuse --list
  npm run restore -- --from /var/backups/landuse --check
  npm run restore -- --from https://s3.example/backups/landuse
  npm run restore -- --from /var/backups/landuse --backup 20261122T031500Z-4be1a0 --replace
  npm run restore -- --from /var/backups/landuse --without list_project
${SETTINGS_HELP}`;

const named = (names: readonly string[]) =>
  names.slice(0, NAMED_AT_MOST).join(', ') + (names.length > NAMED_AT_MOST ? `, and ${names.length - NAMED_AT_MOST} more` : '');

function describeLost(lost: RestoreLosses): string[] {
  const { rows, keysThatWorkAgain: keys, suppressions, exportFilesWithoutJob: nameless, exportsWithoutFile: fileless } = lost;
  return [
    `Lost: everything of the last ${lost.seconds} s.`,
    ...(rows === null
      ? ['There was nothing left to compare with.']
      : textTable(
          rows.map((row) => ({ ...row })),
          'No row was lost.',
        )),
    ...keys.map(({ id, teamId, leaked }) =>
      leaked
        ? `A key that has leaked is no longer known as such (team ${teamId}): npm run admin -- key revoke ${id} --leaked`
        : `A key that had stopped, or was to stop, works again (team ${teamId}): npm run admin -- key revoke ${id}`,
    ),
    ...suppressions.map(
      ({ kind, note, addedAt }) =>
        `Somebody who was suppressed on ${addedAt.toISOString()} (${kind}${note === null ? '' : `, ${note}`}) is shown again: npm run admin -- suppress add …`,
    ),
    ...(nameless.length ? [`Export files that no job knows any more: ${named(nameless)}.`] : []),
    ...(fileless.length ? [`Exports without their file, which are refunded when they are downloaded: ${named(fileless)}.`] : []),
    ...(lost.snapshotFilesWithoutJob.length
      ? [`Files of snapshots that no job knows any more: ${named(lost.snapshotFilesWithoutJob)}.`]
      : []),
    ...(lost.snapshotsWithoutFile.length
      ? [`Snapshots without a file, which are refunded when they are downloaded: ${named(lost.snapshotsWithoutFile)}.`]
      : []),
    ...(lost.generationFilesWithoutCommit.length
      ? [
          `Files of generations that were loaded after the backup, which nothing names any more: ${named(lost.generationFilesWithoutCommit)}.`,
        ]
      : []),
    ...(lost.generationFilesMissing.length
      ? [`Files of generations that are neither there nor in the backup: ${named(lost.generationFilesMissing)}.`]
      : []),
    ...(lost.index === null ? [] : [`The index: ${lost.index}.`]),
  ];
}

const AUDIT = 'npm run admin -- audit';
const PROVE = `Prove the books: ${AUDIT}.`;

function auditLines({ audit }: RestoreReport): string[] {
  if (!audit) return [];
  const { pools, entries, deliveries, differences } = audit;
  return [
    `Audit: ${pools} pools, ${entries} entries, ${deliveries} deliveries: ${differences.length} differences.`,
    ...(differences.length
      ? textTable(
          differences.map((difference) => ({ ...difference })),
          '',
        )
      : []),
  ];
}

function describeRestore(report: RestoreReport): string[] {
  const { backup, moment, outcome, tables, rows, replaced } = report;
  const warnings = [
    ...report.warnings.map((warning) => `Warning: ${warning}`),
    ...report.leftOut.map(({ part, loses }) => `Left out: ${part}. Lost without it: ${loses}.`),
  ];
  if (outcome === 'already')
    return [`The schema was restored from ${backup} before; nothing was done. Add --replace to do it again. ${PROVE}`];
  if (outcome === 'checked')
    return [
      `${backup} is ${report.signed ? 'ours and ' : ''}whole: ${tables} tables with ${rows} rows as of ${moment}. Nothing was written.`,
      replaced.length
        ? `The schema holds rows in ${named(replaced)}: a restore needs --replace.`
        : 'The schema is empty: a restore may begin.',
      ...warnings,
    ];
  return [
    `Restored ${backup}: ${tables} tables with ${rows} rows as of ${moment}, ${report.files} files put back, in ${report.seconds} s.`,
    ...(report.unproven === undefined ? [] : [`The backup is put back, but this could not be checked: ${report.unproven}. Next: ${AUDIT}`]),
    ...auditLines(report),
    ...(report.lost ? describeLost(report.lost) : []),
    ...warnings,
    ...(report.lost?.index ? [] : ['Next: npm run ingest -- status']),
  ];
}

async function restore({ sources, place, store, watch, print }: BackupRun, options: Options): Promise<void> {
  const manifest = await chooseBackup(store, options.backup, watch.signal, place);
  const { replace = false, check: checkOnly = false, newCursorSecret = false, unsigned = false, without } = options;
  const identities = options.identity === undefined ? [] : await readIdentities(options.identity);
  const report = await restoreBackup(
    sources,
    store,
    manifest,
    { replace, checkOnly, newCursorSecret, unsigned, without, identities },
    watch,
  );
  print(report, describeRestore(report));
  if (report.audit?.differences.length || report.unproven !== undefined) process.exitCode = EXIT_FAILED;
}

const program = makeProgram(
  'npm run restore --',
  'Put a backup back: Postgres, the files of exports and those that loads have kept.',
  EXAMPLES,
)
  .option('--from <place>', 'a folder, or https://endpoint/bucket/folder')
  .option('--backup <name>', 'the backup to put back; the newest unless given')
  .option('--list', 'show the backups that are there')
  .option('--check', 'read the whole backup and say what a restore would meet; nothing is written')
  .option('--replace', 'take the place of a schema that holds rows; they are then gone')
  .option('--new-cursor-secret', 'restore under another CURSOR_SECRET: every copy kept by sync then starts again')
  .option('--unsigned', "go on with a backup that is not signed under KEY_PEPPER: it may be anybody's")
  .option('--without <part>', 'restore all but this table or file, as --check names it; may be repeated', collectValue, [])
  .option('--identity <file>', 'the secret key of a backup that is encrypted, as age-keygen writes it')
  .option('--json', 'print one JSON value on standard output; failures as JSON on standard error')
  .action((options: Options) => {
    const from = requirePlace(program, '--from', options.from);
    return runCommand({ option: '--from', place: from, json: options.json ?? false }, (run) =>
      options.list ? printBackups(run) : restore(run, options),
    );
  });

await program.parseAsync();
