/** Serves the API in this process. */
import type { Logger } from 'pino';
import { composeService } from './app.ts';
import type { Config } from './config.ts';
import { serve } from './http/serve.ts';
import { prepareMetrics } from './operate/metrics/prepareMetrics.ts';
import type { Parent } from './operate/processes/child.ts';
import { prepareTracing } from './operate/tracing/prepareTracing.ts';

/** @param parent of a process that shares its port with others */
export async function serveApi(config: Config, log: Logger, parent?: Parent): Promise<void> {
  const metrics = await prepareMetrics(config, log);
  const tracing = await prepareTracing(config, log);
  const service = composeService(config, { observers: tracing.observers(metrics.observers) });
  const close = () => Promise.all([service.close(), metrics.close(), tracing.close()]);
  const server = await service
    .ready()
    .then(() => serve(service, config.port, config.host ?? undefined, { bodyMs: config.bodyArrivalMs, isShared: parent !== undefined }))
    .catch(async (error) => {
      await close();
      throw error;
    });
  const stopping = new AbortController();
  const graceOf = (signal: NodeJS.Signals) => (signal === 'SIGTERM' ? config.shutdownGraceMs : 0);
  stopping.signal.addEventListener('abort', () => {
    void server
      .stop(graceOf(stopping.signal.reason))
      .then(close)
      .then(() => parent?.leave());
  });
  const stop = (signal: NodeJS.Signals) => stopping.abort(signal);
  if (parent) parent.serveBelow(metrics.share(service.openQueries), () => stop('SIGTERM'));
  else {
    const metricsPort = await metrics.serve(service.openQueries).catch(async (error) => {
      await server.stop();
      await close();
      throw error;
    });
    if (metricsPort !== null) service.log.info(`Metrics at http://${config.metricsAddress?.host}:${metricsPort}/metrics`);
    service.log.info(`Serving ${config.publicUrl}/v1 on port ${server.port}`);
  }
  // Ctrl-C arrives twice, from the terminal and from npm: the second signal must not cut off the requests that the first one waits for.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
}
