/** What `GET /projects/map` answers, as far as the page reads it. */
import type { TileBox } from '../shared/state.ts';

/** Projects counted in a tile. */
export interface MapCell {
  /** `zoom/x/y` */
  tile: string;
  latitude: number;
  longitude: number;
  count: number;
  /** in which most of them lie */
  county: string | null;
  /** most first; projects that state none are in `count` alone */
  states: readonly { stateId: number; label: string; count: number }[];
}

/** A project that is shown by itself. */
export interface ShownProject {
  id: number;
  projectName: string | null;
  city: string | null;
  county: string | null;
  state: string | null;
  latitude: number | null;
  longitude: number | null;
  propertyType: string | null;
  propertyTypeLabel: string | null;
  status: string | null;
  statusLabel: string | null;
  /** `YYYY-MM-DD` */
  meetingDate: string | null;
}

/** `data` of the answer. */
export interface MapAnswer {
  /** what is looked at: around most matches where no view was asked for; null if no match has a location */
  view: TileBox | null;
  /** around all matches */
  extent: TileBox | null;
  matchCount: number;
  inView: number;
  unlocated: number;
  tileZoom: number;
  cells: readonly MapCell[];
  projects: readonly ShownProject[];
}
