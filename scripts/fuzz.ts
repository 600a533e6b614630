import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readDemoKeys } from './demo/accounts.ts';

// npm run fuzz                      schemathesis against the demo, which has to run with its rate limits lifted
// npm run fuzz -- --max-examples 50 every option of "schemathesis run"
// FUZZ_URL, FUZZ_KEY                another service and a key of it
//
// It mints, rotates and revokes keys of the account: use none that matters. Needs Python 3 with venv.

const SCHEMATHESIS = 'schemathesis==4.32.5';
const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, '.stack', 'fuzz');
const inVenv = (name: string) => path.join(folder, 'bin', name);

/** @throws Error where the program is missing or ends badly */
function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: path.dirname(folder) });
  if (error) throw new Error(`${command} could not be started: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

function install(): void {
  if (existsSync(inVenv('schemathesis'))) return;
  run('python3', ['-m', 'venv', folder]);
  run(inVenv('pip'), ['install', '--quiet', SCHEMATHESIS]);
}

/** Places where only one operation would end the run: the key that is sent, replaced or revoked. */
const ENDING = ['revokeKey', 'rotateKey', 'reassignKey'];

/**
 * Not checked: that every request which suits the schemas is accepted. Rules between parameters, such as two dates that contradict each other,
 * stand in no schema.
 */
const UNCHECKED = 'positive_data_acceptance';

const url = process.env.FUZZ_URL ?? 'http://localhost:8080';
const key = process.env.FUZZ_KEY ?? readDemoKeys(root).national;
try {
  if (!key) throw new Error('There is no key: run "npm run demo" first, or set FUZZ_URL and FUZZ_KEY');
  install();
  const excluded = ENDING.flatMap((id) => ['--exclude-operation-id', id]);
  const checks = ['--checks', 'all', '--exclude-checks', UNCHECKED, '--header', `X-API-Key: ${key}`, ...excluded];
  run(inVenv('schemathesis'), ['run', `${url}/openapi.json`, '--url', url, '--continue-on-failure', ...checks, ...process.argv.slice(2)]);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
