/** Runs the test files of several stages, repeats those that failed, and prints the results. */
import { secondsText } from '../../src/core/domain/durations.ts';
import { longestFirst } from './durations.ts';
import { type FileResult, PROCESS_END, runInLanes, type Stage, type TestLaneOptions } from './lanes.ts';
import { addCounts, type Counts, zeroCounts } from './reporter.ts';

/** If more files fail, they are not repeated: it is no coincidence. */
const RUN_AGAIN_MAX = 8;
const SLOWEST_SHOWN = 12;
const SECOND_MS = 1_000;

type Results = Map<string, FileResult>;

export interface RunOutcome {
  counts: Counts;
  /** one line for each file that failed at first and passed alone */
  flaky: string[];
  /** how long each file took */
  seconds: Record<string, number>;
}

/**
 * Prints the report of each file when it has ended; after the last file all failures, then the slowest files. Files that failed run once more, one at
 * a time: if they fail again they count as failed, otherwise as flaky, since connections time out on a busy machine.
 */
export async function runStages(stages: readonly Stage[], options: Omit<TestLaneOptions, 'report'>): Promise<RunOutcome> {
  const counts = zeroCounts();
  const seconds: Record<string, number> = {};
  const run = async (stagesToRun: readonly Stage[]): Promise<Results> => {
    const failed: Results = new Map();
    await runInLanes(stagesToRun, {
      ...options,
      report: (file, result, ms) => {
        seconds[file] = Math.round((seconds[file] ?? 0) + ms / SECOND_MS);
        console.log(`\n${file} (${secondsText(ms)})${result.output}`);
        if (result.counts.failed > 0) failed.set(file, result);
        else addCounts(counts, result.counts);
      },
    });
    return failed;
  };

  const failedFirst = await run(stages);
  const files = [...failedFirst.keys()].filter((file) => file !== PROCESS_END);
  const isRunAgain = files.length > 0 && files.length <= RUN_AGAIN_MAX;
  if (isRunAgain) console.log(`\nOnce more, alone: ${files.join(', ')}`);
  const failed = isRunAgain ? await run([{ files, lanes: 1 }]) : failedFirst;
  const leftOpen = failedFirst.get(PROCESS_END);
  if (leftOpen) failed.set(PROCESS_END, leftOpen);

  const flaky = [...failedFirst].filter(([file]) => !failed.has(file));
  for (const [file, { failures }] of flaky) console.log(`\n${file} failed at first, and passed alone:\n${failures}`);
  for (const [file, result] of failed) {
    addCounts(counts, result.counts);
    console.log(`\n${file}\n${result.failures}`);
  }
  printSlowest(seconds);
  return { counts, flaky: flaky.map(([file, { firstFailure }]) => `${file}: ${firstFailure}`), seconds };
}

function printSlowest(seconds: Readonly<Record<string, number>>): void {
  console.log('\nSlowest files');
  const slowest = longestFirst(Object.keys(seconds), seconds).slice(0, SLOWEST_SHOWN);
  for (const file of slowest) console.log(`  ${`${seconds[file]} s`.padStart(6)}  ${file}`);
}

/** The lines that name flaky files; empty without one. */
export function flakyText(flaky: readonly string[]): string {
  return flaky.length > 0 ? `\nFlaky: failed at first, and passed alone\n${flaky.map((line) => `  ${line}\n`).join('')}` : '';
}
