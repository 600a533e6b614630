/** The thread of one proxy. In the main thread, checking answers and comparing copies would delay each message by tenths of a second. */
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
