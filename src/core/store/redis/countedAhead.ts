/**
 * Requests that are counted before they are made, so that most requests of a busy caller wait for no answer of Redis. A batch that was counted
 * may be made within a moment by this process alone; what is left of it then is given back.
 */

/** How long requests that were counted ahead may be made. */
export const AHEAD_MS = 250;
/** Fewest and most requests of a batch, and the share of the limit that it is at most: below 1,024 requests a minute none is counted ahead. */
const BATCH_MIN = 16;
const BATCH_MAX = 64;
const BATCH_SHARE = 1 / 64;
/** Most buckets remembered. */
const BUCKETS_MAX = 10_000;

interface Counted<Verdict> {
  /** the verdict on the last request of the batch */
  last: Verdict;
  /** how the names of the entries begin, before the number of each */
  names: string;
}

interface Batch<Verdict> {
  limit: number;
  size: number;
  /** requests of it that were made */
  used: number;
  /** by `performance.now()` */
  until: number;
  /** undefined for requests that are counted when they are made, until there are enough of them; resolves with undefined if the limit is near */
  counted: Promise<Counted<Verdict> | undefined> | undefined;
}

interface CountingAhead<Verdict> {
  /** counts so many requests; undefined if less than half of the limit would be left */
  count(bucket: string, limit: number, size: number): Promise<Counted<Verdict> | undefined>;
  giveBack(bucket: string, names: string[]): Promise<unknown>;
}

export class CountedAhead<Verdict extends { remaining: number }> {
  readonly #options: CountingAhead<Verdict>;
  /** the newest batch of each bucket */
  readonly #batches = new Map<string, Batch<Verdict>>();

  constructor(options: CountingAhead<Verdict>) {
    this.#options = options;
  }

  /**
   * The verdict on a request that was counted ahead; undefined if it has to be counted alone.
   * @throws what counting throws
   */
  async take(bucket: string, limit: number): Promise<Verdict | undefined> {
    const sizeMax = Math.min(BATCH_MAX, Math.floor(limit * BATCH_SHARE));
    if (sizeMax < BATCH_MIN) return undefined;
    const newest = this.#batches.get(bucket);
    const now = performance.now();
    const isUsable = newest && newest.limit === limit && newest.used < newest.size && now < newest.until;
    const batch = isUsable ? newest : this.#begin(bucket, limit, now, Math.min(sizeMax, chooseSize(newest, now)));
    batch.used += 1;
    const left = batch.size - batch.used;
    const counted = await batch.counted;
    return counted && { ...counted.last, remaining: counted.last.remaining + left };
  }

  #begin(bucket: string, limit: number, now: number, size: number): Batch<Verdict> {
    const batch: Batch<Verdict> = { limit, size, used: 0, until: now + AHEAD_MS, counted: undefined };
    if (this.#batches.size >= BUCKETS_MAX) this.#batches.clear();
    this.#batches.set(bucket, batch);
    if (size < BATCH_MIN) return batch;
    batch.counted = this.#options.count(bucket, limit, size);
    batch.counted.then(
      (counted) => counted && setTimeout(() => this.#end(bucket, batch, counted), AHEAD_MS).unref(),
      () => {
        if (this.#batches.get(bucket) === batch) this.#batches.delete(bucket);
      },
    );
    return batch;
  }

  /** Gives back what was not made. If that fails, it counts as if it had been made. */
  #end(bucket: string, batch: Batch<Verdict>, { names }: Counted<Verdict>): void {
    batch.until = Number.NEGATIVE_INFINITY;
    const unused = Array.from({ length: batch.size - batch.used }, (_, i) => `${names}${batch.used + i + 1}`);
    if (unused.length) this.#options.giveBack(bucket, unused).catch(() => undefined);
  }
}

/**
 * As many as were made of the newest batch if it was not used up; otherwise twice as many if that took less than its time, and half as many if it
 * took longer. One for a new bucket.
 */
function chooseSize(newest: Pick<Batch<unknown>, 'size' | 'used' | 'until'> | undefined, now: number): number {
  if (!newest || newest.used < newest.size) return newest?.used ?? 1;
  return now < newest.until ? 2 * newest.size : Math.ceil(newest.size / 2);
}
