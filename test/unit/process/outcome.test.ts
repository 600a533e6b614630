/** Outcomes of projects: a test for each rule, and for mistakes of rules on real records. */
import assert from 'node:assert/strict';
import { outcomeFacts, outcomeOn, selectOutcomeTexts, writeOutcomeText } from '../../../src/core/domain/process/outcome.ts';
import { OUTCOMES } from '../../../src/core/domain/process/tokens.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';

type Statement = Partial<ProjectStatement>;

const tellOn = (today: string, statement: Statement) => outcomeOn(outcomeFacts(statement), today);
const step = (date: string, status: string) => ({ date, status, decisionBody: 'city_council' });
const decision = (meetingDate: string, status: string, decisionType = 'final_action') => ({
  meetingDate,
  status,
  decisionType,
  decisionBody: 'city_council',
});

describe('the outcome of a project', () => {
  it('stated_status: the decision that the record itself states', () => {
    assert.deepEqual(tellOn('2026-06-01', { status: 'approved_with_conditions', meetingDate: '2026-01-10' }), {
      outcome: 'approved',
      since: '2026-01-10',
      rule: 'stated_status',
    });
    assert.equal(tellOn('2026-06-01', { status: 'denied', meetingDate: '2026-01-10' }).outcome, 'denied');
    assert.equal(tellOn('2026-06-01', { status: 'withdrawn', meetingDate: '2026-01-10' }).outcome, 'withdrawn');
  });

  it('stated_status without a day where no hearing is known; what is undecided then cannot be told', () => {
    const tellUndated = (status: string) => tellOn('2026-06-01', { status, meetingDate: null });
    for (const status of ['approved', 'denied', 'withdrawn'])
      assert.deepEqual(tellUndated(status), { outcome: status, since: null, rule: 'stated_status' });
    for (const status of ['pending', 'continued', 'tabled', 'unknown']) assert.equal(tellUndated(status).outcome, null, status);
  });

  it('latest_decision: of several the last, whatever came before', () => {
    const outcome = tellOn('2026-06-01', {
      status: 'unknown',
      meetingDate: '2026-03-01',
      decisions: [decision('2026-01-10', 'denied'), decision('2026-03-01', 'approved')],
      statusHistory: [step('2025-12-01', 'continued'), step('2026-01-10', 'denied')],
    });
    assert.deepEqual(outcome, { outcome: 'approved', since: '2026-03-01', rule: 'latest_decision' });
  });

  it('awaits_decision: less than 180 days after its last hearing; a recommendation decides nothing', () => {
    const open: Statement = { status: 'continued', meetingDate: '2026-01-01' };
    assert.deepEqual(tellOn('2026-06-29', open), { outcome: 'pending', since: '2026-01-01', rule: 'awaits_decision' });
    const recommended: Statement = { meetingDate: '2026-01-01', decisions: [decision('2026-01-01', 'approved', 'recommendation')] };
    assert.equal(tellOn('2026-02-01', recommended).outcome, 'pending');
  });

  it('hearing_announced: whatever the silence before it, and then for 180 days', () => {
    const announced: Statement = { status: 'continued', meetingDate: '2026-01-01', nextMeetingDate: '2026-09-01' };
    assert.deepEqual(tellOn('2026-08-31', announced), { outcome: 'pending', since: '2026-01-01', rule: 'hearing_announced' });
    assert.equal(tellOn('2027-02-27', announced).outcome, 'pending');
    assert.equal(tellOn('2027-02-28', announced).outcome, 'stalled');
    const alone: Statement = { status: 'unknown', nextMeetingDate: '2026-09-01' };
    assert.equal(tellOn('2026-09-01', alone).outcome, 'pending');
    assert.equal(tellOn('2026-09-02', alone).outcome, null);
  });

  it('silent_180_days: undecided, put off at most twice', () => {
    const put: Statement = { meetingDate: '2026-01-01', statusHistory: [step('2025-12-01', 'continued'), step('2026-01-01', 'continued')] };
    assert.deepEqual(tellOn('2026-06-30', put), { outcome: 'stalled', since: '2026-06-30', rule: 'silent_180_days' });
  });

  it('continued_then_silent: put off on three days or more; twice on one day is once', () => {
    const days = ['2025-11-01', '2025-12-01', '2026-01-01'];
    const thrice: Statement = { status: 'continued', meetingDate: '2026-01-01', statusHistory: days.map((day) => step(day, 'continued')) };
    assert.deepEqual(tellOn('2026-06-30', thrice), { outcome: 'soft_denial', since: '2026-06-30', rule: 'continued_then_silent' });
    assert.equal(tellOn('2026-06-29', thrice).outcome, 'pending');
    const twice: Statement = { ...thrice, statusHistory: [...days.slice(1), '2026-01-01'].map((day) => step(day, 'continued')) };
    assert.equal(tellOn('2026-06-30', twice).outcome, 'stalled');
  });

  it('tabled_then_silent: put aside without a day', () => {
    const tabled: Statement = { status: 'tabled', meetingDate: '2026-01-01' };
    assert.deepEqual(tellOn('2026-06-30', tabled), { outcome: 'soft_denial', since: '2026-06-30', rule: 'tabled_then_silent' });
    assert.equal(tellOn('2026-06-29', tabled).outcome, 'pending');
    assert.equal(tellOn('2027-06-30', { ...tabled, nextMeetingDate: '2026-03-01' }).outcome, 'stalled');
  });

  it('cannot_be_told: nothing says what is awaited', () => {
    for (const statement of [{}, { status: 'unknown', meetingDate: '2026-01-01' }, { meetingDate: '2026-01-01', appearanceCount: 2 }])
      assert.deepEqual(tellOn('2026-02-01', statement), { outcome: null, since: null, rule: 'cannot_be_told' });
  });

  it('tells no outcome if the latest step is unknown, except a decision before it', () => {
    const ended = step('2026-02-01', 'unknown');
    assert.equal(tellOn('2026-03-01', { statusHistory: [step('2026-01-01', 'continued'), ended] }).outcome, null);
    const approved: Statement = { statusHistory: [step('2025-12-01', 'unknown'), step('2026-01-01', 'approved'), ended] };
    assert.deepEqual(tellOn('2026-03-01', approved), { outcome: 'approved', since: '2026-01-01', rule: 'latest_decision' });
  });

  it('is left as it was by a hearing without a decision', () => {
    const heard: Statement = {
      decisions: [decision('2026-02-01', 'unknown', 'public_hearing')],
      statusHistory: [step('2026-01-01', 'continued'), step('2026-02-01', 'unknown')],
    };
    assert.deepEqual(tellOn('2026-03-01', heard), { outcome: 'pending', since: '2026-01-01', rule: 'awaits_decision' });
  });

  it('is found by its text on every day as it is on that day', () => {
    const statements: Statement[] = [
      { status: 'approved', meetingDate: '2026-01-01' },
      { status: 'pending', meetingDate: '2026-01-01' },
      { status: 'tabled', meetingDate: '2026-01-01' },
      { nextMeetingDate: '2026-01-01' },
    ];
    for (const facts of statements.map((statement) => outcomeFacts(statement)))
      for (const today of ['2025-12-31', '2026-01-01', '2026-01-02', '2026-06-29', '2026-06-30', '2027-01-01'])
        for (const outcome of OUTCOMES) {
          assert.ok(facts);
          const text = writeOutcomeText(facts);
          const wanted = selectOutcomeTexts(outcome, today);
          const isFound =
            'text' in wanted
              ? wanted.text === text
              : wanted.ranges.some(
                  ({ gt, gte, lt, lte }) =>
                    (gt === undefined || text > gt) &&
                    (gte === undefined || text >= gte) &&
                    (lt === undefined || text < lt) &&
                    (lte === undefined || text <= lte),
                );
          assert.equal(isFound, outcomeOn(facts, today).outcome === outcome, `${text} as ${outcome} on ${today}`);
        }
  });
});
