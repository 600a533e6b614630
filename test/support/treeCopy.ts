/** A copy of the repository in which a change is tried: which tests fail with it, and what a module prints. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './sources.ts';

/** Text inserted after `behind`, or replacing it if `instead` is true; without `behind`, the text of a new file. */
export interface Edit {
  file: string;
  behind?: string;
  instead?: boolean;
  text: string;
}

const COPIED = ['src', 'ingest', 'scripts', 'test', 'mappings', 'package.json', 'README.md', '.github'];
const run = promisify(execFile);

export class TreeCopy {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'dry-tree-'));
  readonly #before = new Map<string, string | null>();

  constructor() {
    for (const name of COPIED) cpSync(path.join(root, name), path.join(this.#folder, name), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(this.#folder, 'node_modules'));
  }

  /** Edits a file. @throws Error if the file does not contain `behind` */
  edit({ file, behind, instead = false, text }: Edit): void {
    const target = path.join(this.#folder, file);
    const before = behind === undefined ? null : readFileSync(target, 'utf8');
    if (!this.#before.has(file)) this.#before.set(file, before);
    if (before === null) mkdirSync(path.dirname(target), { recursive: true });
    else if (!before.includes(behind as string)) throw new Error(`${file} does not have: ${behind}`);
    writeFileSync(target, before === null ? text : before.replace(behind as string, () => (instead ? text : `${behind}${text}`)));
  }

  /** Remembers files that a command is about to write, so that `restore` undoes that, too. */
  remember(...files: string[]): void {
    for (const file of files) if (!this.#before.has(file)) this.#before.set(file, readFileSync(path.join(this.#folder, file), 'utf8'));
  }

  /** Undoes all edits. */
  restore(): void {
    for (const [file, text] of this.#before)
      if (text === null) rmSync(path.join(this.#folder, file));
      else writeFileSync(path.join(this.#folder, file), text);
    this.#before.clear();
  }

  /** Runs tests. @returns full titles of those that fail @throws Error if the files cannot be loaded */
  async failures(...files: string[]): Promise<string[]> {
    const args = ['--no-package', '--reporter', 'json', '--timeout', '60000', ...files];
    const child = run(process.execPath, [path.join('node_modules', 'mocha', 'bin', 'mocha.js'), ...args], {
      cwd: this.#folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    const { stdout, stderr } = await child.catch((error: { stdout: string; stderr: string }) => error);
    const json = stdout.slice(stdout.indexOf('{\n  "stats"'));
    if (!json.startsWith('{')) throw new Error(`The tests did not run: ${stderr || stdout}`);
    return (JSON.parse(json) as { failures: { fullTitle: string }[] }).failures.map(({ fullTitle }) => fullTitle);
  }

  /** Loads a module of the copy into this process. */
  load<Module>(file: string): Promise<Module> {
    return import(path.join(this.#folder, file));
  }

  /** Runs a module in the copy. @returns what it prints */
  async printed(module: string): Promise<string> {
    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '--eval', module], { cwd: this.#folder });
    return stdout.trim();
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
