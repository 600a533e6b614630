/** Backups of a test service: taken and put back in this process or by the commands, and the rows that they have to keep. */
import { execFile, spawn } from 'node:child_process';
import { openExportFiles } from '../../src/core/store/files/exportFiles.ts';
import type { FileStore } from '../../src/core/store/files/fileStore.ts';
import { FolderStore } from '../../src/core/store/files/folderStore.ts';
import { chooseBackup } from '../../src/operate/backup/list.ts';
import { type RestoreOptions, restoreBackup } from '../../src/operate/backup/restore.ts';
import { type BackupSources, type BackupWatch, takeBackup } from '../../src/operate/backup/takeBackup.ts';
import { runHosted } from './commandHost.ts';
import { newFolder } from './folder.ts';
import type { Json } from './json.ts';
import { bareEnvironment, root } from './programs.ts';
import { projectLine } from './projectLine.ts';
import type { TestService } from './service.ts';
import { provideWorld } from './world.ts';

export const QUIETLY: BackupWatch = { signal: new AbortController().signal, onProgress: () => {} };
const NO_FLAGS = { replace: false, checkOnly: false, newCursorSecret: false, unsigned: false };
export const PLAINLY: RestoreOptions = { ...NO_FLAGS, without: [], identities: [] };
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

/** For the tests of a suite: a service with records, files of its loads, an export and two teams, and a folder for its backups. */
export function provideBackups(records: number) {
  const world = provideWorld();
  const folder = newFolder('backup');
  const place = placeOf(folder);
  before(async () => {
    const { index, env } = world.api;
    await index.keep();
    env.GENERATIONS_DIR = await index.keptFolder();
    await index.load(Array.from({ length: records }, (_, i) => projectLine(i + 1)));
    await world.work();
    await world.api.usualKey(); // on another plan: with one team alone forged rows would compress to the same size
    await world.exports.completed({ filters: { dateRange: 'all' }, maxCredits: records }, await world.api.key('api_only'));
  });
  return {
    ...{ world, folder, place },
    rowsNow: () => digests((text, values) => world.api.database.query(text, values), world.api.config.databaseSchema),
    /** @param at where; in the folder unless set */
    take: (at: FileStore = place) => takeBackup(sourcesOf(world.api), at, QUIETLY),
    /** @param name the newest one unless set */
    restore: async (options = REPLACING, name?: string, at: FileStore = place) =>
      restoreBackup(sourcesOf(world.api), at, await chooseBackup(at, name, QUIETLY.signal), options, QUIETLY),
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

const scriptOf = (name: 'backup' | 'restore') => `src/operate/backup/${name}Main.ts`;

/** Runs `npm run backup` or `npm run restore` with --json. */
export async function command(name: 'backup' | 'restore', env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  const { code, stdout, stderr } = await runHosted({
    file: scriptOf(name),
    args: [...args, '--json'],
    env: { ...bareEnvironment, ...env },
  });
  return { code, json: stdout ? JSON.parse(stdout) : undefined, err: stderr };
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
