/** Programs that a test starts, with settings of its own and none of the caller's. */
import { type ChildProcess, execFile } from 'node:child_process';
import path from 'node:path';
import { shiftedClock } from '../../scripts/dates/shiftedClock.ts';

const { PATH = '', NODE_COMPILE_CACHE } = process.env;

export const root = path.resolve(import.meta.dirname, '../..');

export const bareEnvironment: Readonly<Record<string, string>> = {
  PATH,
  API_PROCESSES: '1',
  ...shiftedClock,
  ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
};

export interface Output {
  stdout: string;
  stderr: string;
}

/** What a program has written so far, which grows. */
export function outputOf(child: ChildProcess): Output {
  const output: Output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return output;
}

/** Runs a program of the service until it ends. @param file from the root */
export const runProgram = (file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Output & { code: number }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
