/** A receiver of webhooks on loopback, which records requests and answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  port: number;
  /** requests, oldest first */
  got: Received[];
  connections: number;
  /** how the next requests are answered; 204 unless set */
  answer: (request: Received, response: ServerResponse) => void;
  close(): Promise<void>;
}

const accept: Receiver['answer'] = (_, response) => response.writeHead(204).end();

/** Starts a receiver. @param host a loopback address */
export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const received = { path: request.url ?? '', id: headers['webhook-id'] ?? '', headers, body: Buffer.concat(chunks).toString() };
      self.got.push(received);
      self.answer(received, response);
    });
  });
  server.on('connection', () => {
    self.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const self: Receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hook`,
    port,
    got: [],
    connections: 0,
    answer: accept,
    close,
    [Symbol.asyncDispose]: close,
  };
  return self;
}
