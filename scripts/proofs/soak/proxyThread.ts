/** The thread of one proxy. In the main thread, checking answers and comparing copies would delay each message by tenths of a second. */
import { parentPort, workerData } from 'node:worker_threads';
import { TestProxy } from '../../lib/proxy.ts';
import type { ProxyCommand, ProxyTarget } from './proxies.ts';

const { url, port } = workerData as ProxyTarget;
const proxy = new TestProxy(url, port);
let cutting: NodeJS.Timeout | undefined;

parentPort?.on('message', async ({ id, action, ms = 0 }: ProxyCommand) => {
  if (action === 'delay') proxy.delayMs = ms;
  else if (action === 'cutEvery') {
    clearInterval(cutting);
    cutting = ms ? setInterval(() => proxy.cut(), ms) : undefined;
  } else await proxy[action]();
  parentPort?.postMessage({ id, url: proxy.url });
});
