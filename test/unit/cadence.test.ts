/** When alerts are due: 06:00 on the service clock, through ten years and every change of that clock. */
import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { type Cadence, findHearingDays, findNextRun, findNextServiceDay, mergeCadence } from '../../src/features/alerts/cadence.ts';

const DENVER = 'America/Denver';
const DAILY: Cadence = { frequency: 'daily', weekday: null, day: null, beforeHearings: false };
const denver = (iso: string) => DateTime.fromISO(iso, { zone: DENVER }).toJSDate();

/** The next due times after a moment. */
function dueTimes(cadence: Cadence, from: Date, count: number): DateTime[] {
  const times: DateTime[] = [];
  for (let after = from; times.length < count; ) {
    after = findNextRun(cadence, after);
    times.push(DateTime.fromJSDate(after, { zone: DENVER }));
  }
  return times;
}

describe('the cadence of an alert', () => {
  it('is due once a day at 06:00 in Denver for ten years', () => {
    const times = dueTimes(DAILY, denver('2026-01-01T00:00'), 3_652);
    assert.deepEqual(new Set(times.map((at) => at.toFormat('HH:mm:ss.SSS'))), new Set(['06:00:00.000']));
    const days = times.map((at) => at.toISODate());
    const wanted = Array.from({ length: 3_652 }, (_, i) => DateTime.fromISO('2026-01-01').plus({ days: i }).toISODate());
    assert.deepEqual(days, wanted);
  });

  it('is due once on the days on which the clock is changed', () => {
    for (const [eve, offsets] of Object.entries({ '2026-03-07': [-7, -6, -6], '2026-10-31': [-6, -7, -7] })) {
      const times = dueTimes(DAILY, denver(`${eve}T05:59:59.999`), 3);
      assert.deepEqual(
        times.map((at) => at.offset / 60),
        offsets,
      );
    }
  });

  it('is due on its day of the week or month only, and never at the moment that it is asked about', () => {
    const weekly = mergeCadence(DAILY, { frequency: 'weekly' });
    assert.deepEqual(weekly, { frequency: 'weekly', weekday: 1, day: null, beforeHearings: false });
    assert.deepEqual(new Set(dueTimes({ ...weekly, weekday: 7 }, denver('2026-11-22T07:00'), 520).map((at) => at.weekday)), new Set([7]));
    const monthly = mergeCadence(weekly, { frequency: 'monthly', day: 28 });
    assert.deepEqual(monthly, { frequency: 'monthly', weekday: null, day: 28, beforeHearings: false });
    const months = dueTimes(monthly, denver('2026-01-28T06:00'), 120);
    assert.deepEqual(new Set(months.map((at) => at.day)), new Set([28]));
    assert.equal(months[0]?.toISODate(), '2026-02-28');
    assert.equal(new Set(months.map((at) => at.toFormat('yyyy-MM'))).size, 120);
  });

  it('goes back to its first day where another frequency comes', () => {
    const friday = { ...DAILY, frequency: 'weekly', weekday: 5 } as const;
    assert.deepEqual(mergeCadence(friday, { frequency: 'daily' }), DAILY);
    assert.deepEqual(mergeCadence(friday, {}), friday);
  });

  it('keeps what it says of hearings', () => {
    const before = mergeCadence({ ...DAILY, frequency: 'monthly', day: 3 }, { beforeHearings: true });
    assert.deepEqual(before, { frequency: 'monthly', weekday: null, day: 3, beforeHearings: true });
    assert.equal(mergeCadence(before, { day: 4 }).beforeHearings, true);
    assert.equal(mergeCadence(before, { beforeHearings: false }).beforeHearings, false);
  });

  it('is due each morning before hearings, and announces each day once, whenever somebody looks', () => {
    const monthly: Cadence = { frequency: 'monthly', weekday: null, day: 28, beforeHearings: true };
    const dayOf = (at: Date, ahead = 0) => DateTime.fromJSDate(at, { zone: DENVER }).plus({ days: ahead }).toISODate() as string;
    const days: string[] = [];
    for (let [due, i] = [findNextRun(monthly, denver('2026-01-01T00:00')), 0]; i < 1_000; i++) {
      assert.equal(DateTime.fromJSDate(due, { zone: DENVER }).hour, 6);
      const looked = new Date(due.getTime() + ((i * 7_919) % 97) * 3_600_000 * (i % 3 ? 0.2 : 1));
      const found = findHearingDays(monthly, due, looked);
      assert(found);
      const next = findNextRun(monthly, looked);
      assert.equal(found.to, dayOf(next), 'the next run announces the day behind');
      assert(found.from >= dayOf(looked) && found.from > dayOf(due) && found.from <= found.to);
      assert(!days.includes(found.from) && (days.at(-1) ?? '') < found.from);
      days.push(...new Set([found.from, found.to]));
      due = next;
    }
  });

  it('has a run without a hearing only if its frequency is due, even in an outage', () => {
    const weekly: Cadence = { frequency: 'weekly', weekday: 3, day: null, beforeHearings: true };
    const of = (dueAt: string, now: string) => findHearingDays(weekly, denver(dueAt), denver(now));
    assert.deepEqual(of('2026-11-24T06:00', '2026-11-24T06:00'), { from: '2026-11-25', to: '2026-11-25', required: true });
    assert.deepEqual(of('2026-11-25T06:00', '2026-11-25T06:01'), { from: '2026-11-26', to: '2026-11-26', required: false });
    assert.deepEqual(of('2026-11-24T06:00', '2026-11-25T05:59'), { from: '2026-11-25', to: '2026-11-25', required: true });
    assert.deepEqual(of('2026-11-23T06:00', '2026-11-26T10:00'), { from: '2026-11-26', to: '2026-11-27', required: false });
    assert.deepEqual(of('2026-11-20T06:00', '2026-11-23T10:00'), { from: '2026-11-23', to: '2026-11-24', required: true });
    assert.equal(findHearingDays({ ...weekly, beforeHearings: false }, denver('2026-11-25T06:00'), denver('2026-11-25T06:00')), null);
  });

  it('counts manual runs by days of the service clock', () => {
    assert.equal(findNextServiceDay(new Date('2026-11-22T06:59:00Z')).toISOString(), '2026-11-22T07:00:00.000Z');
    assert.equal(findNextServiceDay(new Date('2026-11-22T07:00:00Z')).toISOString(), '2026-11-23T07:00:00.000Z');
  });
});
