/** A copy in files: one of them is its state, which is replaced atomically after each step. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { UserError } from '../../terminal/program.ts';
import { replaceFile } from './durableFiles.ts';

export interface FilesState {
  version: 1;
  cursor: string | null;
  /** the process that works on the copy; 0 if none does */
  pid: number;
}

export class CopyInFiles<S extends FilesState> {
  readonly name: string;
  readonly #stateFile: string;
  protected state: Readonly<S>;

  /** @param name of the copy, for messages */
  protected constructor(name: string, stateFile: string, state: S) {
    this.name = name;
    this.#stateFile = stateFile;
    this.state = state;
  }

  get cursor(): string | undefined {
    return this.state.cursor ?? undefined;
  }

  release(): void {
    this.save({ ...this.state, pid: 0 });
  }

  protected removeState(): void {
    rmSync(this.#stateFile, { force: true });
  }

  protected save(change: Partial<S>): void {
    this.state = { ...this.state, ...change };
    replaceFile(this.#stateFile, `${JSON.stringify(this.state, null, 2)}\n`);
  }
}

/** The state of a copy; undefined if there is none. @throws UserError if it is damaged or cannot be read */
export function readState<S>(file: string, isState: (value: Partial<S> | null) => value is S, remedy: string): S | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const state = JSON.parse(readFileSync(file, 'utf8')) as Partial<S> | null;
    if (isState(state)) return state;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw new UserError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  throw new UserError(`${file}, which says how far the copy is, is damaged: ${remedy}.`);
}

/**
 * Refuses a copy on which another process works.
 * @param pid as noted in the state of the copy; 0 if it was released
 * @throws UserError
 */
export function refuseOtherProcess(work: string, pid: number, name: string, stateFile: string): void {
  if (pid === process.pid || !isAlive(pid)) return;
  throw new UserError(
    `Another ${work} (process ${pid}) is working on ${name}: wait for it, or stop it. If that process is something else, set "pid" in ${stateFile} to 0.`,
  );
}

function isAlive(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
