/** An HTTP proxy on loopback before a service: it lets requests through and cuts some answers off, after the service has done its work. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export class CuttingProxy {
  readonly #target: URL;
  readonly #server: http.Server;
  /** answers still to be cut off */
  cuts = 0;
  /** is called before an answer is handed on */
  onAnswer: (() => void) | undefined;
  /** method, path and Idempotency-Key of every request that came */
  readonly requests: { method: string; path: string; idempotencyKey: string | undefined }[] = [];

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server = http.createServer((request, response) => this.#pass(request, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pass(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { method = 'GET', url: path = '/', headers } = request;
    this.requests.push({ method, path, idempotencyKey: headers['idempotency-key'] as string | undefined });
    const { hostname, port } = this.#target;
    const onwards = http.request({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('end', () => {
        const body = Buffer.concat(chunks);
        this.onAnswer?.();
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        if (this.cuts <= 0) return response.end(body);
        this.cuts -= 1;
        // The head and half of the body: what a client sees of a server that is killed while it answers.
        return response.write(body.subarray(0, body.length / 2), () => response.destroy());
      });
    });
    onwards.once('error', () => response.destroy());
    request.pipe(onwards);
  }
}
