/** Types of a run of an alert: how it begins, and what it finds. Pure. */
import type { PublicRecord } from '../../core/domain/record/represent.ts';
import type { EarlierRevision } from '../../core/domain/record/storedProject.ts';
import type { Unconfirmed } from '../../core/domain/warnings.ts';
import type { PageItem } from '../../core/ledger/pageOutcome.ts';
import type { HearingDays } from './cadence.ts';
import type { NewBecause } from './newlyRead.ts';
import type { AlertPosition } from './position.ts';
import type { Finding, StoredAlert } from './types.ts';

export interface DuePayload {
  alertId: string;
  /** ISO 8601 */
  dueAt: string;
  /** absent if the alert does not run before hearings */
  hearings?: HearingDays;
}

export interface ManualRunPayload {
  alertId: string;
  deliveryId: string;
}

/** Prefix of the ids of jobs of runs. */
export const RUN_PREFIX = 'run';

export interface BegunRun {
  alert: StoredAlert;
  deliveryId: string;
}

export type RunBegin =
  | ({ state: 'begun' } & BegunRun)
  | { state: 'already_running'; deliveryId: string }
  | { state: 'exhausted' }
  | { state: 'ended' };

export interface ManualRuns {
  limit: number;
  used: number;
  /** ISO 8601 */
  resetsAt: string;
}

/** A record's revision that a run delivers or refuses. */
export interface RunItem extends PageItem {
  /** ISO 8601 */
  lastUpdated: string;
}

export interface DeliveredItem extends RunItem {
  /** null when only the filters apply */
  finding: Finding | null;
  record: PublicRecord;
  /** why it is new, if the alert never delivered it */
  newBecause: Exclude<NewBecause, 'changed'>;
  /** replaced revisions, oldest first */
  earlier: readonly Pick<EarlierRevision, 'revision' | 'changed'>[];
}

/** What the digest of a delivery shows of a record; it never has a contact. */
export interface DigestEntry {
  title: string;
  place: string;
  date: string | null;
  status: string | null;
  url: string;
  /** names of the fields that changed since the alert delivered it before; absent of a new record */
  changed?: string[];
  newlyRead?: true;
}

export interface RunResult {
  items: readonly DeliveredItem[];
  /** revisions that do not satisfy the alert's requirement */
  refused: readonly RunItem[];
  /** why a completed run is not as expected; null otherwise */
  reason: string | null;
  digest: readonly DigestEntry[];
  moreMatched: number;
  /** whether the number of further matches would say without charge what records say */
  hidesMore: boolean;
  /** unconfirmed ones among the first `count` items */
  unconfirmedAmong: (count: number) => Unconfirmed | null;
  /** the alert's position after the complete run */
  position: AlertPosition;
}

/** Why nothing can be delivered; thrown inside the transaction, which it rolls back. */
export class RunRefused extends Error {
  readonly reason: 'credits_exhausted' | 'insufficient_credits' | 'budget_exceeded';

  constructor(reason: RunRefused['reason']) {
    super(`The run is refused: ${reason}`);
    this.reason = reason;
  }
}
