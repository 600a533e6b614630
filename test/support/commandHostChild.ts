/** The process of `commandHost.ts`: imports the main module of each command anew, and what it imports once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended, HostedCommand } from './commandHost.ts';

/** Longer than a connection takes to close. */
const CLOSED_WITHIN_MS = 10_000;
const LOOK_MS = 2;
const ROOT = process.cwd();
let runs = 0;
/** What the command had written when it ended its process, as for help or a wrong option; what it does behind that is none of its doing. */
let exited: Ended | undefined;
const written = { stdout: '', stderr: '' };

process.on('message', async (command: HostedCommand) => process.send?.(await runCommand(command)));
process.once('disconnect', process.exit.bind(process, 0));
for (const emitter of [process, process.stdout]) emitter.setMaxListeners(0); // those of earlier commands stay
process.exit = (code) => {
  exited ??= { code: Number(code), ...written };
  throw new Error(`It has ended with ${code}`);
};
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = (chunk: unknown, ...rest: unknown[]) => {
    written[name] += chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    done?.();
    return true;
  };

async function runCommand({ file, args, env, cwd, terminal }: HostedCommand): Promise<Ended & { problem?: string }> {
  const main = new URL(`../../${file}`, import.meta.url);
  process.env = { ...env };
  process.argv = [process.execPath, main.pathname, ...args];
  process.chdir(cwd ?? ROOT);
  Object.assign(process.stdout, { isTTY: terminal, columns: undefined });
  process.stderr.isTTY = false;
  process.exitCode = undefined;
  exited = undefined;
  Object.assign(written, { stdout: '', stderr: '' });
  const open = countOpen();
  try {
    await import(`${main.href}?run=${++runs}`);
    for (const until = Date.now() + CLOSED_WITHIN_MS; countOpen() > open; await sleep(LOOK_MS).catch(() => undefined))
      if (Date.now() > until)
        return { code: 1, ...written, problem: `it left something open: ${process.getActiveResourcesInfo().join(', ')}` };
  } catch (error) {
    process.exitCode = 1;
    written.stderr += `${error instanceof Error ? error.stack : error}\n`;
  }
  process.channel?.ref(); // commands give it up, so that it does not keep a process of theirs
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return exited ?? { code, ...written };
}

/** What keeps the process alive, but for timers of this module. */
const countOpen = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout').length;
