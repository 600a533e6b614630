/** Hearings: a day on which a body meets, with the matching records on its agenda (src/docs/hearings.md). */
import type { PlaceView } from '../freshness/index.ts';

export interface BodyHearing {
  /** `YYYY-MM-DD` */
  date: string;
  /** token of the body; null if no record states it */
  body: string | null;
  bodyLabel: string | null;
  place: PlaceView;
  /** number of matching records on the agenda */
  projectCount: number;
  /** ids of those that are free or held, ascending */
  projectIds: number[];
  /** the first of those that are free or held as they are now, by name */
  projects: NamedProject[];
}

export interface NamedProject {
  id: number;
  projectName: string | null;
}

export interface CalendarHearing extends BodyHearing {
  /** whether all of its records were moved to another day, or dropped */
  isCancelled: boolean;
  /** when one of its records last changed; milliseconds since 1970 */
  updated: number;
}
