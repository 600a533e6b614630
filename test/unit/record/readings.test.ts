/** Readings of a statement: comparable numbers and zonings, votes, and the duration of a case. */
import assert from 'node:assert/strict';
import { findProcessSpan } from '../../../src/core/domain/process/hearings.ts';
import { decideVoteResult } from '../../../src/core/domain/process/votes.ts';
import { normalizeZoning, readFirstZoningCode } from '../../../src/core/domain/process/zoning.ts';
import { daysInProcess, derivedOf, READING_NAMES, readingOf } from '../../../src/core/domain/record/readings.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';

const TODAY = '2026-11-20';
const decided = (...days: string[]) => days.map((meetingDate) => ({ meetingDate, decisionBody: null, decisionType: null, status: null }));

describe('A zoning', () => {
  it('is compared without case and blanks', () => {
    assert.equal(normalizeZoning(' i-1 (cd) '), normalizeZoning('I-1(CD)'));
    assert.notEqual(normalizeZoning('R-1'), normalizeZoning('R1'));
  });

  for (const [zoning, code] of Object.entries({
    'R-3, O-2': 'R-3',
    'I-1 (CD) and R-20': 'I-1(CD)',
    'B-1 SCD': 'B-1',
    'r-15mf(cd)': 'R-15MF(CD)',
    PUD: 'PUD',
    Residential: 'RESIDENTIAL',
    'Single family homes': undefined,
    '(none)': undefined,
  }))
    it(`has its first code: ${zoning}`, () => assert.equal(readFirstZoningCode(zoning), code));
});

describe('A vote', () => {
  it('is unanimous, split or tied by the members who took a side, and null if a side is not stated', () => {
    const results = [
      { yes: 5, no: 0, abstain: 2 },
      { yes: 0, no: 4 },
      { yes: 4, no: 3 },
      { yes: 3, no: 3, absent: 1 },
      { yes: 0, no: 0, abstain: 5 },
      { yes: 5 },
    ];
    assert.deepEqual(results.map(decideVoteResult), ['unanimous', 'unanimous', 'split', 'tie', undefined, undefined]);
  });
});

describe('The days of a case', () => {
  const days = (statement: Partial<ProjectStatement>, hearings?: string[]) => daysInProcess({ statement, hearings });

  it('run from the first hearing to the latest, and are 0 for one hearing', () => {
    assert.equal(days({ meetingDate: '2026-03-31', firstMeetingDate: '2026-03-01' }), 30);
    assert.equal(days({ meetingDate: '2026-03-31', decisions: decided('2026-01-30', '2026-03-31') }), 60);
    assert.equal(days({ meetingDate: '2026-03-31', appearanceCount: 1 }), 0);
    assert.equal(days({ firstMeetingDate: '2026-03-31' }), 0);
  });

  it('are not known where only the latest meeting is, or more are counted than named', () => {
    assert.equal(days({ meetingDate: '2026-03-31' }), undefined);
    assert.equal(days({ meetingDate: '2026-03-31', appearanceCount: 2 }), undefined);
    assert.equal(days({ meetingDate: '2026-03-31', appearanceCount: 3, decisions: decided('2026-03-01') }), undefined);
    assert.equal(days({ meetingDate: '2026-03-31', appearanceCount: 3, firstMeetingDate: '2026-03-01' }), 30);
    assert.equal(days({}), undefined);
  });

  it('count the hearings of a family, to the latest', () => {
    assert.deepEqual(findProcessSpan({ meetingDate: '2026-03-31', appearanceCount: 1 }, ['2025-12-31', '2026-04-30']), {
      first: '2025-12-31',
      latest: '2026-04-30',
    });
  });
});

describe('derived', () => {
  it('shows the readings of a record, and null if there are none', () => {
    const statement: Partial<ProjectStatement> = {
      status: 'pending',
      meetingDate: '2026-05-24',
      firstMeetingDate: '2026-04-24',
      staffRecommendation: 'Approval',
      voteTotals: { yes: 3, no: 2 },
    };
    const shown = { staffRecommendation: 'approval', voteResult: 'split', daysInProcess: 30 };
    const { outcomeSince: _, ...before } = derivedOf({ statement }, '2026-11-19');
    assert.deepEqual(before, { ...shown, outcome: 'pending', rule: 'awaits_decision' });
    const silent = { ...shown, outcome: 'stalled', outcomeSince: TODAY, rule: 'silent_180_days' };
    assert.deepEqual(derivedOf({ statement }, TODAY), silent);
    assert.deepEqual(derivedOf({ statement: {} }, TODAY), {
      staffRecommendation: null,
      voteResult: null,
      outcome: null,
      outcomeSince: null,
      daysInProcess: null,
      rule: 'cannot_be_told',
    });
  });
});

describe('Every reading', () => {
  it('covers nothing of a record that states nothing but what every record does', () => {
    const statement = { id: 1, status: 'unknown', meetingDate: '2026-05-24', propertyType: 'residential' } as Partial<ProjectStatement>;
    const covering = READING_NAMES.filter((name) => readingOf(name).read({ statement }) !== undefined);
    assert.deepEqual(covering, []);
  });

  it('holds the numbers of a list once, without those of which nothing is left', () => {
    const statement = { caseNumbers: ['RZ-24.017', 'rz 24 017', '--', 'RZ-24-17'] };
    assert.deepEqual(readingOf('caseNumber').read({ statement }), ['RZ24017', 'RZ2417']);
  });
});
