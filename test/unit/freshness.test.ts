/** The rhythm of a body: when its next meeting was due, how many it missed, since when it is silent. */
import assert from 'node:assert/strict';
import { replayBody } from '../../scripts/lib/freshnessReplay.ts';
import { bodyKeysOf, readBodyKey } from '../../src/core/domain/record/bodyMeetings.ts';
import { judgeFreshness, type ReadMeeting } from '../../src/features/freshness/index.ts';
import { findChanges } from '../../src/features/freshness/job.ts';
import { pluck } from '../support/lists.ts';

const DAY_MS = 86_400_000;
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
/** Days from one day to another, at a fixed distance. */
function daysApart(from: string, to: string, days: number): string[] {
  const found: string[] = [];
  for (let day = from; day <= to; day = addDays(day, days)) found.push(day);
  return found;
}
const readOnTheDay = (days: readonly string[]): ReadMeeting[] => days.map((date) => ({ date, firstRead: date, lastRead: date }));
/** Three years of Tuesdays, with none in July. */
const TUESDAYS = daysApart('2023-11-07', '2026-11-10', 7).filter((day) => day.slice(5, 7) !== '07');

describe('the rhythm of a body', () => {
  it('is the median of days between meetings, with the weekdays that hold most of them', () => {
    const { cadenceDays, weekdays, lastMeetingDate, staleSince } = judgeFreshness(readOnTheDay(TUESDAYS), '2026-11-12');
    assert.deepEqual(
      { cadenceDays, weekdays, lastMeetingDate, staleSince },
      { cadenceDays: 7, weekdays: [2], lastMeetingDate: '2026-11-10', staleSince: null },
    );
    const anyDay = daysApart('2025-01-01', '2026-01-01', 5);
    assert.deepEqual(judgeFreshness(readOnTheDay(anyDay), '2026-01-02').weekdays, [], 'no pattern');
  });

  it('calls a body silent a week after its next meeting was due, and counts what it missed', () => {
    const weekly = readOnTheDay(daysApart('2026-01-06', '2026-06-30', 7));
    const on = (today: string) => {
      const { expectedBy, missed, staleSince } = judgeFreshness(weekly, today);
      return { expectedBy, missed, staleSince };
    };
    assert.deepEqual(on('2026-07-07'), { expectedBy: '2026-07-07', missed: 0, staleSince: null });
    assert.deepEqual(on('2026-07-14'), { expectedBy: '2026-07-07', missed: 2, staleSince: null });
    assert.deepEqual(on('2026-07-15'), { expectedBy: '2026-07-07', missed: 2, staleSince: '2026-07-15' });
    assert.deepEqual(on('2026-08-04'), { expectedBy: '2026-07-07', missed: 5, staleSince: '2026-07-15' });
  });

  it('allows the recess of earlier years, and what agendas announce', () => {
    const untilRecess = readOnTheDay(TUESDAYS.filter((day) => day < '2026-07-01'));
    assert.equal(judgeFreshness(untilRecess, '2026-08-05').staleSince, null, 'no meeting in July');
    assert.notEqual(judgeFreshness(untilRecess, '2026-09-01').staleSince, null);
    const weekly = readOnTheDay(daysApart('2026-01-06', '2026-06-30', 7));
    const announced = { date: '2026-08-04', firstRead: '2026-06-30', lastRead: '2026-06-30' };
    assert.equal(judgeFreshness([...weekly, announced], '2026-08-11').staleSince, null);
    assert.equal(judgeFreshness([...weekly, announced], '2026-08-12').staleSince, '2026-08-12', 'announced and not read');
    assert.equal(judgeFreshness([...weekly, { ...announced, lastRead: '2026-08-05' }], '2026-08-12').lastMeetingDate, '2026-08-04');
  });

  it('waits as long as reading usually takes', () => {
    const lateBy = (days: number) =>
      daysApart('2026-01-06', '2026-06-30', 7).map((date) => ({ date, firstRead: addDays(date, days), lastRead: addDays(date, days) }));
    assert.equal(judgeFreshness(lateBy(20), '2026-08-10').staleSince, '2026-08-04');
    assert.equal(judgeFreshness(lateBy(0), '2026-08-10').staleSince, '2026-07-15');
  });

  it('is unknown of fewer than six meetings', () => {
    const { cadenceDays, expectedBy, missed, staleSince, lastMeetingDate } = judgeFreshness(readOnTheDay(TUESDAYS.slice(-5)), '2030-01-01');
    assert.deepEqual([cadenceDays, expectedBy, missed, staleSince, lastMeetingDate], [null, null, 0, null, '2026-11-10']);
    assert.equal(judgeFreshness([], '2030-01-01').lastMeetingDate, null);
  });

  it('names a body that a replay silences within a rhythm and a week, but for its recess, and none that meets', () => {
    const { falseAlarms, silencings } = replayBody(TUESDAYS, 730);
    assert.deepEqual(falseAlarms, []);
    const [inSeason, others] = [true, false].map((inRecess) =>
      silencings.filter(({ firstMissed }) => inRecess === (firstMissed > '2026-06-10' && firstMissed < '2026-08-05')),
    );
    assert(others && others.length > 30);
    assert.deepEqual(new Set(others.map(({ namedAfterDays }) => namedAfterDays)), new Set([8]));
    assert(inSeason?.every(({ namedAfterDays }) => namedAfterDays <= 43));
  });
});

describe('a change of state', () => {
  const body = (bodyKey: string, staleSince: string | null) => ({ bodyKey, staleSince, expectedBy: '2026-11-01', missed: 1 });
  it('is one of a body that was known before, once, and a recovery one of a body that was said to be silent', () => {
    const known = [body('a', null), body('b', '2026-11-09'), body('c', '2026-11-09'), body('e', '2026-11-09')];
    const before = new Map(known.map((one) => [one.bodyKey, one]));
    const now = [body('a', '2026-11-09'), body('b', null), body('c', '2026-11-09'), body('d', '2026-11-09'), body('e', null)];
    assert.deepEqual(pluck(findChanges(before, new Set(['b', 'c']), now), 'type', 'bodyKey'), [
      ['coverage.stale', 'a'],
      ['coverage.recovered', 'b'],
    ]);
  });
});

describe('meetings of a record', () => {
  const place = { stateId: 8, countyId: 8013, cityId: null };
  it('are those of its decisions, documents and statuses, and its own, with their bodies', () => {
    const { bodies, bodyMeetings } = bodyKeysOf({
      ...place,
      decisionBody: 'city_council',
      meetingDate: '2026-10-06',
      nextMeetingDate: '2026-12-01',
      decisions: [{ meetingDate: '2026-09-01', decisionBody: 'planning_board' }],
      statusHistory: [
        { status: 'pending', date: '2026-08-01' },
        { status: 'approved', date: '2026-10-06', decisionBody: 'planning_board' },
      ],
    } as never);
    assert.deepEqual(bodies.sort(), ['8.8013.0.city_council', '8.8013.0.planning_board']);
    assert.deepEqual(bodyMeetings.sort(), [
      '2026-09-01|8.8013.0.planning_board',
      '2026-10-06|8.8013.0.planning_board',
      '2026-12-01|8.8013.0.city_council',
    ]);
  });

  it('keep a day whose body is not named, and nothing without a state', () => {
    assert.deepEqual(bodyKeysOf({ ...place, nextMeetingDate: '2026-12-01' } as never), {
      bodies: [],
      bodyMeetings: ['2026-12-01|8.8013.0.'],
    });
    assert.deepEqual(readBodyKey('8.8013.0.'), { stateId: 8, countyId: 8013, cityId: null, body: null });
    assert.deepEqual(bodyKeysOf({ nextMeetingDate: '2026-12-01' }), { bodies: [], bodyMeetings: [] });
  });
});
