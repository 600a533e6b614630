/** The thread of one proxy. The soak itself checks answers and compares copies, which would hold up every message of a server for tenths of a second. */
import { parentPort, workerData } from 'node:worker_threads';
import { TestProxy } from '../lib/proxy.ts';
import type { Command, ProxyPlace } from './proxies.ts';

const { url, port } = workerData as ProxyPlace;
const proxy = new TestProxy(url, port);

async function done({ action, delayMs = 0 }: Command): Promise<void> {
  if (action === 'delay') proxy.delayMs = delayMs;
  else await proxy[action]();
}

parentPort?.on('message', async (command: Command) => {
  await done(command);
  parentPort?.postMessage({ id: command.id, port: proxy.port });
});
