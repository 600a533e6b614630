/** Which hearings a record was to have and has no more, read from what it remembers of earlier versions. */
import assert from 'node:assert/strict';
import { findDroppedHearing, listCancelledMeetings } from '../../../src/core/domain/process/cancelledHearings.ts';
import type { EarlierRevision } from '../../../src/core/domain/record/storedProject.ts';

const TODAY = '2026-11-20';
const PLACE = { stateId: 8, countyId: 8013, cityId: null };
const step = (stated: Record<string, unknown> | undefined, changed: string[], replacedAt = '2026-11-18T19:00:00Z'): EarlierRevision => ({
  ...{ revision: 'r', replacedAt, changed },
  ...(stated ? { stated } : {}),
});
const next = (day: string | null) => step(day === null ? {} : { nextMeetingDate: day }, ['nextMeetingDate']);

describe('hearings that were cancelled', () => {
  const now = { ...PLACE, decisionBody: 'city_council' };

  it('are those ahead that an earlier version stated and the newest does not name', () => {
    const earlier = [next('2026-12-01'), next('2026-12-08')];
    const keys = (day: string) => `${day}|8.8013.0.city_council`;
    assert.deepEqual(listCancelledMeetings(now, earlier, TODAY), [keys('2026-12-08'), keys('2026-12-01')]);
    assert.deepEqual(listCancelledMeetings({ ...now, nextMeetingDate: '2026-12-01' }, earlier, TODAY), [keys('2026-12-08')]);
    assert.deepEqual(listCancelledMeetings({ ...now, decisions: [{ meetingDate: '2026-12-08' }] }, earlier, TODAY), [keys('2026-12-01')]);
    assert.deepEqual(listCancelledMeetings(now, earlier, '2026-12-02'), [keys('2026-12-08')]);
    assert.deepEqual(listCancelledMeetings(now, [], TODAY), []);
  });

  it('are of the body and place that the version stated with them', () => {
    const earlier = [next('2026-12-01'), step({ decisionBody: 'planning_board' }, ['decisionBody', 'summary'])];
    assert.deepEqual(listCancelledMeetings(now, earlier, TODAY), ['2026-12-01|8.8013.0.planning_board']);
    const other = [step({ decisionBody: 'planning_board' }, ['decisionBody'])];
    const still = { ...now, nextMeetingDate: '2026-12-01' };
    assert.deepEqual(listCancelledMeetings(still, other, TODAY), ['2026-12-01|8.8013.0.planning_board'], 'it went to another body');
  });

  it('are not guessed beyond values that are not remembered', () => {
    assert.deepEqual(listCancelledMeetings(now, [next('2026-12-01'), step(undefined, ['summary'])], TODAY), []);
  });

  it('are dropped where no other day took their place', () => {
    assert.equal(findDroppedHearing(now, [next('2026-12-01')]), '2026-12-01');
    assert.equal(findDroppedHearing(now, [next('2026-12-01'), next(null), next('2026-12-08'), step({}, ['summary'])]), '2026-12-08');
    assert.equal(findDroppedHearing({ ...now, nextMeetingDate: '2026-12-09' }, [next('2026-12-01')]), null, 'moved');
    assert.equal(findDroppedHearing({ ...now, meetingDate: '2026-12-01' }, [next('2026-12-01')]), null, 'held');
    assert.equal(findDroppedHearing(now, [step({ summary: 'x' }, ['summary'])]), null);
  });
});
