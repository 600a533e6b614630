/** Runs the product's programs as child processes: API processes and workers that can be stopped, killed and restarted, and the loader. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../src/terminal/program.ts';
import { shiftedClock } from '../dates/shiftedClock.ts';
import { freePort, HOST } from '../stack/ports.ts';
import { root, type SandboxEnvironment } from './sandbox.ts';
import type { Disturbance, Usage } from './usageProbe.ts';

const PROBE = path.join(import.meta.dirname, 'usageProbe.ts');
const READY_MS = 120_000;
const POLL_MS = 50;
const PROBE_MS = 5_000;
const PROBLEM_CHARACTERS = 500;

const NO_LIMIT = '1000000000';
const UNDISTURBED: SandboxEnvironment = {
  PUBLIC_URL: 'https://api.example.com',
  LOG_LEVEL: 'silent',
  SHUTDOWN_GRACE_MS: '0',
  API_PROCESSES: '1',
  RATE_LIMIT_PAID: NO_LIMIT,
  RATE_LIMIT_TRIAL: NO_LIMIT,
  RATE_LIMIT_ANONYMOUS: NO_LIMIT,
  RATE_LIMIT_HEALTH: NO_LIMIT,
};

export interface ProgramOptions {
  nodeOptions?: readonly string[];
}

/** Starts a program of the project from its bundle, as npm does, with the given settings only, without those of this process. */
function startProgram(
  program: string,
  args: readonly string[],
  env: SandboxEnvironment,
  { nodeOptions = [] }: ProgramOptions = {},
): ChildProcess {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return fork(path.join(root, 'scripts/run.mjs'), [program, ...args], {
    cwd: root,
    env: { PATH, ...shiftedClock, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}), ...env },
    execArgv: [...nodeOptions, '--import', PROBE],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

/** Collects the text of a stream all the time, so that the writer never blocks. @returns what gets the text so far */
function textOf(stream: ChildProcess['stdout']): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return () => text.trim();
}

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

/** Sends a message to a child process, and waits for its answer. @throws UserError if it has ended, or ends before @param problem why */
export function askChild<Answer>(child: ChildProcess | undefined, message: string, problem = () => ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new UserError(`A process ended early. ${problem()}`));
    if (!child || !isAlive(child)) return gone();
    child.once('exit', gone);
    child.once('message', (answer) => {
      child.off('exit', gone);
      resolve(answer as Answer);
    });
    child.send(message);
  });
}

export async function endChild(child: ChildProcess, how: NodeJS.Signals): Promise<void> {
  if (!isAlive(child)) return;
  const gone = once(child, 'exit');
  child.kill(how);
  await gone;
}

/** A process of the service that can be stopped, killed, frozen and started again. */
class ServiceProcess {
  readonly #program: string;
  readonly #env: SandboxEnvironment;
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #problem = () => '';

  protected constructor(program: string, env: SandboxEnvironment, options: ProgramOptions) {
    this.#program = program;
    this.#env = { ...UNDISTURBED, ...env };
    this.#options = options;
  }

  protected get isRunning(): boolean {
    return this.#child !== undefined && isAlive(this.#child);
  }

  /** What the process has written to standard error. */
  protected get problem(): string {
    return this.#problem();
  }

  protected spawn(): void {
    this.#child = startProgram(this.#program, [], this.#env, this.#options);
    this.#child.stdout?.resume();
    this.#problem = textOf(this.#child.stderr);
  }

  [Symbol.asyncDispose] = () => this.end();

  async end(how: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#child) await endChild(this.#child, how);
  }

  /** What the process has used so far. @throws UserError if it has ended */
  usage = (): Promise<Usage> => askChild(this.#child, 'usage', this.#problem);

  /** Sends a signal that does not end the process, such as SIGSTOP or SIGCONT. */
  signal(how: NodeJS.Signals): void {
    this.#child?.kill(how);
  }

  disturb(how: Disturbance): void {
    this.#child?.send(how);
  }
}

/** A worker process. It does not say when it is ready: its first job shows it. */
export class WorkerProcess extends ServiceProcess {
  constructor(env: SandboxEnvironment, { nodeOptions = [], ...options }: ProgramOptions = {}) {
    super('src/worker.ts', env, { ...options, nodeOptions: ['--max-semi-space-size=4', ...nodeOptions] }); // as in package.json
    this.start();
  }

  /** Starts the process, also again after it has ended. */
  start(): void {
    this.spawn();
  }
}

interface ApiOptions extends ProgramOptions {
  /** how long it may take to serve, for instance while a server that it needs is away */
  readyMs?: number;
}

/** An API process, which keeps its address when it is restarted. */
export class ApiProcess extends ServiceProcess {
  readonly url: string;
  readonly #readyMs: number;

  private constructor(port: number, env: SandboxEnvironment, { readyMs = READY_MS, ...options }: ApiOptions) {
    super('src/main.ts', { ...env, PORT: String(port) }, options);
    this.url = `http://${HOST}:${port}`;
    this.#readyMs = readyMs;
  }

  /** @throws UserError when it does not serve in time */
  static async start(env: SandboxEnvironment, signal: AbortSignal, options: ApiOptions = {}): Promise<ApiProcess> {
    const api = new ApiProcess(await freePort(), env, options);
    await api.start(signal).catch(async (error) => {
      await api.end();
      throw error;
    });
    return api;
  }

  /** Starts the process until it serves: it ends while a server that it needs is away. */
  async start(signal: AbortSignal): Promise<void> {
    const until = Date.now() + this.#readyMs;
    let probe = '';
    for (; Date.now() < until; await sleep(POLL_MS)) {
      signal.throwIfAborted();
      if (!this.isRunning) this.spawn();
      const health = await fetch(`${this.url}/health`, { signal: AbortSignal.timeout(PROBE_MS) }).catch((error: Error) => error);
      if (health instanceof Response && health.ok) return;
      probe = health instanceof Response ? `status ${health.status}` : String(health.cause ?? health);
    }
    throw new UserError(`An API process does not answer on ${this.url} (${probe}). ${this.problem.slice(0, PROBLEM_CHARACTERS)}`);
  }
}

export interface EndedProgram {
  code: number | null;
  killed: boolean;
  output: string;
  problem: string;
  seconds: number;
}

interface RunOptions {
  killAfterMs?: number | undefined;
  /** called when the program has printed something for the first time */
  onOutput?: (() => void) | undefined;
}

/** Runs `ingest` until it ends or is killed; `seconds` include the start of the process. */
export function runIngest(
  env: SandboxEnvironment,
  args: readonly string[],
  signal: AbortSignal,
  options: ProgramOptions & RunOptions = {},
): Promise<EndedProgram> {
  return runProgram('ingest/main.ts', args, env, { signal, ...options });
}

/** Runs any program of the project until it ends or is killed. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: SandboxEnvironment,
  { signal, killAfterMs, onOutput, ...options }: ProgramOptions & RunOptions & { signal: AbortSignal },
): Promise<EndedProgram> {
  const started = performance.now();
  const child = startProgram(program, args, env, options);
  const [output, problem] = [textOf(child.stdout), textOf(child.stderr)];
  if (onOutput) child.stdout?.once('data', onOutput);
  const kill = () => child.kill('SIGKILL');
  const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
  signal.addEventListener('abort', kill, { once: true });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  signal.removeEventListener('abort', kill);
  clearTimeout(timer);
  const seconds = (performance.now() - started) / 1000;
  return { code, killed: child.signalCode === 'SIGKILL', output: output(), problem: problem().slice(0, PROBLEM_CHARACTERS), seconds };
}

/** Runs `ingest` and measures its memory. @throws UserError unless it succeeds */
export async function runIngestSuccessfully(
  env: SandboxEnvironment,
  args: readonly string[],
  folder: string,
  signal: AbortSignal,
  options: Pick<RunOptions, 'onOutput'> = {},
) {
  const usageFile = path.join(folder, 'usage.json');
  const ended = await runIngest({ ...env, USAGE_FILE: usageFile }, args, signal, options);
  signal.throwIfAborted();
  if (ended.code !== 0 || !existsSync(usageFile)) throw new UserError(`ingest ${args[0]} ended with code ${ended.code}: ${ended.problem}`);
  const { peakBytes } = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  return { ...ended, peakBytes };
}
