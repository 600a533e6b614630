import { format } from 'node:util';
import Mocha from 'mocha';
import { noteFailure, takeKeptList } from './keptData.ts';

const { Base, Spec } = Mocha.reporters;

/** Longer than any clean shutdown: a handle that is still open then was forgotten by a test. */
const LEAK_DEADLINE_MS = 10_000;

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const zeroCounts = (): Counts => ({ passed: 0, failed: 0, skipped: 0 });

/** Adds the second to the first. */
export function addCounts(total: Counts, counts: Counts): void {
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key];
}

export const countsOf = ({ passes, failures, pending }: Mocha.Stats): Counts => ({ passed: passes, failed: failures, skipped: pending });

/** The last line of every test run. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Mocha's spec report with the summary line; if `npm test` is the parent, the counts are sent to it, and it prints the line. */
export default class SummaryReporter extends Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('fail', noteFailure);
  }

  override epilogue(): void {
    super.epilogue();
    console.log(takeKeptList());
    const counts = countsOf(this.stats);
    if (process.send) process.send(counts);
    else console.log(summaryLine(counts));
    endIfLeaking();
  }
}

/** Mocha's spec report without the failures, which are printed together for all files. */
export class FileReporter extends Spec {
  override epilogue(): void {}
}

/** Captures what `print` prints by console.log or mocha's copy of it. */
export async function capturePrinted<T>(print: () => T | Promise<T>): Promise<{ result: T; text: string }> {
  const { log } = console;
  const lines: string[] = [];
  console.log = Base.consoleLog = (...args: unknown[]) => void lines.push(format(...args));
  try {
    return { result: await print(), text: lines.join('\n') };
  } finally {
    console.log = Base.consoleLog = log;
  }
}

/** Mocha's list of failures, with their differences and stacks, and what is kept on the servers. */
export async function failuresText(failures: Mocha.Test[]): Promise<string> {
  return failures.length > 0 ? `${(await capturePrinted(() => Base.list(failures))).text}\n${takeKeptList()}` : '';
}

/** How many of each kind keep this process alive: child processes, servers, sockets, timers. */
export function countOpen(): Map<string, number> {
  const open = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) open.set(name, (open.get(name) ?? 0) + 1);
  return open;
}

/** The kinds of which more are open than before, as 'ProcessWrap ×1, Timeout ×2'. */
export function openedText(before: ReadonlyMap<string, number>): string {
  const opened = [...countOpen()].map(([name, count]) => ({ name, more: count - (before.get(name) ?? 0) })).filter(({ more }) => more > 0);
  return opened.map(({ name, more }) => `${name} ×${more}`).join(', ');
}

/**
 * Called when nothing is left to do: if something keeps the process alive, prints what, and ends it.
 * @param leftBy a line for each test file after which more was open than before
 */
export function endIfLeaking(leftBy: readonly string[] = []): void {
  setTimeout(endLeakingRun, LEAK_DEADLINE_MS, leftBy).unref();
}

function endLeakingRun(leftBy: readonly string[]): void {
  const lines = [`The tests left something open that keeps the process from ending: ${openedText(new Map())}`, ...leftBy];
  console.error(lines.join('\n  '));
  process.exit(1);
}
