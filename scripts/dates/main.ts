/** `npm run test:dates`: the tests on later dates. */
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { listOf, makeProgram, UserError, wholeNumber } from '../../src/terminal/program.ts';
import { findStack } from '../stack/find.ts';
import { makeReachableFolder, serverUser } from '../stack/runAs.ts';
import { runScript } from '../stack/signals.ts';

const EXAMPLES = `
Examples:
  npm run test:dates                            every test on each of the three dates, with servers of its own
  npm run test:dates -- test/unit               a folder or some files
  npm run test:dates -- --dates 800,leap test/fault/exportStores.test.ts

Ahead are the date of every process of the tests, of the browser and of the servers, and the times of files.
Not ahead are timers and the clock of the kernel: programs that ask it without the C library, such as esbuild, see the machine's date.
`;
const LEAP = 'leap';
const USUAL = ['40', '400', LEAP];
const DAY_MS = 86_400_000;
const DAYS_MOST = 36_500;
const root = path.resolve(import.meta.dirname, '../..');

interface Shift {
  title: string;
  aheadMs: number;
}

await runScript(async (signal) => {
  const program = makeProgram('npm run test:dates --', 'Runs "npm test" on later dates.', EXAMPLES)
    .addOption(
      new Option('--dates <list>', `days ahead, and "${LEAP}" for the next 29 February`)
        .argParser(listOf(readShift))
        .default(USUAL.map(readShift), USUAL.join()),
    )
    .argument('[arguments...]', 'passed to npm test')
    .allowUnknownOption()
    .parse();
  if (await findStack(root)) throw new UserError('The servers of "npm run stack" have the machine\'s date: stop them first.');
  using closing = new DisposableStack();
  const folder = closing.adopt(makeReachableFolder(serverUser()), (made) => rmSync(made, { recursive: true }));
  const library = compileClock(folder);
  const failed: string[] = [];
  for (const shift of program.opts<{ dates: Shift[] }>().dates) {
    console.log(`\n${shift.title}:`);
    if (!(await passesTests(program.args, library, shift.aheadMs, signal))) failed.push(shift.title);
    signal.throwIfAborted();
  }
  console.log(failed.length ? `\nFailed: ${failed.join('; ')}` : '\nPassed on every date');
  return failed.length ? 1 : 0;
});

function readShift(text: string): Shift {
  const now = Date.now();
  const aheadMs = text === LEAP ? nextLeapNoon(now) - now : readDays(text) * DAY_MS;
  return { title: `On ${new Date(now + aheadMs).toISOString().slice(0, 10)}`, aheadMs };
}

function readDays(text: string): number {
  try {
    return wholeNumber(1, DAYS_MOST)(text);
  } catch {
    throw new InvalidArgumentError(`'${text}' is neither a number of days nor "${LEAP}".`);
  }
}

/** Noon, so that a long run does not leave the day. */
function nextLeapNoon(now: number): number {
  for (let year = new Date(now).getUTCFullYear(); ; year++) {
    const noon = new Date(Date.UTC(year, 1, 29, 12));
    if (noon.getUTCDate() === 29 && noon.getTime() > now) return noon.getTime();
  }
}

/** @returns path of the library */
function compileClock(folder: string): string {
  if (process.platform !== 'linux') throw new UserError('Clocks can be shifted on Linux only.');
  const library = path.join(folder, 'shiftedClock.so');
  const source = path.join(import.meta.dirname, 'shiftedClock.c');
  const { status, stderr, error } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { encoding: 'utf8' });
  if (status === 0) return library;
  throw new UserError(`A C compiler is needed (on Debian "apt-get install gcc libc6-dev"): ${error?.message ?? stderr}`);
}

function passesTests(args: readonly string[], library: string, aheadMs: number, signal: AbortSignal): Promise<boolean> {
  const clock = { LD_PRELOAD: library, CLOCK_SHIFT_SECONDS: String(Math.round(aheadMs / 1000)) };
  const ownServers = { ELASTICSEARCH_URL: '', DATABASE_URL: '', REDIS_URL: '' };
  const child = spawn(process.execPath, [path.join(root, 'scripts/test.ts'), ...args], {
    cwd: root,
    env: { ...process.env, ...clock, ...ownServers },
    stdio: 'inherit',
  });
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => resolve(code === 0));
  });
}
