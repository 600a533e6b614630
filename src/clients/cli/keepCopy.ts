/** Brings a copy up to date, whatever its target: begins with a snapshot if that is faster, then walks until nothing is new. */
import { UserError } from '../../terminal/program.ts';
import { isRefusal, type Representation, type SnapshotFormat } from '../client/index.ts';
import { type Cli, showWarnings } from './context.ts';
import type { CopySource, CopyTarget } from './copyTarget.ts';
import { explainDiskError } from './durableFiles.ts';
import { Cancelled } from './failures.ts';
import type { Typed } from './filters.ts';
import type { Row } from './output.ts';
import { countIfPossible } from './projects.ts';
import { copySnapshot, SNAPSHOT_FROM } from './snapshot.ts';
import { Spending, type SpendingOptions } from './spending.ts';

export interface CopyOptions extends SpendingOptions {
  representation: Representation;
  /** whether to begin with a snapshot; by default if that is faster */
  snapshot?: boolean;
}

/** What is copied, and the format of a snapshot. */
export interface CopyWanted {
  /** the target, for messages */
  target: string;
  filters: Typed;
  snapshotFormat: SnapshotFormat;
}

/** Whether a copy should begin with a snapshot. Not by default on a trial, whose snapshot would contain only the first records. */
async function shouldStartWithSnapshot(cli: Cli, copy: CopyTarget, matchCount: number, { snapshot }: CopyOptions): Promise<boolean> {
  if (copy.cursor !== undefined || snapshot === false) return false;
  if (copy.snapshotId || snapshot) return true;
  return matchCount >= SNAPSHOT_FROM && (await cli.ask('getCredits')).data.plan.id !== 'trial';
}

const KEPT = 'What was copied is kept: run the same command again.';

/** Adds to an error of the walk how to continue. */
function explainWalkError(error: unknown, { name, startOver, cursor, snapshotId }: CopyTarget): unknown {
  if (error instanceof Cancelled && (cursor ?? snapshotId) !== undefined)
    return new Cancelled(`Stopped. The same command goes on where it was; ${name} follows when it is through.`);
  if (isRefusal(error, 'invalid_cursor'))
    return new UserError(`${name} cannot be brought up to date, since the licence or the service has changed: ${startOver}.`);
  return explainDiskError(error, name, KEPT);
}

interface Counts {
  received: number;
  removed: number;
}

interface Walk {
  query: Record<string, unknown>;
  matchCount: number;
  creditsRequired: number;
}

/** Walks until nothing is new. A page that costs more than was confirmed is requested again after a confirmation. */
async function walkOn(cli: Cli, copy: CopyTarget, { query, matchCount, creditsRequired }: Walk, spending: Spending): Promise<Counts> {
  const seen = new Set<string>();
  const counts: Counts = { received: 0, removed: 0 };
  const walkPages = async () => {
    const bar = cli.startPacedBar('sync', copy.cursor === undefined ? matchCount : 0);
    const pages = cli.client.sync(query, {
      cursor: copy.cursor,
      signal: cli.signal,
      get maxCredits() {
        return spending.left; // of the next page
      },
    });
    try {
      for await (const page of pages) {
        await copy.add(page);
        spending.recordCharge(page.meta.creditsUsed);
        counts.received += page.records.length;
        counts.removed += page.removed.length;
        bar.update(counts.received);
        showWarnings(cli, page.meta, seen);
        cli.signal.throwIfAborted();
      }
    } finally {
      bar.stop();
    }
  };
  for (;;) {
    try {
      await walkPages();
      return counts;
    } catch (error) {
      await spending.confirmPrice(error, async () => creditsRequired);
    }
  }
}

/**
 * Brings a copy up to date.
 * @param open opens the copy of an earlier run, or a new one
 * @returns figures of the copy and of this run
 * @throws UserError, Cancelled; the same command then continues the copy
 */
export async function keepCopy(
  cli: Cli,
  { target, filters, snapshotFormat }: CopyWanted,
  open: (source: CopySource) => Promise<CopyTarget>,
  options: CopyOptions,
): Promise<Row> {
  const { representation } = options;
  const spending = new Spending(cli, options);
  const { matchCount, creditsRequired } = (await countIfPossible(cli, filters)) ?? { matchCount: 0, creditsRequired: 0 };
  const { teamId } = (await cli.ask('getStart')).data.account;
  const query = { ...filters, representation };
  const copy = await open({ url: cli.settings.url, teamId, query }).catch((error: unknown) => {
    throw explainDiskError(error, target, KEPT);
  });
  const bringUpToDate = async () => {
    try {
      if (await shouldStartWithSnapshot(cli, copy, matchCount, options)) {
        const patient = options.snapshot === true;
        await copySnapshot(cli, copy, { filters, representation, format: snapshotFormat, patient }, spending);
      }
      const counts = await walkOn(cli, copy, { query, matchCount, creditsRequired }, spending);
      return { ...(await copy.finish()), ...counts };
    } finally {
      copy.release?.();
    }
  };
  try {
    const figures = await bringUpToDate();
    await spending.report();
    return figures;
  } catch (error) {
    await copy.removeIfEmpty().catch(() => {}); // report the first failure
    throw explainWalkError(error, copy);
  }
}
