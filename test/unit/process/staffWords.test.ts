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
  // Words against a case, or that put it off, may be about things.
  ['Staff recommends approval; no adverse impacts are anticipated.', 'approval'],
  ['Staff gave an adverse recommendation', 'denial'],
  ['Adverse.', 'denial'],
  ['Approval with the condition that the refuse enclosure be screened', 'approval_with_conditions'],
  ['Approval, provided that refuse and recycling containers are kept inside', 'approval_with_conditions'],
  ['Staff recommends that the Board refuse the application', 'denial'],
  ['Approval subject to the conditions in Table 2', 'approval_with_conditions'],
  ['Approval of the amendment to the Table of Permitted Uses', 'approval'],
  ['Staff recommends that the Board table the request', 'continuance'],
  ['Staff recommends to table item 2', 'continuance'],
  ['Staff recommends approval of the continued use as a church', 'approval'],
  ['Staff recommends approval of the continuing care retirement community', 'approval'],
  ['Staff recommends that the use permit be continued to May 3', 'continuance'],
  // Conditions may follow reasons, which have conditions of their own.
  ['Approval based on the findings, and subject to the following conditions', 'approval_with_conditions'],
  ['Approval based on the findings of the report subject to the attached conditions', 'approval_with_conditions'],
  ['Staff recommends approval based on the findings, with the following three conditions', 'approval_with_conditions'],
  ['Staff recommends approval based on the findings, with no conditions', 'approval'],
  ['Staff recommends approval because nobody objects, and the conditions of the plan are met', 'approval'],
  ['Staff recommends approval noting that the site is subject to the conditions of an earlier case', 'approval'],
];

describe("staff's words", () => {
  for (const [words, recommendation] of WORDS)
    it(`${words}: ${recommendation}`, () => assert.equal(readStaffRecommendation(words), recommendation));
});
