import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SERVER = path.resolve(import.meta.dirname, '../support/busyServer.ts');
const CONNECTIONS = 1_500;
/** Longer than the process takes until it is busy. */
const BUSY_AFTER_MS = 1_000;
/** How many the system allows, on Linux. */
const ALLOWED = '/proc/sys/net/core/somaxconn';

describe('A process that is busy', function () {
  this.timeout(60_000);
  before(function () {
    if (!existsSync(ALLOWED) || Number(readFileSync(ALLOWED, 'utf8')) < CONNECTIONS) this.skip();
  });

  it('lets many connections wait, which the system would otherwise drop', async () => {
    const server = fork(SERVER, [], { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] });
    const sockets: net.Socket[] = [];
    try {
      const [port] = (await once(server, 'message')) as [number];
      await sleep(BUSY_AFTER_MS);
      for (let i = 0; i < CONNECTIONS; i++) sockets.push(net.connect(port, '127.0.0.1'));
      await Promise.all(sockets.map((socket) => once(socket, 'connect', { signal: AbortSignal.timeout(20_000) })));
      assert.equal(server.exitCode, null);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
  });
});
