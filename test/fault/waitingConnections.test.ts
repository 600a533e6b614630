import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../support/http.ts';

const SERVER = path.resolve(import.meta.dirname, '../support/busyServer.ts');
const CONNECTIONS = 1_500;
/** Longer than the process takes until it is busy. */
const BUSY_AFTER_MS = 1_000;
const TURN_MS = 3;
const NEW_CLIENTS = 300;
/** How many the system allows, on Linux. */
const ALLOWED = '/proc/sys/net/core/somaxconn';

describe('A process that is busy', () => {
  let server: ChildProcess;
  before(function () {
    if (!existsSync(ALLOWED) || Number(readFileSync(ALLOWED, 'utf8')) < CONNECTIONS) this.skip();
  });
  afterEach(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  });

  async function start(...args: string[]): Promise<number> {
    server = fork(SERVER, args, { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] });
    const [port] = (await once(server, 'message')) as [number];
    return port;
  }

  it('lets many connections wait, which the system would otherwise drop', async () => {
    const sockets: net.Socket[] = [];
    try {
      const port = await start();
      await sleep(BUSY_AFTER_MS);
      for (let i = 0; i < CONNECTIONS; i++) sockets.push(net.connect(port, '127.0.0.1'));
      await Promise.all(sockets.map((socket) => once(socket, 'connect', { signal: AbortSignal.timeout(20_000) })));
      assert.equal(server.exitCode, null);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it('accepts several connections in each turn of its event loop', async () => {
    const url = `http://127.0.0.1:${await start(String(TURN_MS))}`;
    const answers = await Promise.all(Array.from({ length: NEW_CLIENTS }, () => send(url, '/')));
    const turns = answers.map(({ text }) => Number(text));
    const taken = Math.max(...turns) - Math.min(...turns);
    assert(taken < NEW_CLIENTS / 2, `${taken} turns for ${NEW_CLIENTS} clients`);
  });
});
