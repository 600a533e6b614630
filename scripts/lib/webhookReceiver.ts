/** A receiver of webhooks on loopback, which records requests and answers as it is told. */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from './loopback.ts';

export interface Received {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
}

export interface Receiver extends LoopbackServer {
  /** requests, oldest first */
  got: Received[];
  connections: number;
  /** how the next requests are answered; 204 unless set */
  answer: (request: Received, response: ServerResponse) => void;
}

const accept: Receiver['answer'] = (_, response) => response.writeHead(204).end();

/** Starts a receiver. @param host a loopback address */
export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return; // it was broken off
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const received = { path: request.url ?? '', id: headers['webhook-id'] ?? '', headers, body };
    self.got.push(received);
    self.answer(received, response);
  });
  server.on('connection', () => {
    self.connections += 1;
  });
  const listening = await listenOnLoopback(server, { host });
  const self: Receiver = { ...listening, url: `${listening.url}/hook`, got: [], connections: 0, answer: accept };
  return self;
}
