/** A client that keeps a copy by `GET /projects/sync`, the way a careful customer does: it asks again with the same cursor until it is answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../sample/random.ts';

/** Ways to spoil a client's copy on purpose: the proof has to fail. */
export const SABOTAGES = ['skipped-page', 'ignored-removals'] as const;
export type Sabotage = (typeof SABOTAGES)[number];

export type Record_ = Record<string, unknown> & { id: number };

export interface ClientPlan {
  name: string;
  /** filters and representation */
  parameters: Record<string, string>;
  key: string;
  teamId: number;
}

export interface ClientCounts {
  pages: number;
  records: number;
  removals: number;
  /** requests that were answered with 5xx */
  refused: number;
  /** requests that were not answered, or not whole */
  lost: number;
  /** cursors that were refused as invalid, so that the copy was built again */
  restarts: number;
  creditsUsed: number;
}

interface SyncBody {
  data: Record_[];
  meta: { creditsUsed: number; sync: { cursor: string; hasMore: boolean; removed: { id: number }[] } };
}

const PAGE_MAX = 100;
const RETRY_MS = 100;
const REQUEST_TIMEOUT_MS = 30_000;

export interface CopyOptions {
  /** records a page; random unless given */
  limit?: number;
  sabotage?: Sabotage | undefined;
}

export class Copy {
  readonly plan: ClientPlan;
  readonly records = new Map<number, Record_>();
  readonly counts: ClientCounts = { pages: 0, records: 0, removals: 0, refused: 0, lost: 0, restarts: 0, creditsUsed: 0 };
  readonly #urls: readonly string[];
  readonly #random: Random;
  /** pages that brought records */
  #brought = 0;
  readonly #options: CopyOptions;
  #cursor: string | undefined;

  /** @param urls addresses of the API processes; each request goes to any of them */
  constructor(plan: ClientPlan, urls: readonly string[], random: Random, options: CopyOptions = {}) {
    this.plan = plan;
    this.#urls = urls;
    this.#random = random;
    this.#options = options;
  }

  /** Walks until nothing more is there. @throws Error for an answer that no retry can mend */
  async catchUp(signal: AbortSignal): Promise<void> {
    while (await this.page(signal));
  }

  /** One page; returns whether more is there. */
  async page(signal: AbortSignal): Promise<boolean> {
    const limit = this.#options.limit ?? this.#random.int(1, PAGE_MAX);
    const { data, meta } = await this.#ask(limit, signal);
    this.#apply(data, meta.sync.removed);
    this.#cursor = meta.sync.cursor;
    this.counts.creditsUsed += meta.creditsUsed;
    return meta.sync.hasMore;
  }

  #apply(data: readonly Record_[], removed: readonly { id: number }[]): void {
    this.counts.pages += 1;
    this.counts.records += data.length;
    this.counts.removals += removed.length;
    if (this.#options.sabotage !== 'ignored-removals') for (const { id } of removed) this.records.delete(id);
    if (this.#options.sabotage === 'skipped-page' && data.length && ++this.#brought % 2 === 0) return;
    for (const record of data) this.records.set(record.id, record);
  }

  async #ask(limit: number, signal: AbortSignal): Promise<SyncBody> {
    for (;;) {
      const query = new URLSearchParams({ ...this.plan.parameters, limit: String(limit) });
      if (this.#cursor) query.set('cursor', this.#cursor);
      signal.throwIfAborted();
      const answer = await this.#send(query, signal);
      if (answer) return answer;
      await sleep(RETRY_MS);
    }
  }

  /** What was held may be gone meanwhile: a walk from the beginning does not say so. */
  #startAgain(): void {
    this.counts.restarts += 1;
    this.#cursor = undefined;
    this.records.clear();
  }

  async #send(query: URLSearchParams, signal: AbortSignal): Promise<SyncBody | undefined> {
    try {
      const response = await fetch(`${this.#random.pick(this.#urls)}/v1/projects/sync?${query}`, {
        headers: { Authorization: `Bearer ${this.plan.key}` },
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      const body = (await response.json()) as SyncBody & { error?: { code: string } };
      if (response.ok) return body;
      if (body.error?.code === 'invalid_cursor' && this.#cursor) {
        this.#startAgain();
        return undefined;
      }
      if (response.status < 500) throw new Refused(`${this.plan.name}: ${response.status} ${JSON.stringify(body)}`);
      this.counts.refused += 1;
    } catch (error) {
      if (error instanceof Refused) throw error;
      this.counts.lost += 1;
    }
    return undefined;
  }
}

class Refused extends Error {}
