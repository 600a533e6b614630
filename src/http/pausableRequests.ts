/** Pauses the requests of a process that is about to stop. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** After so long without a request or connection, no client is between two of its successive connections. */
const QUIET_MS = 50;
const HELD_MAX_MS = 1_000;
const LOOK_MS = 5;

/**
 * Passes requests on, or pauses them for a moment. Closing a listener resets the connections that wait to be accepted. Before that, new
 * requests are paused: their clients wait for answers and open no new connections.
 */
export class PausableRequests {
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

  /** Adds `Connection: close` to every further answer. */
  sendConnectionClose(): void {
    this.#leaving = true;
    for (const response of this.#open) response.shouldKeepAlive = false;
  }

  /** Pauses new requests until none has come for `QUIET_MS`. */
  async pauseUntilQuiet(): Promise<void> {
    this.#held = [];
    const until = performance.now() + HELD_MAX_MS;
    do {
      await sleep(LOOK_MS);
      // After the event loop has polled its sockets, which accepts the next waiting connection of each listener.
      await new Promise((resolve) => setImmediate(resolve));
    } while (performance.now() < until && performance.now() - this.#lastEventAt < QUIET_MS);
  }

  /** Handles the paused requests. */
  resume(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const [request, response] of held) if (!response.closed) this.#handle(request, response);
  }
}
