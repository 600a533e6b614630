/** An HTTP proxy on loopback: it forwards every request, and hands each answer to its test before the client gets it. */
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { answerOnLoopback, type LoopbackServer } from '../../scripts/lib/loopback.ts';

/** An answer of the service behind the proxy, read whole. */
export interface ForwardedAnswer {
  method: string;
  path: string;
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export class HttpProxy implements AsyncDisposable {
  readonly #target: () => string;
  readonly #answer: (answer: ForwardedAnswer, response: http.ServerResponse) => unknown;

  /** @param target what it stands before, as it is when it is asked @param answer sends the answer on, or does what the test wants done to it */
  constructor(target: string | (() => string), answer: (answer: ForwardedAnswer, response: http.ServerResponse) => unknown) {
    this.#target = typeof target === 'string' ? () => target : target;
    this.#answer = answer;
  }

  #server: LoopbackServer | undefined;

  async start(): Promise<string> {
    this.#server = await answerOnLoopback((request, response) => this.forward(request, response));
    return this.#server.url;
  }

  /** of the proxy, once it has started */
  get url(): string {
    return this.#server?.url ?? '';
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  [Symbol.asyncDispose] = () => this.stop();

  protected forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { method = 'GET', url: path = '/', headers } = request;
    const { hostname, port } = new URL(this.#target());
    const onward = http.request({ hostname, port, path, method, headers }, async (answer) => {
      const { statusCode: status = 500, headers: answered } = answer;
      this.#answer({ method, path, status, headers: answered, body: await buffer(answer) }, response);
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  }
}
