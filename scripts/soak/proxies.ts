/** A proxy before each server, in a thread of its own, for what happens to servers and networks. */
import { Worker } from 'node:worker_threads';
import type { ServerUrls } from '../stack/index.ts';

const PORTS = { elasticsearch: 9200, postgres: 5432, redis: 6379 } as const;
const THREAD = new URL('proxyThread.ts', import.meta.url);

/** What a thread stands before. */
export interface ProxyPlace {
  url: string;
  /** of a URL that names none */
  port: number;
}

/** What a `TestProxy` is asked to do. */
export interface Command {
  id: number;
  action: 'start' | 'stop' | 'cut' | 'freeze' | 'thaw' | 'delay';
  delayMs?: number | undefined;
}

/** A `TestProxy` in a thread of its own. */
export class ThreadedProxy {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, () => void>();
  #id = 0;
  port = 0;

  constructor(place: ProxyPlace) {
    this.#thread = new Worker(THREAD, { workerData: place });
    this.#thread.unref();
    this.#thread.on('message', ({ id, port }: { id: number; port: number }) => {
      this.port = port;
      this.#waiting.get(id)?.();
      this.#waiting.delete(id);
    });
  }

  #ask(action: Command['action'], delayMs?: number): Promise<void> {
    const id = ++this.#id;
    this.#thread.postMessage({ id, action, delayMs } satisfies Command);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  start = () => this.#ask('start');
  stop = () => this.#ask('stop');
  cut = () => this.#ask('cut');
  freeze = () => this.#ask('freeze');
  thaw = () => this.#ask('thaw');
  /** @param ms by which every answer comes later */
  delay = (ms: number) => this.#ask('delay', ms);

  async end(): Promise<void> {
    await this.stop();
    await this.#thread.terminate();
  }
}

export interface Proxies extends Readonly<Record<keyof typeof PORTS, ThreadedProxy>> {
  /** where the servers seem to be */
  urls: ServerUrls;
  stop(): Promise<void>;
}

export async function startProxies({ elasticsearchUrl, databaseUrl, redisUrl }: ServerUrls): Promise<Proxies> {
  const before = async (url: string, port: number) => {
    const proxy = new ThreadedProxy({ url, port });
    await proxy.start();
    return proxy;
  };
  const elasticsearch = await before(elasticsearchUrl, PORTS.elasticsearch);
  const postgres = await before(databaseUrl, PORTS.postgres);
  const redis = await before(redisUrl, PORTS.redis);
  const through = (url: string, { port }: ThreadedProxy) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
  return {
    ...{ elasticsearch, postgres, redis },
    urls: {
      elasticsearchUrl: through(elasticsearchUrl, elasticsearch),
      databaseUrl: through(databaseUrl, postgres),
      redisUrl: through(redisUrl, redis),
    },
    stop: async () => {
      await Promise.all([elasticsearch, postgres, redis].map((proxy) => proxy.end()));
    },
  };
}
