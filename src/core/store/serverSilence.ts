/**
 * Waits for servers by what they do, not by the clock alone. On a busy machine this process and a server that lives are both late; a server that
 * is gone or frozen is silent.
 */

/** Parts of a silence, each with a timer of its own. */
const TURNS = 5;
/** A turn this many times as long as it should be shows that this process was late, and nothing about the server. */
const LATE_TIMES = 1.5;
/** Silent turns after which the server is probed, so that its answer comes before the last one ends. */
const TURNS_BEFORE_PROBE = 2;

/** What shows that a server lives. */
export interface LifeSigns {
  /** bytes received from it so far, for whatever request */
  received(): number;
  /** asks something that a server which lives answers at once */
  probe?(): void;
}

export interface Patience {
  /** silence after which the server counts as gone */
  silentMs: number;
  /** longest wait, for a server that sends other answers */
  longestMs: number;
}

/**
 * Runs `then` once the event loop has read its sockets: it runs timers first, so that after a pause of this process a deadline would come before an
 * answer that is already there.
 */
export const runAfterReading = (then: () => void): void => {
  setImmediate(() => setImmediate(then));
};

/**
 * Awaits an answer while the server is not silent. Time is counted in turns, so that a pause of the whole process uses up at most one.
 * @throws Error when the server was silent for too long, or the answer takes longer than the longest wait
 */
export function awaitServer<T>(call: Promise<T>, signs: LifeSigns, { silentMs, longestMs }: Patience): Promise<T> {
  const turnMs = silentMs / TURNS;
  let [turns, silentTurns, heard] = [0, 0, signs.received()];
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve, reject) => {
    const begin = () => {
      const began = performance.now();
      timer = setTimeout(() => {
        const wasLate = performance.now() - began > turnMs * LATE_TIMES;
        runAfterReading(() => timer && end(wasLate));
      }, turnMs);
    };
    const end = (wasLate: boolean) => {
      const received = signs.received();
      if (received !== heard) silentTurns = 0;
      else if (!wasLate) silentTurns += 1;
      heard = received;
      turns += 1;
      if (silentTurns >= TURNS) return reject(new Error(`The server was silent for ${silentMs} ms`));
      if (turns * turnMs >= longestMs) return reject(new Error(`No answer in ${longestMs} ms`));
      if (silentTurns === TURNS_BEFORE_PROBE) signs.probe?.();
      begin();
    };
    call.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      timer = undefined;
    });
    begin();
  });
}
