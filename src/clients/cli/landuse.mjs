#!/usr/bin/env node
// The binary: the command line on the Node that is brought along, whatever Node the machine has. Its arguments, streams and exit code are passed on.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const brought = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));
const run = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url));
const child = spawn(existsSync(brought) ? brought : process.execPath, [run, 'src/clients/cli/main.ts', ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // by the last the command learns that this process was killed
});
// Ctrl-C on a terminal reaches the child by itself; a second one would end it before it has said where it stopped.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 2 : 1);
});
