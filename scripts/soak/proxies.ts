/** A proxy before each server, for what happens to servers and networks. */

import { TestProxy } from '../lib/proxy.ts';
import type { ServerUrls } from '../stack/index.ts';

const PORTS = { elasticsearch: 9200, postgres: 5432, redis: 6379 } as const;

export interface Proxies extends Readonly<Record<keyof typeof PORTS, TestProxy>> {
  /** where the servers seem to be */
  urls: ServerUrls;
  stop(): Promise<void>;
}

export async function startProxies({ elasticsearchUrl, databaseUrl, redisUrl }: ServerUrls): Promise<Proxies> {
  const before = async (url: string, port: number) => {
    const proxy = new TestProxy(url, port);
    await proxy.start();
    return proxy;
  };
  const elasticsearch = await before(elasticsearchUrl, PORTS.elasticsearch);
  const postgres = await before(databaseUrl, PORTS.postgres);
  const redis = await before(redisUrl, PORTS.redis);
  const through = (url: string, { port }: TestProxy) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;
  return {
    ...{ elasticsearch, postgres, redis },
    urls: {
      elasticsearchUrl: through(elasticsearchUrl, elasticsearch),
      databaseUrl: through(databaseUrl, postgres),
      redisUrl: through(redisUrl, redis),
    },
    stop: async () => {
      await Promise.all([elasticsearch, postgres, redis].map((proxy) => proxy.stop()));
    },
  };
}
