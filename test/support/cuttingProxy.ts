/** A proxy in front of a service that cuts off some answers after the service has done its work. */
import type http from 'node:http';
import { type ForwardedAnswer, HttpProxy } from './httpProxy.ts';

const READ_MS = 100;

export class CuttingProxy extends HttpProxy {
  /** number of answers still to be cut off */
  cuts = 0;
  /** called before an answer is passed on */
  onAnswer: (() => void) | undefined;
  /** method, path, Idempotency-Key and Range of every received request */
  readonly requests: { method: string; path: string; idempotencyKey: string | undefined; range: string | undefined }[] = [];

  constructor(target: string | (() => string)) {
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
    // Sends headers and half of the body, like a server that is killed while answering, and gives the client time to read them.
    response.write(body.subarray(0, body.length / 2), () => setTimeout(() => response.destroy(), READ_MS));
  }
}

/** A proxy for the tests of a suite, in front of what is started for them. */
export function provideCuttingProxy(target: () => string): CuttingProxy {
  const proxy = new CuttingProxy(target);
  before(() => proxy.start());
  after(() => proxy.stop());
  return proxy;
}
