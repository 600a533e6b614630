/** `npm run soak`: customers of every kind, loads, and one fault after the other, for half an hour. */
import { Option } from 'commander';
import { makeProgram, wholeNumber } from '../../../src/terminal/program.ts';
import { runProfile } from './main.ts';
import { type ProofProfile, SPOILERS, type Spoiler } from './profile.ts';

const SAMPLE_SECONDS = 10;
const HEAL_SECONDS = 10;

interface SoakOptions {
  minutes: number;
  seed: number;
  records: number;
  faultSeconds: number;
  json: boolean;
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
Every answer is compared with a model of what was loaded that shares no code with the product, every charge with what was shown.

Uses ELASTICSEARCH_URL, DATABASE_URL and REDIS_URL when set, else the stack that runs here, else servers of its own. Indices, schema and
Redis keys are its own and are removed at the end. Exit code 0: every line of the verdict is kept.`;

const readOptions = (): SoakOptions =>
  makeProgram(
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
    .parse()
    .opts<SoakOptions>();

export function soakProfile({ minutes, seed, records, faultSeconds, sabotage }: Omit<SoakOptions, 'json'>): ProofProfile {
  return {
    purpose: 'soak',
    seed,
    records,
    loads: { changes: Number.POSITIVE_INFINITY, minutes, pauseMs: 4_000, changesPerSwitch: 400, batchMax: 150, hasMerges: false },
    copies: 3,
    copyIdleMs: 1_500,
    hasVisits: true,
    faults: [{ everySeconds: { least: faultSeconds, most: faultSeconds }, seconds: { least: 3, most: 9 } }],
    healSeconds: HEAL_SECONDS,
    sampleSeconds: SAMPLE_SECONDS,
    progressSeconds: 60,
    spoilers: sabotage,
  };
}

if (import.meta.main)
  await runProfile(() => {
    const { json, ...options } = readOptions();
    return { profile: soakProfile(options), json };
  });
