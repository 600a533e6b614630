/** How an AI search stands, and why it ended early. */
export const AI_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;
export type AiStatus = (typeof AI_STATUSES)[number];

export const PARTIAL_REASONS = ['cancelled_by_user', 'daily_ai_budget_exhausted', 'review_ceiling_reached', 'deadline_reached'] as const;
export type PartialReason = (typeof PARTIAL_REASONS)[number];
