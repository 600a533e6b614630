import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type Koa from 'koa';
import { cutBrokenBody, cutLateBody, noteRequest } from './bodyDeadline.ts';
import { HeldRequests } from './heldRequests.ts';
import { answerUnreadable, HEAD_LIMIT_BYTES, readable } from './unreadable.ts';

/** How long a process that stops waits for requests in flight. */
const DRAIN_MS = 10_000;

/** How long a client may take to send what it announced; slow and silent ones alike. Found late by `checkMs` at most. */
export interface ArrivalTimes {
  headMs: number;
  /** head and body together */
  requestMs: number;
  checkMs: number;
}

const USUAL_TIMES: ArrivalTimes = { headMs: 10_000, requestMs: 60_000, checkMs: 1_000 };

export interface Serving {
  port: number;
  /**
   * Says that it stops (`/ready` fails) and serves on for `graceMs`, while each answer asks its client to leave the connection; then takes no
   * new connections, lets requests in flight finish, and resolves. Without a grace, connections that are idle are closed at once.
   */
  stop(graceMs?: number): Promise<void>;
}

/**
 * @param host undefined listens on every address
 * @throws Error that names the setting when the port is taken or the address is not ours
 */
export async function serve(
  service: { app: Koa; announceStop(): void },
  port: number,
  host?: string,
  times: Partial<ArrivalTimes> = {},
): Promise<Serving> {
  const { headMs, requestMs, checkMs } = { ...USUAL_TIMES, ...times };
  const handle = readable(service.app.callback());
  const requests = new HeldRequests(handle);
  const server = createServer({
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: HEAD_LIMIT_BYTES,
    requireHostHeader: false,
  });
  const take = (request: IncomingMessage, response: ServerResponse) => {
    noteRequest(request);
    requests.take(request, response);
  };
  const late = (socket: Duplex, error: NodeJS.ErrnoException) =>
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && cutLateBody(socket, requestMs);
  server.on('request', take);
  server.on('checkExpectation', take);
  server.on('connection', () => requests.noteConnection());
  server.on('connect', (_request, socket) => answerUnreadable(handle, socket));
  const broken = (socket: Duplex, error: NodeJS.ErrnoException) => error.code?.startsWith('HPE_') && cutBrokenBody(socket);
  server.on('clientError', (error, socket) => late(socket, error) || broken(socket, error) || answerUnreadable(handle, socket, error));
  await listening(server, port, host);
  return {
    port: (server.address() as AddressInfo).port,
    stop: async (graceMs = 0) => {
      service.announceStop();
      requests.askToLeave();
      if (graceMs) await sleep(graceMs);
      await requests.holdUntilQuiet();
      const closed = closeListener(server);
      requests.goOn();
      if (!graceMs) server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearTimeout(force);
      server.close(); // ends its watch over late requests
    },
  };
}

const NOT_OURS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

function listenError(error: NodeJS.ErrnoException, port: number, host: string | undefined): Error {
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} is taken; set PORT to a free one`);
  return NOT_OURS.includes(error.code ?? '') ? new Error(`HOST ${host} is no address of this machine`) : error;
}

function listening(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen({ port, host }, resolve);
  });
}

/**
 * Takes no new connections, and resolves when the last one has ended. The server's own `close` would cut idle ones at once, on which a
 * client may be sending at this moment; left alone, each ends when the time is over for which the client was told to keep it.
 */
function closeListener(server: Server): Promise<void> {
  return new Promise((resolve) => {
    net.Server.prototype.close.call(server, () => resolve());
  });
}
