/** A proxy before a service that cuts some answers off, after the service has done its work. */
import type http from 'node:http';
import { type ForwardedAnswer, HttpProxy } from './httpProxy.ts';

const READ_MS = 100;

export class CuttingProxy extends HttpProxy {
  /** answers still to be cut off */
  cuts = 0;
  /** is called before an answer is handed on */
  onAnswer: (() => void) | undefined;
  /** method, path, Idempotency-Key and Range of every request that came */
  readonly requests: { method: string; path: string; idempotencyKey: string | undefined; range: string | undefined }[] = [];

  constructor(target: string) {
    super(target, (answer, response) => this.#handOn(answer, response));
  }

  protected override forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { method = 'GET', url: path = '/', headers } = request;
    this.requests.push({ method, path, idempotencyKey: headers['idempotency-key'] as string | undefined, range: headers.range });
    super.forward(request, response);
  }

  #handOn({ status, headers, body }: ForwardedAnswer, response: http.ServerResponse): void {
    this.onAnswer?.();
    response.writeHead(status, headers);
    if (this.cuts <= 0) return void response.end(body);
    this.cuts -= 1;
    // The head and half of the body: what a client sees of a server that is killed while it answers. It has the time to read that half.
    response.write(body.subarray(0, body.length / 2), () => setTimeout(() => response.destroy(), READ_MS));
  }
}
