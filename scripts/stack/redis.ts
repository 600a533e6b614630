import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { OWNER_ONLY_FILE } from '../../src/core/store/files/modes.ts';
import { shiftedClock } from '../dates/shiftedClock.ts';
import { HOST } from './ports.ts';
import { type ServerProcess, startProcess } from './processes.ts';
import { changeOwner, type RunAs } from './runAs.ts';

const STOP_TIMEOUT_MS = 5_000;
export const REDIS_SILENT_MS = 20_000;
const PING_TIMEOUT_MS = 2_000;

interface RedisServerOptions {
  binary: string;
  dataDir: string;
  logFile: string;
  port: number;
  user: RunAs;
  password: string;
}

/** Starts Redis without persistence. Ready when `pingRedis` says so. */
export function startRedis({ binary, dataDir, logFile, port, user, password }: RedisServerOptions): ServerProcess & { url: string } {
  mkdirSync(dataDir, { recursive: true });
  const secrets = path.join(dataDir, 'redis.conf'); // not in the arguments, which every user of the machine can read
  writeFileSync(secrets, `requirepass ${password}\n`, { mode: OWNER_ONLY_FILE });
  changeOwner(user, dataDir);
  const settings = {
    bind: HOST,
    port: String(port),
    dir: dataDir,
    save: '',
    appendonly: 'no',
    'set-proc-title': 'no', // its command line stays recognisable as ours
  };
  const server = startProcess({
    name: 'Redis',
    command: binary,
    args: [secrets, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])],
    env: { PATH: process.env.PATH, ...shiftedClock },
    cwd: dataDir,
    user,
    logFile,
    readyLine: /Ready to accept connections/,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  return { ...server, url: `redis://:${password}@${HOST}:${port}` };
}

/** Whether a Redis answers, be it with a demand for a password. */
export function pingRedis(url: string): Promise<boolean> {
  const { hostname: host, port, protocol } = new URL(url);
  const address = { host, port: Number(port || 6379), timeout: PING_TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    const socket = protocol === 'rediss:' ? tls.connect(address) : net.connect(address);
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('Redis does not answer')));
    socket.once('close', () => resolve(false));
    socket.once('data', (reply) => {
      resolve(/^(\+PONG|-NOAUTH)/.test(reply.toString()));
      socket.destroy();
    });
    socket.write('PING\r\n');
  });
}
