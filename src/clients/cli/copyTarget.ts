/** The interface between a walk and the file, folder or table in which it keeps a copy. */
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../terminal/program.ts';
import type { SnapshotManifest } from '../client/index.ts';
import type { Row } from './output.ts';

export interface CopySource {
  url: string;
  /** the team whose licence and holdings decide what the walk brings; absent in copies of earlier versions */
  teamId?: number | undefined;
  /** filters and representation as they were typed */
  query: Record<string, unknown>;
}

/** A page of a walk: `removed` is applied before `records`. */
export interface CopyPage {
  removed: readonly { id: number; mergedInto?: number | null; at?: string }[];
  records: readonly { id: number }[];
  cursor: string;
}

/** Where a copy is kept. It survives being killed at any moment: data and cursor are always stored together. */
export interface CopyTarget {
  /** for messages */
  readonly name: string;
  /** what to do if the service no longer accepts the cursor */
  readonly startOver: string;
  /** undefined while nothing was copied */
  readonly cursor: string | undefined;
  /** the snapshot that the copy begins with, until its records are in it */
  readonly snapshotId: string | undefined;
  noteSnapshot(snapshotId: string): void | Promise<void>;
  /** where a file of the snapshot is downloaded to */
  partOf(name: string): string;
  /** replaces the content of the copy by the downloaded files; the walk continues from the cursor of their manifest */
  beginWith(manifest: SnapshotManifest, parts: readonly string[]): Promise<void>;
  /** stores a page with its cursor, durably */
  add(page: CopyPage): Promise<void>;
  /** called at the end of the walk @returns figures of the copy */
  finish(): Promise<Row>;
  /** removes a copy into which nothing came, such as one whose first request was refused; called after a failed run */
  removeIfEmpty(): Promise<void>;
  /** lets other processes work on the copy; called at the end of a run, however it ends. Absent where the end of the process does it */
  release?(): void;
}

/**
 * Whether a copy holds nothing yet, such as one whose first request was refused: it may become a copy of something else.
 * @param position of the walk, and the snapshot with which it begins
 */
export const isUntouched = ({ cursor, snapshotId }: { cursor: string | null; snapshotId?: string | null | undefined }): boolean =>
  cursor === null && (snapshotId ?? null) === null;

const shownQuery = (query: Record<string, unknown>) =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ') || 'no filters';

/** Refuses to continue a copy of another source. @param remedy what to do instead of repeating the earlier command @throws UserError */
export function refuseOtherSource(name: string, kept: CopySource, wanted: CopySource, remedy: string): void {
  if (kept.url !== wanted.url || !isDeepStrictEqual(kept.query, wanted.query))
    throw new UserError(`${name} was made of ${kept.url} with ${shownQuery(kept.query)}: repeat these, ${remedy}.`);
  if (kept.teamId !== undefined && wanted.teamId !== undefined && kept.teamId !== wanted.teamId)
    throw new UserError(
      `${name} was made with a key of another team (${kept.teamId}, and yours is ${wanted.teamId}): take its key, ${remedy}.`,
    );
}
