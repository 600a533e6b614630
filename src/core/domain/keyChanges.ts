/** Changes of a key that take effect at once, and where they are announced for processes that cannot reach Postgres. */
import type { TeamStatus } from './principal.ts';

/** How long a key is recognised without Postgres, from the last time that Postgres resolved it. */
export const RECOGNISED_MS = 300_000;

/** Of the key itself, of its user or of its team, in the words of their tables. */
export interface KeyChange {
  revoked_at?: Date | null;
  closed_at?: Date | null;
  plan?: string;
  status?: TeamStatus;
  monthly_credits?: number | null;
  state_ids?: number[];
  county_ids?: number[];
}

export interface KeyChanges {
  /** Whatever was reported of the subject before is replaced. Never throws. */
  report(subject: `key:${string}` | `user:${number}` | `team:${number}`, change: KeyChange): Promise<void>;
  /** Everything reported lately of a key, its user and its team. @throws ApiError `rate_limiter_unavailable` */
  readChange(key: { id: string; user_id: number; team_id: number }): Promise<KeyChange>;
}
