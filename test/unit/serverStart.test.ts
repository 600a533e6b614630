import assert from 'node:assert/strict';
import path from 'node:path';
import { ServerFailed } from '../../scripts/stack/errors.ts';
import { type ServerProcess, startProcess, untilReady } from '../../scripts/stack/processes.ts';
import { newFolder } from '../support/folder.ts';

const SILENT_MS = 2_500;
const never = new AbortController().signal;

describe('A server that is started', () => {
  const folder = newFolder('starting');
  let server: ServerProcess;
  afterEach(() => server.stop());

  /** Starts a program that listens when it prints `ready`, and waits for it. @returns the lines printed meanwhile, and the milliseconds */
  async function start(program: string) {
    server = startProcess({
      name: 'The server',
      command: process.execPath,
      args: ['-e', program],
      env: {},
      cwd: folder,
      user: { ids: {}, name: '' },
      logFile: path.join(folder, 'log'),
      readyLine: /ready/,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 1_000,
    });
    const began = Date.now();
    const error = await untilReady(server, async () => true, SILENT_MS, never).catch((failure: unknown) => failure);
    return { error, ms: Date.now() - began };
  }

  for (const [how, work] of [
    ['writes to its log', 'setInterval(() => console.log("opening files"), 500); setTimeout(() => console.log("ready"), 6_000)'],
    ['uses processor time', 'for (const end = Date.now() + 6_000; Date.now() < end; ); console.log("ready"); setInterval(() => {}, 1_000)'],
  ])
    it(`is awaited for longer than a silence while it ${how}`, async () => {
      const { error, ms } = await start(work as string);
      assert.equal(error, undefined);
      assert.ok(ms > SILENT_MS);
    });

  it('is given up when it does nothing, with the end of its log', async () => {
    const { error } = await start('console.log("waiting for nothing"); setInterval(() => {}, 10_000)');
    assert.ok(error instanceof ServerFailed);
    assert.match(
      error.message,
      /^The server was not ready after .*, and did nothing in the last 2\.5 s\. The end of its log:\n {2}\| waiting for nothing$/,
    );
  });

  it('is given up at once when it ends', async () => {
    const { error, ms } = await start('console.log("bad settings"); process.exitCode = 1');
    assert.ok(error instanceof ServerFailed);
    assert.match(error.message, /^The server ended while starting\. The end of its log:\n {2}\| bad settings$/);
    assert.ok(ms < SILENT_MS);
  });
});
