/** The table of what lines are searched for: from how many records on it is a finding, what it says, and what to do about it. */
import type { FindingCode, Threshold } from './finding.ts';
import rules from './rules.json' with { type: 'json' };

interface Rule extends Threshold {
  /** true where each decision body is a place of its own */
  ofBody: boolean;
  /** follows on 'N of M records …' */
  says: string;
  remedy: string;
}

export const RULES = rules satisfies Partial<Record<FindingCode, Rule>>;

export type RuleCode = keyof typeof RULES;
