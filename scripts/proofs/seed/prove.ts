/** Runs simulated interleavings until their number or time is reached or one fails, and reports the seed that reproduces a failure. */
import fc from 'fast-check';
import type { ControlConnection } from './control.ts';
import { InvariantViolation } from './invariants.ts';
import type { Mark } from './marks.ts';
import { makeProof } from './moneyProof.ts';

/** Runs with one seed, before the next seed is used. */
const RUNS_A_SEED = 500;
const SHRINKS_MAX_MS = 60_000;

export interface SeedOptions {
  seed: number;
  /** interleavings in all */
  runs: number;
  /** path of fast-check to a failing run of `seed`, which alone is run; empty for all runs */
  path: string;
  /** contained in every plan; undefined for the usual mixture */
  motif?: string | undefined;
  /** difference between successive seeds, if several processes share them */
  stride?: number;
  /** after which no further run begins; undefined for no bound */
  seconds?: number | undefined;
  /** looks for the smallest plan that fails */
  shrinks: boolean;
  /** whether the proof fails if a rare state was not reached */
  needsMarks: boolean;
}

export interface SeedFailure {
  seed: number;
  path: string;
  /** run of all, from 1 */
  run: number;
  invariant: string;
  message: string;
  /** what was done, and when it was interrupted */
  plan: unknown;
  trace: readonly string[];
  replay: string;
}

export interface SeedReport {
  seed: number;
  runs: number;
  steps: number;
  seconds: number;
  /** processor time of this process */
  cpuSeconds: number;
  anHour: number;
  /** how often each rare state was reached */
  marks: Record<string, number>;
  missing: readonly Mark[];
  failure: SeedFailure | null;
}

export const isProven = ({ failure, missing }: SeedReport, { needsMarks }: Pick<SeedOptions, 'needsMarks'>): boolean =>
  !failure && !(needsMarks && missing.length);

interface Proving {
  databaseUrl: string;
  signal?: AbortSignal;
  mutate?: ((control: ControlConnection) => Promise<void>) | undefined;
  onRun?: (runs: number) => void;
}

export async function prove(options: SeedOptions, { databaseUrl, signal, mutate, onRun }: Proving): Promise<SeedReport> {
  await using proof = await makeProof(databaseUrl, { mutate, motif: options.motif });
  const { environment, property } = proof;
  const began = performance.now();
  const cpu = process.cpuUsage();
  let until = began + (options.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
  const isOver = () => performance.now() >= until || signal?.aborted === true;
  let [runs, steps, failedAt] = [0, 0, 0];
  let failure: SeedFailure | null = null;
  let trace: readonly string[] = [];
  const played = property({
    isOver,
    onRun: (hasFailed) => {
      steps += environment.simulation.steps;
      onRun?.(++runs);
      if (hasFailed) trace = environment.simulation.trace;
      // For a while, smaller plans that also fail are searched.
      if (hasFailed && !failedAt) {
        failedAt = runs;
        until = performance.now() + SHRINKS_MAX_MS;
      }
    },
  });
  for (let seed = options.seed; !failure && runs < options.runs && !isOver(); seed += options.stride ?? 1) {
    const found = await fc.check(played, {
      seed,
      path: options.path,
      numRuns: Math.min(RUNS_A_SEED, options.runs - runs),
      endOnFailure: !options.shrinks,
    });
    if (found.failed && found.counterexample) failure = describeFailure(options, found, failedAt, trace);
    if (options.path) break;
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    seed: options.seed,
    runs,
    steps,
    seconds: Math.round(seconds * 10) / 10,
    cpuSeconds: Math.round((user + system) / 100_000) / 10,
    anHour: Math.round((runs / seconds) * 3600),
    marks: environment.marks.counts(),
    missing: environment.marks.missing(),
    failure,
  };
}

function describeFailure(
  { motif }: SeedOptions,
  { seed, counterexamplePath, counterexample, errorInstance }: fc.RunDetails<unknown[]>,
  run: number,
  trace: readonly string[],
): SeedFailure {
  const error = errorInstance as Error;
  const path = counterexamplePath ?? '';
  return {
    seed,
    path,
    run,
    invariant: error instanceof InvariantViolation ? error.invariant : error.name,
    message: error instanceof InvariantViolation ? error.message : String(error.stack),
    plan: counterexample?.[1],
    trace,
    replay: `npm run prove-seed --${motif ? ` --motif ${motif}` : ''} --seed ${seed} --path ${path}`,
  };
}
