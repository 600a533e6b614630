/** A snapshot and its manifest as answers show them. Pure. */
import { statusOf, viewError, viewProgress } from '../../core/billedJobs/fileViews.ts';
import { recordReference } from '../../http/openapi.ts';
import { SCHEMA_VERSION } from '../../http/versioning.ts';
import { fileNameOf, RESTRICTIONS_NUMBER } from './files.ts';
import { SNAPSHOTS } from './snapshotKind.ts';
import type { SnapshotFile, SnapshotMoment, StoredSnapshot } from './types.ts';

export type SnapshotView = ReturnType<typeof snapshotView>;

export const pollUrlOf = (publicUrl: string, id: string) => `${publicUrl}/v1/snapshots/${id}`;

export const includeOf = ({ withDerived }: Pick<StoredSnapshot, 'withDerived'>): 'derived'[] => (withDerived ? ['derived'] : []);

/** @param publicUrl root of the service, without a trailing slash */
export function snapshotView(stored: StoredSnapshot, publicUrl: string) {
  const { id, recordCount } = stored;
  const pollUrl = pollUrlOf(publicUrl, id);
  return {
    id,
    status: statusOf(stored),
    source: { filters: stored.filters },
    representation: stored.representation,
    include: includeOf(stored),
    format: stored.format,
    compression: stored.compression,
    geoparquet: stored.geoparquet ?? null,
    ...viewProgress(stored, recordCount),
    recordCount,
    fileCount: stored.fileCount,
    sizeBytes: stored.sizeBytes,
    creditsReserved: stored.creditsReserved,
    creditsCharged: stored.creditsCharged,
    creditsRefunded: stored.creditsRefunded,
    pollUrl,
    manifestUrl: `${pollUrl}/manifest`,
    error: viewError(SNAPSHOTS, stored),
  };
}

/** The manifest of a ready snapshot. @param syncUrl of the walk that goes on from it */
export function manifestView(
  stored: StoredSnapshot,
  { generation, asOf, cursor }: SnapshotMoment,
  files: readonly SnapshotFile[],
  { publicUrl, syncUrl }: { publicUrl: string; syncUrl: string },
) {
  const { id, filters, representation, format, recordCount, today } = stored;
  const viewFile = (file: SnapshotFile) => {
    const name = fileNameOf(stored, file.number);
    const { sizeBytes, sha256, recordCount } = file;
    return { name, url: `${pollUrlOf(publicUrl, id)}/files/${name}`, sizeBytes, sha256, recordCount };
  };
  const restrictions = files.find(({ number }) => number === RESTRICTIONS_NUMBER);
  return {
    snapshotId: id,
    schemaVersion: SCHEMA_VERSION,
    schemaUrl: `${publicUrl}/openapi.json${recordReference(representation).$ref}`,
    generation,
    asOf,
    filters,
    representation,
    include: includeOf(stored),
    format,
    recordCount: recordCount ?? 0,
    files: files.filter((file) => file !== restrictions).map(viewFile),
    restrictions: restrictions ? { ...viewFile(restrictions), on: today } : null,
    sync: { cursor, url: syncUrl },
  };
}
