import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from './compose.ts';
import { answerUnreadable, HEAD_LIMIT_BYTES, readable } from './http/unreadable.ts';

const DRAIN_MS = 10_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;

const LIMITS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  maxHeaderSize: HEAD_LIMIT_BYTES,
  requireHostHeader: false,
};

export interface Serving {
  port: number;
  /** takes no new requests, lets those in flight finish, then resolves */
  stop(): Promise<void>;
}

const NOT_OURS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

function listenError(error: NodeJS.ErrnoException, port: number, host: string | undefined): Error {
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} is taken; set PORT to a free one`);
  return NOT_OURS.includes(error.code ?? '') ? new Error(`HOST ${host} is no address of this machine`) : error;
}

/** @param host undefined listens on every address. @throws Error that names the setting when the port is taken or the address is not ours */
export async function serve(service: Pick<Service, 'app'>, port: number, host?: string): Promise<Serving> {
  const handle = readable(service.app.callback());
  const open = new Set<ServerResponse>();
  const take = (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (!server.listening) response.shouldKeepAlive = false;
    handle(request, response);
  };
  const server = createServer(LIMITS, take);
  server.on('checkExpectation', take);
  server.on('connect', (_request, socket) => answerUnreadable(handle, socket));
  server.on('clientError', (error, socket) => answerUnreadable(handle, socket, error));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(listenError(error, port, host));
    });
    server.listen({ port, host }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
        for (const response of open) response.shouldKeepAlive = false;
      }),
  };
}
