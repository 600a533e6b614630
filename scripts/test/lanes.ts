/** Runs test files in several processes at once, one stage after the other. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Counts } from './reporter.ts';

const LANE = fileURLToPath(new URL('lane.ts', import.meta.url));

/** Room for what is allocated between two collections, from the start: with the usual one a sixth of the processor time goes into collecting. */
const LANE_OPTIONS = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Reported in place of a file if a process did not end by itself. */
export const PROCESS_END = 'the end of a process';

export interface FileResult {
  counts: Counts;
  /** the report of its tests as they ran */
  output: string;
  /** each failure with its difference and stack; empty without one */
  failures: string;
  /** the first of them in one line: the test's full title and the message; empty without one */
  firstFailure: string;
}

/** @param ms from sending the file to its result */
export type Report = (file: string, result: FileResult, ms: number) => void;

/** The result of a file whose tests did not run. @param message one line */
export const failedResult = (message: string, details = ''): FileResult => ({
  counts: { passed: 0, failed: 1, skipped: 0 },
  output: '',
  failures: `  ${message}${details}`,
  firstFailure: message,
});

const hasExited = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** One process, which runs one file after the other and imports shared modules once; if it dies, the next file gets a new process. */
class Lane {
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  constructor(env: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.#env = env;
    signal.addEventListener('abort', () => this.kill(), { once: true });
  }

  async run(file: string): Promise<FileResult> {
    const child = this.#child && !hasExited(this.#child) ? this.#child : fork(LANE, { env: this.#env, execArgv: LANE_OPTIONS });
    this.#child = child;
    const settled = new AbortController();
    const result = once(child, 'message', settled).then(([message]) => message as FileResult);
    const death = once(child, 'exit', settled).then(([code, signal]) => {
      return failedResult(`${file}: its process ended in the middle of it (${signal ?? `exit code ${code}`})`);
    });
    child.send(file);
    try {
      return await Promise.race([result, death]);
    } finally {
      settled.abort();
      await Promise.allSettled([result, death]);
    }
  }

  /** Terminates the process, if it still runs. */
  kill(): void {
    this.#child?.kill('SIGTERM');
  }

  /** Waits until the process ends. @returns whether it did so by itself, with nothing left open */
  async end(): Promise<boolean> {
    const child = this.#child;
    if (!child || hasExited(child)) return true;
    const ended = once(child, 'exit');
    child.disconnect();
    const [code] = await ended;
    return code === 0;
  }
}

export interface Stage {
  files: readonly string[];
  /** processes at once */
  lanes: number;
}

export interface TestLaneOptions {
  /** the last process of a stage starts when this promise has resolved */
  lastAfter: Promise<unknown>;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  report: Report;
}

/** Runs the stages one after the other, each in several processes. */
export async function runInLanes(stages: readonly Stage[], { lastAfter, env, signal, report }: TestLaneOptions): Promise<void> {
  const drain = async (queue: string[]) => {
    const lane = new Lane(env, signal);
    try {
      for (let file = queue.shift(); file !== undefined && !signal.aborted; file = queue.shift()) {
        const started = performance.now();
        report(file, await lane.run(file), performance.now() - started);
      }
      if (!(await lane.end()) && !signal.aborted)
        report(PROCESS_END, failedResult('A process of the tests did not end by itself: see its message above.'), 0);
    } finally {
      lane.kill();
    }
  };
  for (const { files, lanes } of stages) {
    const queue = [...files];
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        if (lane === lanes - 1) await lastAfter;
        await drain(queue);
      }),
    );
  }
}
