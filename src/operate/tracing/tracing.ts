/** Spans of requests and of their calls to servers. Their names are fixed: declared paths, operations, outcomes. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { ServerName, Watch } from '../../core/store/callWatch.ts';
import type { BeginRequest } from '../../http/requestLog.ts';
import type { TracedSpan } from './exporter.ts';

/** W3C Trace Context: version, trace, parent, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;
const SAMPLED = 1;

const newId = (bytes: number) => randomBytes(bytes).toString('hex');
const now = () => performance.timeOrigin + performance.now();

export class Tracing {
  readonly #within = new AsyncLocalStorage<{ traceId: string; spanId: string }>();
  readonly #add: (span: TracedSpan) => void;

  constructor(add: (span: TracedSpan) => void) {
    this.#add = add;
  }

  /** A call outside a request, such as a background check, has no span. */
  watch(server: ServerName): Watch {
    return (operation) => {
      const parent = this.#within.getStore();
      if (!parent) return () => undefined;
      const begun = now();
      return (outcome) =>
        this.#add({
          traceId: parent.traceId,
          spanId: newId(8),
          parentSpanId: parent.spanId,
          name: `${server} ${operation}`,
          kind: 'client',
          attributes: { 'db.system.name': server === 'postgres' ? 'postgresql' : server, 'db.operation.name': operation, outcome },
          begun,
          ended: now(),
          failed: outcome === 'failed',
        });
    };
  }

  /** Continues the trace of a client's `traceparent`, and respects its sampling flag. */
  readonly begin: BeginRequest = (traceparent) => {
    const [, traceId = newId(16), parentSpanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
    if (flags !== undefined && !(Number.parseInt(flags, 16) & SAMPLED)) return { run: (work) => work(), end: () => undefined };
    const within = { traceId, spanId: newId(8) };
    const begun = now();
    return {
      run: (work) => this.#within.run(within, work),
      end: ({ requestId, method, route, status, code }) =>
        this.#add({
          ...within,
          parentSpanId,
          name: `${method} ${route}`,
          kind: 'server',
          attributes: {
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': status,
            'landuse.request_id': requestId,
            ...(code ? { 'error.type': code } : {}),
          },
          begun,
          ended: now(),
          failed: status >= 500,
        }),
    };
  };
}
