/** A TCP proxy before a real server that can go away, freeze and come back: how an outage looks to a client. */
import net from 'node:net';

export class TestProxy {
  readonly #target: { host: string; port: number };
  readonly #sockets = new Set<net.Socket>();
  readonly #servers = new Set<net.Socket>();
  #server: net.Server | undefined;
  #frozen = false;
  #muted = false;
  /** by how much every answer comes later */
  delayMs = 0;
  #opened = 0;
  #ended = 0;
  #port = 0;

  constructor(targetUrl: string, defaultPort: number) {
    const { hostname, port } = new URL(targetUrl);
    this.#target = { host: hostname, port: Number(port || defaultPort) };
  }

  get port(): number {
    return this.#port;
  }

  /** Connections made so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Connections that have ended so far. */
  get ended(): number {
    return this.#ended;
  }

  /** Listens, again on the port of the first time. */
  async start(): Promise<void> {
    this.#server = net.createServer((socket) => this.#connect(socket));
    await new Promise<void>((resolve, reject) => {
      this.#server?.once('error', reject).listen(this.#port, '127.0.0.1', resolve);
    });
    this.#port = (this.#server.address() as net.AddressInfo).port;
  }

  /** Ends every connection and refuses new ones. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  /** Breaks every connection; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Connections stay and are accepted, but not a byte passes. */
  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Requests pass, answers do not, until `thaw`. */
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
      from.on('data', (bytes) => {
        if (from === server && this.delayMs) setTimeout(() => to.write(bytes), this.delayMs);
        else to.write(bytes);
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
