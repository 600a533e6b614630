/** Writes the records of any number of public data sets as one generation file (src/docs/loading-data.md), with its rejects in a file next to it. */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { secondsSince } from '../../src/core/domain/durations.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { documentId, NumberRegister, projectId, restrictionId } from './ids.ts';
import { ADAPTERS } from './registry.ts';
import { type SetSummary, Tally } from './summary.ts';
import type { SourceAdapter, SourceItem } from './types.ts';

/** An error that the caller can correct: a missing folder, an unknown data set. The message is one sentence. */
export class SourceError extends Error {}

interface WriteOptions {
  /** folder with one folder for each data set */
  from: string;
  /** folder that receives the generation file and the rejects file */
  to: string;
  /** names of the data sets; absent means all of them */
  only?: readonly string[];
  generation?: number;
  /** ISO instant of the header; now by default */
  extractedAt?: string;
  /** called after every raw row batch, for a progress bar */
  onProgress?: (name: string, rows: number) => void;
}

export interface WrittenGeneration {
  file: string;
  rejectsFile: string;
  generation: number;
  records: number;
  documents: number;
  rejected: number;
  seconds: number;
  sets: SetSummary[];
}

/** The chosen adapters, with every one of their files present. @throws SourceError */
export async function chooseAdapters(from: string, only: readonly string[] | undefined): Promise<SourceAdapter[]> {
  const names = ADAPTERS.map((adapter) => adapter.name);
  const unknown = (only ?? []).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new SourceError(`There is no data set '${unknown}'; known are ${names.join(', ')}.`);
  const chosen = ADAPTERS.filter((adapter) => !only?.length || only.includes(adapter.name));
  await requireFile(from, `The folder '${from}' does not exist.`);
  for (const adapter of chosen) {
    for (const file of adapter.files) {
      const path = join(from, adapter.name, file);
      await requireFile(path, `The file '${path}' of the data set ${adapter.name} does not exist.`);
    }
  }
  return chosen;
}

async function requireFile(path: string, complaint: string): Promise<void> {
  await access(path).catch(() => {
    throw new SourceError(complaint);
  });
}

/** Lines of one output file under a temporary name; `finish` gives it its own. */
export class LineFile {
  readonly #path: string;
  readonly #part: string;
  readonly #file: WriteStream;
  readonly #input: Writable;

  constructor(path: string, part = `${path}.part`) {
    this.#path = path;
    this.#part = part;
    this.#file = createWriteStream(part);
    const gzip = path.endsWith('.gz') ? createGzip({ level: 4 }) : undefined;
    gzip?.pipe(this.#file);
    this.#input = gzip ?? this.#file;
    // Else a write would wait forever for a stream whose output nobody takes.
    this.#file.on('error', (error) => gzip?.destroy(error));
    gzip?.on('error', (error) => this.#file.destroy(error));
  }

  async write(line: unknown): Promise<void> {
    if (this.#input.errored) throw this.#refusal(this.#input.errored);
    if (this.#input.write(`${JSON.stringify(line)}\n`)) return;
    await once(this.#input, 'drain').catch((error: Error) => {
      throw this.#refusal(error);
    });
  }

  async finish(): Promise<void> {
    this.#input.end();
    await finished(this.#file).catch((error: Error) => {
      throw this.#refusal(error);
    });
    await rename(this.#part, this.#path);
  }

  #refusal({ message }: Error): SourceError {
    return new SourceError(`'${this.#path}' cannot be written: ${message}.`);
  }

  async abandon(): Promise<void> {
    this.#file.destroy();
    await rm(this.#part, { force: true });
  }
}

/** Without null, undefined, empty texts and empty lists. */
export function dropAbsent<T extends object>(fields: T): Partial<T> {
  const says = (value: unknown) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => says(value))) as Partial<T>;
}

/** The line of a record or document, and null for a reject. */
function lineOf(source: string, item: SourceItem, register: NumberRegister): object | null {
  if (item.kind === 'reject') return null;
  if (item.kind === 'document') {
    const id = register.take(documentId(source, item.ownId), source, item.ownId);
    return { kind: 'document', id, ...dropAbsent(item.document) };
  }
  if (item.kind === 'restriction') {
    const id = register.take(restrictionId(source, item.ownId), source, item.ownId);
    return { kind: 'restriction', id, ...dropAbsent(item.restriction) };
  }
  const id = register.take(projectId(source, item.ownId), source, item.ownId);
  return { kind: 'project', id, ...dropAbsent(item.project) };
}

async function writeSet(adapter: SourceAdapter, options: WriteOptions, out: Outputs): Promise<SetSummary> {
  const tally = new Tally(adapter.name, adapter.title);
  const context = { folder: join(options.from, adapter.name), places: out.places };
  for await (const item of adapter.read(context)) {
    const line = lineOf(adapter.name, item, out.register);
    if (line) await out.lines.write(line);
    if (item.kind === 'reject')
      await out.rejects.write({ source: adapter.name, id: item.ownId, reason: item.reason, rows: item.rows.length });
    tally.add(item);
    options.onProgress?.(adapter.name, tally.summary().read);
  }
  return tally.summary();
}

interface Outputs {
  lines: LineFile;
  rejects: LineFile;
  register: NumberRegister;
  places: ReturnType<typeof loadPlaces>;
}

/**
 * Reads the chosen data sets and writes `generation-N.ndjson.gz` and `generation-N.rejects.ndjson` into `to`.
 * Both appear only when they are complete; a failed run leaves earlier files as they were.
 * @throws SourceError for a missing folder or file and an unknown name; Error for two cases under one number
 */
export async function writeGeneration(options: WriteOptions): Promise<WrittenGeneration> {
  const started = performance.now();
  const generation = options.generation ?? 1;
  const adapters = await chooseAdapters(options.from, options.only);
  await mkdir(options.to, { recursive: true }).catch((error: Error) => {
    throw new SourceError(`The folder '${options.to}' cannot be made: ${error.message}.`);
  });
  const file = join(options.to, `generation-${generation}.ndjson.gz`);
  const rejectsFile = join(options.to, `${basename(file, '.ndjson.gz')}.rejects.ndjson`);
  const out: Outputs = {
    lines: new LineFile(file),
    rejects: new LineFile(rejectsFile),
    register: new NumberRegister(),
    places: loadPlaces(),
  };
  const sets: SetSummary[] = [];
  try {
    await out.lines.write({
      kind: 'generation',
      generation,
      // A full generation without records would remove all of them.
      mode: adapters.every(({ restricts }) => restricts) ? 'increment' : 'full',
      extractedAt: options.extractedAt ?? new Date().toISOString(),
      ...dropAbsent({ restrictionSources: adapters.flatMap(({ name, restricts }) => (restricts ? [name] : [])) }),
    });
    for (const adapter of adapters) sets.push(await writeSet(adapter, options, out));
    await out.lines.finish();
    await out.rejects.finish();
  } catch (error) {
    await Promise.all([out.lines.abandon(), out.rejects.abandon()]);
    throw error;
  }
  const sum = (countOf: (set: SetSummary) => number) => sets.reduce((total, set) => total + countOf(set), 0);
  return {
    file,
    rejectsFile,
    generation,
    records: sum((s) => s.written),
    documents: sum((s) => s.documents),
    rejected: sum((s) => s.rejected),
    seconds: secondsSince(started),
    sets,
  };
}
