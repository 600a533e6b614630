/**
 * Hedged requests: a search that takes longer than most is sent to another node too, and the first answer counts.
 * Source: J. Dean and L. A. Barroso, "The Tail at Scale", Communications of the ACM 56 (2013), "Hedged requests".
 */

/** Shortest delay before a request is repeated. */
const DELAY_LEAST_MS = 50;
const QUANTILE = 0.95;
/** Number of newest answer times from which the quantile is computed. */
const TIMES_KEPT = 256;
/** Number of new times after which it is computed again. */
const TIMES_BETWEEN = 16;
/** Repetitions per request, on average. */
const SHARE_MAX = 0.05;
/** Most unused repetitions that accumulate, for a moment when a node fails. */
const SAVED_MAX = 20;

/** Determines how long to wait for requests of one kind before they are repeated. */
class RepeatDelay {
  readonly #times: number[] = [];
  #count = 0;
  delayMs = DELAY_LEAST_MS;

  note(ms: number): void {
    this.#times[this.#count % TIMES_KEPT] = ms;
    this.#count += 1;
    if (this.#count % TIMES_BETWEEN) return;
    const sorted = this.#times.toSorted((a, b) => a - b);
    this.delayMs = Math.max(DELAY_LEAST_MS, sorted[Math.floor(sorted.length * QUANTILE)] ?? 0);
  }
}

/** Sends one request; called a second time for its repetition. */
type Send<T> = (signal: AbortSignal) => Promise<T>;

/** Repeats slow requests, at most one in twenty. */
export class Hedge {
  readonly #delays = new Map<string, RepeatDelay>();
  #saved = SAVED_MAX;

  /**
   * @param kind of the request: requests of one kind take about equally long
   * @param late called when it takes longer than most; awaited before it is repeated
   */
  async send<T>(kind: string, send: Send<T>, signal: AbortSignal | undefined, late: () => Promise<void>): Promise<T> {
    const delay = this.#delays.get(kind) ?? new RepeatDelay();
    this.#delays.set(kind, delay);
    this.#saved = Math.min(this.#saved + SHARE_MAX, SAVED_MAX);
    const began = performance.now();
    const answer = await awaitFirstAnswer(send, { signal, delayMs: delay.delayMs, late, mayRepeat: () => this.#take() });
    delay.note(performance.now() - began);
    return answer;
  }

  #take(): boolean {
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}

interface Repetition {
  signal: AbortSignal | undefined;
  delayMs: number;
  late: () => Promise<void>;
  mayRepeat: () => boolean;
}

/**
 * The first answer to a request, which is sent again after `delayMs`; the other request is cancelled.
 * @throws the first error, once both requests have ended
 */
function awaitFirstAnswer<T>(send: Send<T>, { signal, delayMs, late, mayRepeat }: Repetition): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const failures: unknown[] = [];
    let sent = 0;
    let ended = false;
    const end = () => {
      clearTimeout(timer);
      ended = true;
    };
    const begin = () => {
      sent += 1;
      send(either).then(
        (answer) => {
          end();
          resolve(answer);
          stop.abort();
        },
        (error) => {
          failures.push(error);
          if (failures.length < sent) return;
          end();
          reject(failures[0]);
        },
      );
    };
    const timer = setTimeout(async () => {
      await late();
      if (!ended && mayRepeat()) begin();
    }, delayMs);
    begin();
  });
}
