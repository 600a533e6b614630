/** The types of a snapshot: its request and its contents. */
import type { FilePayload, FileRow } from '../../core/billedJobs/fileJobs.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import type { Compression, GeoParquet, SnapshotFormat } from './formats.ts';

/** Content and format of the files. */
export interface SnapshotForm {
  representation: Representation;
  /** `include=derived`, beside the full representation */
  withDerived?: boolean;
  format: SnapshotFormat;
  compression: Compression | null;
  /** of Parquet; null for other formats, absent in what an older version accepted */
  geoparquet?: GeoParquet | null;
}

export interface SnapshotPayload extends FilePayload, SnapshotForm {
  /** number of matches at acceptance */
  matchCount: number;
  /** most records of a trial's snapshot; null for all matches */
  recordsMax: number | null;
}

/** The moment of the index that the files contain. */
export interface SnapshotMoment {
  generation: number;
  /** newest change or removal that the files reflect, ISO 8601 */
  asOf: string;
  /** from which a walk with the same filters continues */
  cursor: string;
}

export interface SnapshotFile {
  number: number;
  storedAs: string;
  sizeBytes: number;
  /** SHA-256, hexadecimal */
  sha256: string;
  recordCount: number;
}

export interface StoredSnapshot extends FileRow, SnapshotForm {
  /** as a poll shows them */
  filters: Readonly<Record<string, unknown>>;
  /** the service day of its acceptance, `YYYY-MM-DD` */
  today: string;
  recordCount: number | null;
  fileCount: number | null;
  moment: SnapshotMoment | null;
}
