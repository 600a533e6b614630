/** `npm run prove-seed`: customers, jobs and kills in an order that a seed decides, on a real Postgres. */
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { makeProgram, wholeNumber } from '../../../src/terminal/program.ts';
import { markdownTable } from '../../../src/terminal/textTable.ts';
import { findOrStartServers, runScript } from '../../stack/index.ts';
import { MOTIFS } from './moneyMotifs.ts';
import { checkDefects, DEFECTS, type Defect, findDefect, plantInModules, plantInSchema } from './planting.ts';
import { proveInChildProcess, proveInParallel } from './processes.ts';
import type { SeedOptions, SeedReport } from './prove.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const RUNS = 1_000;
const ALL = 100_000_000;
const SAID_EVERY = 50;

const EXAMPLES = `
Examples:
  npm run prove-seed                              1,000 interleavings
  npm run prove-seed -- --hours 1 --processes 2   the nightly form: an hour, and fails where a rare state was not reached
  npm run prove-seed -- --seed 7 --path 41        the run again that failed, step by step
  npm run prove-seed -- --defects --seconds 60    puts past defects back, one by one, and says after how many runs each was found
  npm run prove-seed -- --defect pool-not-locked  one of them

What it does: processes of the API and workers run as they are, in one process, on a Postgres schema of their own. Whichever statement is sent
next is decided by the seed, as is when time passes and when a process is killed or frozen; a statement that waits for a lock is put aside.
After each run of pages, documents, exports, look-ups and lost files the books are audited, and every answer is compared with what was charged
and what is held.

Uses DATABASE_URL when set, else the stack that runs here, else servers of its own. Exit code 0: no invariant was broken.`;

interface Options {
  seed: number;
  runs: number | undefined;
  path: string;
  hours: number | undefined;
  seconds: number | undefined;
  stride: number;
  processes: number;
  defect: string | undefined;
  defects: boolean;
  among: string;
  motif: string | undefined;
  json: boolean;
}

function hours(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 48)) throw new InvalidArgumentError('It must be a number above 0, at most 48.');
  return value;
}

const readOptions = () =>
  makeProgram('npm run prove-seed --', 'Proves money and jobs over interleavings that a seed decides.', EXAMPLES)
    .option('--seed <number>', 'the same seed gives the same runs', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--runs <number>', `interleavings; ${RUNS} unless a time is given`, wholeNumber(1, ALL))
    .option('--path <path>', 'the run of the seed that failed', '')
    .option('--hours <number>', 'begins no further run after so long, and needs every rare state', hours)
    .option('--seconds <number>', 'begins no further run, or none with a defect, after so long', wholeNumber(1, 172_800))
    .option('--processes <number>', 'that share the interleavings; each takes every so manieth seed', wholeNumber(1, 64), 1)
    .addOption(new Option('--stride <number>', 'takes every so manieth seed').argParser(wholeNumber(1, 64)).default(1).hideHelp())
    .option('--defect <name>', 'puts a past defect back, which has to be found')
    .option('--defects', 'puts each past defect back, one by one', false)
    .option('--among <text>', 'of the defects those whose names have it', '')
    .addOption(new Option('--motif <name>', 'holds it in every plan').choices(Object.keys(MOTIFS)))
    .option('--json', 'print the result as JSON', false)
    .parse()
    .opts<Options>();

await runScript(async (signal) => {
  const options = readOptions();
  checkDefects();
  await using servers = await findOrStartServers(root, process.env, { signal });
  const { databaseUrl } = servers;
  return options.defects ? await proveDefects(options, databaseUrl) : await proveOnce(options, databaseUrl, signal);
});

async function proveOnce(options: Options, databaseUrl: string, signal: AbortSignal): Promise<number> {
  const { json, seed, stride, path: replayed, motif, processes } = options;
  const defect = options.defect === undefined ? undefined : findDefect(options.defect);
  if (defect) plantInModules(defect);
  const needsMarks = options.hours !== undefined && !defect;
  const wanted = { ...boundsOf(options), seed, stride, path: replayed, motif };
  const report =
    processes > 1 && replayed === ''
      ? await proveInParallel(processes, { ...wanted, ...(defect && { defect: defect.name }) }, { databaseUrl, signal })
      : await proveHere({ ...wanted, shrinks: !defect && !json, needsMarks }, defect, { databaseUrl, signal });
  console.log(json ? JSON.stringify(report, undefined, 2) : reportText(report, defect, replayed !== ''));
  const { isProven } = await import('./prove.ts');
  const isFine = defect ? report.failure !== null : isProven(report, { needsMarks });
  return isFine ? 0 : 1;
}

function boundsOf({ runs, hours: time, seconds }: Options): { runs: number; seconds: number | undefined } {
  const within = seconds ?? (time && time * 3_600);
  return { runs: runs ?? (within === undefined ? RUNS : ALL), seconds: within && Math.ceil(within) };
}

async function proveHere(
  wanted: SeedOptions,
  defect: Defect | undefined,
  { databaseUrl, signal }: { databaseUrl: string; signal: AbortSignal },
): Promise<SeedReport> {
  // Imported only after a defect was planted in the modules.
  const { prove } = await import('./prove.ts');
  const began = Date.now();
  return prove(wanted, {
    databaseUrl,
    signal,
    mutate: defect && ((control) => plantInSchema(defect, control)),
    onRun: (done) => {
      if (done % SAID_EVERY === 0) console.error(`${done} interleavings in ${Math.round((Date.now() - began) / 1000)} s`);
    },
  });
}

function reportText({ failure, marks, missing, ...figures }: SeedReport, defect: Defect | undefined, showsTrace: boolean): string {
  const { runs, steps, seconds, cpuSeconds, anHour } = figures;
  const head = `${runs} interleavings with ${steps} steps in ${seconds} s (${cpuSeconds} s of this process): ${anHour} an hour`;
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

/** Searches each defect in its own process, since it is planted in imported modules. */
async function proveDefects(options: Options, databaseUrl: string): Promise<number> {
  const { seed, among, json } = options;
  const { runs, seconds } = boundsOf(options);
  const found: { defect: Defect; report: SeedReport }[] = [];
  for (const defect of DEFECTS.filter(({ name }) => name.includes(among))) {
    const report = await searchDefect(defect, { seed, runs, seconds }, databaseUrl);
    found.push({ defect, report });
    console.error(`| ${rowOf({ defect, report }).join(' | ')} |`);
  }
  console.log(
    json
      ? JSON.stringify(found, undefined, 2)
      : markdownTable(['Defect', 'What goes wrong', 'Motif', 'Found by run', 'Seed · path', 'Invariant', 's'], found.map(rowOf)),
  );
  return found.every(({ report }) => report.failure) ? 0 : 1;
}

/** Runs a proof with a defect; a run that also fails without the defect does not count. */
async function searchDefect(defect: Defect, bounds: SearchBounds, databaseUrl: string): Promise<SeedReport> {
  const { motif } = defect;
  let { seed, seconds } = bounds;
  let [runs, spent] = [0, 0];
  for (;;) {
    const report = await proveInChildProcess(
      { defect: defect.name, motif, seed, seconds, runs: bounds.runs - runs, path: '' },
      databaseUrl,
    );
    const { failure } = report;
    runs += report.runs;
    spent += report.seconds;
    const whole = { ...report, runs, seconds: Math.round(spent * 10) / 10, failure: failure && { ...failure, run: runs } };
    if (!failure) return whole;
    const without = await proveInChildProcess({ motif, seed: failure.seed, path: failure.path, runs: 1 }, databaseUrl);
    if (!without.failure) return whole;
    console.error(`Without ${defect.name}, too: ${without.failure.replay} breaks an invariant. ${without.failure.message}`);
    seed = failure.seed + 1;
    seconds &&= Math.ceil(seconds - report.seconds);
    if (runs >= bounds.runs || (seconds !== undefined && seconds <= 0)) return { ...whole, failure: null };
  }
}

interface SearchBounds {
  seed: number;
  runs: number;
  seconds: number | undefined;
}

function rowOf({ defect, report: { failure, runs, seconds } }: { defect: Defect; report: SeedReport }): string[] {
  const place = failure ? [String(failure.run), `${failure.seed} · ${failure.path}`, failure.invariant] : [`none of ${runs}`, '', ''];
  return [defect.name, defect.about, defect.motif, ...place, String(seconds)];
}
