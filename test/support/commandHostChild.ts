/** The process of `commandHost.ts`: imports the main module of each command anew, and what it imports once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostedCommand } from './commandHost.ts';

/** Longer than a connection takes to close. */
const CLOSED_WITHIN_MS = 10_000;
const LOOK_MS = 2;
let runs = 0;

process.on('message', async (command: HostedCommand) => process.send?.(await runCommand(command)));
process.once('disconnect', () => process.exit());

async function runCommand({ file, args, env }: HostedCommand) {
  const main = new URL(`../../${file}`, import.meta.url);
  process.env = { ...env };
  process.argv = [process.execPath, main.pathname, ...args];
  process.exitCode = undefined;
  const open = countOpen();
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  let problem: string | undefined;
  try {
    await import(`${main.href}?run=${++runs}`);
    for (const until = Date.now() + CLOSED_WITHIN_MS; countOpen() > open; await sleep(LOOK_MS).catch(() => undefined))
      if (Date.now() > until) {
        problem = `it left something open: ${process.getActiveResourcesInfo().join(', ')}`;
        break;
      }
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, stdout: stdout(), stderr: stderr(), problem };
}

/** What keeps the process alive, but for timers of this module. */
const countOpen = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout').length;

/** @returns a function that ends the capture and returns the text */
function capture(stream: NodeJS.WriteStream): () => string {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: unknown, ...rest: unknown[]) => {
    text += chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk);
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    done?.();
    return true;
  };
  return () => {
    stream.write = write;
    return text;
  };
}
