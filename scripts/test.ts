import { fork, spawnSync } from 'node:child_process';
import path from 'node:path';
import { UserError } from '../src/terminal/program.ts';
import { seconds } from './stack/errors.ts';
import { type ServerUrls, withServers } from './stack/index.ts';
import { runScript } from './stack/signals.ts';
import { type Counts, summaryLine } from './test/reporter.ts';

// npm test                          types, lint and format, then every test against real servers
// npm test -- test/unit/x.test.ts   these files alone, without the checks, and without servers when all are unit tests
// npm test -- --grep cursor         every option of mocha

const root = path.resolve(import.meta.dirname, '..');
const binary = (name: string) => path.join(root, 'node_modules', '.bin', name);
const CHECKS = [
  { title: 'Types', command: binary('tsc'), args: ['-p', '.'] },
  { title: 'Lint and format', command: binary('biome'), args: ['ci', '--colors=off', '.'] },
];

process.chdir(root);
await runScript(async (signal) => {
  const args = process.argv.slice(2);
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  try {
    if (args.length === 0) for (const check of CHECKS) if (!passes(check)) total.failed++;
    const counts = needsServers(args) ? await testWithServers(args, signal) : await runMocha(args, {}, signal);
    for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key];
  } catch (error) {
    total.failed++;
    const cause = signal.aborted ? signal.reason : error;
    console.error(cause instanceof UserError ? cause.message : cause);
  }
  console.log(`\n${summaryLine(total)}`);
  return total.failed > 0 || signal.aborted ? 1 : 0;
});

function passes({ title, command, args }: (typeof CHECKS)[number]): boolean {
  const started = Date.now();
  const result = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' });
  const succeeded = result.status === 0;
  if (!succeeded) console.log(`${result.stdout}${result.stderr}`.trimEnd());
  console.log(`${title}: ${succeeded ? 'ok' : 'failed'} (${seconds(started)})`);
  return succeeded;
}

function testFiles(args: string[]): string[] {
  return args.filter((arg) => arg.endsWith('.ts') && !arg.startsWith('-'));
}

function needsServers(args: string[]): boolean {
  const files = testFiles(args);
  return files.length === 0 || files.some((file) => !path.relative('test', path.resolve(file)).startsWith('unit'));
}

async function testWithServers(args: string[], signal: AbortSignal): Promise<Counts> {
  const servers = await withServers(root, process.env, { ephemeral: true, log: console.log, signal });
  if (servers.source !== 'started')
    console.log(`Using the servers of ${servers.source === 'running' ? 'the running stack' : 'the environment'}.`);
  void servers.failed.then((failure) => console.error(failure.message));
  try {
    return await runMocha(args, environment(servers), signal);
  } finally {
    await servers.stop();
  }
}

function environment({ elasticsearchUrl, databaseUrl, redisUrl }: ServerUrls): NodeJS.ProcessEnv {
  return { ELASTICSEARCH_URL: elasticsearchUrl, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
}

/** Mocha's settings are the "mocha" entry of package.json. A run that ends badly without a failed test counts as one failure. */
function runMocha(args: string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Counts> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let counts: Counts | undefined;
    const files = testFiles(args).length > 0 ? [] : ['test/**/*.test.ts'];
    const child = fork(binary('mocha'), [...args, ...files], { env: { ...process.env, ...env } });
    child.on('message', (message) => {
      counts = message as Counts;
    });
    signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('error', reject);
    child.once('exit', (code) => {
      const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
      resolve({ passed, skipped, failed: code !== 0 && failed === 0 ? 1 : failed });
    });
  });
}
