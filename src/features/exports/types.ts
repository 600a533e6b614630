/** The types of a CSV export. */

import type { FilePayload, FileRow } from '../../core/billedJobs/fileJobs.ts';
import type { LongCells } from '../../core/domain/record/csv.ts';
import type { LookUpOptions } from '../../core/people/enrichment.ts';

/** The request, as a poll shows it. */
export interface ExportSource {
  alertId: string | null;
  listId: string | null;
  projectIds: readonly number[] | null;
  filters: Readonly<Record<string, unknown>>;
}

export interface ExportPayload extends FilePayload {
  /** ids of the list that the parameters narrow, or the parameters of its criteria */
  members: number[] | { criteria: [string, unknown[]][] } | null;
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

export interface ExportFile {
  name: string;
  rowCount: number;
  sizeBytes: number;
  /** SHA-256, hexadecimal */
  sha256: string;
  longCells: LongCells | null;
}

export interface StoredExport extends FileRow {
  source: ExportSource;
  /** cells of the file that a spreadsheet does not hold */
  longCells: LongCells | null;
  rowCount: number | null;
  sha256: string | null;
  fileName: string | null;
  contactCreditsReserved: number;
  contactCreditsCharged: number | null;
}
