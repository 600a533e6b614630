/** Collects the bad lines of a file: counts their problems by fault, and writes the lines to a file next to it. */

import { type FileHandle, open } from 'node:fs/promises';
import { OWNER_ONLY_FILE } from '../../src/core/store/files/modes.ts';
import { LoadRefused } from '../loadRefused.ts';
import type { LineProblem } from './lineProblems.ts';

/** Number of places listed for a reason. */
const PLACES = 3;
/** Number of reasons listed; further ones are only counted. */
const LISTED = 20;
/** Most reasons that are counted separately, to bound memory; later ones are counted together. */
const REASONS_MAX = 1000;
const OTHER_REASONS = 'other reasons';
const EXAMPLE_CHARACTERS = 200;

/** A reason for which lines were rejected. */
export interface RejectReason {
  /** what is wrong and where in a line */
  reason: string;
  /** lines with this problem, once each */
  lines: number;
  /** the first of them, `file:line` */
  places: string[];
  /** the reason as the first line gives it, with the value */
  example: string;
}

/** Opens a file that only its owner may read, even if it existed before, since bad lines may contain contacts. */
async function openPrivate(file: string): Promise<FileHandle> {
  const handle = await open(file, 'w', OWNER_ONLY_FILE);
  await handle.chmod(OWNER_ONLY_FILE);
  return handle;
}

interface Group {
  lines: number;
  first: { line: number; reason: string }[];
}

export class RejectFile {
  /** bad lines */
  count = 0;
  readonly path: string;
  readonly #file: string;
  readonly #skip: boolean;
  readonly #groups = new Map<string, Group>();
  #handle: FileHandle | undefined;
  #unwritable: string | undefined;

  constructor(file: string, skip: boolean) {
    this.#file = file;
    this.#skip = skip;
    this.path = `${file}.rejects.ndjson`;
  }

  /** True once a bad line means that nothing of the file will be committed. */
  get refusesFile(): boolean {
    return this.count > 0 && !this.#skip;
  }

  /** Most frequent first. */
  get reasons(): RejectReason[] {
    const named = [...this.#groups].map(([reason, { lines, first }]) => ({
      reason,
      lines,
      places: first.map(({ line }) => `${this.#file}:${line}`),
      example: removeControlCharacters(first[0]?.reason ?? reason),
      from: first[0]?.line ?? 0,
    }));
    return named.sort((a, b) => b.lines - a.lines || a.from - b.from).map(({ from: _, ...reason }) => reason);
  }

  /** @param kind of the line, if it states one */
  async add(line: number, problems: readonly LineProblem[], text?: string, kind?: string): Promise<void> {
    this.count += 1;
    const faults = new Map<string, string>();
    for (const { fault, reason } of problems) {
      const name = kind && kind !== 'project' ? `${kind}: ${fault}` : fault;
      if (!faults.has(name)) faults.set(name, reason);
    }
    for (const [fault, reason] of faults) this.#group(fault, line, reason);
    const reasons = problems.map(({ reason }) => reason);
    await this.#keep(`${JSON.stringify({ line, reasons, text })}\n`);
  }

  #group(fault: string, line: number, reason: string): void {
    const name = this.#groups.has(fault) || this.#groups.size < REASONS_MAX ? fault : OTHER_REASONS;
    const group = this.#groups.get(name) ?? { lines: 0, first: [] };
    group.lines += 1;
    group.first = [...group.first, { line, reason }].sort((a, b) => a.line - b.line).slice(0, PLACES);
    this.#groups.set(name, group);
  }

  async #keep(text: string): Promise<void> {
    if (this.#unwritable) return;
    try {
      this.#handle ??= await openPrivate(this.path);
    } catch (error) {
      this.#unwritable = (error as NodeJS.ErrnoException).code ?? String(error);
      if (this.#skip) throw new LoadRefused(`${this.path}: bad lines cannot be kept there (${this.#unwritable}); nothing was loaded`);
      return;
    }
    await this.#handle.write(text);
  }

  /** @param others what else is wrong with the file as a whole */
  throwIfStrict(others: readonly string[]): void {
    if (!this.refusesFile) return;
    const lines = `${this.count} bad line${this.count === 1 ? '' : 's'}`;
    const whole = this.#unwritable ? `the whole list cannot be written to ${this.path} (${this.#unwritable})` : `all are in ${this.path}`;
    const { reasons, path } = this;
    throw new LoadRefused(
      `${this.#file}: ${lines}, nothing was loaded; mend them, or load the rest with --skip-invalid; ${whole}`,
      [...others, ...describeReasons(reasons)],
      { file: this.#file, rejected: this.count, rejects: this.#unwritable ? null : path, reasons },
    );
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

/** One line of text for each of the most frequent reasons. */
export function describeReasons(reasons: readonly RejectReason[]): string[] {
  const listed = reasons.slice(0, LISTED).map(({ reason, lines, places, example }) => {
    const where = lines > places.length ? `first ${places.join(', ')}` : places.join(', ');
    return `${reason}: ${lines} line${lines === 1 ? '' : 's'}, ${where}${reason.endsWith(example) ? '' : ` (${example})`}`;
  });
  const more = reasons.length - listed.length;
  return more > 0 ? [...listed, `… and ${more} more reason${more === 1 ? '' : 's'}`] : listed;
}

/** Removes control characters, since values of a file may be printed to terminals. */
const removeControlCharacters = (text: string) =>
  text
    .slice(0, EXAMPLE_CHARACTERS)
    .replaceAll(/\p{Cc}/gu, '\uFFFD')
    .toWellFormed();
