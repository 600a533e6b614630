/** The port on which Prometheus reads `/metrics`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';

export interface MetricsServer {
  port: number;
  close(): void;
}

/**
 * Serves `/metrics`.
 * @throws Error that names the setting when the port is in use or the address is not of this machine
 */
export async function serveMetrics(read: () => Promise<string>, { port, host }: { port: number; host: string }): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) return response.writeHead(404).end();
    return read().then(
      (text) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen({ port, host }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(`METRICS_PORT ${port} is taken; set it to a free one, another for each process of the machine`);
  return error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND'
    ? new Error(`METRICS_PORT names ${host}, which is no address of this machine`)
    : error;
}
