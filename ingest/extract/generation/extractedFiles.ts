/**
 * Files with what the rules read from them. What was read once is kept in a folder beside the generation, by the bytes of the file, the body and a
 * digest of the rules, so that a further run only reads what is new.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { OpenedFile } from '../documents/index.ts';
import type { BodyEntry, ExtractedDocument, ReadDocument } from '../types.ts';
import type { ExtractedMeeting } from './types.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** What decides what is read from a file: our code, the words that it knows, and the libraries that read formats. */
const RULES = [
  'ingest/extract/documents',
  'ingest/extract/rules',
  'ingest/extract/types.ts',
  'ingest/sources/adapters/rules',
  'ingest/sources/phrases.ts',
  'ingest/sources/rules.ts',
  'src/catalogue/taxonomy.json',
  'src/catalogue/vocabularies.json',
  'package.json',
];

/** A digest of the rules of this version. */
export function digestRules(): string {
  const hash = createHash('sha256');
  const add = (file: string) =>
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(ROOT, file)))
      .update('\0');
  for (const rule of RULES) {
    if (/\.\w+$/.test(rule)) add(rule);
    else
      for (const file of readdirSync(path.join(ROOT, rule), { recursive: true, encoding: 'utf8' }).sort())
        if (/\.(?:ts|json)$/.test(file)) add(`${rule}/${file}`);
  }
  return hash.digest('hex').slice(0, 16);
}

const isRunning = (processId: number) => {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Whether a file is what a killed run left: each run writes under a name of its own, so that two at once do not write into one. */
export function isLeftover(name: string): boolean {
  const processId = /\.(\d+)\.part$/.exec(name)?.[1];
  return processId !== undefined && !isRunning(Number(processId));
}

/** Values by their keys, each in a file of a folder; those of other digests are removed at the end. */
export class KeptValues {
  readonly #folder: string;
  readonly #prefix: string;

  constructor(folder: string, digest: string) {
    this.#folder = folder;
    this.#prefix = `${digest}-`;
    mkdirSync(folder, { recursive: true });
  }

  #fileOf(key: unknown): string {
    const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 40);
    return path.join(this.#folder, `${this.#prefix}${name}.json.gz`);
  }

  /** undefined if there is none, or it was damaged */
  read<T>(key: unknown): T | undefined {
    try {
      return JSON.parse(gunzipSync(readFileSync(this.#fileOf(key))).toString()) as T;
    } catch {
      return undefined;
    }
  }

  keep(key: unknown, value: unknown): void {
    const file = this.#fileOf(key);
    const part = `${file}.${process.pid}.part`;
    writeFileSync(part, gzipSync(JSON.stringify(value), { level: 1 }));
    renameSync(part, file);
  }

  /** Removes what other versions kept under this kind of key, and what killed runs left. */
  removeOutdated(): void {
    for (const name of readdirSync(this.#folder))
      if (!name.startsWith(this.#prefix) || isLeftover(name)) rmSync(path.join(this.#folder, name), { force: true });
  }
}

/** The two halves of reading: a file to texts, a text to cases. */
export interface Extractor {
  /** what is read from the same bytes changes with it (`digestRules`) */
  digest: string;
  open(file: string, name: string): Promise<OpenedFile>;
  extract(document: ReadDocument): ExtractedDocument;
}

const NOTHING: ExtractedDocument = { kind: 'other', meetingDate: null, body: null, cases: [], doubts: [] };

/** Same length, so that places in the text stay: what a generation file cannot hold becomes a blank. */
const makeStorable = (text: string) => text.toWellFormed().replaceAll('\0', ' ');

/** Reads the meetings of a file. A failure of the rules is a reason not to read it, and never the end of a run. @param name as the report names it */
export async function readMeetings(
  extractor: Extractor,
  kept: KeptValues | null,
  { file, name, entry }: { file: string; name: string; entry: BodyEntry },
): Promise<{ meetings: ExtractedMeeting[]; isKept: boolean }> {
  const { files: _, ...body } = entry;
  const opened = await extractor.open(file, name);
  const key = [opened.sha256, path.extname(name), body];
  const known = kept?.read<ExtractedMeeting[]>(key);
  if (known)
    return { meetings: known.map(({ document, extracted }) => ({ document: { ...document, file: name }, extracted })), isKept: true };
  const meetings = (await opened.read()).map((document): ExtractedMeeting => {
    const read = { ...document, text: makeStorable(document.text) };
    if (read.unread !== null) return { document: read, extracted: NOTHING };
    try {
      return { document: read, extracted: extractor.extract(read) };
    } catch (error) {
      return { document: { ...read, unread: `rules_failed: ${(error as Error).message}` }, extracted: NOTHING };
    }
  });
  kept?.keep(key, meetings);
  return { meetings, isKept: false };
}
