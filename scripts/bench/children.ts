/** The product's own programs as child processes, so that their memory and processor time can be told from the benchmark's. */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { UserError } from '../../src/terminal/program.ts';
import type { Usage } from './usageProbe.ts';

const root = path.resolve(import.meta.dirname, '../..');
const PROBE = path.join(import.meta.dirname, 'usageProbe.ts');

export type ChildEnvironment = Record<string, string>;

/** Starts a program of the project with exactly the settings given, none of the caller's. */
export function startChild(
  program: string,
  args: readonly string[],
  env: ChildEnvironment,
  nodeOptions: readonly string[] = [],
): ChildProcess {
  return fork(path.join(root, program), [...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
    execArgv: [...nodeOptions, '--import', PROBE],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

/** What the child has used so far. */
export function usageOf(child: ChildProcess): Promise<Usage> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new UserError('A process under measurement ended early; its message stands above.'));
    child.once('exit', gone);
    child.once('message', (usage) => {
      child.off('exit', gone);
      resolve(usage as Usage);
    });
    child.send('usage');
  });
}

/** Everything the child printed, once it has ended well. @throws UserError when it ended otherwise */
export async function outputOf(child: ChildProcess, signal: AbortSignal): Promise<string> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  const code = await new Promise((resolve) => child.once('close', resolve));
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code !== 0)
    throw new UserError(`${path.basename(child.spawnargs[2] ?? 'A child')} ended with code ${code}; its message stands above.`);
  return output;
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
