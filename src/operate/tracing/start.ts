/** Tracing as a process starts it: not even loaded unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { ServerName, Watch } from '../../core/store/watch.ts';
import type { Observers } from '../metrics/observers.ts';

interface ProcessTracing {
  /** adds spans to what hears of the process already */
  observers(others: Observers): Observers;
  /** sends what waits */
  close(): Promise<void>;
}

const NONE: ProcessTracing = { observers: (others) => others, close: async () => undefined };

const both =
  (first: Watch | undefined, second: Watch): Watch =>
  (operation) => {
    const ends = [first?.(operation), second(operation)];
    return (outcome) => {
      for (const end of ends) end?.(outcome);
    };
  };

type TracingSettings = Pick<Config, 'otlpEndpoint' | 'otlpHeaders' | 'serviceEnvironment'>;

/** @param everyMs pause between two sendings, for tests */
export async function prepareTracing(settings: TracingSettings, log: Logger, everyMs?: number): Promise<ProcessTracing> {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, serviceEnvironment: environment } = settings;
  if (endpoint === null) return NONE;
  const [{ OtlpExporter }, { Tracing }] = await Promise.all([import('./exporter.ts'), import('./tracing.ts')]);
  const exporter = new OtlpExporter({ endpoint, headers, environment, log, ...(everyMs === undefined ? {} : { everyMs }) });
  const tracing = new Tracing((span) => exporter.add(span));
  const watched = (others: Observers, server: ServerName) => both(others.watch?.[server], tracing.watch(server));
  return {
    observers: (others) => ({
      ...others,
      begin: tracing.begin,
      watch: {
        elasticsearch: watched(others, 'elasticsearch'),
        postgres: watched(others, 'postgres'),
        redis: watched(others, 'redis'),
      },
    }),
    close: () => exporter.close(),
  };
}
