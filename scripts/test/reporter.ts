import Mocha from 'mocha';

/** Longer than any clean shutdown: what is still open then was forgotten by a test. */
const LEAK_DEADLINE_MS = 10_000;

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The closing line of every test run, alone on its line. */
export function summaryLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Mocha's spec report, closed by the summary; below `npm test` the counts go to it instead, and it prints the line at its own end. */
export default class SummaryReporter extends Mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const counts: Counts = { passed: passes, failed: failures, skipped: pending };
    if (process.send) process.send(counts);
    else console.log(summaryLine(counts));
    setTimeout(endLeakingRun, LEAK_DEADLINE_MS).unref();
  }
}

/** Only runs when something keeps the process alive: says what, since a hanging run says nothing. */
function endLeakingRun(): void {
  const open = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) open.set(name, (open.get(name) ?? 0) + 1);
  const list = [...open].map(([name, count]) => `${name} ×${count}`).join(', ');
  console.error(`The tests left something open that keeps the process from ending: ${list}`);
  process.exit(1);
}
