import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type Koa from 'koa';
import { awaitBody, refuseBrokenBody } from './bodyDeadline.ts';
import { closeListener, openListeners } from './listeners.ts';
import { PausableRequests } from './pausableRequests.ts';
import { answerUnreadable, HEAD_LIMIT_BYTES, markUnreadable } from './unreadableRequests.ts';

/** How long a stopping process waits for requests in flight, at least. */
const DRAIN_MS = 10_000;
/** Beyond the longest request, for its answer to be written. */
const DRAIN_MARGIN_MS = 1_000;
/** After its grace time a stopping process leaves idle connections open for so long: a client may be sending on one. */
const IDLE_WHEN_STOPPING_MS = 5_000;
/**
 * How long an idle connection stays open. Load balancers keep theirs for 60 seconds as a rule, and must be the ones who close: of a request on a
 * connection that is being closed here they would make a 502.
 */
const KEEP_ALIVE_MS = 75_000;

/** How long a client may take to send a request, whether it is slow or silent. A late head is noticed within `checkMs`. */
export interface ArrivalTimes {
  headMs: number;
  /** from the end of the head */
  bodyMs: number;
  checkMs: number;
}

const USUAL_TIMES: ArrivalTimes = { headMs: 10_000, bodyMs: 15_000, checkMs: 1_000 };

export interface Serving {
  port: number;
  /**
   * Stops. `/ready` fails, and for `graceMs` answers ask clients to close their connections; then no new connections are accepted, requests
   * in flight finish, and the promise resolves. Without a grace time, idle connections are closed at once.
   */
  stop(graceMs?: number): Promise<void>;
}

/** How long a stopping process waits for requests in flight, of which the longest may take `longestRequestMs`. */
const drainMsOf = (longestRequestMs: number): number => Math.max(DRAIN_MS, longestRequestMs + DRAIN_MARGIN_MS);

/**
 * Starts listening.
 * @param host undefined listens on every address
 * @param isShared other processes of this service listen on the port, too
 * @throws Error that names the setting when the port is in use or the address is not of this machine
 */
export async function serve(
  service: { app: Koa; longestRequestMs: number; announceStop(): void },
  port: number,
  host?: string,
  { isShared = false, ...times }: Partial<ArrivalTimes> & { isShared?: boolean } = {},
): Promise<Serving> {
  const { headMs, bodyMs, checkMs } = { ...USUAL_TIMES, ...times };
  const handle = markUnreadable(service.app.callback());
  const requests = new PausableRequests(handle);
  const server = createServer({
    headersTimeout: headMs,
    requestTimeout: 0, // `awaitBody` waits for bodies
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: HEAD_LIMIT_BYTES,
    requireHostHeader: false,
  });
  const take = (request: IncomingMessage, response: ServerResponse) => {
    awaitBody(request, response, bodyMs);
    requests.take(request, response);
  };
  server.on('request', take);
  server.on('checkExpectation', take);
  server.on('connection', () => requests.noteConnection());
  server.on('connect', (_request, socket) => answerUnreadable(handle, socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isRefused = error.code?.startsWith('HPE_') && refuseBrokenBody(socket);
    if (!isRefused) answerUnreadable(handle, socket, error);
  });
  const listeners = await openListeners(server, port, host, isShared);
  return {
    port: (server.address() as AddressInfo).port,
    stop: async (graceMs = 0) => {
      service.announceStop();
      requests.sendConnectionClose();
      if (graceMs) await sleep(graceMs);
      await requests.pauseUntilQuiet();
      const closed = Promise.all(listeners.map(closeListener));
      requests.resume();
      if (!graceMs) server.closeIdleConnections();
      const idle = setTimeout(() => server.closeIdleConnections(), IDLE_WHEN_STOPPING_MS);
      const force = setTimeout(() => server.closeAllConnections(), drainMsOf(service.longestRequestMs));
      await closed;
      for (const timer of [idle, force]) clearTimeout(timer);
      server.close(); // ends its timer for late requests
    },
  };
}
