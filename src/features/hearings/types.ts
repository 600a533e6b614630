/** Words of hearings: a day on which a body meets, with the matching records that are on (src/docs/hearings.md). */
import type { PlaceView } from '../freshness/index.ts';

/** Days listed unless `to` is sent, and at most. */
export const SPAN_DAYS = 30;
export const SPAN_DAYS_MAX = 366;
export const HEARINGS_MAX = 500;
/** Ids that a hearing names. */
export const PROJECT_IDS_MAX = 100;

export interface BodyHearing {
  /** `YYYY-MM-DD` */
  date: string;
  /** token of the body; null where no record says whose meeting it is */
  body: string | null;
  bodyLabel: string | null;
  place: PlaceView;
  /** matching records that are on */
  projectCount: number;
  /** of those that are free or held, by id */
  projectIds: number[];
}
