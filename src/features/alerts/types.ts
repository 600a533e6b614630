/** Alerts: standing searches of a team, and when they run (src/docs/alerts.md). Pure. */

import { DateTime } from 'luxon';
import { SERVICE_ZONE, serviceToday } from '../../core/domain/serviceClock.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import type { Share } from '../../core/identity/share.ts';
import type { ConfirmedRecord } from '../aiSearch/index.ts';

export const ACTIVE_ALERTS_MAX = 25;
export const MANUAL_RUNS_PER_DAY = 3;
export const RECORDS_PER_RUN_MAX = 1_000;
export const RECORDS_PER_RUN_DEFAULT = 100;
export const REQUIREMENT_CHARACTERS_MAX = 500;
/** Hour of the service clock at which alerts run. */
const RUN_HOUR = 6;

export const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
type Frequency = (typeof FREQUENCIES)[number];

export interface Cadence {
  frequency: Frequency;
  /** of a weekly alert: 1 for Monday to 7 for Sunday */
  weekday: number | null;
  /** of a monthly alert: 1 to 28 */
  day: number | null;
  /** whether it also runs on each day before a hearing of a record that matches */
  beforeHearings: boolean;
}

/** A cadence as it may be stored: those of before have no `beforeHearings`. */
export type StoredCadence = Omit<Cadence, 'beforeHearings'> & Partial<Cadence>;

/** Merges a change into a cadence; only the day that belongs to the frequency is kept. */
export function mergedCadence(before: StoredCadence, sent: Partial<Cadence> = {}): Cadence {
  const frequency = sent.frequency ?? before.frequency;
  return {
    frequency,
    weekday: frequency === 'weekly' ? (sent.weekday ?? before.weekday ?? 1) : null,
    day: frequency === 'monthly' ? (sent.day ?? before.day ?? 1) : null,
    beforeHearings: sent.beforeHearings ?? before.beforeHearings ?? false,
  };
}

/**
 * When an alert is next due after a time: at 06:00 on the service clock, also on days of its daylight saving changes. One that runs before
 * hearings is due every day, and its job finds out whether that day has a run.
 */
export function nextRunAfter({ weekday, day, beforeHearings }: Cadence, after: Date): Date {
  let at = DateTime.fromJSDate(after, { zone: SERVICE_ZONE }).set({ hour: RUN_HOUR, minute: 0, second: 0, millisecond: 0 });
  const fits = () => beforeHearings || ((weekday === null || at.weekday === weekday) && (day === null || at.day === day));
  while (at.toMillis() <= after.getTime() || !fits()) at = at.plus({ days: 1 });
  return at.toJSDate();
}

/** The days whose hearings a due run announces, `YYYY-MM-DD`; the last is the day after the run. */
export interface HearingDays {
  from: string;
  to: string;
  /** whether the run is only made when a record that matches is heard then, since its frequency is not due */
  required: boolean;
}

/**
 * The days whose hearings a due run announces. The days of two runs never overlap, and after an outage days that have passed are left out.
 * @param now when the due run is taken, at `dueAt` or later
 * @returns null for an alert that does not run before hearings
 */
export function findHearingDays(cadence: Cadence, dueAt: Date, now: Date): HearingDays | null {
  if (!cadence.beforeHearings) return null;
  const dueByFrequency = nextRunAfter({ ...cadence, beforeHearings: false }, new Date(dueAt.getTime() - 1));
  const [dayAfterDue, today] = [serviceToday(nextRunAfter(cadence, dueAt)), serviceToday(now)];
  return {
    from: dayAfterDue > today ? dayAfterDue : today,
    to: serviceToday(nextRunAfter(cadence, now)),
    required: dueByFrequency.getTime() > now.getTime(),
  };
}

/** Records that an alert matches and that are heard on the days that a run announces. */
export interface HeardRecords extends Pick<HearingDays, 'from' | 'to'> {
  count: number;
}

/** The next midnight of the service clock, when the count of manual runs starts again. */
export const nextServiceDay = (now: Date): Date =>
  DateTime.fromJSDate(now, { zone: SERVICE_ZONE }).startOf('day').plus({ days: 1 }).toJSDate();

export type AlertStatus = 'active' | 'paused' | 'archived';

export interface AlertNotify {
  /** false turns off the members' digests */
  email: boolean;
  /** further addresses, in lower case */
  emailTo: string[];
}

/**
 * The position up to which an alert has seen all changes. With absent fields everything is searched once: at the first run, and after a
 * change of filters or licence.
 */
export interface AlertPosition {
  /** number of the newest load that a run has seen completely; absent in positions of the previous version, which used `until` */
  load?: number | null;
  /** newest lastUpdated at that time, milliseconds since 1970, from which newer ones are searched */
  until: number | null;
  /** newest change that a run has seen, milliseconds since 1970; no run reads an older state */
  seen: number;
  /** service day of the filters' date windows at that time, `YYYY-MM-DD` */
  day: string | null;
  /** hash of the selection by filters and licence on that day; absent in positions of the previous version */
  criteria?: string | null;
}

export const NOTHING_SEEN: AlertPosition = { load: null, until: null, seen: 0, day: null, criteria: null };

/** A stored alert. */
export interface StoredAlert {
  id: string;
  teamId: number;
  name: string;
  status: AlertStatus;
  /** as sent */
  filters: Readonly<Record<string, unknown>>;
  specificRequirement: string | null;
  cadence: Cadence;
  nextRunAt: Date | null;
  lastRunAt: Date | null;
  share: Share;
  notify: AlertNotify;
  maxRecordsPerRun: number;
  /** most credits that a run may cost */
  maxCredits: number | null;
  listId: string;
  /** why the stored alert cannot run */
  problems: readonly { param: string | null; code: string; message: string }[] | null;
  position: AlertPosition;
  createdBy: number;
  createdAt: Date;
  updatedAt: Date;
  /** when it was deleted; null while it is kept, and of one that an earlier version deleted */
  archivedAt: Date | null;
}

/** Why a record satisfies the requirement of an alert. */
export type Finding = Pick<ConfirmedRecord, 'whyThisMatched' | 'evidence'>;

/** Feeds that one member may have of an alert. */
export const FEEDS_MAX = 10;

export interface StoredFeed {
  id: string;
  createdBy: number;
  createdAt: Date;
}

type RunTrigger = 'manual' | 'scheduled';
type RunStatus = 'running' | 'completed' | 'refused' | 'failed';

/** A run of an alert, and what it delivered. */
export interface StoredDelivery {
  id: string;
  alertId: string;
  trigger: RunTrigger;
  status: RunStatus;
  newRecords: number;
  changedRecords: number;
  /** names of the fields that changed in those, ascending */
  changedFields: string[];
  /** matches that did not fit into the run; with a requirement, also candidates that were not judged */
  moreMatched: number;
  creditsCharged: number;
  startedAt: Date;
  finishedAt: Date | null;
  reason: string | null;
  /** unconfirmed ones of the delivered records */
  unconfirmed: Unconfirmed | null;
}

type Named = Partial<Record<'projectName' | 'city' | 'county' | 'state', string | null | undefined>>;

/** The title and place of a project in mails and feeds. */
export const headingOf = (id: number, { projectName, city, county, state }: Named) => ({
  title: projectName ?? `Project ${id}`,
  place: [city ?? county, state].filter(Boolean).join(', '),
});

/** Names of changed fields as mails and feeds show them; nothing if none is known. */
export const changedText = (fields: readonly string[]): string[] =>
  fields.length ? [`Changed: ${fields.map((name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).join(', ')}`] : [];

type RecipientState = 'active' | 'unconfirmed' | 'stopped';

/** A recipient of an alert's mails, and their state. */
export interface AlertRecipient {
  /** in lower case */
  address: string;
  state: RecipientState;
  /** when the state began, if known, otherwise when the alert was created */
  since: Date;
}
