/** TCP proxies with a common count of messages. After a given number, all of them hold back messages in both directions until released. */
import { type MessageGate, TestProxy } from '../../scripts/lib/proxy.ts';

export class MessageCount implements MessageGate {
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

  /** Lets this many more messages pass. */
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

  /** Releases the messages that were held back, and lets all later ones pass. */
  letGo(): void {
    this.#allowed = Number.POSITIVE_INFINITY;
    for (const deliver of this.#held.splice(0)) this.pass(deliver);
  }
}

/** @param targetUrl with a port */
export async function stoppingProxy(targetUrl: string, count: MessageCount): Promise<{ url: string; close(): void }> {
  const proxy = new TestProxy(targetUrl, 0, count);
  await proxy.start();
  return { url: proxy.url, close: () => void proxy.stop() };
}
