/**
 * Collects the metrics that have to be queried when Prometheus scrapes: from each server once, with a deadline, and then cached for a few
 * seconds.
 */

/** Deadline of a query; a late server counts as down. */
const DEADLINE_MS = 1_000;
const KEPT_MS = 5_000;

export interface Source {
  /** queries, and returns a function that sets the values; throws when the server does not answer */
  ask(): Promise<() => void>;
  /** removes all values */
  forget(): void;
}

export class Collector {
  readonly #sources: readonly Source[];
  readonly #keptMs: number;
  readonly #asking = new Map<Source, Promise<() => void>>();
  #collecting: Promise<void> | undefined;
  #collectedAt = 0;

  /** @param keptMs how long results are cached; for tests */
  constructor(sources: readonly Source[], keptMs = KEPT_MS) {
    this.#sources = sources;
    this.#keptMs = keptMs;
  }

  /** Queries all sources. Resolves within the deadline, and never throws. */
  async collect(): Promise<void> {
    if (!this.#collecting || performance.now() - this.#collectedAt > this.#keptMs) {
      this.#collectedAt = performance.now();
      this.#collecting = Promise.all(this.#sources.map((source) => this.#query(source))).then(() => undefined);
    }
    await this.#collecting;
  }

  async #query(source: Source): Promise<void> {
    const write = await limitTime(this.#ask(source)).catch(() => () => source.forget());
    write();
  }

  /** Queries a source. One that has not answered the last query is not queried again meanwhile. */
  #ask(source: Source): Promise<() => void> {
    const asking = this.#asking.get(source) ?? source.ask().finally(() => this.#asking.delete(source));
    this.#asking.set(source, asking);
    return asking;
  }
}

function limitTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`No answer in ${DEADLINE_MS} ms`)), DEADLINE_MS);
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
