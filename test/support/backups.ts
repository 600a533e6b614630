/** Backups of a test service: taken and put back in this process or by the commands, and the rows that they have to keep. */
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { openExportFiles } from '../../src/core/store/files/exportFiles.ts';
import { FolderStore } from '../../src/core/store/files/folderStore.ts';
import type { RestoreOptions } from '../../src/operate/backup/restore.ts';
import type { BackupSources, BackupWatch } from '../../src/operate/backup/takeBackup.ts';
import type { Json } from './json.ts';
import { bareEnvironment } from './programs.ts';
import type { TestService } from './service.ts';

const root = path.resolve(import.meta.dirname, '../..');

export const QUIETLY: BackupWatch = { signal: new AbortController().signal, onProgress: () => {} };
export const PLAINLY: RestoreOptions = {
  replace: false,
  checkOnly: false,
  newCursorSecret: false,
  unsigned: false,
  without: [],
  identities: [],
};
export const REPLACING: RestoreOptions = { ...PLAINLY, replace: true };

export const placeOf = (folder: string) =>
  new FolderStore(folder, { files: 'backups', place: '--to', key: 'BACKUP_BUCKET_KEY', contentType: 'text/plain' });

/** What the commands make of the settings of a service. */
export function sourcesOf({ config, index }: Pick<TestService, 'config' | 'index'>): BackupSources {
  const { databaseUrl, databaseSchema, keyPepper, cursorSecret } = config;
  return {
    databaseUrl,
    databaseSchema,
    secrets: { KEY_PEPPER: keyPepper, CURSOR_SECRET: cursorSecret },
    exports: () => openExportFiles(config),
    generations: async () => index.kept,
    index: config,
  };
}

type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** What migrations make, and what a restore changes on purpose. */
const OTHERWISE = ['migration', 'applied_sql', 'database_epoch'];

/** Count and digest of the rows of every table, read by a statement of the test's own. Of a job its attempts count, not their numbers. */
export async function digests(query: Query, schema: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = to_regnamespace($1) and relkind = 'r' and relname <> all ($2) order by 1`,
    [schema, OTHERWISE],
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const row =
      name === 'job' ? `to_jsonb(t) - 'attempt' - 'handed_back' || jsonb_build_object('attempts', attempt - handed_back)` : 'to_jsonb(t)';
    const [digest] = await query<{ text: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5((${row})::text), '' order by md5((${row})::text))), '') as text from "${schema}"."${name}" t`,
    );
    found[name] = digest?.text ?? '';
  }
  return found;
}

export interface Outcome {
  code: number;
  json: Json;
  err: string;
}

const scriptOf = (name: 'backup' | 'restore') => path.join(root, 'src/operate/backup', `${name}Main.ts`);

/** Runs `npm run backup` or `npm run restore` with --json, in a child process. */
export function command(name: 'backup' | 'restore', env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [scriptOf(name), ...args, '--json'], { cwd: root, env: { ...bareEnvironment, ...env } }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), json: out ? JSON.parse(out) : undefined, err }),
    );
  });
}

/** The same, which a test kills. */
export function startCommand(name: 'backup' | 'restore', env: Readonly<Record<string, string>>, ...args: string[]) {
  return spawn(process.execPath, [scriptOf(name), ...args], { cwd: root, env: { ...bareEnvironment, ...env }, stdio: 'ignore' });
}

/** The command with a limit on the size of its files, which stands for a full disk. @param blocks of 512 bytes */
export function commandWithoutRoom(blocks: number, env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  const limited = `trap "" XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`;
  const given = ['-c', limited, process.execPath, scriptOf('backup'), ...args, '--json'];
  return new Promise((resolve) => {
    execFile('/bin/sh', given, { cwd: root, env: { ...bareEnvironment, ...env } }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), json: out ? JSON.parse(out) : undefined, err }),
    );
  });
}
