/**
 * State files record what a load wrote, so that its set can be rebuilt without the generation files. They are newline-delimited JSON, compressed
 * with Zstandard, with one write a line: `[kind, version]` for a version that becomes visible, `[kind, key, load]` for one that is hidden. An empty
 * line separates phases: all writes before it must be done before those after it.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { pipeline, type Readable } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Kind } from '../../src/core/store/elastic/indices.ts';
import type { FileStore, WrittenFile } from '../../src/core/store/files/fileStore.ts';
import type { CommitRecord } from '../../src/core/store/postgres/lineageStore.ts';
import { LoadRefused } from '../loadRefused.ts';
import type { StoredVersion } from '../read/versions.ts';
import type { Write } from './bulkWrite.ts';

export type StateLine = readonly [kind: Kind, version: StoredVersion] | readonly [kind: Kind, key: string, load: number];

/** Characters that are passed to the compressor at once. */
const CHUNK_CHARACTERS = 256 * 1024;

/** Writes one state file to the store. */
export class StateWriter {
  readonly #zip = createZstdCompress();
  readonly #stop = new AbortController();
  readonly #written: Promise<WrittenFile>;
  #lines = 0;
  #pending: string[] = [];
  #size = 0;

  constructor(files: FileStore, name: string) {
    this.#zip.on('error', () => undefined); // `finish`, or the next line, throws what the store did
    this.#written = files.write(name, this.#zip, this.#stop.signal);
    this.#written.catch(() => this.#zip.destroy());
  }

  /** Begins a new phase: all lines before it must be done before those after it. */
  async beginPhase(): Promise<void> {
    await this.#add('');
  }

  /** Adds a version that becomes visible. @param text the version as JSON @throws FileStoreError */
  async addVersion(kind: Kind, text: string): Promise<void> {
    await this.#add(`["${kind}",${text}]`);
  }

  /** Adds a version that is hidden. @throws FileStoreError */
  async addHidden(kind: Kind, { key, loadedIn }: StoredVersion): Promise<void> {
    await this.#add(JSON.stringify([kind, key, loadedIn]));
  }

  /** @throws FileStoreError */
  async finish(): Promise<Pick<CommitRecord, 'stateSha256' | 'stateLines'>> {
    await this.#flush();
    this.#zip.end();
    return { stateSha256: (await this.#written).sha256, stateLines: this.#lines };
  }

  /** Stops writing and leaves no file. */
  async abandon(): Promise<void> {
    this.#stop.abort(new Error('The load was given up'));
    this.#zip.destroy();
    await this.#written.catch(() => undefined);
  }

  async #add(line: string): Promise<void> {
    if (line) this.#lines += 1;
    this.#pending.push(`${line}\n`);
    this.#size += line.length + 1;
    if (this.#size >= CHUNK_CHARACTERS) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#pending.join('');
    this.#pending = [];
    this.#size = 0;
    if (this.#zip.destroyed) await this.#written; // which throws why
    if (text && !this.#zip.write(text)) await Promise.race([once(this.#zip, 'drain'), this.#written]);
  }
}

/** Passes the writes of one phase through, with their JSON if it was made, and records them in the state file. */
export async function* noteWrites(
  writes: AsyncIterable<Write>,
  state: StateWriter,
  kindOf: ReadonlyMap<string, Kind>,
): AsyncGenerator<Write> {
  await state.beginPhase();
  for await (const write of writes) {
    const { operation, version } = write;
    const kind = kindOf.get(write.index) as Kind;
    if (operation !== 'delete' && version.supersededIn === undefined) {
      const text = JSON.stringify(version);
      await state.addVersion(kind, text);
      yield { ...write, text };
      continue;
    }
    await state.addHidden(kind, version);
    yield write;
  }
}

/**
 * Reads the lines of a state file; yields null between two phases.
 * @param sha256 expected checksum of the file
 * @throws LoadRefused if the file has been altered
 */
export async function* readStateLines(name: string, content: Readable, sha256: string): AsyncGenerator<StateLine | null> {
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const text = pipeline(content, hashed, createZstdDecompress(), () => undefined);
  text.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield line ? (JSON.parse(line) as StateLine) : null;
    }
  } catch (error) {
    if (error instanceof LoadRefused) throw error;
    throw new LoadRefused(`${name} cannot be read (${(error as Error).message}); is it complete?`);
  }
  if (rest || hash.digest('hex') !== sha256) throw new LoadRefused(`${name} is not the file that was kept: its SHA-256 is another one`);
}
