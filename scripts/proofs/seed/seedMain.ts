/** `npm run prove-seed`: customers, jobs, loads and kills in an order that a seed decides, on a real Postgres. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { makeProgram, wholeNumber } from '../../../src/terminal/program.ts';
import { markdownTable } from '../../../src/terminal/table.ts';
import { runScript, withServers } from '../../stack/index.ts';
import { DEFECTS, type Defect } from './defects.ts';
import { checkDefects, findDefect, plantInModules, plantInSchema } from './planting.ts';
import type { ProofName } from './proofs.ts';
import type { SeedReport } from './prove.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const RUNS = 1_000;
const ALL = Number.MAX_SAFE_INTEGER;
const SAID_EVERY = 50;
const PROOF_NAMES: readonly ProofName[] = ['money', 'sync'];

const EXAMPLES = `
Examples:
  npm run prove-seed                              1,000 interleavings
  npm run prove-seed -- --hours 1                 the nightly form: an hour, and fails where a rare state was not reached
  npm run prove-seed -- --proof money --seed 7 --path 41
                                                  the run again that failed, step by step
  npm run prove-seed -- --defects                 puts past defects back, one by one, and says after how many runs each was found
  npm run prove-seed -- --defect pool-not-locked  one of them

What it does: processes of the API, workers and a loader run as they are, in one process, on a Postgres schema of their own. Whichever statement is sent
next is decided by the seed, as is when time passes and when a process is killed or frozen; a statement that waits for a lock is put aside.
money: pages, documents, exports, look-ups and lost files; after each run the books are audited, and every answer is compared with what was charged
and what is held. sync: copies kept by walks while loads and rollbacks are published over indices in memory; each copy ends as what is served.

Uses DATABASE_URL when set, else the stack that runs here, else servers of its own. Exit code 0: no invariant was broken.`;

interface Options {
  proof: ProofName | undefined;
  seed: number;
  runs: number | undefined;
  path: string;
  hours: number | undefined;
  defect: string | undefined;
  defects: boolean;
  json: boolean;
}

function hours(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 48)) throw new InvalidArgumentError('It must be a number above 0, at most 48.');
  return value;
}

const readOptions = () =>
  makeProgram('npm run prove-seed --', 'Proves money and jobs over interleavings that a seed decides.', EXAMPLES)
    .addOption(new Option('--proof <name>', 'one of the two; both, one after the other, unless given').choices(PROOF_NAMES))
    .option('--seed <number>', 'the same seed gives the same runs', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--runs <number>', `interleavings; ${RUNS} unless --hours is given`, wholeNumber(1, 100_000_000))
    .option('--path <path>', 'the run of the seed that failed', '')
    .option('--hours <number>', 'begins no further run after so long', hours)
    .option('--defect <name>', 'puts a past defect back, which has to be found')
    .option('--defects', 'puts each past defect back, one by one', false)
    .option('--json', 'print the result as JSON', false)
    .parse()
    .opts<Options>();

await runScript(async (signal) => {
  const options = readOptions();
  checkDefects();
  const servers = await withServers(root, process.env, { ephemeral: true, log: console.error, signal });
  try {
    const { databaseUrl } = servers;
    return options.defects ? await proveDefects(options, databaseUrl) : await proveOnce(options, databaseUrl, signal);
  } finally {
    await servers.stop();
  }
});

async function proveOnce(options: Options, databaseUrl: string, signal: AbortSignal): Promise<number> {
  const { seed, path: of, hours: time, json } = options;
  const defect = options.defect === undefined ? undefined : findDefect(options.defect);
  if (defect) plantInModules(defect);
  const { isProven, prove } = await import('./prove.ts');
  const named = defect?.proof ?? options.proof;
  const proofs = named ? [named] : PROOF_NAMES;
  const runs = options.runs ?? (time === undefined ? RUNS : ALL);
  const needsMarks = time !== undefined && !defect;
  const reports: SeedReport[] = [];
  for (const proof of proofs) {
    const began = Date.now();
    const wanted = { proof, seed, runs, path: of, hours: time && time / proofs.length, shrinks: !defect, needsMarks };
    const report = await prove(wanted, {
      databaseUrl,
      signal,
      mutate: defect && ((control) => plantInSchema(defect, control)),
      onRun: (done) => {
        if (done % SAID_EVERY === 0) console.error(`${proof}: ${done} interleavings in ${Math.round((Date.now() - began) / 1000)} s`);
      },
    });
    reports.push(report);
    if (!json) console.log(reportText(report, defect, of !== ''));
  }
  if (json) console.log(JSON.stringify(defect ? reports[0] : reports, undefined, 2));
  const isFine = defect ? reports[0]?.failure !== null : reports.every((report) => isProven(report, { needsMarks }));
  return isFine ? 0 : 1;
}

function reportText({ failure, marks, missing, ...figures }: SeedReport, defect: Defect | undefined, showsTrace: boolean): string {
  const { proof, runs, steps, seconds, cpuSeconds, anHour } = figures;
  const head = `${proof}: ${runs} interleavings with ${steps} steps in ${seconds} s (${cpuSeconds} s of this process): ${anHour} an hour`;
  if (!failure) {
    const table = markdownTable(
      ['Rare state', 'Reached'],
      Object.entries(marks).map(([mark, count]) => [mark, String(count)]),
    );
    const lack = missing.length ? `Not reached: ${missing.join(' · ')}` : 'Every rare state was reached.';
    return [head, table, lack, defect ? `The defect ${defect.name} was not found.` : 'No invariant was broken.'].join('\n\n');
  }
  const found = `Run ${failure.run} breaks an invariant. ${failure.message}`;
  const trace = showsTrace ? failure.trace : failure.trace.slice(-30);
  return [
    head,
    found,
    JSON.stringify(failure.plan),
    trace.join('\n'),
    `Again: ${failure.replay}${defect ? ` --defect ${defect.name}` : ''}`,
  ].join('\n\n');
}

/** Each defect in a process of its own, since it is in the modules that the process imports. */
async function proveDefects({ seed, runs = RUNS, hours: time, json }: Options, databaseUrl: string): Promise<number> {
  const found: { defect: Defect; report: SeedReport }[] = [];
  for (const defect of DEFECTS) {
    const report = await proveApart(
      defect,
      ['--seed', String(seed), '--runs', String(runs), ...(time ? ['--hours', String(time)] : [])],
      databaseUrl,
    );
    found.push({ defect, report });
    const { failure } = report;
    console.error(
      `${defect.name}: ${failure ? `run ${failure.run} (--seed ${failure.seed} --path ${failure.path}), ${failure.invariant}` : `not found in ${report.runs} runs`}`,
    );
  }
  const rows = found.map(({ defect, report: { failure, runs: done, seconds } }) => [
    ...[defect.name, defect.about],
    ...(failure ? [String(failure.run), `${failure.seed} · ${failure.path}`, failure.invariant] : [`none of ${done}`, '', '']),
    String(seconds),
  ]);
  console.log(
    json
      ? JSON.stringify(found, undefined, 2)
      : markdownTable(['Defect', 'What goes wrong', 'Found by run', 'Seed · path', 'Invariant', 's'], rows),
  );
  return found.every(({ report }) => report.failure) ? 0 : 1;
}

async function proveApart({ name }: Defect, args: readonly string[], databaseUrl: string): Promise<SeedReport> {
  const child = spawn(process.execPath, [import.meta.filename, '--defect', name, '--json', ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = (await child.stdout.toArray()).join('');
  if (!text.startsWith('{')) throw new Error(`The proof with ${name} ended without a report`);
  return JSON.parse(text);
}
