/** The page on which a person judges drawn values, on loopback only. Other pages of the browser can neither read nor answer. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ReviewFile } from './reviewFile.ts';
import { REVIEW_PAGE } from './reviewPage.ts';
import type { DrawnValue } from './sample.ts';

const LOOPBACK = '127.0.0.1';
const BODY_BYTES_MAX = 1000;

export interface ReviewServer {
  url: string;
  stop(): Promise<void>;
}

/** Nothing is loaded from elsewhere, and no other page can show this one in a frame. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

interface Answer {
  /** of the value */
  index: number;
  right: boolean;
}

const isAnswer = (body: unknown): body is Answer =>
  body !== null && typeof body === 'object' && Number.isInteger((body as Answer).index) && typeof (body as Answer).right === 'boolean';

const send = (response: ServerResponse, status: number, type: string, body: string) =>
  response.writeHead(status, { ...HEADERS, 'Content-Type': `${type}; charset=utf-8` }).end(body);

/** @param port 0 takes any free one @throws Error if the port is taken */
export async function startReview(values: readonly DrawnValue[], file: ReviewFile, port: number): Promise<ReviewServer> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (!isOwn(request)) return send(response, 403, 'text/plain', 'This page is for this machine only.');
    const route = `${request.method} ${request.url}`;
    if (route === 'GET /') return send(response, 200, 'text/html', REVIEW_PAGE);
    if (route === 'GET /values') {
      const shown = values.map((value) => ({ ...value, right: file.find(value) ?? null }));
      return send(response, 200, 'application/json', JSON.stringify(shown));
    }
    if (route !== 'POST /answers') return send(response, 404, 'text/plain', 'Not found.');
    if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX)) return send(response, 413, 'text/plain', 'Too long.');
    const body: unknown = await json(request).catch(() => null);
    const value = isAnswer(body) ? values[body.index] : undefined;
    if (!isAnswer(body) || !value) return send(response, 400, 'text/plain', 'Not an answer.');
    file.add(value, body.right, new Date());
    return send(response, 200, 'application/json', '{}');
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => send(response, 500, 'text/plain', error.message));
  });
  const readPort = () => (server.address() as AddressInfo).port;
  /** Requests of this page: a name that was pointed at loopback, and pages of other origins, are refused. */
  const isOwn = ({ headers: { host, origin } }: IncomingMessage) =>
    [`${LOOPBACK}:${readPort()}`, `localhost:${readPort()}`].includes(host ?? '') && (!origin || origin === `http://${host}`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, LOOPBACK, resolve);
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://${LOOPBACK}:${readPort()}/`, stop };
}
