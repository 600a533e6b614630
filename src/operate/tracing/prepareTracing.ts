/** Starts tracing in a process; loaded only when OTEL_EXPORTER_OTLP_ENDPOINT is set. */
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { ServerName, Watch } from '../../core/store/callWatch.ts';
import type { Observers } from '../metrics/observers.ts';

interface ProcessTracing {
  /** the given observers, extended by those of spans */
  observers(others: Observers): Observers;
  /** sends the queued spans */
  close(): Promise<void>;
}

const NONE: ProcessTracing = { observers: (others) => others, close: async () => undefined };

const watchBoth =
  (first: Watch | undefined, second: Watch): Watch =>
  (operation) => {
    const ends = [first?.(operation), second(operation)];
    return (outcome) => {
      for (const end of ends) end?.(outcome);
    };
  };

type TracingSettings = Pick<Config, 'otlpEndpoint' | 'otlpHeaders' | 'serviceEnvironment'>;

/** Prepares tracing. @param everyMs interval of sending; for tests */
export async function prepareTracing(settings: TracingSettings, log: Logger, everyMs?: number): Promise<ProcessTracing> {
  const { otlpEndpoint: endpoint, otlpHeaders: headers, serviceEnvironment: environment } = settings;
  if (endpoint === null) return NONE;
  const [{ OtlpExporter }, { Tracing }] = await Promise.all([import('./exporter.ts'), import('./tracing.ts')]);
  const exporter = new OtlpExporter({ endpoint, headers, environment, log, ...(everyMs === undefined ? {} : { everyMs }) });
  const tracing = new Tracing((span) => exporter.add(span));
  const watched = (others: Observers, server: ServerName) => watchBoth(others.watch?.[server], tracing.watch(server));
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
