/** Types of matching rows with records. Pure. */
import type { StreetAddress } from '../../core/domain/streetAddress.ts';

/** In what a candidate can agree with its row. */
export type MatchReason = 'parcel_number' | 'case_number' | 'address' | 'point';

/** A row as it is sent; a blank text counts as absent. */
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

/** The places that a row names; an empty list does not restrict it. */
export interface RowPlaces {
  stateIds: readonly number[];
  countyIds: readonly number[];
  /** every city that has the name */
  cityIds: readonly number[];
}

/** A row in the form in which it is compared. */
export interface NamedRow {
  /** in the form of `normalizeReferenceNumber`; undefined if none was sent */
  parcelNumber: string | undefined;
  caseNumber: string | undefined;
  /** set if no other case number is in its series (`caseSeriesOf`) */
  hasNoNeighbours?: true;
  /** readings of its address */
  addresses: readonly StreetAddress[];
  /** of its address: five digits, one or none */
  zipCodes: readonly string[];
  /** set if the row may mean another street than that of its best candidate (`findLooseStreet`) */
  hasOtherStreets?: true;
  point: RowPoint | undefined;
  places: RowPlaces;
}

/** A record in the form in which it is compared. */
export interface Comparable {
  id: number;
  /** its own id and those of records merged into it */
  memberIds: readonly number[];
  parcelNumbers: readonly string[];
  caseNumbers: readonly string[];
  addresses: readonly StreetAddress[];
  zipCodes: readonly string[];
  point: RowPoint | undefined;
  stateId: number | undefined;
  countyId: number | undefined;
  cityId: number | undefined;
  /** `YYYY-MM-DD`, or '' */
  meetingDate: string;
}
