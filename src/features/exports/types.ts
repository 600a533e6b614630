/** The types of a CSV export. Pure. */

import type { Licence } from '../../core/domain/principal.ts';
import type { LongCells } from '../../core/domain/record/csv.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import type { JobError } from '../../core/jobs/kind.ts';
import type { LookUpOptions } from '../../core/people/enrichment.ts';

/** The request, as a poll shows it. */
export interface ExportSource {
  alertId: string | null;
  listId: string | null;
  projectIds: readonly number[] | null;
  filters: Readonly<Record<string, unknown>>;
}

/** Everything that a worker needs to select the accepted records, even if the account has changed since. */
export interface ExportPayload {
  /** valid parameters of a search, by name, with all values of each */
  parameters: [string, unknown[]][];
  /** ids of the list that the parameters narrow, or the parameters of its criteria */
  members: number[] | { criteria: [string, unknown[]][] } | null;
  /** the service day at acceptance, `YYYY-MM-DD` */
  today: string;
  licence: Licence;
  /** whether the plan is paid */
  companyDetails: boolean;
  /** credits for a new or changed record, at the time of acceptance */
  rate: number;
  maxCredits: number | null;
  /** most records of the file */
  rowsMax: number;
  /** `include=derived`: whether the file has its column */
  withDerived?: boolean | undefined;
  /** for `include=contacts`: the look-ups before the file is built */
  contacts?: ExportContacts | undefined;
}

interface ExportContacts {
  projectIds: number[];
  options: LookUpOptions;
  /** credits for the first email or phone of a project, at the time of acceptance */
  rate: number;
}

/** A finished file in the store of exports. */
export interface ExportFile {
  name: string;
  rowCount: number;
  sizeBytes: number;
  /** SHA-256, hexadecimal */
  sha256: string;
  longCells: LongCells | null;
}

/** A stored export. */
export interface StoredExport {
  id: string;
  jobStatus: string;
  source: ExportSource;
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
  /** unconfirmed rows of the file, or unconfirmed matches until it is ready */
  unconfirmed: Unconfirmed | null;
  /** cells of the file that a spreadsheet does not hold */
  longCells: LongCells | null;
  rowCount: number | null;
  sizeBytes: number | null;
  sha256: string | null;
  fileName: string | null;
  creditsReserved: number;
  creditsCharged: number | null;
  creditsRefunded: number | null;
  /** the part of the refunded credits that was refunded because the file was lost */
  creditsLost: number | null;
  contactCreditsReserved: number;
  contactCreditsCharged: number | null;
  error: JobError | null;
}
