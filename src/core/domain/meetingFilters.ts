/** The named window of meetings that applies where none of `MEETING_FILTERS` is sent. */
export const DEFAULT_DATE_RANGE = 'last_1_year';

/** Filters that say which meetings are meant, by their days, by the meeting that comes next or by ids: with one of them no default window applies. */
export const MEETING_FILTERS = [
  'dateRange',
  'meetingDateFrom',
  'meetingDateTo',
  'nextMeetingDateFrom',
  'nextMeetingDateTo',
  'projectIds',
] as const;
