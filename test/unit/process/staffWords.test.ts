/** Staff recommendations, in the words of minutes and reports. */
import assert from 'node:assert/strict';
import { readStaffRecommendation } from '../../../src/core/domain/process/staffWords.ts';
import type { StaffRecommendation } from '../../../src/core/domain/process/tokens.ts';

const WORDS: readonly [words: string, recommendation: StaffRecommendation][] = [
  ['Staff recommends approval.', 'approval'],
  ['staff recommended approval and acceptance of the proffered conditions', 'approval_with_conditions'],
  ['Approval, subject to the following three conditions', 'approval_with_conditions'],
  ['Staff recommends approval without any conditions', 'approval'],
  ['Staff does not support the request', 'denial'],
  ['Staff recommends denial of the application', 'denial'],
  ['staff is requesting a deferral to the March meeting', 'continuance'],
  ['Staff has no objection', 'approval'],
  ['Staff makes no recommendation', 'none'],
  ['Staff presented the case', 'none'],
  // Reasons name what is not recommended.
  ['staff recommended approval because there is no opposition and the conditions of the plan are met', 'approval'],
  ['staff recommended approval noting that adverse impacts are mitigated', 'approval'],
  ['Based on these findings, staff recommends denial', 'denial'],
];

describe("staff's words", () => {
  for (const [words, recommendation] of WORDS)
    it(`${words}: ${recommendation}`, () => assert.equal(readStaffRecommendation(words), recommendation));
});
