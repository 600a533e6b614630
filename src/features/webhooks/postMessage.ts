/** Sends one POST to a receiver: without redirects, with a time limit, reading only the status of the answer. */
import { Client } from 'undici';
import { type GuardOptions, makeGuardedConnector, NameNotResolved, TargetRefused } from '../../core/outgoing/guardedConnector.ts';
import type { SendOutcome } from './types.ts';

/** From the resolution of the name to the status of the answer. */
const TIMEOUT_MS = 15_000;
const HEADERS_BYTES_MAX = 16 * 1024;

export interface SenderOptions extends GuardOptions {
  timeoutMs?: number;
}

export class WebhookSender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** @throws the reason of `stopping` when it aborts; every failure of the receiver is an outcome */
  async post(url: string, headers: Record<string, string>, body: string, stopping: AbortSignal): Promise<SendOutcome> {
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const late = AbortSignal.timeout(timeoutMs);
    const { origin, pathname, search } = new URL(url);
    // A connection for each message, since a kept one would outlive the check of its address.
    const client = new Client(origin, {
      connect: makeGuardedConnector(this.#options),
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    try {
      const signal = AbortSignal.any([stopping, late]);
      const answer = await client.request({ method: 'POST', path: `${pathname}${search}`, headers, body, signal });
      answer.body.on('error', () => undefined).destroy();
      return judgeStatus(answer.statusCode);
    } catch (error) {
      stopping.throwIfAborted();
      return { httpStatus: null, error: late.aborted ? 'timed_out' : nameError(error) };
    } finally {
      void client.destroy().catch(() => undefined); // its socket is closed either way
    }
  }
}

function judgeStatus(httpStatus: number): SendOutcome {
  if (httpStatus >= 200 && httpStatus < 300) return { httpStatus, error: null };
  return { httpStatus, error: httpStatus >= 300 && httpStatus < 400 ? 'redirect_not_followed' : 'status_not_2xx' };
}

/** The name of an error, by the codes of Node and undici; an answer that is not HTTP counts as a failed connection. */
function nameError(error: unknown): string {
  if (error instanceof TargetRefused) return 'target_refused';
  if (error instanceof NameNotResolved) return 'name_not_resolved';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timed_out';
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls_failed' : 'connection_failed';
}
