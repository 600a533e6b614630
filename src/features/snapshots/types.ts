/** The types of a snapshot: its request and its contents. Pure. */
import type { Licence } from '../../core/domain/principal.ts';
import type { Representation } from '../../core/domain/record/schemas.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import type { JobError } from '../../core/jobs/kind.ts';
import type { Compression, SnapshotFormat } from './formats.ts';

/** Content and format of the files. */
export interface SnapshotForm {
  representation: Representation;
  /** `include=derived`, beside the full representation */
  withDerived?: boolean;
  format: SnapshotFormat;
  compression: Compression | null;
}

/** Everything that a worker needs to select the accepted records, even if the account has changed since. */
export interface SnapshotPayload extends SnapshotForm {
  /** filters as they were sent, by name, with all values of each */
  parameters: [string, unknown[]][];
  /** the service day at acceptance, `YYYY-MM-DD` */
  today: string;
  licence: Licence;
  /** whether the plan is paid */
  companyDetails: boolean;
  /** credits for a new or changed record, at the time of acceptance */
  rate: number;
  maxCredits: number | null;
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

/** A finished file. */
export interface SnapshotFile {
  number: number;
  /** stored name */
  storedAs: string;
  sizeBytes: number;
  /** SHA-256, hexadecimal */
  sha256: string;
  recordCount: number;
}

/** A stored snapshot. */
export interface StoredSnapshot extends SnapshotForm {
  id: string;
  jobStatus: string;
  /** as a poll shows them */
  filters: Readonly<Record<string, unknown>>;
  createdAt: Date;
  startedAt: Date | null;
  readyAt: Date | null;
  expiresAt: Date | null;
  /** whether `expiresAt` has passed */
  expired: boolean;
  lostAt: Date | null;
  progress: { processed?: number; total?: number };
  matchCount: number;
  truncated: boolean;
  /** unconfirmed matches at acceptance */
  unconfirmed: Unconfirmed | null;
  recordCount: number | null;
  fileCount: number | null;
  sizeBytes: number | null;
  moment: SnapshotMoment | null;
  creditsReserved: number;
  creditsCharged: number | null;
  creditsRefunded: number | null;
  /** the part of the refunded credits that was refunded because a file was lost */
  creditsLost: number | null;
  error: JobError | null;
}
