/** What a copy is kept in (a file, a folder, a table), as the walk that fills it sees it. */
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../terminal/program.ts';
import type { SnapshotManifest } from '../client/index.ts';
import type { Row } from './output.ts';

/** What a copy is of. */
export interface CopySource {
  url: string;
  /** whose licence and holdings decide what the walk brings; copies of earlier versions do not say */
  teamId?: number | undefined;
  /** filters and representation, as they were typed */
  query: Record<string, unknown>;
}

/** A page of a walk: `removed` is applied before `records`. */
export interface CopyPage {
  removed: readonly { id: number; mergedInto?: number | null; at?: string }[];
  records: readonly { id: number }[];
  cursor: string;
}

/** Survives being killed at any moment: what a call has kept stays with the cursor that belongs to it. */
export interface CopyTarget {
  /** as a person calls it */
  readonly name: string;
  /** what to do where the service does not take the cursor any more */
  readonly startOver: string;
  readonly cursor: string | undefined;
  /** whether nothing was copied yet */
  readonly isNew: boolean;
  /** the snapshot that the copy begins with, until its records are in it */
  readonly snapshotId: string | undefined;
  noteSnapshot(snapshotId: string): void | Promise<void>;
  /** where a file of the snapshot is downloaded to */
  partOf(name: string): string;
  /** takes the downloaded files in place of what the copy held; the walk goes on from the cursor of their manifest */
  beginWith(manifest: SnapshotManifest, parts: readonly string[]): Promise<void>;
  /** keeps a page; it is good from then on */
  add(page: CopyPage): Promise<void>;
  /** the walk is through @returns figures of the copy */
  finish(): Promise<Row>;
}

const shownQuery = (query: Record<string, unknown>) =>
  Object.entries(query)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ') || 'no filters';

/** @param remedy what else to do than repeating what was typed @throws UserError where a copy is of something else than what is wanted now */
export function refuseOtherSource(name: string, kept: CopySource, wanted: CopySource, remedy: string): void {
  if (kept.url !== wanted.url || !isDeepStrictEqual(kept.query, wanted.query))
    throw new UserError(`${name} was made of ${kept.url} with ${shownQuery(kept.query)}: repeat these, ${remedy}.`);
  if (kept.teamId !== undefined && wanted.teamId !== undefined && kept.teamId !== wanted.teamId)
    throw new UserError(
      `${name} was made with a key of another team (${kept.teamId}, and yours is ${wanted.teamId}): take its key, ${remedy}.`,
    );
}
