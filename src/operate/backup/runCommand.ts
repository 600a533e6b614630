/** The common parts of `npm run backup` and `npm run restore`: settings, progress, output and failures. */
import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { exportFilesOf } from '../../core/store/files/exportFiles.ts';
import { type FileStore, FileStoreError } from '../../core/store/files/fileStore.ts';
import { generationFilesOf } from '../../core/store/files/generationFiles.ts';
import { isOutage } from '../../core/store/postgres/pool.ts';
import { RestoreRefused } from '../../core/store/postgres/restoredSchema.ts';
import { SnapshotRefused, SnapshotTaken } from '../../core/store/postgres/tableSnapshot.ts';
import { UserError } from '../../terminal/program.ts';
import { type Bar, startBar } from '../../terminal/progress.ts';
import { mebibytes } from '../../terminal/textTable.ts';
import { type FailureWords, operatorEnvironment, printResult, reportFailure } from '../command.ts';
import { openPlace } from './backupPlace.ts';
import { type Listed, listBackups } from './list.ts';
import { isSigned, type Manifest, type Secrets, sumSizes } from './manifest.ts';
import type { BackupSources, BackupWatch } from './takeBackup.ts';

const EXIT_UNREACHABLE = 3;

export interface BackupRun {
  sources: BackupSources;
  place: string;
  store: FileStore;
  watch: BackupWatch;
  /** prints one JSON value with --json, otherwise the lines */
  print(value: unknown, lines: readonly string[]): void;
}

/** Environment variables, in the order in which a command's help lists them. */
const SETTINGS = [
  'databaseUrl',
  'databaseSchema',
  'keyPepper',
  'cursorSecret',
  'elasticsearchUrls',
  'elasticsearchApiKey',
  'elasticsearchCa',
  'indexPrefix',
  'exportDir',
  'exportBucketKey',
  'generationsDir',
  'generationsBucketKey',
  'backupBucketKey',
] as const;

export const SETTINGS_HELP = `
Settings: DATABASE_URL, DATABASE_SCHEMA, KEY_PEPPER, CURSOR_SECRET, ELASTICSEARCH_URL, EXPORT_DIR, EXPORT_BUCKET_KEY,
GENERATIONS_DIR and GENERATIONS_BUCKET_KEY, as the service and its loader have them;
for a bucket of backups BACKUP_BUCKET_KEY. Without DATABASE_URL the stack that runs here is used.
Exit codes: 0 done; 1 refused or failed; 2 wrong usage or settings; 3 Postgres cannot be reached.`;

/** Runs a command on the place that an option names; SIGINT and SIGTERM cancel it, leaving nothing unfinished. */
export async function runCommand(
  { option, place, json }: { option: string; place: string; json: boolean },
  work: (run: BackupRun) => Promise<void>,
): Promise<void> {
  const stopped = new AbortController();
  const stop = () => stopped.abort(new UserError('Stopped; nothing of it is left.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const bars = makeProgressBars();
  try {
    const settings = readConfig(operatorEnvironment(), SETTINGS);
    const { databaseUrl, databaseSchema, keyPepper, cursorSecret } = settings;
    await work({
      sources: {
        databaseUrl,
        databaseSchema,
        secrets: { KEY_PEPPER: keyPepper, CURSOR_SECRET: cursorSecret },
        exports: exportFilesOf(settings),
        generations: generationFilesOf(settings),
        index: settings,
      },
      place,
      store: await openPlace(option, place, settings),
      watch: { signal: stopped.signal, onProgress: bars.onProgress },
      print: (value, lines) => {
        bars.stop();
        printResult(json, value, lines);
      },
    });
  } catch (error) {
    bars.stop();
    reportFailure(error, json, FAILURES);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}

/** A progress bar for each step, one after another. */
function makeProgressBars(): { onProgress: BackupWatch['onProgress']; stop(): void } {
  let current: { step: string; bar: Bar } | undefined;
  const stop = () => {
    current?.bar.stop();
    current = undefined;
  };
  return {
    stop,
    onProgress: (step, done, of) => {
      if (current?.step !== step) {
        stop();
        current = { step, bar: startBar(step, of) };
      }
      current.bar.update(done, of);
    },
  };
}

const FAILURES: FailureWords = {
  afterBlock: 'Then run the command again.',
  explain: (error, cause) => {
    if (error instanceof FileStoreError) return { message: error.message, code: `files_${error.failure}` };
    if (error instanceof RestoreRefused || error instanceof SnapshotRefused || error instanceof SnapshotTaken)
      return { message: `${error.message}.`, code: 'refused' };
    if (isOutage(cause)) return { message: isUnreachable(cause as NodeJS.ErrnoException), code: 'unreachable', exit: EXIT_UNREACHABLE };
    return undefined;
  },
};

const isUnreachable = ({ message, code }: NodeJS.ErrnoException) =>
  `Postgres cannot be reached (${message || code}): is DATABASE_URL right and the server up? Then run the command again.`;

/** Prints the backups in a place, newest first. */
export async function printBackups({ sources, store, place, watch, print }: BackupRun): Promise<void> {
  const listed = await listBackups(store, watch.signal);
  const rows = listed.map((each) => toRow(each, sources.secrets));
  print(rows, rows.length ? rows.map(line) : [`No backup in ${place}.`]);
}

type Row = ReturnType<typeof toRow>;

const toRow = ({ name, manifest }: Listed, secrets: Secrets) =>
  manifest
    ? {
        name,
        damaged: false as const,
        signed: isSigned(manifest, secrets),
        recipients: manifest.recipients ?? [],
        moment: manifest.moment,
        bytes: sumSizes(manifest),
        files: manifest.files.length,
        rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
        migration: manifest.migrations.at(-1)?.name ?? null,
      }
    : { name, damaged: true as const };

function line(of: Row): string {
  if (of.damaged) return `${of.name}  damaged, or of a newer version`;
  const text = `${of.name}  ${of.moment}  ${mebibytes(of.bytes)}  ${of.rows} rows, ${of.files} files, ${of.migration}`;
  return `${text}${of.recipients.length ? ', encrypted' : ''}${of.signed ? '' : ', not signed under KEY_PEPPER'}`;
}

export function describeFiles(files: Manifest['files']): string {
  const ofGenerations = files.filter(({ kind }) => kind === 'generation').length;
  return `${files.length - ofGenerations} files of exports and ${ofGenerations} of generations`;
}

/** Collects the values of an option that may be repeated. */
export const collectValue = (value: string, before: readonly string[]): string[] => [...before, value];

/** The place that an option names. Required, but checked after the other options, so that a misspelt one is reported first. */
export function requirePlace(command: Command, option: '--to' | '--from', place: string | undefined): string {
  const missing = `error: ${option} <place> is missing: a folder, or https://endpoint/bucket/folder`;
  return place ?? command.error(missing);
}
