/** Reads from Elasticsearch on which days each body met, and which loads contain these meetings. */
import type { Client } from '@elastic/elasticsearch';
import { readBodyKey, readMeetingKey } from '../../core/domain/record/bodyMeetings.ts';
import { searchElastic } from '../../core/store/elastic/client.ts';
import type { IndexNames } from '../../core/store/elastic/indices.ts';

/** Keys read in one round trip. */
const KEYS_A_PAGE = 5_000;

interface KeyBucket {
  key: { key: string };
  doc_count: number;
  first: { value: number };
  last: { value: number };
}
interface KeyPage {
  keys: { buckets: KeyBucket[]; after_key?: { key: string } };
}

/** Numbers of the oldest and newest load among the records that name a body or meeting. */
interface Loads {
  firstLoad: number;
  lastLoad: number;
}

export interface NamedBody extends Loads {
  recordCount: number;
  /** by day */
  meetings: Map<string, Loads>;
}

export class MeetingStore {
  readonly #client: Client;
  readonly #alias: string;
  readonly #timeoutMs: number;

  constructor(client: Client, names: IndexNames, timeoutMs: number) {
    this.#client = client;
    this.#alias = names.readAlias('projects');
    this.#timeoutMs = timeoutMs;
  }

  /** Every body that is named by a record, by its key. @throws ApiError `search_unavailable` */
  async readBodies(signal?: AbortSignal): Promise<Map<string, NamedBody>> {
    const bodies = new Map<string, NamedBody>();
    for await (const { key, count, ...loads } of this.#walkKeys('derived.bodies', signal))
      bodies.set(key, { ...loads, recordCount: count, meetings: new Map() });
    for await (const { key, firstLoad, lastLoad } of this.#walkKeys('derived.bodyMeetings', signal)) {
      const { date, bodyKey } = readMeetingKey(key);
      if (readBodyKey(bodyKey).body) bodies.get(bodyKey)?.meetings.set(date, { firstLoad, lastLoad });
    }
    return bodies;
  }

  async *#walkKeys(field: string, signal: AbortSignal | undefined) {
    const loads = { first: { min: { field: 'loadedIn' } }, last: { max: { field: 'loadedIn' } } };
    let after: { key: string } | undefined;
    do {
      const composite = { size: KEYS_A_PAGE, sources: [{ key: { terms: { field } } }], ...(after ? { after } : {}) };
      const asked = { client: this.#client, timeoutMs: this.#timeoutMs, signal };
      const aggs = { keys: { composite, aggs: loads } };
      const { aggregations } = await searchElastic<unknown, KeyPage>(asked, { index: this.#alias, size: 0, track_total_hits: false, aggs });
      const { buckets = [], after_key } = aggregations?.keys ?? {};
      for (const { key, doc_count, first, last } of buckets)
        yield { key: key.key, count: doc_count, firstLoad: first.value, lastLoad: last.value };
      after = after_key;
    } while (after);
  }
}
