/** How a body voted. Pure. */
import type { VoteTotals } from '../record/statement.ts';
import type { VoteResult } from './tokens.ts';

/**
 * Whether all who voted yes or no voted alike. Those who abstain or are absent take no side.
 * @returns undefined if the totals do not state both sides, or nobody voted
 */
export function decideVoteResult({ yes, no }: VoteTotals): VoteResult | undefined {
  if (yes === undefined || no === undefined || yes + no === 0) return undefined;
  if (yes === no) return 'tie';
  return yes === 0 || no === 0 ? 'unanimous' : 'split';
}
