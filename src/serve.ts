import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from './compose.ts';

const DRAIN_MS = 10_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;

export interface Serving {
  port: number;
  /** takes no new requests, lets those in flight finish, then resolves */
  stop(): Promise<void>;
}

/** @throws Error that says so when the port is taken */
export async function serve(service: Pick<Service, 'app'>, port: number): Promise<Serving> {
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS }, service.app.callback());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken; set PORT to a free one`) : error);
    });
    server.listen(port, resolve);
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
      }),
  };
}
