/** What has to be asked for when Prometheus looks: each server once, with a deadline, and not again for a few seconds. */

/** A look may take so long; what is late counts as down. Two scrapers and a person cost the servers one look. */
const DEADLINE_MS = 1_000;
const KEPT_MS = 5_000;

export interface Source {
  /** asks, and returns what writes the values; throws where the server does not answer */
  ask(): Promise<() => void>;
  /** nothing is known */
  forget(): void;
}

export class Collector {
  readonly #sources: readonly Source[];
  readonly #keptMs: number;
  readonly #asking = new Map<Source, Promise<() => void>>();
  #looked: Promise<void> | undefined;
  #lookedAt = 0;

  /** @param keptMs for tests */
  constructor(sources: readonly Source[], keptMs = KEPT_MS) {
    this.#sources = sources;
    this.#keptMs = keptMs;
  }

  /** Resolves within the deadline; never throws. */
  async look(): Promise<void> {
    if (!this.#looked || performance.now() - this.#lookedAt > this.#keptMs) {
      this.#lookedAt = performance.now();
      this.#looked = Promise.all(this.#sources.map((source) => this.#lookAt(source))).then(() => undefined);
    }
    await this.#looked;
  }

  async #lookAt(source: Source): Promise<void> {
    const write = await limitTime(this.#ask(source)).catch(() => () => source.forget());
    write();
  }

  /** A server that has not answered the last look is not asked again meanwhile. */
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
