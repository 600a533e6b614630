/** TCP proxies that share one count of messages: after so many, nothing passes in either direction of any of them, until it is let go. */
import net from 'node:net';

export class MessageCount {
  passed = 0;
  #allowed: number;
  #held: (() => void)[] = [];
  #stopped: (() => void) | undefined;
  /** resolves when a message is held back */
  readonly stopped = new Promise<void>((resolve) => {
    this.#stopped = resolve;
  });

  readonly #holds: (message: string) => boolean;

  /** @param holds true for a message at which everything stops, before it is passed on */
  constructor(allowed: number, holds: (message: string) => boolean = () => false) {
    this.#allowed = allowed;
    this.#holds = holds;
  }

  /** From now on so many more pass. */
  allowFurther(messages: number): void {
    this.#allowed = this.passed + messages;
  }

  pass(deliver: () => void, bytes?: Buffer): void {
    if (bytes && this.#holds(bytes.toString('latin1'))) this.#allowed = 0;
    if (this.passed >= this.#allowed) {
      this.#held.push(deliver);
      this.#stopped?.();
      return;
    }
    this.passed += 1;
    deliver();
  }

  /** Lets what was held back pass, and all that follows. */
  letGo(): void {
    this.#allowed = Number.POSITIVE_INFINITY;
    for (const deliver of this.#held.splice(0)) this.pass(deliver);
  }
}

/** What was read at once from either side is one message. */
export async function stoppingProxy(targetUrl: string, count: MessageCount): Promise<{ url: string; close(): void }> {
  const target = new URL(targetUrl);
  const sockets = new Set<net.Socket>();
  const join = (from: net.Socket, to: net.Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => count.pass(() => to.write(bytes), bytes));
    from.on('error', () => {});
    from.on('close', () => to.destroy());
  };
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    join(client, upstream);
    join(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  return {
    url: url.href,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
