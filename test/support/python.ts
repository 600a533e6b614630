/** Python for tests: an environment of its own, into which the wheel of the client is installed as customers install it, and nothing is fetched. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { makePythonWheel, pythonWheelName } from '../../src/clients/packages/pythonWheel.ts';
import type { Json } from './json.ts';
import { bareEnvironment } from './programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const prepared = path.join(root, '.stack/python');
const preparedPython = path.join(prepared, 'bin/python');
const run = promisify(execFile);
const INSTALLING_MS = 600_000;
const POLL_MS = 500;
const OUTPUT_BYTES_MAX = 2 ** 26;
/** Loads what every script of a test needs; `given` is what the test hands over, `show` what it reads. */
const BEGINNING =
  'import json, os, sys\nfrom landuse_api import *\ngiven = json.loads(sys.argv[1])\ndef show(**values): print(json.dumps(values))\n';

const sitePackages = (environment: string): string => globSync(path.join(environment, 'lib/python*/site-packages'))[0] as string;

/** A run of tests installs them beside its first files. @returns the environment's folder @throws Error if they are missing, with what installs them */
async function untilInstalled(set: 'python' | 'connectors'): Promise<string> {
  const folder = path.join(root, '.stack', set);
  const isInstalled = () => existsSync(path.join(folder, 'installed.txt'));
  for (const until = Date.now() + INSTALLING_MS; !isInstalled() && existsSync(`${folder}.lock`) && Date.now() < until; )
    await sleep(POLL_MS);
  if (!isInstalled())
    throw new Error(
      `Python packages of the tests are missing: install Python 3.10 or newer, and run node scripts/installPython.mjs ${set}`,
    );
  return folder;
}

/** Starts a program with the packages of connectors, and not ours. @throws Error if they are missing, with what installs them */
export const startConnectorsPython = async (file: string, args: readonly string[]) =>
  spawn(path.join(await untilInstalled('connectors'), 'bin/python'), [file, ...args], { env: bareEnvironment });

export interface Ran {
  stdout: string;
  stderr: string;
}

export class PythonHome implements AsyncDisposable {
  readonly folder: string;
  readonly #env: Record<string, string>;

  private constructor(folder: string) {
    this.folder = folder;
    // dlt would keep pipelines of root in a folder of the machine, and report its use.
    const dlt = { DLT_DATA_DIR: path.join(folder, 'dlt'), RUNTIME__DLTHUB_TELEMETRY: 'false' };
    this.#env = { ...bareEnvironment, HOME: folder, PIP_CONFIG_FILE: '/dev/null', ...dlt };
  }

  /**
   * @param wheelUrl where the wheel is fetched from, instead of being made here
   * @throws Error if the packages of the tests are missing, with what installs them
   */
  static async make(serviceUrl: string, wheelUrl?: string): Promise<PythonHome> {
    await untilInstalled('python');
    const home = new PythonHome(await mkdtemp(path.join(tmpdir(), 'python-')));
    const wheel = path.join(home.folder, pythonWheelName());
    if (!wheelUrl) await writeFile(wheel, makePythonWheel({ serviceUrl }));
    await run(preparedPython, ['-m', 'venv', '--without-pip', path.join(home.folder, 'venv')], { env: home.#env });
    const sources = ['--no-index', '--find-links', path.join(prepared, 'wheels')];
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-compile']; // most modules are never imported: those that are compile themselves
    await run(preparedPython, ['-m', 'pip', '--python', home.python, 'install', ...quiet, ...sources, wheelUrl ?? wheel], {
      env: home.#env,
    });
    return home;
  }

  /** The same with dlt, Singer and the readers of Parquet. @throws Error if their packages are missing, with what installs them */
  static async makeWithConnectors(serviceUrl: string): Promise<PythonHome> {
    const [home, connectors] = await Promise.all([PythonHome.make(serviceUrl), untilInstalled('connectors')]);
    await writeFile(path.join(sitePackages(path.join(home.folder, 'venv')), 'connectors.pth'), `${sitePackages(connectors)}\n`);
    return home;
  }

  get python(): string {
    return path.join(this.folder, 'venv/bin/python');
  }

  /** A command that the wheel brings. */
  program(name: string): string {
    return path.join(this.folder, 'venv/bin', name);
  }

  /** Runs a program file. @throws Error with its output where it fails */
  async run(file: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<Ran> {
    const options = { cwd: this.folder, env: { ...this.#env, ...env }, maxBuffer: OUTPUT_BYTES_MAX };
    return run(this.python, [file, ...args], options);
  }

  /** Runs lines of a program with the client at hand. @returns what they showed last */
  async show(lines: string, given: object): Promise<Json> {
    const file = path.join(this.folder, 'lines.py');
    await writeFile(file, BEGINNING + lines);
    const { stdout } = await this.run(file, [JSON.stringify(given)]);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  }

  /** Starts a program that the test talks to, or kills. */
  start(file: string, args: readonly string[], env: Record<string, string> = {}) {
    return spawn(this.python, [file, ...args], { cwd: this.folder, env: { ...this.#env, ...env } });
  }

  /** What mypy says in its strict mode of files, against the packages that are installed here. */
  async typeProblems(...files: string[]): Promise<string[]> {
    const cache = ['--cache-dir', path.join(prepared, 'mypy-cache')];
    const args = ['-m', 'mypy', '--strict', '--no-error-summary', '--python-executable', this.python, ...cache, ...files];
    const { stdout } = await run(preparedPython, args, { cwd: this.folder, env: this.#env }).catch((failed: Ran) => failed);
    return stdout.trim() ? stdout.trim().split('\n') : [];
  }

  /** Runs a program that uses pandas, which the client does not bring along. @throws Error with its output where it fails */
  async runWithPandas(file: string, env: Record<string, string> = {}): Promise<Ran> {
    const packages = (await run(this.python, ['-c', 'import site; print(site.getsitepackages()[0])'])).stdout.trim();
    return run(preparedPython, [file], { cwd: this.folder, env: { ...this.#env, ...env, PYTHONPATH: packages } });
  }

  [Symbol.asyncDispose] = () => this.stop();

  async stop(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
