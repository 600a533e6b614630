import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT_FAILED, UserError } from '../../src/terminal/program.ts';
import { killEverything } from './processes.ts';

/** npm passes Ctrl-C on although the terminal has sent it already: that echo is no second wish. */
const ECHO_MS = 1_000;
const PARENT_CHECK_MS = 500;
const KILL_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The reason of an abort that the user asked for. */
class StopRequested extends UserError {
  override name = 'StopRequested';
}

/** Aborts on Ctrl-C, SIGTERM, SIGHUP and, below npm, when npm is gone; a second signal kills the servers at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const stop = (why: string) => {
    if (!controller.signal.aborted) {
      first = Date.now();
      controller.abort(new StopRequested(`Stopped by ${why}.`));
    } else if (Date.now() - first > ECHO_MS) void force();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  if (process.env.npm_lifecycle_event !== undefined) watchParent(() => !controller.signal.aborted && stop('the end of npm'));
  return controller.signal;
}

const forced: (() => void)[] = [];

/** Registers what a forced end has to clear away; returns the way to take it back. */
export function onForcedEnd(clear: () => void): () => void {
  forced.push(clear);
  return () => void forced.splice(forced.indexOf(clear), 1);
}

async function force(): Promise<void> {
  killEverything();
  await sleep(KILL_MS);
  for (const clear of forced) clear();
  process.exit(1);
}

function watchParent(gone: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) gone();
  }, PARENT_CHECK_MS).unref();
}

/** Runs a script: the number returned is its exit code, a failure meant for the user is printed as its sentence alone. */
export async function runScript(work: (signal: AbortSignal) => Promise<number>): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {}); // the reader of a pipe may leave
  const signal = stopSignal();
  try {
    process.exitCode = await work(signal);
  } catch (error) {
    process.exitCode = EXIT_FAILED;
    const cause = signal.aborted ? signal.reason : error; // an interrupted step fails in its own words
    console.error(cause instanceof UserError ? cause.message : cause);
  }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
