import { format } from 'node:util';
import Mocha from 'mocha';
import { noteFailure, takeKept } from './kept.ts';

const { Base, Spec } = Mocha.reporters;

/** Longer than any clean shutdown: what is still open then was forgotten by a test. */
const LEAK_DEADLINE_MS = 10_000;

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export const noCounts = (): Counts => ({ passed: 0, failed: 0, skipped: 0 });

/** Adds the second to the first. */
export function addCounts(total: Counts, counts: Counts): void {
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key];
}

export const countsOf = ({ passes, failures, pending }: Mocha.Stats): Counts => ({ passed: passes, failed: failures, skipped: pending });

/** The closing line of every test run, alone on its line. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Mocha's spec report, closed by the summary; below `npm test` the counts go to it instead, and it prints the line at its own end. */
export default class SummaryReporter extends Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('fail', noteFailure);
  }

  override epilogue(): void {
    super.epilogue();
    console.log(takeKept());
    const counts = countsOf(this.stats);
    if (process.send) process.send(counts);
    else console.log(summaryLine(counts));
    endIfLeaking();
  }
}

/** Mocha's spec report without its end: the failures of all files are printed together. */
export class FileReporter extends Spec {
  override epilogue(): void {}
}

/** What `print` prints by console.log or mocha's own copy of it. */
export async function printedBy<T>(print: () => T | Promise<T>): Promise<{ result: T; text: string }> {
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
  return failures.length > 0 ? `${(await printedBy(() => Base.list(failures))).text}\n${takeKept()}` : '';
}

/** Call it when nothing is left to do: a process that something keeps alive says what, since a hanging run says nothing. */
export function endIfLeaking(): void {
  setTimeout(endLeakingRun, LEAK_DEADLINE_MS).unref();
}

function endLeakingRun(): void {
  const open = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) open.set(name, (open.get(name) ?? 0) + 1);
  const list = [...open].map(([name, count]) => `${name} ×${count}`).join(', ');
  console.error(`The tests left something open that keeps the process from ending: ${list}`);
  process.exit(1);
}
