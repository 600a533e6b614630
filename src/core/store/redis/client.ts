/** The Redis client of this product: a stopped server is noticed within milliseconds, and it reconnects by itself. Callers limit their waits. */
import { Redis } from 'ioredis';
import type { Watch } from '../callWatch.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/** A connection without an answer for this long is dropped and replaced; longer than any pause of this process, for which Redis is not to blame. */
const SOCKET_TIMEOUT_MS = 5_000;
const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 500;

interface RedisOptions {
  url: string;
  /** factor on the timeouts of connections and answers, 1 by default */
  patience?: number;
  /** called for every failed connection, repeatedly while Redis is unreachable */
  onError?: (error: Error) => void;
  watch?: Watch | undefined;
}

/**
 * A client that neither queues commands while disconnected nor sends a command twice. It connects in the background, and commands before
 * that fail: callers that need Redis at their start await `waitForRedis`.
 */
export function makeRedis({ url, patience = 1, onError, watch }: RedisOptions): Redis {
  const client = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS * patience,
    socketTimeout: SOCKET_TIMEOUT_MS * patience,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(RECONNECT_MIN_MS * attempt, RECONNECT_MAX_MS),
  });
  client.on('error', (error) => onError?.(error));
  joinWrites(client);
  if (watch) watchCommands(client, watch);
  return client;
}

/**
 * Writes all commands of one turn of the event loop at once: each write costs as much processor time as writing an answer, since it wakes
 * Redis. Unlike the client's pipelines, this neither delays a command until others are answered nor changes how scripts are loaded.
 */
function joinWrites(client: Redis): void {
  const send = client.sendCommand.bind(client);
  let joining = false;
  client.sendCommand = (command, stream) => {
    const { stream: socket } = client;
    if (!joining && socket?.writable) {
      joining = true;
      socket.cork();
      setImmediate(() => {
        joining = false;
        socket.uncork();
      });
    }
    return send(command, stream);
  };
}

function watchCommands(client: Redis, watch: Watch): void {
  const send = client.sendCommand.bind(client);
  client.sendCommand = (command, stream) => {
    const end = watch(command.name);
    command.promise.then(
      () => end('ok'),
      (error: Error) => end(error.name === 'ReplyError' ? 'refused' : 'failed'),
    );
    return send(command, stream);
  };
}

/** Resolves with true once the client is connected, or with false after the timeout. */
export async function waitForRedis(client: Redis, timeoutMs: number): Promise<boolean> {
  const until = Date.now() + timeoutMs;
  while (client.status !== 'ready') {
    if (Date.now() >= until || client.status === 'end') return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}
