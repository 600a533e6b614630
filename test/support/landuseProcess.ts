/** The command line as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { bareEnvironment } from './programs.ts';

const main = path.resolve(import.meta.dirname, '../../src/clients/cli/main.ts');

export interface CommandOutcome {
  /** null if it was killed */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandSettings {
  url: string;
  key: string;
  /** where it runs, and keeps its login */
  folder: string;
  env?: Record<string, string>;
  started?: (child: ChildProcess) => void;
}

export function runLanduse(args: readonly string[], { url, key, folder, env = {}, started }: CommandSettings): Promise<CommandOutcome> {
  const settings = { LANDUSE_URL: url, LANDUSE_KEY: key, XDG_CONFIG_HOME: folder, ...env };
  const child = spawn(process.execPath, [main, ...args], { env: { ...bareEnvironment, ...settings }, cwd: folder });
  started?.(child);
  child.stdin.end();
  const outcome: CommandOutcome = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (bytes) => {
    outcome.stdout += bytes;
  });
  child.stderr.on('data', (bytes) => {
    outcome.stderr += bytes;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code })));
}
