/** Starts the metrics of a process; loaded only when METRICS_PORT is set. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Observers } from './observers.ts';
import type { ServerQueries } from './serverQueries.ts';

interface ProcessMetrics {
  observers: Observers;
  /**
   * Listens, once the process is ready.
   * @returns the port; null without metrics
   * @throws Error that names the setting to change
   */
  serve(openQueries: () => ServerQueries): Promise<number | null>;
  close(): Promise<void>;
}

const NONE: ProcessMetrics = { observers: {}, serve: async () => null, close: async () => undefined };

/**
 * Prepares metrics.
 * @param keptMs how long results of queries are cached; for tests
 */
export async function prepareMetrics({ metricsAddress }: Config, log: Logger, keptMs?: number): Promise<ProcessMetrics> {
  if (metricsAddress === null) return NONE;
  const { ServiceMetrics } = await import('./serviceMetrics.ts');
  const metrics = new ServiceMetrics(log, keptMs);
  let opened: ServerQueries | undefined;
  return {
    observers: metrics.observers,
    serve: (openQueries) => {
      opened = openQueries();
      return metrics.serve(opened, metricsAddress.port, metricsAddress.host);
    },
    close: async () => {
      metrics.close();
      await opened?.close();
    },
  };
}
