/** The requests of a process that may be about to stop. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Nothing came and nothing was answered for so long: no client that asks again and again is between two connections. */
const QUIET_MS = 50;
const HELD_MAX_MS = 1_000;
const LOOK_MS = 5;

/**
 * Hands requests on. A listener that closes resets the connections that wait to be accepted, so before that the requests that still come
 * are held for a moment: clients that wait for an answer open no new connections.
 */
export class HeldRequests {
  readonly #handle: Handle;
  readonly #open = new Set<ServerResponse>();
  #held: [IncomingMessage, ServerResponse][] | undefined;
  #leaving = false;
  #lastEventAt = 0;

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  noteConnection(): void {
    this.#lastEventAt = performance.now();
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    this.#lastEventAt = performance.now();
    this.#open.add(response);
    response.once('close', () => {
      this.#lastEventAt = performance.now();
      this.#open.delete(response);
    });
    if (this.#leaving) response.shouldKeepAlive = false;
    if (this.#held) this.#held.push([request, response]);
    else this.#handle(request, response);
  }

  /** From now on every answer carries `Connection: close`. */
  askToLeave(): void {
    this.#leaving = true;
    for (const response of this.#open) response.shouldKeepAlive = false;
  }

  /** Holds what comes, until nothing has come for a moment. */
  async holdUntilQuiet(): Promise<void> {
    this.#held = [];
    const until = performance.now() + HELD_MAX_MS;
    do {
      await sleep(LOOK_MS);
      // Behind the event loop's look at its sockets, which accepts all connections that wait.
      await new Promise((resolve) => setImmediate(resolve));
    } while (performance.now() < until && performance.now() - this.#lastEventAt < QUIET_MS);
  }

  /** Handles what was held. */
  goOn(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const [request, response] of held) if (!response.closed) this.#handle(request, response);
  }
}
