/** Alerts: standing searches that a team leaves running, and when they run (src/docs/alerts.md). Pure. */

import { DateTime } from 'luxon';
import { SERVICE_ZONE } from '../../core/domain/serviceClock.ts';
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
  /** of a weekly alert: 1 Monday … 7 Sunday */
  weekday: number | null;
  /** of a monthly alert: 1 to 28 */
  day: number | null;
}

/** What was sent merged into what there was; a frequency has the day that belongs to it and no other. */
export function mergedCadence(before: Cadence, sent: Partial<Cadence> = {}): Cadence {
  const frequency = sent.frequency ?? before.frequency;
  return {
    frequency,
    weekday: frequency === 'weekly' ? (sent.weekday ?? before.weekday ?? 1) : null,
    day: frequency === 'monthly' ? (sent.day ?? before.day ?? 1) : null,
  };
}

/** The first time at which an alert is due after a moment: 06:00 on the service clock, on both days on which that clock is changed too. */
export function nextRunAfter({ weekday, day }: Cadence, after: Date): Date {
  let at = DateTime.fromJSDate(after, { zone: SERVICE_ZONE }).set({ hour: RUN_HOUR, minute: 0, second: 0, millisecond: 0 });
  const fits = () => (weekday === null || at.weekday === weekday) && (day === null || at.day === day);
  while (at.toMillis() <= after.getTime() || !fits()) at = at.plus({ days: 1 });
  return at.toJSDate();
}

/** Midnight of the service clock after a moment, when manual runs are counted from 0 again. */
export const nextServiceDay = (now: Date): Date =>
  DateTime.fromJSDate(now, { zone: SERVICE_ZONE }).startOf('day').plus({ days: 1 }).toJSDate();

export type AlertStatus = 'active' | 'paused' | 'archived';

export interface AlertNotify {
  /** false silences the members' digests */
  email: boolean;
  /** further addresses, lower case */
  emailTo: string[];
}

/**
 * Up to where an alert has seen everything that was indexed. Absent fields look everywhere once: at the first run, and after its filters or
 * its licence changed.
 */
export interface AlertPosition {
  /** number of the newest load of which a run has seen all; absent in a position of the version before, which went by `until` */
  load?: number | null;
  /** newest lastUpdated that there was then, milliseconds since 1970: where to look for newer ones */
  until: number | null;
  /** newest change that a run has been shown, milliseconds since 1970: no run looks at less */
  seen: number;
  /** service day of the filters' date windows then, `YYYY-MM-DD` */
  day: string | null;
  /** hash of what filters and licence selected on that day; absent in a position of the version before */
  criteria?: string | null;
}

export const NOTHING_SEEN: AlertPosition = { load: null, until: null, seen: 0, day: null, criteria: null };

/** An alert as it is stored. */
export interface StoredAlert {
  id: string;
  teamId: number;
  name: string;
  status: AlertStatus;
  /** as they were sent */
  filters: Readonly<Record<string, unknown>>;
  specificRequirement: string | null;
  cadence: Cadence;
  nextRunAt: Date | null;
  lastRunAt: Date | null;
  share: Share;
  notify: AlertNotify;
  maxRecordsPerRun: number;
  /** credits that a run may cost at most */
  maxCredits: number | null;
  listId: string;
  /** why a stored alert cannot run */
  problems: readonly { param: string | null; code: string; message: string }[] | null;
  position: AlertPosition;
  createdBy: number;
  createdAt: Date;
  updatedAt: Date;
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
  /** matches that the run did not deliver, since it was full; with a requirement also what it did not come to judge */
  moreMatched: number;
  creditsCharged: number;
  startedAt: Date;
  finishedAt: Date | null;
  reason: string | null;
  /** of the records that were delivered */
  unconfirmed: Unconfirmed | null;
}

type Named = Partial<Record<'projectName' | 'city' | 'county' | 'state', string | null | undefined>>;

/** What mails and feeds call a project, and where it is. */
export const headingOf = (id: number, { projectName, city, county, state }: Named) => ({
  title: projectName ?? `Project ${id}`,
  place: [city ?? county, state].filter(Boolean).join(', '),
});

type RecipientState = 'active' | 'unconfirmed' | 'stopped';

/** Whom an alert mails to, and how that stands. */
export interface AlertRecipient {
  /** lower case */
  address: string;
  state: RecipientState;
  /** when the state began, as far as that is known, else when the alert was made */
  since: Date;
}
