/**
 * Rendered records that this process keeps, so that a page of them is asked of Elasticsearch by the names of their writings alone, and no text is
 * sent, unpacked or parsed again. Every write of a document names it otherwise: what is kept is always what the index holds.
 */
import type { estypes } from '@elastic/elasticsearch';
import type { Tier } from '../../domain/record/field.ts';
import type { RenderedProject } from '../../domain/record/rendered.ts';

/** Bytes that are written at once; a text that is longer has a buffer of its own. */
const SLAB_BYTES = 1024 * 1024;
const KEPT_MAX_BYTES = 128 * 1024 * 1024;
/** Memory of a record: its text, half as much for values that stand in it, and the rest. */
const TEXT_TIMES = 1.5;
const RECORD_BYTES = 1_000;
/** The weight of a page in the share of records that were kept, from which on pages are asked by names first. */
const PAGE_WEIGHT = 0.05;
const LIKELY_SHARE = 0.5;

/** An order by which hits are found here: every order of pages ends with these two. */
export const BY_TIME = [{ lastUpdated: 'desc' }, { id: 'desc' }];

type NamedHit = Pick<estypes.SearchHit<unknown>, '_index' | '_primary_term' | '_seq_no' | 'sort'>;

interface Kept {
  hit: NamedHit;
  record: RenderedProject;
}

/**
 * Whether two hits are the same writing of a document: Elasticsearch numbers the writes of a shard, and an index is named for the load that made it. The
 * last sort values, time of change and id, tell apart shards, and an index that was restored from one that has gone on.
 */
const isSame = (one: NamedHit, other: NamedHit) =>
  one._seq_no === other._seq_no &&
  one._primary_term === other._primary_term &&
  one.sort?.at(-1) === other.sort?.at(-1) &&
  one.sort?.at(-2) === other.sort?.at(-2) &&
  one._index === other._index;

/** Records kept since some moment, their texts one after the other in slabs. */
class Shelf {
  /** by id: shards number their writes alike */
  readonly #records = new Map<unknown, Kept>();
  readonly #publicUrl: string;
  bytes = 0;
  #slab = Buffer.alloc(0);
  #used = 0;

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
  }

  find(hit: NamedHit): RenderedProject | undefined {
    const found = this.#records.get(hit.sort?.at(-1));
    return found && isSame(found.hit, hit) ? found.record : undefined;
  }

  put({ _index, _primary_term, _seq_no, sort = [] }: NamedHit, given: RenderedProject): RenderedProject {
    const record = given.copyTo((length) => this.#take(length), this.#publicUrl);
    this.#records.set(sort.at(-1), { hit: { _index, _primary_term, _seq_no, sort: sort.slice(-2) } as NamedHit, record });
    this.bytes += RECORD_BYTES;
    return record;
  }

  #take(length: number): { bytes: Buffer; from: number } {
    this.bytes += TEXT_TIMES * length;
    if (length > SLAB_BYTES) return { bytes: Buffer.allocUnsafeSlow(length), from: 0 };
    if (this.#used + length > this.#slab.length) [this.#slab, this.#used] = [Buffer.allocUnsafeSlow(SLAB_BYTES), 0];
    this.#used += length;
    return { bytes: this.#slab, from: this.#used - length };
  }
}

/** Records by the hits that name their writings. Those that were not used while half of the memory was filled are dropped. */
export class KeptRecords {
  readonly #publicUrl: string;
  #shelf: Shelf;
  #earlier: Shelf;
  #share = 0;

  /** @param publicUrl with which most answers show their links */
  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
    this.#shelf = this.#earlier = new Shelf(publicUrl);
  }

  /** Whether most records of recent pages were kept. */
  get areLikely(): boolean {
    return this.#share >= LIKELY_SHARE;
  }

  /** The kept record of a hit, if it has all these parts. */
  find(hit: NamedHit, tiers: readonly Tier[]): RenderedProject | undefined {
    const used = this.#shelf.find(hit);
    if (used?.has(tiers)) return used;
    const found = this.#earlier.find(hit);
    return found?.has(tiers) ? this.#put(hit, found) : undefined;
  }

  /** Keeps what was read of hits, unless it has these parts already. */
  keep(hits: readonly NamedHit[], records: readonly RenderedProject[], tiers: readonly Tier[]): void {
    for (const [i, hit] of hits.entries()) if (!this.find(hit, tiers)) this.#put(hit, records[i] as RenderedProject);
  }

  /** Notes how many records of a page were kept before it was read. */
  note(found: number, of: number): void {
    if (of) this.#share += (found / of - this.#share) * PAGE_WEIGHT;
  }

  #put(hit: NamedHit, record: RenderedProject): RenderedProject {
    if (this.#shelf.bytes > KEPT_MAX_BYTES / 2) [this.#earlier, this.#shelf] = [this.#shelf, new Shelf(this.#publicUrl)];
    return this.#shelf.put(hit, record);
  }
}
