/**
 * Summarises what a set of indices shows: the number of versions of each kind, and a checksum that does not depend on their order. A load
 * updates it with each write; it can also be computed from the set, to check that the set is complete. Pure except for `readSetContents`.
 */
import { hash } from 'node:crypto';
import { KINDS, type Kind } from '../../src/core/store/elastic/indices.ts';
import type { CommitRecord } from '../../src/core/store/postgres/lineageStore.ts';
import { type StoredVersion, sortValuePages } from '../read/versions.ts';
import type { Write } from './bulkWrite.ts';
import type { GenerationStore } from './generationSets.ts';

const WORD = 2n ** 64n;

/** The parts of a version that enter the checksum: those that a client's copy must have too. */
interface Counted extends StoredVersion {
  lastUpdated?: string;
  contentRevision?: string;
  at?: string;
  mergedInto?: number;
}

const milliseconds = (time: string | undefined) => (time === undefined ? 0 : Date.parse(time));

/** A text for each version; versions that clients can tell apart have different texts. */
const lineOf: Record<Kind, (version: Counted) => string> = {
  projects: ({ key, lastUpdated, contentRevision = '' }) => `projects ${key} ${milliseconds(lastUpdated)} ${contentRevision}`,
  removals: ({ key, at, mergedInto = 0 }) => `removals ${key} ${milliseconds(at)} ${mergedInto}`,
  documents: ({ key }) => `documents ${key}`,
  contacts: ({ key }) => `contacts ${key}`,
};

const numberOf = (line: string): bigint => hash('sha1', line, 'buffer').readBigUInt64BE(0);

export type RecordedContents = Pick<CommitRecord, Kind | 'digest'>;

export class SetContents {
  readonly counts: Record<Kind, number>;
  #sum: bigint;

  /** @param recorded contents as recorded with a commit; empty by default */
  constructor(recorded?: RecordedContents) {
    this.counts = Object.fromEntries(KINDS.map((kind) => [kind, recorded?.[kind] ?? 0])) as Record<Kind, number>;
    this.#sum = BigInt(`0x${recorded?.digest ?? '0'}`);
  }

  add(kind: Kind, version: Counted): void {
    this.#change(kind, lineOf[kind](version), 1);
  }

  remove(kind: Kind, version: Counted): void {
    this.#change(kind, lineOf[kind](version), -1);
  }

  /** Counts a write that becomes visible when its load is committed. */
  addWrite({ operation, version, overwrites }: Write, kind: Kind): void {
    if (operation !== 'delete' && version.supersededIn === undefined) this.add(kind, version);
    else this.remove(kind, version);
    if (overwrites) this.remove(kind, overwrites);
  }

  toRecord(): Record<Kind, number> & { digest: string } {
    return { ...this.counts, digest: this.#sum.toString(16).padStart(16, '0') };
  }

  #change(kind: Kind, line: string, by: 1 | -1): void {
    this.counts[kind] += by;
    this.#sum = BigInt.asUintN(64, this.#sum + (by === 1 ? numberOf(line) : WORD - numberOf(line)));
  }
}

/**
 * Passes writes through and counts them.
 * @param kindOf the kind for each name that is written through
 * @param written gets each kind of which there is a write
 */
export async function* countWrites(
  writes: AsyncIterable<Write>,
  contents: SetContents,
  kindOf: ReadonlyMap<string, Kind>,
  written: Set<Kind>,
): AsyncGenerator<Write> {
  for await (const write of writes) {
    const kind = kindOf.get(write.index);
    if (!kind) throw new Error(`A write goes through ${write.index}, which is of no kind`);
    contents.addWrite(write, kind);
    written.add(kind);
    yield write;
  }
}

/** Fields with the counted parts: they are read as sort values, so that no version has to be fetched. */
const FIELDS: Record<Kind, readonly { field: string; missing?: 0 | '' }[]> = {
  projects: [{ field: 'id' }, { field: 'lastUpdated', missing: 0 }, { field: 'contentRevision' }],
  removals: [{ field: 'id' }, { field: 'at' }, { field: 'mergedInto', missing: 0 }],
  documents: [{ field: 'key' }],
  contacts: [{ field: 'key' }],
};

/** Computes the contents from the indices or filtered aliases of a set. */
export async function readSetContents({ client }: GenerationStore, indexOf: (kind: Kind) => string): Promise<SetContents> {
  const contents = new SetContents();
  for (const kind of KINDS) {
    const sort = FIELDS[kind].map(({ field, missing }) => ({ [field]: { order: 'asc', ...(missing === 0 ? { missing } : {}) } }) as const);
    for await (const page of sortValuePages(client, indexOf(kind), sort)) {
      for (const [key, time, last] of page) {
        const version = { key: String(key), loadedIn: 0 };
        const timeText = () => new Date(Number(time)).toISOString();
        if (kind === 'projects')
          contents.add(kind, { ...version, ...(time ? { lastUpdated: timeText() } : {}), contentRevision: String(last ?? '') });
        else if (kind === 'removals') contents.add(kind, { ...version, at: timeText(), mergedInto: Number(last) });
        else contents.add(kind, version);
      }
    }
  }
  return contents;
}
