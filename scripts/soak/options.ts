/** The command line of the soak. */
import { Option } from 'commander';
import { makeProgram, wholeNumber } from '../../src/terminal/program.ts';
import type { FaultPlan } from './faults.ts';

/** Ways to make something wrong on purpose: the soak has to fail. */
export const SPOILERS = ['dropped-record', 'doubled-charge', 'leak'] as const;
export type Spoiler = (typeof SPOILERS)[number];

export interface SoakOptions {
  minutes: number;
  seed: number;
  json: boolean;
  records: number;
  faults: FaultPlan;
  /** between two samples of memory */
  sampleSeconds: number;
  /** in which every fault has to heal */
  healSeconds: number;
  sabotage?: Spoiler[];
}

const EXAMPLES = `
Examples:
  npm run soak                             30 minutes, a fault a minute
  npm run soak -- --minutes 5 --seed 42    shorter, with other loads, questions and faults
  npm run soak -- --json > soak.json       the result for programs; progress goes to the terminal

What it does: two API processes and two workers serve customers who search, count, read, analyse, export, keep lists, run alerts, ask
questions, take webhooks and keep copies by sync, while loaders (some of them killed) change the records. Once a minute something fails:
a process is killed or frozen, a server goes away, freezes, slows down, loses its connections or has a full disk, a clock is wrong.
Every answer is held against a model of what was loaded that shares no code with the product, every charge against what was shown.

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices, schema and
Redis keys are its own and are removed at the end. Exit code 0: every line of the verdict is kept.`;

export function readSoakOptions(argv: readonly string[]): SoakOptions {
  const { faultSeconds, ...options } = makeProgram(
    'npm run soak --',
    'Lets customers, loads and failures go on together, and proves that nothing was wrong, lost or charged twice.',
    EXAMPLES,
  )
    .option('--minutes <number>', 'how long', wholeNumber(1, 1440), 30)
    .option('--seed <number>', 'the same seed gives the same loads, questions and order of faults', wholeNumber(0, 999_999_999), 1)
    .option('--records <number>', 'records that are loaded first', wholeNumber(100, 1_000_000), 2000)
    .option('--fault-seconds <number>', 'from one fault to the next', wholeNumber(5, 3600), 60)
    .option('--json', 'print the result as JSON', false)
    .addOption(new Option('--sabotage <kind...>', 'make something wrong on purpose: the soak has to fail').choices(SPOILERS).hideHelp())
    .parse(argv)
    .opts<Omit<SoakOptions, 'faults' | 'sampleSeconds' | 'healSeconds'> & { faultSeconds: number }>();
  return { ...options, faults: { everySeconds: faultSeconds, seconds: { least: 3, most: 9 } }, sampleSeconds: 10, healSeconds: 10 };
}
