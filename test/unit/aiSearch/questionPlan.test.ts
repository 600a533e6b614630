import assert from 'node:assert/strict';
import { understandQuestion } from '../../../src/features/aiSearch/question/index.ts';
import { makePlan, servedReadings, unmetCriteria } from '../../../src/features/aiSearch/questionPlan.ts';
import { places } from '../../support/index.ts';

const today = '2026-11-20';

describe('the plan of a question', () => {
  const understanding = understandQuestion('rezonings that were continued in Texas', { today, places });
  const plan = makePlan({ filters: {}, today }, understanding, { licence: { nationwide: true } }, places);
  const saidBy = (status: string) => {
    const project = { compact: { status, requestType: 'rezoning', stateId: 48 } } as unknown as Parameters<typeof servedReadings>[1];
    const matched = plan.readings.map(({ name }) => name);
    assert.deepEqual(unmetCriteria(plan, project, matched), { criteria: [], isContradicted: false });
    return servedReadings(plan, project, matched).map(({ reading }) => reading.text);
  };

  it('has a record say what it states, and not what only an earlier generation states of it', () => {
    assert.deepEqual(saidBy('continued').sort(), ['continued', 'in Texas', 'rezonings']);
    assert.deepEqual(saidBy('unknown').sort(), ['in Texas', 'rezonings']);
  });
});
