/** Matching rows of a client's list with records: its limits and words. Pure. */
import type { StreetAddress } from '../../core/domain/streetAddress.ts';

export const ROWS_MAX = 1_000;
export const CANDIDATES_MAX = 5;
export const CANDIDATES_USUAL = 1;
export const SCORE_USUAL = 0.8;
/** Large enough for 1,000 rows with every field. */
export const ROWS_BODY_BYTES = 1024 * 1024;
export const MATCHES_PER_MINUTE = 20;

/** What a candidate agrees in with its row. */
export const MATCH_REASONS = ['parcel_number', 'case_number', 'address', 'point'] as const;
export type MatchReason = (typeof MATCH_REASONS)[number];

/** A row as it is sent; a blank text is one that was not sent. */
export interface SentRow {
  ref?: string | null;
  parcelNumber?: string | null;
  caseNumber?: string | null;
  address?: string | null;
  city?: string | null;
  county?: string | null;
  state?: string | null;
  latitude?: number | null;
  longitude?: number | null;
}

export interface RowPoint {
  /** degrees */
  latitude: number;
  longitude: number;
}

/** The places that a row names; an empty list does not narrow. */
export interface RowPlaces {
  stateIds: readonly number[];
  countyIds: readonly number[];
  /** every city of the name */
  cityIds: readonly number[];
}

/** A row as it is compared. */
export interface NamedRow {
  /** as `comparableNumber` makes them; undefined where none was sent */
  parcelNumber: string | undefined;
  caseNumber: string | undefined;
  /** set where no case is numbered like it, up to its last two digits */
  hasNoNeighbours?: true;
  addresses: readonly StreetAddress[];
  point: RowPoint | undefined;
  places: RowPlaces;
}

/** What is read of a record to compare it. */
export interface Comparable {
  id: number;
  /** its own id and those of records merged into it */
  memberIds: readonly number[];
  parcelNumbers: readonly string[];
  caseNumbers: readonly string[];
  addresses: readonly StreetAddress[];
  point: RowPoint | undefined;
  stateId: number | undefined;
  countyId: number | undefined;
  cityId: number | undefined;
  /** `YYYY-MM-DD`, or '' */
  meetingDate: string;
}
