/** Alerts: standing searches of a team (src/docs/alerts.md). Pure. */

import type { Unconfirmed } from '../../core/domain/warnings.ts';
import type { Share } from '../../core/identity/share.ts';
import type { ConfirmedRecord } from '../aiSearch/index.ts';
import type { Cadence, HearingDays } from './cadence.ts';
import type { AlertPosition } from './position.ts';

/** Records that an alert matches and that are heard on the days that a run announces. */
export interface HeardRecords extends Pick<HearingDays, 'from' | 'to'> {
  count: number;
}

export type AlertStatus = 'active' | 'paused' | 'archived';

export interface AlertNotify {
  /** false turns off the members' digests */
  email: boolean;
  /** further addresses, in lower case */
  emailTo: string[];
}

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
  /** whether it delivers records that are newly read, but were last heard long ago */
  includeNewlyRead: boolean;
  listId: string;
  /** why the stored alert cannot run */
  problems: readonly { param: string | null; code: string; message: string }[] | null;
  position: AlertPosition;
  createdBy: number;
  createdAt: Date;
  updatedAt: Date;
  /** when it was deleted; null while it is kept */
  archivedAt: Date | null;
}

/** Why a record satisfies the requirement of an alert. */
export type Finding = Pick<ConfirmedRecord, 'whyThisMatched' | 'evidence'>;

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
  newlyReadRecords: number;
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

type RecipientState = 'active' | 'unconfirmed' | 'stopped';

/** A recipient of an alert's mails, and their state. */
export interface AlertRecipient {
  /** in lower case */
  address: string;
  state: RecipientState;
  /** when the state began, if known, otherwise when the alert was created */
  since: Date;
}
