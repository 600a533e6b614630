/** Proxies in front of the servers, each in its own thread, which simulate faults of servers and networks. */
import { Worker } from 'node:worker_threads';
import type { ServerUrls } from '../../stack/index.ts';

const PORTS = { elasticsearch: 9200, postgres: 5432, redis: 6379 } as const;
const THREAD = new URL('proxyThread.ts', import.meta.url);

/** The server behind a proxy thread. */
export interface ProxyTarget {
  url: string;
  /** port if the URL has none */
  port: number;
}

/** A command to the `TestProxy` of a thread. */
export interface ProxyCommand {
  id: number;
  action: 'start' | 'stop' | 'freeze' | 'thaw' | 'delay' | 'cutEvery';
  ms?: number | undefined;
}

/** A `TestProxy` in a thread of its own. */
export class ThreadedProxy {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, () => void>();
  #id = 0;
  /** the URL of the server with the address of the proxy */
  url = '';

  constructor(target: ProxyTarget) {
    this.#thread = new Worker(THREAD, { workerData: target });
    this.#thread.unref();
    this.#thread.on('message', ({ id, url }: { id: number; url: string }) => {
      this.url = url;
      this.#waiting.get(id)?.();
      this.#waiting.delete(id);
    });
  }

  #ask(action: ProxyCommand['action'], ms?: number): Promise<void> {
    const id = ++this.#id;
    this.#thread.postMessage({ id, action, ms } satisfies ProxyCommand);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  start = () => this.#ask('start');
  stop = () => this.#ask('stop');
  freeze = () => this.#ask('freeze');
  thaw = () => this.#ask('thaw');
  /** @param ms delay of every answer */
  delay = (ms: number) => this.#ask('delay', ms);
  /** @param ms between two cuts of all connections; 0 for no further ones */
  cutEvery = (ms: number) => this.#ask('cutEvery', ms);

  async end(): Promise<void> {
    await this.stop();
    await this.#thread.terminate();
  }
}

export interface Proxies extends Readonly<Record<keyof typeof PORTS, ThreadedProxy>>, AsyncDisposable {
  /** the servers as they are reached through the proxies */
  urls: ServerUrls;
}

export async function startProxies({ elasticsearchUrl, databaseUrl, redisUrl }: ServerUrls): Promise<Proxies> {
  const elasticsearch = new ThreadedProxy({ url: elasticsearchUrl, port: PORTS.elasticsearch });
  const postgres = new ThreadedProxy({ url: databaseUrl, port: PORTS.postgres });
  const redis = new ThreadedProxy({ url: redisUrl, port: PORTS.redis });
  const all = [elasticsearch, postgres, redis];
  await Promise.all(all.map((proxy) => proxy.start()));
  return {
    elasticsearch,
    postgres,
    redis,
    urls: { elasticsearchUrl: elasticsearch.url, databaseUrl: postgres.url, redisUrl: redis.url },
    [Symbol.asyncDispose]: async () => void (await Promise.all(all.map((proxy) => proxy.end()))),
  };
}
