/** `npm run worker`: works on queued jobs, with the settings of the environment. */

import { composeServiceWorker } from './app.ts';
import { prepareMetrics } from './operate/metrics/prepareMetrics.ts';
import { startProcess } from './startProcess.ts';

await startProcess(async (config, log) => {
  const metrics = await prepareMetrics(config, log);
  const worker = composeServiceWorker(config, log, () => new Date(), {}, metrics.observers);
  const stop = (graceMs?: number) => worker.stop(graceMs).then(() => metrics.close());
  await worker
    .start()
    .then(() => metrics.serve(worker.openQueries))
    .catch(async (error) => {
      await stop(0);
      throw error;
    });
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => void stop());
  // Ctrl-C arrives twice, from the terminal and from npm: the second signal must not cut off the jobs that the first one waits for.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  log.info(`Working on ${worker.kinds.join(', ')}`);
});
