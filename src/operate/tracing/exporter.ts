/**
 * Sends spans to an OpenTelemetry collector: OTLP over HTTP as JSON (opentelemetry.io/docs/specs/otlp). It never delays a request: spans
 * that do not fit into the queue, or cannot be sent, are dropped and counted.
 */
import type { Logger } from 'pino';

export interface TracedSpan {
  /** hexadecimal */
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: 'server' | 'client';
  /** milliseconds since 1970 */
  begun: number;
  ended: number;
  attributes: Readonly<Record<string, string | number>>;
  failed: boolean;
}

interface ExporterOptions {
  /** root URL of the collector; spans are sent to its /v1/traces */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** SERVICE_ENVIRONMENT */
  environment: string;
  log: Logger;
  /** interval in milliseconds; for tests */
  everyMs?: number;
}

const SERVICE = 'landuse';
const EVERY_MS = 5_000;
const SEND_TIMEOUT_MS = 10_000;
const WAITING_MAX = 4_096;
const AT_ONCE = 512;
const KINDS = { server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

const nanoseconds = (ms: number) => `${Math.round(ms * 1000)}000`;
const attribute = ([key, value]: [string, string | number]) => ({
  key,
  value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
});

const asOtlp = ({ traceId, spanId, parentSpanId, name, kind, begun, ended, attributes, failed }: TracedSpan) => ({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind: KINDS[kind],
  startTimeUnixNano: nanoseconds(begun),
  endTimeUnixNano: nanoseconds(ended),
  attributes: Object.entries(attributes).map(attribute),
  status: failed ? { code: STATUS_ERROR } : {},
});

export class OtlpExporter {
  readonly #options: ExporterOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: TracedSpan[] = [];
  #sending: Promise<void> | undefined;
  #dropped = 0;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#send(), options.everyMs ?? EVERY_MS).unref();
  }

  add(span: TracedSpan): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(span);
    else this.#dropped += 1;
  }

  /** Sends the queued spans, and stops. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.#send();
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length) {
      const spans = this.#waiting.splice(0, AT_ONCE);
      const problem = await this.#post(spans);
      if (problem !== null) this.#dropped += spans.length;
      if (this.#dropped)
        this.#options.log.warn({ dropped: this.#dropped, problem }, 'Spans could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT');
      this.#dropped = 0;
      if (problem !== null) return;
    }
  }

  /** Sends spans. @returns null, or why they did not arrive */
  async #post(spans: readonly TracedSpan[]): Promise<string | null> {
    const { endpoint, headers, environment } = this.#options;
    const resource = { attributes: [attribute(['service.name', SERVICE]), attribute(['deployment.environment.name', environment])] };
    const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'landuse' }, spans: spans.map(asOtlp) }] }] };
    try {
      const answer = await fetch(`${endpoint}/v1/traces`, {
        method: 'POST',
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
        headers: { ...headers, 'Content-Type': 'application/json' },
      });
      await answer.arrayBuffer();
      return answer.ok ? null : `answered ${answer.status}`;
    } catch (error) {
      return (error as Error).name;
    }
  }
}
