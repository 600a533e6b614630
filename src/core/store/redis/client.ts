/** Redis as this product uses it: a server that is gone is noticed in milliseconds, a frozen one within a second, both heal alone. */
import { Redis } from 'ioredis';
import type { Watch } from '../watch.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/** A connection that owes an answer for this long is dropped and replaced. */
const SOCKET_TIMEOUT_MS = 1_000;
const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 500;

interface RedisOptions {
  url: string;
  /** factor on the waits for connections and answers, 1 unless set */
  patience?: number;
  /** hears of every failed connection; they repeat while Redis is away */
  onError?: (error: Error) => void;
  watch?: Watch | undefined;
}

/**
 * A client that never queues while Redis is away and never sends a command twice.
 * It connects in the background: a command before that fails, so callers that need Redis at start await `redisReady`.
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
  if (watch) watchCommands(client, watch);
  return client;
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

/** Resolves with true once the client can serve, with false after the wait. */
export async function redisReady(client: Redis, timeoutMs: number): Promise<boolean> {
  const until = Date.now() + timeoutMs;
  while (client.status !== 'ready') {
    if (Date.now() >= until || client.status === 'end') return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return true;
}
