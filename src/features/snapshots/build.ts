/**
 * Builds the files of a snapshot from one moment of the index, and settles it: files, deliveries, charge and cursor in one transaction.
 * Before the settlement an attempt may crash anywhere; the next one starts over with files of its own.
 */
import type { ServedRecord } from '../../core/domain/record/rendered.ts';
import type { JobContext } from '../../core/jobs/defineJob.ts';
import { FinalJobError, LostLease } from '../../core/jobs/kind.ts';
import { isLastAttempt } from '../../core/jobs/store.ts';
import type { HeldMoment } from '../../core/ledger/holdings.ts';
import { pricedSelection } from '../../core/search/byIds.ts';
import { dayOfSelection, pinRestrictions } from '../../core/search/select.ts';
import type { ProjectHit } from '../../core/store/elastic/projects.ts';
import { type FileStore, FileStoreError } from '../../core/store/files/fileStore.ts';
import { cursorAfterCopy } from '../sync/index.ts';
import type { Building, BuildServices, SnapshotJob } from './building.ts';
import { expectedBytes, storedNameOf } from './files.ts';
import { contentOf, PageSource, pageOf } from './records.ts';
import { acceptedScope } from './request.ts';
import { writeRestrictions } from './restrictionsFile.ts';
import { OutdatedFiles } from './settlement.ts';
import type { SnapshotMoment } from './types.ts';

/** How often files are rewritten because the pool was delivered some of their records in another way during the build. */
const REWRITES_MAX = 5;

/** A file that is being written. */
interface BegunFile {
  number: number;
  storedAs: string;
  /** the last record of the previous file */
  after: ProjectHit | undefined;
  /** what the pool held when the file was begun, which its lines state */
  held: HeldMoment;
}

interface WrittenFile extends BegunFile {
  recordCount: number;
}

/** @throws FinalJobError if no further attempt can succeed */
export async function buildSnapshot(services: BuildServices, job: SnapshotJob, context: JobContext): Promise<void> {
  const { lineage, snapshots, places } = services;
  const { teamId } = job;
  if (teamId === null) throw new Error(`The snapshot ${job.id} has no team`);
  await lineage.continues(undefined, context.signal);
  const files = await services.files();
  for (const name of await context.write((tx) => snapshots.earlierFiles(tx, job))) await files.delete(name);
  await context.write((tx) => snapshots.forgetEarlier(tx, job));
  await throwIfNoRoom(files, job);
  const accepted = acceptedScope(job.payload, places);
  const set = { ...accepted, selection: await pinRestrictions(accepted.selection, services) };
  const frozen = await services.frozen.open(context.signal);
  const begun = new Set<string>();
  let isSettling = false;
  try {
    const building = { services, job: { ...job, teamId }, context, set, frozen, files, begun, rate: job.payload.rate };
    const moment = await momentOf(building);
    await writeRestrictions(building);
    const written = await writeFiles(building);
    isSettling = true;
    await settle(building, moment, written);
  } catch (error) {
    // Deletes the files of this attempt, also those completed after another attempt took over. Not after an outage during the
    // settlement, when the files may belong to a ready snapshot.
    if (!isSettling || error instanceof LostLease) for (const name of begun) await files.delete(name).catch(() => undefined);
    throw isFull(error) && isLastAttempt(job) ? noRoom(error) : error;
  } finally {
    await frozen.close();
  }
}

const isFull = (error: unknown) => error instanceof FileStoreError && error.failure === 'full';

const noRoom = (cause?: unknown) =>
  new FinalJobError(
    'service_unavailable',
    'There was no room for the files; all credits were given back. Queue the snapshot again later.',
    {
      cause,
    },
  );

/** Checked before the first file, so that a build that cannot succeed does not fill the disk. */
async function throwIfNoRoom(files: FileStore, { payload: { representation, matchCount, recordsMax } }: SnapshotJob): Promise<void> {
  const free = await files.freeBytes();
  if (free !== null && free < expectedBytes(representation, recordsMax ?? matchCount)) throw noRoom();
}

async function momentOf({ services, context, set, frozen }: Building): Promise<SnapshotMoment> {
  const { newestChange, lastRemoval, set: index } = frozen.moment;
  const newest = Math.max(newestChange, lastRemoval[0]);
  const mark = await services.lineage.markOf(newest, context.signal);
  const copied = { newestChange, lastRemoval, mark, day: dayOfSelection(set.selection.context) };
  return {
    generation: index.generation,
    asOf: new Date(newest).toISOString(),
    cursor: cursorAfterCopy(set.walk, copied, services.cursorSecret),
  };
}

interface WrittenFiles {
  files: WrittenFile[];
  /** number of matches at the moment */
  matchCount: number;
}

/** Writes the records into files of equal size. */
async function writeFiles(building: Building): Promise<WrittenFiles> {
  const { services, job, context, set } = building;
  const source = new PageSource(building);
  // Until they are paid for, nothing says how many of some ids match.
  const isShown = pricedSelection(set.selection, { recordCredit: job.payload.rate }) === set.selection;
  const files: WrittenFile[] = [];
  let [processed, after] = [0, undefined as ProjectHit | undefined];
  for (let number = 1; await source.hasMore(); number++) {
    const storedAs = storedNameOf(job.id, job.attempt, job.payload, number);
    await context.write((tx) => services.snapshots.beginFile(tx, job, number, storedAs));
    building.begun.add(storedAs);
    const file = { number, storedAs, after, held: await services.holdings.moment(job.teamId) };
    const progress = async (records: number) => {
      if (isShown) await context.progress({ processed: processed + records, total: source.total });
    };
    const { recordCount, last } = await writeFile(building, file, source, progress);
    files.push({ ...file, recordCount });
    processed += recordCount;
    after = last;
  }
  return { files, matchCount: source.matchCount };
}

/** Writes the next records into a file, and records its contents for the settlement. */
async function writeFile(
  building: Building,
  { number, storedAs }: BegunFile,
  source: PageSource,
  progress: (records: number) => Promise<void>,
): Promise<{ recordCount: number; last: ProjectHit | undefined }> {
  const { services, job, context, files } = building;
  const { snapshots, fileRecords } = services;
  let [recordCount, last] = [0, undefined as ProjectHit | undefined];
  async function* records(): AsyncGenerator<ServedRecord[]> {
    for (let page = 1; recordCount < fileRecords && (await source.hasMore()); page++) {
      const { hits } = await source.take();
      const { chunks, items, people } = await pageOf(building, hits);
      await context.write((tx) => snapshots.notePage(tx, job, { file: number, page, items, people }));
      yield* chunks;
      recordCount += hits.length;
      last = hits.at(-1);
      await progress(recordCount);
    }
  }
  const written = await files.write(storedAs, contentOf(job.payload, records(), source.size), context.signal);
  await context.write((tx) => snapshots.finishFile(tx, job, { number, storedAs, ...written, recordCount }));
  return { recordCount, last };
}

/**
 * Settles the snapshot. If the pool was delivered some of the records in another way during the build, the `delivery` in the lines is outdated,
 * and the files are first rewritten from the same moment; after some rewrites they are settled as they are.
 */
async function settle(building: Building, moment: SnapshotMoment, { files, matchCount }: WrittenFiles): Promise<void> {
  const { services, job, context } = building;
  for (let rewrites = 0; ; rewrites++) {
    await services.lineage.continues(undefined, context.signal);
    try {
      const written = rewrites < REWRITES_MAX ? { rate: building.rate, files } : undefined;
      return await context.settle(async (tx) => {
        await services.snapshots.settle(tx, job, { moment, matchCount, written });
        return { status: 'ready' };
      });
    } catch (error) {
      if (!(error instanceof OutdatedFiles)) throw error;
      services.log.info({ job: job.id, files: error.numbers.length }, 'Files of a snapshot are written again');
      building.rate = error.rate;
      for (const file of files) if (error.numbers.includes(file.number)) await writeAgain(building, file);
    }
  }
}

/** Rewrites the files with the same records. */
async function writeAgain(building: Building, file: WrittenFile): Promise<void> {
  const { services, job, context } = building;
  await context.write((tx) => services.snapshots.forgetPages(tx, job, file.number));
  file.held = await services.holdings.moment(job.teamId);
  const source = new PageSource(building, { after: file.after, records: file.recordCount });
  await writeFile(building, file, source, async () => undefined);
}
