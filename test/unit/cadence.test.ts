/** When alerts are due: 06:00 on the service clock, through ten years and every change of that clock. */
import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { type Cadence, mergedCadence, nextRunAfter, nextServiceDay } from '../../src/features/alerts/types.ts';

const DENVER = 'America/Denver';
const DAILY: Cadence = { frequency: 'daily', weekday: null, day: null };
const denver = (iso: string) => DateTime.fromISO(iso, { zone: DENVER }).toJSDate();

/** Every due time from a moment on, so many. */
function dueTimes(cadence: Cadence, from: Date, count: number): DateTime[] {
  const times: DateTime[] = [];
  for (let after = from; times.length < count; ) {
    after = nextRunAfter(cadence, after);
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
    for (const [eve, offsets] of [
      ['2026-03-07', [-7, -6, -6]],
      ['2026-10-31', [-6, -7, -7]],
    ] as const) {
      const times = dueTimes(DAILY, denver(`${eve}T05:59:59.999`), 3);
      assert.deepEqual(
        times.map((at) => at.offset / 60),
        offsets,
      );
    }
  });

  it('is due on its day of the week or month only, and never at the moment that it is asked about', () => {
    const weekly = mergedCadence(DAILY, { frequency: 'weekly' });
    assert.deepEqual(weekly, { frequency: 'weekly', weekday: 1, day: null });
    assert.deepEqual(new Set(dueTimes({ ...weekly, weekday: 7 }, denver('2026-11-22T07:00'), 520).map((at) => at.weekday)), new Set([7]));
    const monthly = mergedCadence(weekly, { frequency: 'monthly', day: 28 });
    assert.deepEqual(monthly, { frequency: 'monthly', weekday: null, day: 28 });
    const months = dueTimes(monthly, denver('2026-01-28T06:00'), 120);
    assert.deepEqual(new Set(months.map((at) => at.day)), new Set([28]));
    assert.equal(months[0]?.toISODate(), '2026-02-28');
    assert.equal(new Set(months.map((at) => at.toFormat('yyyy-MM'))).size, 120);
  });

  it('goes back to its first day where another frequency comes', () => {
    assert.deepEqual(mergedCadence({ frequency: 'weekly', weekday: 5, day: null }, { frequency: 'daily' }), DAILY);
    assert.deepEqual(mergedCadence({ frequency: 'weekly', weekday: 5, day: null }, {}), { frequency: 'weekly', weekday: 5, day: null });
  });

  it('counts manual runs by days of the service clock', () => {
    assert.equal(nextServiceDay(new Date('2026-11-22T06:59:00Z')).toISOString(), '2026-11-22T07:00:00.000Z');
    assert.equal(nextServiceDay(new Date('2026-11-22T07:00:00Z')).toISOString(), '2026-11-23T07:00:00.000Z');
  });
});
