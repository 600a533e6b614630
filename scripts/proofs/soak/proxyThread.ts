/** The thread of one proxy. The proof itself checks answers and compares copies, which would delay every message of a server by tenths of a second. */
import { parentPort, workerData } from 'node:worker_threads';
import { TestProxy } from '../../lib/proxy.ts';
import type { ProxyCommand, ProxyTarget } from './proxies.ts';

const { url, port } = workerData as ProxyTarget;
const proxy = new TestProxy(url, port);

parentPort?.on('message', async ({ id, action, delayMs = 0 }: ProxyCommand) => {
  if (action === 'delay') proxy.delayMs = delayMs;
  else await proxy[action]();
  parentPort?.postMessage({ id, url: proxy.url });
});
