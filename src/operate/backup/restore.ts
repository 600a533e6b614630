/**
 * Restores a backup: first files, which change nothing else, then Postgres into a separate schema and in one step; then audits the books
 * and lists what is lost.
 */

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { secondsSince } from '../../core/domain/durations.ts';
import { type AuditReport, auditLedger } from '../../core/ledger/audit.ts';
import { digestFile } from '../../core/store/files/contentDigest.ts';
import { type FileStore, FileStoreError } from '../../core/store/files/fileStore.ts';
import { Database } from '../../core/store/postgres/pool.ts';
import { RestoredSchema, RestoreRefused, refuseForeignMigrations, type SchemaState } from '../../core/store/postgres/restoredSchema.ts';
import { UserError } from '../../terminal/program.ts';
import { type LeftOut, leaveOut } from './leaveOut.ts';
import { findLostFiles, findLostGenerations, findLostRows, type RestoreLosses } from './lost.ts';
import {
  findOtherSecrets,
  isSigned,
  type KeptFile,
  type Manifest,
  readContentOfPart,
  type SecretName,
  type TablePart,
} from './manifest.ts';
import { findIndexProblem } from './servedIndex.ts';
import type { BackupSources, BackupWatch } from './takeBackup.ts';
import { type Reading, readContent, refuseOtherIdentities, verifyParts } from './verify.ts';

const COMMAND_TIMEOUT_MS = 600_000;

export interface RestoreOptions {
  /** replace a schema that has rows */
  replace: boolean;
  /** check everything and write nothing */
  checkOnly: boolean;
  /** restore with another CURSOR_SECRET, after which every copy has to start again */
  newCursorSecret: boolean;
  /** restore a backup without proof that this service made it */
  unsigned: boolean;
  /** parts to leave out: tables, and files by name */
  without: readonly string[];
  /** secret keys of age, for an encrypted backup */
  identities: readonly string[];
}

export interface RestoreReport {
  backup: string;
  moment: string;
  /** `checked`: nothing was written. `already`: the schema had been restored from this backup before. */
  outcome: 'checked' | 'already' | 'restored';
  /** tables with rows in the schema that would be, or was, replaced */
  replaced: string[];
  tables: number;
  rows: number;
  /** number of restored files of exports and generations, without those that existed */
  files: number;
  /** sentences on what cannot be done with the backup or the restored data */
  warnings: string[];
  /** parts that were left out, and what is lost without each */
  leftOut: readonly LeftOut[];
  /** false without proof that this service made it */
  signed: boolean;
  /** null when nothing was restored */
  audit: AuditReport | null;
  lost: RestoreLosses | null;
  /** why the restored data could not be audited or compared with files and index; absent when they were */
  unproven?: string;
  seconds: number;
}

/** Restores a backup. @throws UserError, RestoreRefused, FileStoreError; the service then keeps its previous data */
export async function restoreBackup(
  target: BackupSources,
  store: FileStore,
  whole: Manifest,
  options: RestoreOptions,
  watch: BackupWatch,
): Promise<RestoreReport> {
  const started = performance.now();
  refuseOtherSecrets(whole, target, options.newCursorSecret);
  const signed = isSigned(whole, target.secrets);
  if (!signed && !options.unsigned) throw new UserError(`${describeUnsigned(whole)} ${ACCEPT_UNSIGNED}`);
  refuseForeignMigrations(whole.migrations);
  const { kept: manifest, leftOut } = leaveOut(whole, options.without);
  refuseWithoutIdentity(whole, options);
  await verifyParts(store, manifest, watch);
  if (options.identities.length) await refuseOtherIdentities(store, manifest, { ...options, ...watch });
  const schema = await RestoredSchema.open(target.databaseUrl, target.databaseSchema);
  try {
    const standing = await schema.readState();
    const warnings = [
      ...(signed ? [] : [describeUnsigned(whole)]),
      ...(whole.recipients && !options.identities.length ? [notOpened(whole)] : []),
      ...(await findWarnings(manifest, target)),
    ];
    const done = await putBack({ schema, target, store, manifest, standing, options, watch });
    const seconds = secondsSince(started);
    return { ...summarizeRestore(manifest, standing), ...done, warnings, leftOut, signed, seconds };
  } finally {
    await schema.close();
  }
}

const describeUnsigned = ({ name }: Manifest) =>
  `The backup ${name} is not signed under KEY_PEPPER: nothing shows that this service made it. Whoever can write to its place may have chosen its keys, members, credits and addresses.`;
const ACCEPT_UNSIGNED = 'Nothing was changed. If nobody else writes there, add --unsigned to go on.';

/** Refuses to restore an encrypted backup without an identity. A check needs none, since digests are of the stored files. */
function refuseWithoutIdentity({ name, recipients }: Manifest, { identities, checkOnly }: RestoreOptions): void {
  if (!recipients || identities.length || checkOnly) return;
  throw new UserError(
    `The backup ${name} is encrypted to ${recipients.join(', ')}: add --identity FILE with the secret key; nothing was changed.`,
  );
}

const notOpened = ({ recipients }: Manifest) =>
  `It is encrypted to ${recipients?.join(', ')}; whether a secret key opens it was not looked at: --identity does that.`;

const summarizeRestore = ({ name, moment, tables }: Manifest, { filled }: SchemaState) => ({
  backup: name,
  moment,
  replaced: filled,
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
});

async function findWarnings({ files, warnings }: Manifest, target: BackupSources): Promise<string[]> {
  const count = files.filter(({ kind }) => kind === 'generation').length;
  if (!count || (await target.generations())) return [...warnings];
  const noPlace = `No place for files of generations is set (GENERATIONS_DIR is off): the ${count} of the backup are not put back, and the index cannot be built again.`;
  return [...warnings, noPlace];
}

interface RestoreContext {
  schema: RestoredSchema;
  target: BackupSources;
  store: FileStore;
  manifest: Manifest;
  standing: SchemaState;
  options: RestoreOptions;
  watch: BackupWatch;
}

type Done = Pick<RestoreReport, 'outcome' | 'files' | 'audit' | 'lost' | 'unproven'>;
const NOTHING: Omit<Done, 'outcome'> = { files: 0, audit: null, lost: null };

async function putBack(restore: RestoreContext): Promise<Done> {
  const { schema, target, manifest, standing, options } = restore;
  // A restore that was killed after its last step is not repeated, since that would lose what the service has done since.
  if (standing.restoredFrom === manifest.name && !options.replace) return { outcome: 'already', ...NOTHING };
  if (standing.filled.length && !options.replace && !options.checkOnly) throw notEmpty(target.databaseSchema, standing);
  if (options.checkOnly) return { outcome: 'checked', ...NOTHING };
  const { files, lost } = await replace(restore).catch(async (error) => {
    await schema.abandon();
    throw error instanceof FileStoreError ? new FileStoreError(error.failure, `${error.message}. ${UNREPLACED}`, error) : error;
  });
  // After the swap a failure no longer undoes anything: what is known of the loss must not go with it.
  const proof = await proveRestored(target, lost).catch((error: Error) => ({ audit: null, lost, unproven: error.message }));
  return { outcome: 'restored', files, ...proof };
}

const UNREPLACED = 'Nothing was replaced: run the restore again';

async function replace(restore: RestoreContext): Promise<{ files: number; lost: RestoreLosses }> {
  const { schema, manifest, standing, options } = restore;
  const files = await restoreFiles(restore);
  await restoreTables(restore);
  const lost = await findLostRows(schema, manifest, standing.filled.length > 0);
  await schema.replaceServed(options.replace);
  return { files, lost };
}

function notEmpty(schema: string, { filled }: SchemaState): RestoreRefused {
  return new RestoreRefused(
    `The schema ${schema} is not empty: ${filled.length} tables hold rows (${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ', …' : ''}). ` +
      'Nothing was changed. Add --replace to have the backup take their place; their rows are then gone',
  );
}

/** @throws UserError that names the setting that differs */
function refuseOtherSecrets(manifest: Manifest, { secrets }: Pick<BackupSources, 'secrets'>, newCursorSecret: boolean): void {
  const allowed: SecretName[] = newCursorSecret ? ['CURSOR_SECRET'] : [];
  const [other] = findOtherSecrets(manifest, secrets).filter((name) => !allowed.includes(name));
  if (!other) return;
  const remedy = {
    KEY_PEPPER: 'under this one no API key would be known. Set it as it was',
    CURSOR_SECRET:
      'under this one every cursor would be refused. Set it as it was, or add --new-cursor-secret to have every copy start again',
  };
  throw new UserError(`${other} is not the secret that the backup ${manifest.name} was made under: ${remedy[other]}; nothing was changed.`);
}

async function restoreTables({ schema, store, manifest, options, watch }: RestoreContext): Promise<void> {
  await schema.begin(manifest.migrations);
  const tables = await schema.sortTables(manifest.tables);
  for (const [i, table] of tables.entries()) {
    watch.signal.throwIfAborted();
    await restoreTable(schema, store, table, { ...options, ...watch });
    watch.onProgress('restore', i + 1, tables.length);
  }
  await schema.complete(manifest.sequences, manifest);
  watch.signal.throwIfAborted();
}

async function restoreTable(schema: RestoredSchema, store: FileStore, table: TablePart, reading: Reading): Promise<void> {
  const unpacked = createGunzip();
  const packed = Readable.from(readContent(store, table.part, reading));
  pipeline(packed, unpacked, () => undefined); // a failure destroys `unpacked`, which ends the copy
  const rows = await schema.load(table, unpacked);
  if (rows !== table.rows) throw new UserError(`${table.name}: ${rows} rows came out of the backup in place of ${table.rows}`);
}

/** Writes the files that do not exist or differ. @returns their number */
async function restoreFiles({ target, store, manifest, options, watch }: RestoreContext): Promise<number> {
  const places = { export: target.exports, generation: async () => (await target.generations())?.store };
  let written = 0;
  for (const [i, file] of manifest.files.entries()) {
    const place = await places[file.kind]();
    if (place) written += Number(await restoreFile(place, store, file, { ...options, ...watch }));
    watch.onProgress('files', i + 1, manifest.files.length);
  }
  return written;
}

async function restoreFile(to: FileStore, store: FileStore, { name, part }: KeptFile, reading: Reading): Promise<boolean> {
  const { signal } = reading;
  const { sizeBytes, sha256 } = readContentOfPart(part);
  if ((await to.stat(name))?.sizeBytes === sizeBytes && (await digestFile(to, name, signal)).sha256 === sha256) return false;
  await to.write(name, readContent(store, part, reading), signal);
  return true;
}

async function proveRestored(target: BackupSources, lost: RestoreLosses): Promise<Pick<Done, 'audit' | 'lost'>> {
  const database = new Database({
    url: target.databaseUrl,
    schema: target.databaseSchema,
    connections: 2,
    statementTimeoutMs: COMMAND_TIMEOUT_MS,
  });
  try {
    const files = await findLostFiles(database, await target.exports());
    const generations = await findLostGenerations(database, await target.generations(), target.index.indexPrefix);
    const index = await findIndexProblem(database, target.index);
    return { audit: await auditLedger(database), lost: { ...lost, ...files, ...generations, index } };
  } finally {
    await database.close();
  }
}
