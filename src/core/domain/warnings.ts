/** Every warning of a successful answer: what it means, and whether the result holds other records than the request says literally. */
interface WarningDescription {
  meaning: string;
  /** true if the records of the answer are others than without what the warning says */
  changesResult: boolean;
}

export const WARNINGS = {
  alert_nl_enrichment_failed: {
    meaning: 'specificRequirement could not be read: until it can be, every run of the alert goes by its filters alone.',
    changesResult: true,
  },
  bounds_reversed: {
    meaning:
      'A lower bound is above its upper bound (params.filters names the two), so that no value lies between them. The filters were applied as they were sent.',
    changesResult: false,
  },
  budget_exceeds_monthly_allowance: {
    meaning: 'maxCredits of the alert is more than the credits of a month. The alert is saved.',
    changesResult: false,
  },
  cells_too_long: {
    meaning:
      'Cells of the columns in params.fields, in params.rows rows of the file, are longer than the 32,767 characters that Excel holds. The file has them whole; bom=1 of the download cuts them with a mark.',
    changesResult: false,
  },
  default_date_window_applied: {
    meaning:
      'Neither dateRange nor bounds of the meeting date or of the next meeting were sent: the last year is meant. Send dateRange=all for every record.',
    changesResult: true,
  },
  documents_unread: {
    meaning:
      'Documents of the record took too long to read (params.documents says how many), so that quotes from there are left out. Ask again later.',
    changesResult: false,
  },
  filter_evidence_unconfirmed: {
    meaning:
      'Some records matched the filters in params.filters by what earlier generations or absorbed records stated. They serve null there (status: unknown). params.records says how many of the answer: of a page, a file or a delivery those in it, of a count the matches; analytics leave it out where it would tell what they hide.',
    changesResult: false,
  },
  geography_narrowed_to_smallest_scope: {
    meaning: 'states was sent with counties or cities: the narrower filter counts, states is ignored.',
    changesResult: true,
  },
  government_decisions_excluded: {
    meaning: 'Projects that projectIds names are government items and were left out. Send includeGovernmentDecisions=true to have them.',
    changesResult: true,
  },
  limit_clamped_to_page_size: {
    meaning: 'limit is above the largest page; the largest page is what you get.',
    changesResult: true,
  },
  people_withheld: {
    meaning:
      'It cannot be checked right now who asked not to be found, so the records show nobody: contacts and contactSummary are empty. Repeat the request later.',
    changesResult: false,
  },
  place_renamed: {
    meaning:
      'A place was sent by a name or number that it no longer has: params has what was sent, the id and name of the place as it is now, and since when (null for a second number of the same place).',
    changesResult: false,
  },
  results_outside_licence: {
    meaning: 'Your licence became narrower: results that lie outside of it are not shown. params.records says how many.',
    changesResult: true,
  },
  secret_not_repeated: {
    meaning: 'The Idempotency-Key was used before; the secret was in the first answer only, and is null here.',
    changesResult: false,
  },
  sync_records_unpositionable: {
    meaning: 'Records without a time of change cannot be placed in a walk and were skipped; params.skipped says how many.',
    changesResult: true,
  },
  taxonomy_filter_rolled_up: {
    meaning: 'A level of the Building Type tree was sent with a value above it: the broader value counts, the level below is ignored.',
    changesResult: true,
  },
  trial_truncated: {
    meaning:
      'The free trial pays for a part of the matching records, which is what the snapshot holds: params.records of params.matchCount.',
    changesResult: true,
  },
} as const satisfies Record<string, WarningDescription>;

export type WarningCode = keyof typeof WARNINGS;

/** What a client should know of a successful answer; never fails a request and never changes its price. */
export interface Warning {
  code: WarningCode;
  message: string;
  params: Record<string, unknown>;
}

/** How much of a result only evidence of earlier generations or of absorbed records confirms (src/docs/evidence.md). */
export interface Unconfirmed {
  /** those that at least one record does not confirm by a value that it serves */
  filters: string[];
  /** that do not confirm at least one of them; null if the number may not be shown */
  records: number | null;
}
