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

  constructor() {
    for (const name of COPIED) cpSync(path.join(root, name), path.join(this.#folder, name), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(this.#folder, 'node_modules'));
  }

  /** Edits a file. @throws Error if the file does not contain `behind` */
  edit({ file, behind, instead = false, text }: Edit): void {
    const target = path.join(this.#folder, file);
    if (behind === undefined) {
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
      return;
    }
    const before = readFileSync(target, 'utf8');
    if (!before.includes(behind)) throw new Error(`${file} does not have: ${behind}`);
    writeFileSync(
      target,
      before.replace(behind, () => (instead ? text : `${behind}${text}`)),
    );
  }

  /** Runs tests. @param given files, and options of mocha @returns full titles of those that fail @throws Error if the files cannot be loaded */
  async failures(...given: string[]): Promise<string[]> {
    const args = ['--no-package', '--reporter', 'json', '--timeout', '60000', ...given];
    const child = run(process.execPath, [path.join('node_modules', 'mocha', 'bin', 'mocha.js'), ...args], {
      cwd: this.#folder,
      env: { ...process.env, NODE_COMPILE_CACHE: path.join(this.#folder, '.cache') },
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

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
