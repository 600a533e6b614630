/**
 * Builds the files of a snapshot from one moment of the index, and settles it: files, deliveries, charge and cursor in one transaction.
 * Nothing of an attempt counts before, so that it may crash anywhere: the next one starts over with files of its own.
 */
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { deliveryOf } from '../../core/domain/credits.ts';
import type { Places } from '../../core/domain/places.ts';
import { joined, type Piece, RecordText, type ServedRecord } from '../../core/domain/record/rendered.ts';
import type { FetchedProject, PublicRecord } from '../../core/domain/record/represent.ts';
import { revisionHash } from '../../core/domain/record/revisionHash.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import { FinalJobError } from '../../core/jobs/kind.ts';
import type { JobContext } from '../../core/jobs/registry.ts';
import type { StartedJob } from '../../core/jobs/store.ts';
import type { HoldingStore } from '../../core/ledger/holdings.ts';
import type { PageItem } from '../../core/ledger/pageOutcome.ts';
import type { Suppressions } from '../../core/people/suppressions.ts';
import type { UnlockStore } from '../../core/people/unlocks.ts';
import { evidencePaths } from '../../core/search/evidence.ts';
import { hashesShown, peopleOf } from '../../core/search/people.ts';
import { delivered, servedRecords } from '../../core/search/servePage.ts';
import type { FrozenSet, FrozenSets } from '../../core/store/elastic/frozenSet.ts';
import type { ProjectHit, ProjectPage } from '../../core/store/elastic/projects.ts';
import { type FileStore, FileStoreError } from '../../core/store/files/fileStore.ts';
import type { LineageWatch } from '../../core/store/lineageWatch.ts';
import { cursorAfterCopy } from '../sync/index.ts';
import { compressed, expectedBytes, storedNameOf } from './files.ts';
import { parquetFile } from './parquetFile.ts';
import { acceptedSet, type SnapshotSet } from './request.ts';
import type { SnapshotStore } from './store.ts';
import type { SnapshotMoment, SnapshotPayload } from './types.ts';

export interface BuildServices {
  frozen: FrozenSets;
  holdings: HoldingStore;
  snapshots: SnapshotStore;
  files: () => Promise<FileStore>;
  suppressions: Suppressions;
  unlocks: UnlockStore;
  lineage: Pick<LineageWatch, 'continues' | 'markOf'>;
  places: Places;
  publicUrl: string;
  cursorSecret: string;
  /** records of a file at most */
  fileRecords: number;
  /** compact records of a page; divides the records of a file */
  pageRecords: number;
  now: () => Date;
  log: Logger;
}

/** How many compact records take the memory of one; two pages are in memory at a time. */
const COMPACT_RECORDS: Record<Representation, number> = { compact: 1, standard: 5, full: 10 };
/** Records that are written without giving other work of the process a turn. */
const RECORDS_A_TURN = 250;

type SnapshotJob = StartedJob<SnapshotPayload>;

/** An attempt, with the team that it delivers to. */
interface Building {
  services: BuildServices;
  job: SnapshotJob & { teamId: number };
  context: JobContext;
  set: SnapshotSet;
  frozen: FrozenSet;
}

/** @throws FinalJobError where no further attempt can succeed */
export async function buildSnapshot(services: BuildServices, job: SnapshotJob, context: JobContext): Promise<void> {
  const { lineage, snapshots, places } = services;
  const { teamId } = job;
  if (teamId === null) throw new Error(`The snapshot ${job.id} has no team`);
  await lineage.continues(undefined, context.signal);
  const files = await services.files();
  for (const name of await context.write((tx) => snapshots.earlierFiles(tx, job))) await files.delete(name);
  await context.write((tx) => snapshots.forgetEarlier(tx, job));
  await throwIfNoRoom(files, job);
  const set = acceptedSet(job.payload, places);
  const frozen = await services.frozen.open(context.signal);
  try {
    const building = { services, job: { ...job, teamId }, context, set, frozen };
    const moment = await momentOf(building);
    const matchCount = await writeFiles(building, files);
    await lineage.continues(undefined, context.signal);
    await context.settle(async (tx) => {
      await snapshots.settle(tx, job, { moment, matchCount });
      return { status: 'ready' };
    });
  } catch (error) {
    throw isFull(error) && isLastAttempt(job) ? noRoom(error) : error;
  } finally {
    await frozen.close();
  }
}

const isFull = (error: unknown) => error instanceof FileStoreError && error.failure === 'full';

const isLastAttempt = ({ attempt, handedBack, maxAttempts }: SnapshotJob) => attempt - handedBack >= maxAttempts;

const noRoom = (cause?: unknown) =>
  new FinalJobError(
    'service_unavailable',
    'There was no room for the files; all credits were given back. Queue the snapshot again later.',
    {
      cause,
    },
  );

/** Before the first file, so that a build which cannot end does not fill the disk. */
async function throwIfNoRoom(files: FileStore, { payload: { representation, matchCount, recordsMax } }: SnapshotJob): Promise<void> {
  const free = await files.freeBytes();
  if (free !== null && free < expectedBytes(representation, recordsMax ?? matchCount)) throw noRoom();
}

async function momentOf({ services, job, context, set, frozen }: Building): Promise<SnapshotMoment> {
  const { newestChange, lastRemoval, set: index } = frozen.moment;
  const newest = Math.max(newestChange, lastRemoval[0]);
  const mark = await services.lineage.markOf(newest, context.signal);
  const copied = { newestChange, lastRemoval, mark, day: job.payload.today };
  return {
    generation: index.generation,
    asOf: new Date(newest).toISOString(),
    cursor: cursorAfterCopy(set.walk, copied, services.cursorSecret),
  };
}

/** Writes the records into files of as many each. @returns how many match at the moment */
async function writeFiles(building: Building, files: FileStore): Promise<number> {
  const { services, job, context } = building;
  const { snapshots, fileRecords } = services;
  const source = new PageSource(building);
  let processed = 0;
  for (let number = 1; await source.hasMore(); number++) {
    const storedAs = storedNameOf(job.id, job.attempt, job.payload, number);
    await context.write((tx) => snapshots.beginFile(tx, job, number, storedAs));
    let recordCount = 0;
    async function* records(): AsyncGenerator<ServedRecord[]> {
      for (let page = 1; recordCount < fileRecords && (await source.hasMore()); page++) {
        const { hits } = await source.take();
        const { chunks, items, people } = await pageOf(building, hits);
        await context.write((tx) => snapshots.notePage(tx, job, { file: number, page, items, people }));
        yield* chunks;
        recordCount += hits.length;
        await context.progress({ processed: processed + recordCount, total: source.total });
      }
    }
    const written = await files.write(storedAs, contentOf(job.payload, records(), source.size), context.signal);
    await context.write((tx) => snapshots.finishFile(tx, job, { number, storedAs, ...written, recordCount }));
    processed += recordCount;
  }
  return source.matchCount;
}

/** The pages of the selection; while one is written, the next is fetched. */
class PageSource {
  readonly #building: Building;
  /** records of a page */
  readonly size: number;
  #left: number;
  #next: Promise<ProjectPage>;
  /** matches at the moment; known once `hasMore` has answered */
  matchCount = 0;

  constructor(building: Building) {
    const { recordsMax, representation } = building.job.payload;
    this.#building = building;
    this.size = Math.max(1, building.services.pageRecords / COMPACT_RECORDS[representation]);
    this.#left = recordsMax ?? Number.POSITIVE_INFINITY;
    this.#next = this.#fetch(undefined);
  }

  get total(): number {
    return Math.min(this.matchCount, this.#building.job.payload.recordsMax ?? this.matchCount);
  }

  async hasMore(): Promise<boolean> {
    return (await this.#next).hits.length > 0;
  }

  async take(): Promise<ProjectPage> {
    const page = await this.#next;
    this.#left -= page.hits.length;
    this.#next = page.hits.length < this.size || this.#left <= 0 ? Promise.resolve({ ...page, hits: [] }) : this.#fetch(page.hits.at(-1));
    return page;
  }

  #fetch(after: ProjectHit | undefined): Promise<ProjectPage> {
    const { frozen, set, context, job } = this.#building;
    const { query, filters } = set.selection;
    const size = Math.min(this.size, this.#left);
    const { representation } = job.payload;
    const request = {
      query,
      sort: orderOf(job.payload),
      size,
      representation,
      toConfirm: evidencePaths(filters),
      toShow: true,
      after,
      count: !after,
    };
    const page = frozen.page(request, context.signal).then((found) => {
      if (!after) this.matchCount = found.total;
      return found;
    });
    page.catch(() => undefined); // thrown to whoever waits for the page
    return page;
  }
}

/** By id; in Parquet by place, so that a reader of one place skips the others, but where only the first by id are paid for. */
const orderOf = ({ format, recordsMax }: SnapshotPayload) => [
  ...(format === 'parquet' && recordsMax === null ? [{ 'derived.stateId': 'asc' }, { 'derived.countyId': 'asc' }] : []),
  { id: 'asc' },
];

/** The bytes of a file of these records. @param groupRecords records of a row group of Parquet */
function contentOf(
  { format, compression, representation }: SnapshotPayload,
  records: AsyncIterable<readonly ServedRecord[]>,
  groupRecords: number,
): AsyncIterable<Uint8Array> {
  return format === 'parquet' ? parquetFile(asObjects(records), representation, groupRecords) : compressed(linesOf(records), compression);
}

async function* linesOf(chunks: AsyncIterable<readonly ServedRecord[]>): AsyncGenerator<Buffer> {
  for await (const records of chunks) {
    const pieces: Piece[] = [];
    for (const record of records)
      if (record instanceof RecordText) pieces.push(...record.pieces, '\n');
      else pieces.push(`${JSON.stringify(record)}\n`);
    yield joined(pieces);
  }
}

async function* asObjects(chunks: AsyncIterable<readonly ServedRecord[]>): AsyncGenerator<PublicRecord[]> {
  for await (const records of chunks) yield records.map((record) => (record instanceof RecordText ? record.toJSON() : record));
}

interface PageRecords {
  /** some at a time, so that other work of the process has its turn */
  chunks: AsyncGenerator<ServedRecord[]>;
  items: PageItem[];
  /** hashes of everybody whom the page shows */
  people: string[];
}

/** The records of a page as they are served. `delivery` shows what the pool holds when the page is written. */
async function pageOf({ services, job, set }: Building, hits: readonly ProjectHit[]): Promise<PageRecords> {
  const { holdings, publicUrl } = services;
  const { teamId, payload } = job;
  const { representation, companyDetails, rate } = payload;
  const projects = hits.map(({ project }) => project);
  const items = projects.map(({ id, contentRevision: revision }) => ({ id, revision, revisionHash: revisionHash(id, revision) }));
  const [held, people] = await Promise.all([
    holdings.pageHoldings(teamId, items),
    peopleOf(services, { teamId, projects, representation }),
  ]);
  async function* chunks(): AsyncGenerator<ServedRecord[]> {
    for (let from = 0; from < hits.length; from += RECORDS_A_TURN) {
      const some = hits.slice(from, from + RECORDS_A_TURN);
      const found = { hits: some, selection: set.selection, representation };
      const records = servedRecords(found, { plan: { paid: companyDetails } }, publicUrl, people);
      yield records.map((record, i) => {
        const { id, contentRevision } = projects[from + i] as FetchedProject;
        const { revision = null, lastAt, paid = false } = held.get(id) ?? {};
        const holding = { revision, lastDelivered: lastAt?.toISOString() ?? null };
        return delivered(record, deliveryOf(holding, contentRevision, rate > 0 && !paid));
      });
      await setImmediate();
    }
  }
  return { chunks: chunks(), items, people: representation === 'compact' ? [] : [...hashesShown(services.suppressions, projects, people)] };
}
