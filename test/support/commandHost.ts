/** Runs commands one after the other in a process that has imported their modules already: most of a short command's time is that import. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Output, root, runProgram } from './programs.ts';

const CHILD = fileURLToPath(new URL('commandHostChild.ts', import.meta.url));

export interface Ended extends Output {
  code: number;
}

export interface HostedCommand {
  /** from the root */
  file: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** the root unless set */
  cwd?: string;
  /** its output is a terminal's */
  terminal?: boolean;
}

let host: ChildProcess | undefined;
let isBusy = false;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command as a process of its own would run it, and checks that it leaves nothing open, so that such a process would end. Of commands at
 * the same time, the others get a process each. Not for commands that a test kills or talks to.
 */
export async function runHosted(command: HostedCommand): Promise<Ended> {
  if (isBusy) return runProgram(command.file, command.args, command.env);
  isBusy = true;
  try {
    const { problem, ...ended } = await askHost(command);
    if (problem) throw new Error(`${command.file} ${command.args.join(' ')}: ${problem}\n${ended.stderr}`);
    return ended;
  } finally {
    isBusy = false;
  }
}

/** The same, but commands at the same time wait for each other. */
export function runInTurn(command: HostedCommand): Promise<Ended> {
  const turn = last.then(() => runHosted(command));
  last = turn.catch(() => undefined);
  return turn;
}

async function askHost(command: HostedCommand): Promise<Ended & { problem?: string }> {
  const child =
    host && host.exitCode === null && host.signalCode === null
      ? host
      : fork(CHILD, { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  host = child;
  child.ref();
  child.channel?.ref();
  const settled = new AbortController();
  const answer = once(child, 'message', settled).then(([ended]) => ended);
  const death = once(child, 'exit', settled).then(([code]) => {
    throw new Error(`${command.file} ended its process with ${code}`);
  });
  child.send(command);
  try {
    return await Promise.race([answer, death]);
  } finally {
    settled.abort();
    await Promise.allSettled([answer, death]);
    child.unref(); // it ends with this process
    child.channel?.unref();
  }
}
