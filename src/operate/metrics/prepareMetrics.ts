/** Starts the metrics of a process; loaded only when METRICS_PORT is set. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { MetricsServer } from './metricsServer.ts';
import type { Observers } from './observers.ts';
import type { ServerQueries } from './serverQueries.ts';
import type { ProcessValues } from './serviceMetrics.ts';

interface ProcessMetrics {
  observers: Observers;
  /**
   * Listens, once the process is ready.
   * @returns the port; null without metrics
   * @throws Error that names the setting to change
   */
  serve(openQueries: () => ServerQueries): Promise<number | null>;
  /** The same for a process of which another one serves the metrics. @returns reads its values; null without metrics */
  share(openQueries: () => ServerQueries): ((ofServers: boolean) => Promise<ProcessValues>) | null;
  close(): Promise<void>;
}

const NONE: ProcessMetrics = { observers: {}, serve: async () => null, share: () => null, close: async () => undefined };

/** Prepares metrics. @param keptMs how long results of queries are cached; for tests */
export async function prepareMetrics({ metricsAddress }: Config, log: Logger, keptMs?: number): Promise<ProcessMetrics> {
  if (metricsAddress === null) return NONE;
  const [{ ServiceMetrics }, { serveMetrics }] = await Promise.all([import('./serviceMetrics.ts'), import('./metricsServer.ts')]);
  const metrics = new ServiceMetrics(log, keptMs);
  let opened: ServerQueries | undefined;
  let server: MetricsServer | undefined;
  const watchServers = (openQueries: () => ServerQueries) => {
    opened = openQueries();
    metrics.watchServers(opened);
  };
  return {
    observers: metrics.observers,
    serve: async (openQueries) => {
      watchServers(openQueries);
      server = await serveMetrics(() => metrics.text(), metricsAddress);
      return server.port;
    },
    share: (openQueries) => {
      watchServers(openQueries);
      return (ofServers) => metrics.values(ofServers);
    },
    close: async () => {
      server?.close();
      metrics.close();
      await opened?.close();
    },
  };
}
