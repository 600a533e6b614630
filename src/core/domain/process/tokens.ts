/** The words for what is read from a case; their labels are in src/catalogue/vocabularies.json. */

export const OUTCOMES = ['approved', 'denied', 'withdrawn', 'pending', 'stalled', 'soft_denial'] as const;
/** A vote, or the applicant, has ended the case. */
export const DECIDED_OUTCOMES = ['approved', 'denied', 'withdrawn'] as const;
/** Nobody pursues the case any more, though nothing is decided. */
export const GIVEN_UP_OUTCOMES = ['stalled', 'soft_denial'] as const;
export const FINISHED_OUTCOMES = [...DECIDED_OUTCOMES, ...GIVEN_UP_OUTCOMES] as const;
export type ProjectOutcome = (typeof OUTCOMES)[number];

/** Names of the rules by which outcomes are told, as `derived.rule` serves them (src/docs/outcomes.md). */
export const OUTCOME_RULES = [
  'stated_status',
  'latest_decision',
  'awaits_decision',
  'hearing_announced',
  'silent_180_days',
  'continued_then_silent',
  'tabled_then_silent',
  'cannot_be_told',
] as const;
export type OutcomeRule = (typeof OUTCOME_RULES)[number];

export const STAFF_RECOMMENDATIONS = ['approval', 'approval_with_conditions', 'denial', 'continuance', 'none'] as const;
export type StaffRecommendation = (typeof STAFF_RECOMMENDATIONS)[number];

export const VOTE_RESULTS = ['unanimous', 'split', 'tie'] as const;
export type VoteResult = (typeof VOTE_RESULTS)[number];
