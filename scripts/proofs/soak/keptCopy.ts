/** A customer's copy: it repeats each request with the same cursor, at any API process, until it is answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sendToAny } from '../../lib/apiClient.ts';
import { type CopyCounts, type DeliveredPage, SyncCopy } from '../../lib/syncCopy.ts';
import type { Random } from '../../sample/random.ts';
import { takeSnapshot } from './takenSnapshot.ts';

/** Ways to spoil a copy on purpose: the proof has to fail. */
export const COPY_SABOTAGES = ['skipped-page', 'ignored-removals'] as const;
export type CopySabotage = (typeof COPY_SABOTAGES)[number];

interface CopyOwner {
  name: string;
  /** filters and representation */
  parameters: Record<string, string>;
  key: string;
  teamId: number;
}

export interface KeptCopyCounts extends CopyCounts {
  /** requests that were answered with 5xx */
  refused: number;
  /** requests whose answer was lost or incomplete */
  lost: number;
  /** cursors that were refused as invalid, after which the copy was begun again */
  restarts: number;
  /** snapshots from which the copy was begun */
  snapshots: number;
}

interface CopyHabits {
  /** pages after which the copy is thrown away and begun from a snapshot, as at first; never by default */
  pagesASnapshot?: number | undefined;
  sabotage?: CopySabotage | undefined;
}

const PAGE_MAX = 100;
const RETRY_MS = 100;
const REQUEST_TIMEOUT_MS = 30_000;

export class KeptCopy {
  readonly owner: CopyOwner;
  readonly #copy = new SyncCopy();
  readonly #urls: readonly string[];
  readonly #random: Random;
  readonly #habits: CopyHabits;
  readonly #failed = { refused: 0, lost: 0, restarts: 0, snapshots: 0 };
  /** pages that brought records */
  #filledPages = 0;

  /** @param urls addresses of the API processes; each request goes to any of them */
  constructor(owner: CopyOwner, urls: readonly string[], random: Random, habits: CopyHabits = {}) {
    this.owner = owner;
    this.#urls = urls;
    this.#random = random;
    this.#habits = habits;
  }

  get records(): SyncCopy['records'] {
    return this.#copy.records;
  }

  get counts(): KeptCopyCounts {
    return { ...this.#copy.counts, ...this.#failed };
  }

  /** Reads pages until no more follow. @throws Error for an answer that repeating cannot change */
  async catchUp(signal: AbortSignal): Promise<void> {
    while (await this.readPage(signal));
  }

  /** Reads one page of a random size. @returns whether more follow */
  async readPage(signal: AbortSignal): Promise<boolean> {
    const { pagesASnapshot, sabotage } = this.#habits;
    // A further snapshot would repair a sabotaged copy.
    const isDue = () => !this.#copy.cursor || (!sabotage && this.#random.int(1, pagesASnapshot ?? 1) === 1);
    if (pagesASnapshot && isDue()) await this.#beginBySnapshot(signal);
    const limit = this.#random.int(1, PAGE_MAX);
    for (;;) {
      signal.throwIfAborted();
      const page = await this.#requestPage(limit, signal);
      if (page) return this.#copy.apply(this.#spoil(page));
      await sleep(RETRY_MS);
    }
  }

  /** Begins the copy from a new snapshot; if none is made, the copy stays as it is. */
  async #beginBySnapshot(signal: AbortSignal): Promise<void> {
    const { key, parameters } = this.owner;
    const onLost = () => {
      this.#failed.lost += 1;
    };
    const taken = await takeSnapshot({ key, parameters, urls: this.#urls, random: this.#random, signal, onLost });
    if (!taken) return;
    this.#copy.begin(taken.records, taken.cursor, taken.creditsUsed);
    this.#failed.snapshots += 1;
  }

  #spoil({ data, meta }: DeliveredPage): DeliveredPage {
    if (this.#habits.sabotage === 'ignored-removals') return { data, meta: { ...meta, sync: { ...meta.sync, removed: [] } } };
    if (this.#habits.sabotage === 'skipped-page' && data.length && ++this.#filledPages % 2 === 0) return { data: [], meta };
    return { data, meta };
  }

  /** @returns undefined if the request has to be repeated */
  async #requestPage(limit: number, signal: AbortSignal): Promise<DeliveredPage | undefined> {
    const query = new URLSearchParams(this.#copy.pageParameters(this.owner.parameters, limit));
    const asked = { urls: this.#urls, key: this.owner.key, random: this.#random, signal, timeoutMs: REQUEST_TIMEOUT_MS };
    const { status, body } = await sendToAny(asked, { path: `/projects/sync?${query}` });
    if (status === 200) return body as DeliveredPage;
    if (body.error?.code === 'invalid_cursor' && this.#copy.cursor) {
      this.#failed.restarts += 1;
      this.#copy.clear();
    } else if (status >= 500) this.#failed.refused += 1;
    else if (status === 0) this.#failed.lost += 1;
    else throw new Error(`${this.owner.name}: ${status} ${JSON.stringify(body)}`);
    return undefined;
  }
}
