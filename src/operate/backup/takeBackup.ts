/** Takes a backup while the service runs: all tables and the files that their rows refer to, of one moment, then the manifest. */
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { ContentDigest, digestFile } from '../../core/store/files/contentDigest.ts';
import type { FileStore } from '../../core/store/files/fileStore.ts';
import type { GenerationFiles } from '../../core/store/files/generationFiles.ts';
import { type CopiedTable, Snapshot } from '../../core/store/postgres/tableSnapshot.ts';
import { checkRecipients, encrypt } from './encryption.ts';
import { isMissing, listBackups, removeUnfinished } from './list.ts';
import {
  fingerprintSecrets,
  HOLDS,
  isSigned,
  type KeptFile,
  listParts,
  type Manifest,
  type MissingFile,
  makeManifestName,
  makeName,
  makeSharedFileName,
  makeTableFileName,
  type Part,
  readContentOfPart,
  type Secrets,
  signManifest,
  type TablePart,
  writeManifest,
} from './manifest.ts';
import { findIndexWarnings, readRecordedFiles } from './recordedFiles.ts';
import type { IndexSettings } from './servedIndex.ts';

/** Achieves most of the compression in a third of the time. */
const GZIP_LEVEL = 3;

export interface BackupSources {
  databaseUrl: string;
  databaseSchema: string;
  secrets: Secrets;
  exports(): Promise<FileStore>;
  /** store of the files kept by loads; null when none are kept */
  generations(): Promise<GenerationFiles | null>;
  /** the index that a restore compares with Postgres */
  index: IndexSettings;
}

export interface BackupWatch {
  /** cancels the work, leaving nothing */
  signal: AbortSignal;
  /** called with the number of completed parts of a step, and their total */
  onProgress(step: string, done: number, of: number): void;
  /** may read the snapshot; for tests */
  onSnapshot?(snapshot: Snapshot): Promise<void>;
}

/**
 * Takes a backup.
 * @param recipients public keys of age; without any, the parts are not encrypted
 * @throws FileStoreError, SnapshotTaken, SnapshotRefused, and the signal's reason; there is then no backup
 */
export async function takeBackup(
  sources: BackupSources,
  store: FileStore,
  watch: BackupWatch,
  recipients: readonly string[] = [],
): Promise<Manifest> {
  await checkRecipients(recipients);
  const snapshot = await Snapshot.open(sources.databaseUrl, sources.databaseSchema);
  const backup = new RunningBackup(snapshot, store, watch, recipients);
  try {
    await removeUnfinished(store, new Date(), watch.signal);
    await watch.onSnapshot?.(snapshot);
    return await backup.run(sources);
  } catch (error) {
    await backup.abandon();
    throw error;
  } finally {
    await snapshot.close();
  }
}

class RunningBackup {
  readonly #name: string;
  readonly #snapshot: Snapshot;
  readonly #store: FileStore;
  readonly #watch: BackupWatch;
  readonly #recipients: readonly string[];
  readonly #written: string[] = [];
  /** damaged parts of earlier backups that this one mends; they stay if it fails */
  readonly #mended = new Set<string>();
  /** shared parts of this backup; also encrypted ones of earlier backups, whose content only manifests record */
  #known = new Map<string, Part>();
  #done = 0;
  #total = 0;

  constructor(snapshot: Snapshot, store: FileStore, watch: BackupWatch, recipients: readonly string[]) {
    this.#recipients = recipients;
    this.#name = makeName(snapshot.moment);
    this.#snapshot = snapshot;
    this.#store = store;
    this.#watch = watch;
  }

  async run(sources: BackupSources): Promise<Manifest> {
    const { moment, serverVersion, migrations } = this.#snapshot;
    const place = await sources.generations();
    // Files of generations first, since a load that is published meanwhile deletes files.
    const wanted = [...(place ? await this.#listGenerationFiles() : []), ...(await this.#listExportFiles())];
    this.#total = this.#snapshot.tables.length + wanted.length;
    this.#known = await this.#listEncryptedParts(sources.secrets);
    const { files, missing } = await this.#backUpFiles(
      wanted,
      async (kind) => (kind === 'generation' && place?.store) || sources.exports(),
    );
    const tables: TablePart[] = [];
    for (const table of this.#snapshot.tables) {
      tables.push(await this.#backUpTable(table));
      this.#advance();
    }
    const sequences = await this.#snapshot.readSequences();
    const warnings = await findIndexWarnings(this.#snapshot, { place, prefix: sources.index.indexPrefix }, { files, missing });
    const manifest = signManifest(
      {
        name: this.#name,
        ...(this.#recipients.length ? { recipients: this.#recipients } : {}),
        holds: HOLDS,
        moment: moment.toISOString(),
        finishedAt: new Date().toISOString(),
        postgres: serverVersion,
        migrations,
        tables,
        sequences,
        files,
        missing,
        warnings,
        secrets: fingerprintSecrets(this.#name, sources.secrets),
      },
      sources.secrets,
    );
    await this.#write(makeManifestName(this.#name), [writeManifest(manifest)]);
    return manifest;
  }

  /** Removes what was written; a later backup removes the rest. */
  async abandon(): Promise<void> {
    await Promise.allSettled(this.#written.map((file) => this.#store.delete(file)));
  }

  #advance(): void {
    this.#done += 1;
    this.#watch.onProgress('backup', this.#done, this.#total);
  }

  async #write(file: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Part> {
    if (!this.#mended.has(file)) this.#written.push(file);
    async function* chunks() {
      yield* content;
    }
    return { file, ...(await this.#store.write(file, chunks(), this.#watch.signal)) };
  }

  /** Writes a part. The digest of the content is recorded too, since that of an encrypted file differs each time. */
  async #writePart(file: string, content: AsyncIterable<Uint8Array>): Promise<Part> {
    if (!this.#recipients.length) return this.#write(file, content);
    const digest = new ContentDigest();
    async function* passed() {
      for await (const chunk of content) {
        digest.add(chunk);
        yield chunk;
      }
    }
    return { ...(await this.#write(file, encrypt(passed(), this.#recipients))), plain: digest.end() };
  }

  async #listEncryptedParts(secrets: Secrets): Promise<Map<string, Part>> {
    if (!this.#recipients.length) return new Map();
    const listed = await listBackups(this.#store, this.#watch.signal);
    const ours = listed.flatMap(({ manifest }) => (manifest && isSigned(manifest, secrets) ? manifest : []));
    return new Map(ours.flatMap(listParts).map((part) => [part.file, part]));
  }

  async #backUpTable(table: CopiedTable): Promise<TablePart> {
    const rows = this.#snapshot.readRows(table);
    const packed = createGzip({ level: GZIP_LEVEL });
    let failure: Error | null | undefined;
    pipeline(rows, packed, (error) => {
      failure = error;
    });
    try {
      const part = await this.#writePart(makeTableFileName(this.#name, table.name, this.#recipients), packed);
      return { ...table, rows: rows.rowCount, part };
    } catch (error) {
      rows.destroy();
      throw failure && error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? failure : error;
    }
  }

  #listExportFiles(): Promise<WantedFile[]> {
    return this.#snapshot.query<WantedFile>(
      `select 'export' as kind, file_name as name, sha256, size_bytes::float8 as "sizeBytes" from export
       where file_name is not null and lost_at is null and expires_at > service_now() order by file_name`,
    );
  }

  async #listGenerationFiles(): Promise<WantedFile[]> {
    return (await readRecordedFiles(this.#snapshot)).map((file) => ({ kind: 'generation', ...file }));
  }

  async #backUpFiles(
    wanted: readonly WantedFile[],
    storeOf: (kind: KeptFile['kind']) => Promise<FileStore>,
  ): Promise<{ files: KeptFile[]; missing: MissingFile[] }> {
    const files: KeptFile[] = [];
    const missing: MissingFile[] = [];
    for (const file of wanted) {
      const { kind, name, keptIn } = file;
      const kept = await this.#backUpFile(await storeOf(kind), file);
      if (typeof kept === 'string') missing.push({ kind, name, why: kept, ...(keptIn ? { keptIn } : {}) });
      else files.push({ kind, name, part: kept });
      this.#advance();
    }
    return { files, missing };
  }

  /** Copies a file, unless an earlier backup has it. Nothing but the undamaged file replaces a part of earlier backups. */
  async #backUpFile(from: FileStore, { name, sha256, sizeBytes }: WantedFile): Promise<Part | MissingFile['why']> {
    const { signal } = this.#watch;
    const file = makeSharedFileName(sha256, this.#recipients);
    const there = await this.#store.stat(file);
    const known = this.#known.get(file);
    if (known && there?.sizeBytes === known.sizeBytes) return known;
    if (there && !this.#recipients.length) {
      const expected = sizeBytes ?? (await from.stat(name))?.sizeBytes;
      const isWhole = there.sizeBytes === expected || (await digestFile(this.#store, file, signal)).sha256 === sha256;
      if (isWhole) return { file, sizeBytes: there.sizeBytes, sha256 };
    }
    try {
      if (there && (await digestFile(from, name, signal)).sha256 !== sha256) return 'damaged';
      if (there) this.#mended.add(file);
      const { content } = await from.read(name, signal);
      const part = await this.#writePart(file, content);
      if (readContentOfPart(part).sha256 === sha256) {
        this.#known.set(file, part);
        return part;
      }
      if (!there) await this.#store.delete(file);
      return 'damaged';
    } catch (error) {
      if (isMissing(error)) return 'missing';
      throw error;
    }
  }
}

/** A file recorded in Postgres; the sizes of generation files are not recorded. */
interface WantedFile {
  kind: KeptFile['kind'];
  name: string;
  sha256: string;
  sizeBytes?: number;
  keptIn?: string | null;
}
