/** Runs test files in several processes at once, then those that need the machine to themselves. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Counts } from './reporter.ts';

const LANE = fileURLToPath(new URL('lane.ts', import.meta.url));

export interface FileResult {
  counts: Counts;
  /** the report of its tests as they ran */
  output: string;
  /** each failure with its difference and stack; empty without one */
  failures: string;
}

/** @param ms from the hand-over of the file to its result */
export type Report = (file: string, result: FileResult, ms: number) => void;

const failure = (failures: string): FileResult => ({ counts: { passed: 0, failed: 1, skipped: 0 }, output: '', failures });

/** One process, which keeps what its files import; when it dies in the middle of a file, the next one gets a new process. */
class Lane {
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;
  #child: ChildProcess | undefined;

  constructor(env: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.#env = env;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.kill(), { once: true });
  }

  async run(file: string): Promise<FileResult> {
    const child = this.#child ?? fork(LANE, { env: this.#env });
    this.#child = child;
    const settled = new AbortController();
    const result = once(child, 'message', settled).then(([message]) => message as FileResult);
    const death = once(child, 'exit', settled).then(([code, signal]) => {
      this.#child = undefined;
      return failure(`  ${file}: its process ended in the middle of it (${signal ?? `exit code ${code}`})`);
    });
    child.send(file);
    try {
      return await Promise.race([result, death]);
    } finally {
      settled.abort();
      await Promise.allSettled([result, death]);
    }
  }

  /** Ends the process where it stands, if it still runs. */
  kill(): void {
    this.#child?.kill('SIGTERM');
  }

  /** Lets the process end, which it does by itself unless its tests left something open. */
  async end(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const ended = once(child, 'exit');
    child.disconnect();
    const [code] = await ended;
    if (code !== 0 && !this.#signal.aborted) throw new Error(`A process of the tests ended with code ${code}: see its message above.`);
  }
}

/** @throws Error when a process does not end cleanly after its last file */
export async function runInLanes(
  { together, alone }: { together: readonly string[]; alone: readonly string[] },
  { count, env, signal, report }: { count: number; env: NodeJS.ProcessEnv; signal: AbortSignal; report: Report },
): Promise<void> {
  const lanes = Array.from({ length: count }, () => new Lane(env, signal));
  const drain = async (lane: Lane, queue: string[]) => {
    for (let file = queue.shift(); file !== undefined && !signal.aborted; file = queue.shift()) {
      const started = performance.now();
      report(file, await lane.run(file), performance.now() - started);
    }
  };
  try {
    const shared = [...together];
    await Promise.all(lanes.map((lane) => drain(lane, shared)));
    const [last = new Lane(env, signal), ...others] = lanes;
    await Promise.all(others.map((lane) => lane.end()));
    await drain(last, [...alone]);
    await last.end();
  } finally {
    for (const lane of lanes) lane.kill();
  }
}
