/** The types of a CSV export, and its status as clients see it. Pure. */

import type { Licence } from '../../core/domain/principal.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import type { JobError } from '../../core/jobs/kind.ts';
import type { LookUpOptions } from '../../core/people/enrichment.ts';

type ExportStatus = 'queued' | 'building' | 'ready' | 'failed' | 'expired';

/** The request, as a poll shows it. */
export interface ExportSource {
  alertId: string | null;
  listId: string | null;
  projectIds: readonly number[] | null;
  filters: Readonly<Record<string, unknown>>;
}

/** Everything a worker needs to select the records that were accepted, even if the account has changed since. */
export interface ExportPayload {
  /** parameters of a search that has no problems, by name, an entry for each value */
  parameters: [string, unknown[]][];
  /** ids of a list that the parameters narrow, or the parameters of its criteria */
  members: number[] | { criteria: [string, unknown[]][] } | null;
  /** the service day at acceptance, `YYYY-MM-DD` */
  today: string;
  licence: Licence;
  /** true on a paid plan */
  companyDetails: boolean;
  /** credits for a new or changed record at acceptance */
  rate: number;
  maxCredits: number | null;
  /** records that the file holds at most */
  rowsMax: number;
  /** `include=contacts`: projects to look up before the file is built */
  contacts?: ExportContacts | undefined;
}

interface ExportContacts {
  projectIds: number[];
  options: LookUpOptions;
  /** credits for the first email or phone of a project at acceptance */
  rate: number;
}

export const FILE_KEPT_DAYS = 7;

/** A finished file in the store of exports. */
export interface ExportFile {
  name: string;
  rowCount: number;
  sizeBytes: number;
  /** hexadecimal */
  sha256: string;
}

/** An export as it is stored. */
export interface StoredExport {
  id: string;
  jobStatus: string;
  source: ExportSource;
  createdAt: Date;
  startedAt: Date | null;
  readyAt: Date | null;
  expiresAt: Date | null;
  /** true once `expiresAt` has passed */
  expired: boolean;
  lostAt: Date | null;
  progress: { processed?: number; total?: number };
  matchCount: number;
  truncated: boolean;
  /** of the rows of the file, or, until it is ready, of the matches */
  unconfirmed: Unconfirmed | null;
  rowCount: number | null;
  sizeBytes: number | null;
  sha256: string | null;
  fileName: string | null;
  creditsReserved: number;
  creditsCharged: number | null;
  creditsRefunded: number | null;
  /** part of the refunded credits: those refunded because the file was lost */
  creditsLost: number | null;
  contactCreditsReserved: number;
  contactCreditsCharged: number | null;
  error: JobError | null;
}

export const FILE_LOST: JobError = {
  code: 'export_unavailable',
  message: 'The file could not be read back; its credits were refunded. Queue the export again.',
};

export function statusOf({ jobStatus, startedAt, lostAt, expired }: StoredExport): ExportStatus {
  if (jobStatus === 'failed' || lostAt) return 'failed';
  if (jobStatus === 'ready') return expired ? 'expired' : 'ready';
  return startedAt ? 'building' : 'queued';
}
