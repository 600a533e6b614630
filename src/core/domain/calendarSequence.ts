/** SEQUENCE of iCalendar events (RFC 5545 section 3.8.7.4). Pure. */

const START_SECONDS = Date.UTC(2020, 0, 1) / 1000;

/** Seconds since 2020, so that it fits 32 bits; it increases with each later change. @param changedAt milliseconds since 1970 */
export const toSequence = (changedAt: number): number => Math.max(0, Math.floor(changedAt / 1000) - START_SECONDS);
