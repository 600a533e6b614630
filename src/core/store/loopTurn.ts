/**
 * Turns of the event loop for work that takes milliseconds, such as a page of records: one piece of it a turn. Answers that come together would
 * otherwise be worked up one after the other before the loop looks at its sockets again, and a request that is refused would wait for all of them.
 */
const waiting: (() => void)[] = [];

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length) setImmediate(startNext);
}

/** Resolves in a turn of the event loop that no other caller has; what follows at once is done in it. */
export function waitForLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNext);
  });
}
