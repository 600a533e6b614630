/**
 * Watches whether Elasticsearch serves what Postgres has recorded. It is looked up behind the requests every few seconds, and before a request
 * only where the last look failed or found them apart: no page costs a round trip more.
 */
import type { Client } from '@elastic/elasticsearch';
import { ApiError } from '../domain/errors.ts';
import {
  commitShowing,
  compareLineage,
  compareSynced,
  continues,
  type Disagreement,
  type Lineage,
  type LineageMark,
} from '../domain/lineage.ts';
import { limitToDeadline, unavailable, untilAborted } from './elastic/client.ts';
import type { IndexNames } from './elastic/indices.ts';
import { type ServedSet, servedSet } from './elastic/servedCommit.ts';
import type { LineageStore } from './postgres/lineage.ts';

const LOOK_EVERY_MS = 2_000;
/** Older looks count no more: the process was busy, or frozen. */
const FRESH_MS = 6_000;
/** A look that failed or found the two apart counts so long, so that many requests share the next one. */
const LOOK_AGAIN_MS = 100;
/** A switch between two looks makes the two seem apart; it is over within moments. */
const LOOKS_MAX = 3;
const RETRY_AFTER_SECONDS = 10;

interface LineageWatchOptions {
  elastic: Client;
  names: IndexNames;
  lineages: Pick<LineageStore, 'current'>;
  /** how long Elasticsearch may take */
  timeoutMs: number;
  /** called when the two begin to differ, and with null when they agree again */
  onChange?: (disagreement: Disagreement | null) => void;
}

/** One side, as it was last read. */
class Side<T> {
  value: T | undefined;
  /** of the last attempt, where that failed */
  error: unknown;
  /** of `performance.now()` */
  at = Number.NEGATIVE_INFINITY;

  async read(work: Promise<T>): Promise<void> {
    try {
      this.value = await work;
      this.error = undefined;
    } catch (error) {
      this.error = error;
    }
    this.at = performance.now();
  }
}

export class LineageWatch {
  readonly #options: LineageWatchOptions;
  readonly #served = new Side<ServedSet | null>();
  readonly #lineage = new Side<Lineage | null>();
  #disagreement: Disagreement | null = null;
  /** of what sync shows, where what is served is right */
  #ofSync: Disagreement | null = null;
  #look: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LineageWatchOptions) {
    this.#options = options;
  }

  /** Looks now and from then on. */
  async start(): Promise<void> {
    await this.#lookNow();
    this.#timer = setTimeout(() => void this.start(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Looks, and says what is wrong with the index; null where nothing is, or where a server does not answer. */
  async disagreement(): Promise<Disagreement | null> {
    await this.#lookAgain();
    return this.#disagreement ?? this.#ofSync;
  }

  /**
   * Before anything is billed: what is served is what was recorded.
   * @throws ApiError `service_unavailable` where it is not, or that cannot be known; `search_unavailable`
   */
  async throwUnlessRight(signal?: AbortSignal): Promise<void> {
    if (!this.#isFresh(this.#served) || !this.#isFresh(this.#lineage)) await untilAborted(this.#lookNow(), signal);
    if (this.#lineage.error) throw this.#lineage.error;
    await this.#refuseIfApart(signal);
  }

  /**
   * Whether a walk may go on from a cursor with this mark. Where Postgres does not answer, what was known of the lineage counts.
   * @param mark undefined for a walk that begins
   * @throws ApiError as `throwUnlessRight`
   */
  async continues(mark: LineageMark | null | undefined, signal?: AbortSignal): Promise<boolean> {
    if (!this.#isFresh(this.#served) || this.#lineage.value === undefined) await untilAborted(this.#lookNow(), signal);
    await this.#refuseIfApart(signal, true);
    if (mark === undefined || continues(mark, this.#lineage.value ?? null)) return true;
    await untilAborted(this.#lookAgain(), signal);
    if (this.#lineage.error) throw this.#lineage.error;
    this.#throwIfApart(true);
    return continues(mark, this.#lineage.value ?? null);
  }

  /**
   * The mark for a page's cursor, by the newest time of change that the page saw: it names the commit that the page really showed, also
   * where that changed a moment ago.
   * @returns null where no lineage has begun
   * @throws ApiError as `throwUnlessRight`
   */
  async markOf(newestStamp: number, signal?: AbortSignal): Promise<LineageMark | null> {
    // A page that saw records while nothing was known to be served comes after the first load, of which the last look could not know.
    if (this.#served.value && !this.#lineage.value && !this.#served.value.lineage) return null;
    const isUnrecorded = this.#served.value?.lineage === null && !this.#shown();
    if (!isUnrecorded && this.#shown()?.newestStamp !== newestStamp) {
      await untilAborted(this.#lookAgain(), signal);
      this.#throwIfApart(true);
    }
    const { value: lineage } = this.#lineage;
    if (!lineage) return null;
    const shown = this.#shown();
    const commit = shown?.newestStamp === newestStamp ? shown : (commitShowing(newestStamp, lineage) ?? shown);
    return commit ? { lineage: lineage.id, commit: commit.commit } : null;
  }

  /** The commit that sync shows, as it is recorded. */
  #shown() {
    const commit = this.#served.value?.synced?.commit ?? this.#served.value?.commit;
    return this.#lineage.value?.commits.findLast((known) => known.commit === commit);
  }

  /** What a look before the call found may be mended since. */
  async #refuseIfApart(signal: AbortSignal | undefined, ofSync = false): Promise<void> {
    if (this.#disagreement || (ofSync && this.#ofSync)) await untilAborted(this.#lookAgain(), signal);
    this.#throwIfApart(ofSync);
  }

  /** @param ofSync also where what sync shows is not what it has to be */
  #throwIfApart(ofSync: boolean): void {
    if (this.#served.error) throw unavailable(this.#served.error);
    if (this.#lineage.value === undefined) throw this.#lineage.error;
    const found = this.#disagreement ?? (ofSync ? this.#ofSync : null);
    if (!found) return;
    const { fault, message } = found;
    throw new ApiError(
      'service_unavailable',
      'The index is not the one that was last served and is being mended; nothing was charged. Retry later.',
      {
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
        details: { subsystem: 'index', fault },
        cause: new Error(message),
      },
    );
  }

  #isFresh({ at, error }: Side<unknown>): boolean {
    return performance.now() - at < (error ? LOOK_AGAIN_MS : FRESH_MS);
  }

  /** A look that began before the call will do. */
  #lookNow(): Promise<void> {
    this.#look ??= this.#compare().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  /** A look that begins after the call. */
  async #lookAgain(): Promise<void> {
    await this.#look;
    await this.#lookNow();
  }

  async #compare(): Promise<void> {
    let before: string | undefined;
    for (let look = 0; look < LOOKS_MAX; look++) {
      // In this order: a commit is recorded before it is served.
      await this.#served.read(this.#readServed());
      await this.#lineage.read(this.#readLineage());
      const { value: served = null } = this.#served;
      if (this.#served.error || this.#lineage.value === undefined) return;
      const found = compareLineage(served, this.#lineage.value);
      const ofSync = compareSynced(served, this.#lineage.value);
      // Served and noted between the two readings: what is served then differs from what was read of it.
      const seen = JSON.stringify(served);
      if ((found || ofSync) && seen !== before && look < LOOKS_MAX - 1) {
        before = seen;
        continue;
      }
      this.#set(found, ofSync);
      return;
    }
  }

  #set(found: Disagreement | null, ofSync: Disagreement | null): void {
    const [before, now] = [this.#disagreement ?? this.#ofSync, found ?? ofSync];
    this.#disagreement = found;
    this.#ofSync = ofSync;
    if (now?.message !== before?.message) this.#options.onChange?.(now);
  }

  #readServed(): Promise<ServedSet | null> {
    const { elastic, names, timeoutMs } = this.#options;
    return limitToDeadline((options) => servedSet(elastic, names, options), timeoutMs);
  }

  /** Reads on from the newest commit that is known to have been served; all of it where that is gone. */
  async #readLineage(): Promise<Lineage | null> {
    const known = this.#lineage.value;
    const head = known?.commits.findLast(({ served }) => served)?.commit;
    const { lineages } = this.#options;
    if (!known || head === undefined) return lineages.current();
    const more = await lineages.current(head);
    if (more?.id !== known.id || more.commits[0]?.commit !== head) return lineages.current();
    if (more.commits.length === 1) return known;
    return { ...more, commits: [...known.commits.filter(({ commit }) => commit < head), ...more.commits] };
  }
}
