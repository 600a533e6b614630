/**
 * The position up to which an alert has seen all changes. With null everything is searched once: at the first run, and after a
 * change of filters or licence.
 */
export interface AlertPosition {
  /** number of the newest load that a run has seen completely */
  load: number | null;
  /** newest lastUpdated at that time, milliseconds since 1970, from which newer ones are searched */
  until: number | null;
  /** newest change that a run has seen, milliseconds since 1970; no run reads an older state */
  seen: number;
  /** day of the selection at that time, as `dayOfSelection` makes it */
  day: string | null;
  /** hash of the selection by filters and licence on that day */
  criteria: string | null;
}

export const NOTHING_SEEN: AlertPosition = { load: null, until: null, seen: 0, day: null, criteria: null };
