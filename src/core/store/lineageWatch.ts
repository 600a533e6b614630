/**
 * Checks whether Elasticsearch serves what Postgres has recorded. It checks in the background every few seconds, and before a request only
 * when the last check failed or found a difference, so that a page normally costs no extra round trip.
 */
import type { Client } from '@elastic/elasticsearch';
import { ApiError } from '../domain/errors.ts';
import {
  compareSynced,
  compareWithLineage,
  type Disagreement,
  findCommitByStamp,
  type Lineage,
  type LineageMark,
  mayContinue,
} from '../domain/lineage.ts';
import { limitToDeadline, searchUnavailable, untilAborted } from './elastic/client.ts';
import type { IndexNames } from './elastic/indices.ts';
import { readServedSet, type ServedSet } from './elastic/servedCommit.ts';
import type { LineageStore } from './postgres/lineageStore.ts';

const LOOK_EVERY_MS = 2_000;
/** Results older than this are ignored: the process was busy or suspended. */
const FRESH_MS = 6_000;
/** How long a failed check, or one that found a difference, is reused, so that concurrent requests share the next one. */
const LOOK_AGAIN_MS = 100;
/** Checks before a difference is reported. A switch between two reads looks like a difference for a moment. */
const LOOKS_MAX = 3;
const RETRY_AFTER_SECONDS = 10;

interface LineageWatchOptions {
  elastic: Client;
  names: IndexNames;
  lineages: Pick<LineageStore, 'readCurrent'>;
  /** longest time of a read from Elasticsearch */
  timeoutMs: number;
  /** called when the two begin to differ, and with null when they agree again */
  onChange?: (disagreement: Disagreement | null) => void;
}

/** The last value read from one of the two servers. */
class Side<T> {
  value: T | undefined;
  /** error of the last attempt, if it failed */
  error: unknown;
  /** time of the last attempt, by `performance.now()` */
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
  /** a difference in what sync shows, while the served set is right */
  #syncDisagreement: Disagreement | null = null;
  #look: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: LineageWatchOptions) {
    this.#options = options;
  }

  /** Checks now, and regularly from then on. */
  async start(): Promise<void> {
    await this.#lookNow();
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.start(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Checks, and returns the difference; null when there is none, or when a server does not answer. */
  async disagreement(): Promise<Disagreement | null> {
    await this.#lookAgain();
    return this.#disagreement ?? this.#syncDisagreement;
  }

  /**
   * Called before anything is billed.
   * @throws ApiError `service_unavailable` when the served set is not the recorded one, or this cannot be checked; `search_unavailable`
   */
  async throwUnlessRight(signal?: AbortSignal): Promise<void> {
    if (!this.#isFresh(this.#served) || !this.#isFresh(this.#lineage)) await untilAborted(this.#lookNow(), signal);
    if (this.#lineage.error) throw this.#lineage.error;
    await this.#refuseIfApart(signal);
  }

  /**
   * Whether a walk may continue from a cursor with this mark. When Postgres does not answer, the lineage read last is used.
   * @param mark undefined for a walk that begins
   * @throws ApiError as `throwUnlessRight`
   */
  async continues(mark: LineageMark | null | undefined, signal?: AbortSignal): Promise<boolean> {
    if (!this.#isFresh(this.#served) || this.#lineage.value === undefined) await untilAborted(this.#lookNow(), signal);
    await this.#refuseIfApart(signal, true);
    if (mark === undefined || mayContinue(mark, this.#lineage.value ?? null)) return true;
    await untilAborted(this.#lookAgain(), signal);
    if (this.#lineage.error) throw this.#lineage.error;
    this.#throwIfApart(true);
    return mayContinue(mark, this.#lineage.value ?? null);
  }

  /**
   * The mark for a page's cursor. It is determined from the newest change on the page, so that it names the commit that the page showed
   * even if another was published a moment ago.
   * @returns null when there is no lineage
   * @throws ApiError as `throwUnlessRight`
   */
  async markOf(newestStamp: number, signal?: AbortSignal): Promise<LineageMark | null> {
    // A page with records that was read before a check saw anything served follows the first load, which the last check did not know.
    if (this.#readShown()?.newestStamp !== newestStamp) {
      await untilAborted(this.#lookAgain(), signal);
      this.#throwIfApart(true);
    }
    const { value: lineage } = this.#lineage;
    if (!lineage) return null;
    const shown = this.#readShown();
    const commit = shown?.newestStamp === newestStamp ? shown : (findCommitByStamp(newestStamp, lineage) ?? shown);
    return commit ? { lineage: lineage.id, commit: commit.commit } : null;
  }

  /** The recorded commit that sync shows. */
  #readShown() {
    const commit = this.#served.value?.synced?.commit ?? this.#served.value?.commit;
    return this.#lineage.value?.commits.findLast((known) => known.commit === commit);
  }

  /** Refuses when a check that begins now finds a difference; an earlier one may have been resolved since. */
  async #refuseIfApart(signal: AbortSignal | undefined, includesSync = false): Promise<void> {
    if (this.#disagreement || (includesSync && this.#syncDisagreement)) await untilAborted(this.#lookAgain(), signal);
    this.#throwIfApart(includesSync);
  }

  /** @param includesSync whether a difference in what sync shows counts too */
  #throwIfApart(includesSync: boolean): void {
    if (this.#served.error) throw searchUnavailable(this.#served.error);
    if (this.#lineage.value === undefined) throw this.#lineage.error;
    const found = this.#disagreement ?? (includesSync ? this.#syncDisagreement : null);
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

  /** Joins or starts a check; one that began before the call suffices. */
  #lookNow(): Promise<void> {
    this.#look ??= this.#compare().finally(() => {
      this.#look = undefined;
    });
    return this.#look;
  }

  /** Starts a check that begins after the call. */
  async #lookAgain(): Promise<void> {
    await this.#look;
    await this.#lookNow();
  }

  async #compare(): Promise<void> {
    let before: string | undefined;
    for (let look = 0; look < LOOKS_MAX; look++) {
      // In this order, since a commit is recorded before it is served.
      await this.#served.read(this.#readServed());
      await this.#lineage.read(this.#readLineage());
      const { value: served = null } = this.#served;
      if (this.#served.error || this.#lineage.value === undefined) return;
      const found = compareWithLineage(served, this.#lineage.value);
      const synced = compareSynced(served, this.#lineage.value);
      // A commit was published and recorded between the two reads, so that the served set has to be read again.
      const seen = JSON.stringify(served);
      if ((found || synced) && seen !== before && look < LOOKS_MAX - 1) {
        before = seen;
        continue;
      }
      this.#set(found, synced);
      return;
    }
  }

  #set(found: Disagreement | null, synced: Disagreement | null): void {
    const [before, now] = [this.#disagreement ?? this.#syncDisagreement, found ?? synced];
    this.#disagreement = found;
    this.#syncDisagreement = synced;
    if (now?.message !== before?.message) this.#options.onChange?.(now);
  }

  #readServed(): Promise<ServedSet | null> {
    const { elastic, names, timeoutMs } = this.#options;
    return limitToDeadline((options) => readServedSet(elastic, names, options), timeoutMs);
  }

  /** Reads the lineage from the newest commit known to have been served; all of it if that one is gone. */
  async #readLineage(): Promise<Lineage | null> {
    const known = this.#lineage.value;
    const head = known?.commits.findLast(({ served }) => served)?.commit;
    const { lineages } = this.#options;
    if (!known || head === undefined) return lineages.readCurrent();
    const more = await lineages.readCurrent(head);
    if (more?.id !== known.id || more.commits[0]?.commit !== head) return lineages.readCurrent();
    if (more.commits.length === 1) return known;
    return { ...more, commits: [...known.commits.filter(({ commit }) => commit < head), ...more.commits] };
  }
}
