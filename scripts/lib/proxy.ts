/** A TCP proxy in front of a real server, for proofs and tests: it disconnects, freezes, delays and recovers, as an outage looks to a client. */
import net from 'node:net';
import { type LoopbackServer, listenOnLoopback } from './loopback.ts';

/** Delivers messages after a delay and in their order: when the delay is reduced, later messages do not overtake earlier ones. */
class DelayLine {
  readonly #waiting: { at: number; deliver: () => void }[] = [];
  #timer: NodeJS.Timeout | undefined;

  pass(deliver: () => void, delayMs: number): void {
    if (!delayMs && !this.#waiting.length) {
      deliver();
      return;
    }
    this.#waiting.push({ at: Math.max(performance.now() + delayMs, this.#waiting.at(-1)?.at ?? 0), deliver });
    this.#timer ??= setTimeout(this.#drain, delayMs);
  }

  readonly #drain = () => {
    this.#timer = undefined;
    for (const now = performance.now(); (this.#waiting[0]?.at ?? Number.POSITIVE_INFINITY) <= now; ) this.#waiting.shift()?.deliver();
    const [next] = this.#waiting;
    if (next) this.#timer = setTimeout(this.#drain, Math.max(1, next.at - performance.now()));
  };
}

/** Decides when a message passes. A message is one chunk read from either side. */
export interface MessageGate {
  pass(deliver: () => void, bytes: Buffer): void;
}

export class TestProxy implements AsyncDisposable {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<net.Socket>();
  readonly #servers = new Set<net.Socket>();
  readonly #targetUrl: string;
  readonly #gate: MessageGate | undefined;
  #server: LoopbackServer | undefined;
  #frozen = false;
  #muted = false;
  /** delay of every answer, milliseconds */
  delayMs = 0;
  #opened = 0;
  #ended = 0;
  #port = 0;

  /** @param defaultPort for a URL without one @param gate every message passes through it */
  constructor(targetUrl: string, defaultPort: number, gate?: MessageGate) {
    const { hostname, port } = new URL(targetUrl);
    this.#targetUrl = targetUrl;
    this.#gate = gate;
    this.#target = { host: hostname, port: Number(port || defaultPort) };
  }

  get port(): number {
    return this.#port;
  }

  /** The URL of the server with the address of the proxy. */
  get url(): string {
    return Object.assign(new URL(this.#targetUrl), { hostname: '127.0.0.1', port: String(this.#port) }).href;
  }

  /** Connections made so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Connections that have ended so far. */
  get ended(): number {
    return this.#ended;
  }

  /** Starts to listen; after a stop, on the same port again. */
  async start(): Promise<void> {
    this.#server = await listenOnLoopback(
      net.createServer((socket) => this.#connect(socket)),
      { port: this.#port },
    );
    this.#port = this.#server.port;
  }

  /** Ends every connection and refuses new ones. */
  async stop(): Promise<void> {
    this.cut();
    await this.#server?.stop();
    this.#server = undefined;
  }

  [Symbol.asyncDispose] = () => this.stop();

  /** Breaks every connection; new ones are accepted. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections open and accepts new ones, but passes no bytes until `thaw`. */
  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Passes requests but no answers, until `thaw`. */
  mute(): void {
    this.#muted = true;
    for (const socket of this.#servers) socket.pause();
  }

  thaw(): void {
    this.#frozen = false;
    this.#muted = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #connect(client: net.Socket): void {
    const server = net.connect(this.#target);
    this.#servers.add(server);
    server.once('close', () => this.#servers.delete(server));
    this.#opened += 1;
    client.once('close', () => {
      this.#ended += 1;
    });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      const answers = from === server ? new DelayLine() : undefined;
      from.on('data', (bytes) => {
        const deliver = () => void to.write(bytes);
        if (this.#gate) this.#gate.pass(deliver, bytes);
        else if (answers) answers.pass(deliver, this.delayMs);
        else deliver();
      });
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#frozen) from.pause();
    }
    if (this.#muted) server.pause();
  }
}
