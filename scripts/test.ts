import { fork, spawn } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UserError } from '../src/terminal/program.ts';
import { SHORT_LIVED_JAVA } from './stack/elasticsearch.ts';
import { secondsSince } from './stack/errors.ts';
import { findOrStartServers, type ServerUrls } from './stack/index.ts';
import { runScript } from './stack/signals.ts';
import { keepDurations, longestFirst, readDurations } from './test/durations.ts';
import type { TestLaneOptions } from './test/lanes.ts';
import { addCounts, type Counts, summaryLine, zeroCounts } from './test/reporter.ts';
import { flakyText, type RunOutcome, runStages } from './test/runStages.ts';

// npm test                          types, lint and format, then every test against real servers, several files at once (TEST_LANES)
// npm test -- test/unit/x.test.ts   these files alone, without the checks, and without servers when all are unit tests
// npm test -- test/unit/question    those of a folder
// npm test -- --grep cursor         every option of mocha, in one process
// npm run test:all                  as npm test, with more kills, requests and records (test/support/lengths.ts)

const root = path.resolve(import.meta.dirname, '..');
const binary = (name: string) => path.join(root, 'node_modules', '.bin', name);
/** The usual four check what they share four times, beside tests that need the processors. */
const ONE_CHECKER = ['--checkers', '1'];
const CHECKS = [
  { title: 'Types', command: binary('tsc'), args: ['-p', '.', ...ONE_CHECKER] },
  { title: 'Types of the pages', command: binary('tsc'), args: ['-p', 'src/web/app', ...ONE_CHECKER] },
  { title: 'Lint and format', command: binary('biome'), args: ['ci', '--colors=off', '.'] },
];
const ALL_TESTS = 'test/**/*.test.ts';
/** Files that are sensitive to load, since they check times to milliseconds or seconds: they run last, a few at once and beside no other file. */
const QUIET = [
  'test/fault/{billedJobKills,jobOutages,outages,recognisedKeys,searchDeadline}.test.ts',
  'test/integration/http/rateLimit.test.ts',
  'test/integration/jobs/runner.test.ts',
  'test/integration/sync/readAhead.test.ts',
];
/** Processes at once: three more than processors, since a file waits for most of its time. */
const LANES = Number(process.env.TEST_LANES ?? os.availableParallelism() + 3);
const QUIET_LANES = 3;
process.chdir(root);
process.env.ES_JAVA_OPTS ??= SHORT_LIVED_JAVA;
process.env.NODE_COMPILE_CACHE ??= path.join(root, '.stack', 'compile-cache');
await runScript(async (signal) => {
  const args = process.argv.slice(2).flatMap(filesIn);
  const total = zeroCounts();
  let flaky: string[] = [];
  try {
    const outcome = await (needsServers(args) ? testWithServers(args, signal) : runMocha(args, {}, signal));
    addCounts(total, outcome.counts);
    flaky = outcome.flaky;
  } catch (error) {
    total.failed++;
    if (!signal.aborted) console.error(error instanceof UserError ? error.message : error);
  }
  const aborted = signal.aborted ? `\n${signal.reason.message} The run was aborted: what had not ended is not counted.\n` : '';
  console.log(`${flakyText(flaky)}${aborted}\n${summaryLine(total)}`);
  return total.failed > 0 || signal.aborted ? 1 : 0;
});

/** Installs Python packages while servers start and the first files run; the tests that need them wait, so it gets its share of the processors. */
function installPython(set: 'python' | 'connectors', signal: AbortSignal): void {
  const child = spawn(process.execPath, [path.join(root, 'scripts/installPython.mjs'), set], { stdio: 'inherit', signal });
  child.on('error', () => undefined); // ended with the run
}

async function failedChecks(signal: AbortSignal): Promise<number> {
  let failed = 0;
  for (const check of CHECKS) if (!(await passes(check, signal))) failed++;
  return failed;
}

function passes({ title, command, args }: (typeof CHECKS)[number], signal: AbortSignal): Promise<boolean> {
  const started = Date.now();
  const child = spawn(process.execPath, [command, ...args], { signal });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => {
      if (code !== 0) console.log(output.trimEnd());
      console.log(`${title}: ${code === 0 ? 'ok' : 'failed'} (${secondsSince(started)})`);
      resolve(code === 0);
    });
  });
}

/** The test files of a folder; any other argument unchanged. */
function filesIn(arg: string): string[] {
  const isFolder = statSync(arg, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? globSync(path.join(arg, '**/*.test.ts')).sort() : [arg];
}

function testFiles(args: string[]): string[] {
  return args.filter((arg) => arg.endsWith('.ts') && !arg.startsWith('-'));
}

function needsServers(args: string[]): boolean {
  const files = testFiles(args);
  return files.length === 0 || files.some((file) => !path.relative('test', path.resolve(file)).startsWith('unit'));
}

async function testWithServers(args: string[], signal: AbortSignal): Promise<RunOutcome> {
  const checks = args.length === 0 ? failedChecks(signal) : Promise.resolve(0);
  checks.catch(() => {}); // awaited below
  installPython('python', signal);
  if (args.length === 0) installPython('connectors', signal);
  await using servers = await findOrStartServers(root, process.env, { ephemeral: true, inMemory: true, log: console.log, signal });
  if (servers.source !== 'started')
    console.log(`Using the servers of ${servers.source === 'running' ? 'the running stack' : 'the environment'}.`);
  void servers.failed.then((failure) => console.error(failure.message));
  const env = environment(servers);
  const options = { lastAfter: checks, env: { ...process.env, ...env }, signal };
  const outcome = await (args.length === 0 ? testAll(options) : runMocha(args, env, signal));
  if (outcome.counts.failed > 0 && servers.source === 'started')
    console.log(
      '\nWhat failed tests left is removed with these servers: to look at it, start some (npm run stack) and run a failed file again.',
    );
  outcome.counts.failed += await checks;
  return outcome;
}

function environment({ elasticsearchUrl, databaseUrl, redisUrl }: ServerUrls): NodeJS.ProcessEnv {
  return { ELASTICSEARCH_URL: elasticsearchUrl, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
}

/** Every test file in two stages, of which the second has the quiet ones. */
async function testAll(options: Omit<TestLaneOptions, 'report'>): Promise<RunOutcome> {
  const durations = readDurations(root);
  const quiet = globSync(QUIET);
  const others = globSync(ALL_TESTS).filter((file) => !quiet.includes(file));
  const stages = [
    { files: longestFirst(others, durations), lanes: LANES },
    { files: longestFirst(quiet, durations), lanes: Math.min(LANES, QUIET_LANES) },
  ];
  const outcome = await runStages(stages, options);
  if (!options.signal.aborted) keepDurations(root, { ...durations, ...outcome.seconds });
  return outcome;
}

/** Runs mocha, whose settings are in package.json. A run that fails without a failed test counts as one failure. */
function runMocha(args: string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let counts: Counts | undefined;
    const files = testFiles(args).length > 0 ? [] : [ALL_TESTS];
    const child = fork(binary('mocha'), [...args, ...files], { env: { ...process.env, ...env } });
    child.on('message', (message) => {
      counts = message as Counts;
    });
    signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('error', reject);
    child.once('exit', (code) => {
      const { passed, failed, skipped } = counts ?? zeroCounts();
      resolve({ counts: { passed, skipped, failed: code !== 0 && failed === 0 ? 1 : failed }, flaky: [], seconds: {} });
    });
  });
}
