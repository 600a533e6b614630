/**
 * Ten years of due runs under two schedulers, on a clock that jumps and after outages: each due time has one run, and an outage one that
 * catches up. DUE_SEED looks elsewhere.
 */
import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { queueDueJobs } from '../../../src/core/jobs/due.ts';
import { JobStore } from '../../../src/core/jobs/store.ts';
import { Database } from '../../../src/core/store/postgres/pool.ts';
import { takeDueRuns } from '../../../src/features/alerts/dueRunStore.ts';
import { countedJob, countedKind } from '../../support/jobs.ts';
import { provide } from '../../support/provide.ts';
import { Random } from '../../support/random.ts';
import { FOR_ALERTS, testWorld } from '../../support/world.ts';

const DENVER = 'America/Denver';
const START = '2026-01-01T00:00:00.000Z';
const END = Date.parse('2036-01-01T00:00:00.000Z');
const SEED = Number(process.env.DUE_SEED ?? 20_261_122);
const HOUR_MS = 3_600_000;

/** The first 06:00 in Denver behind a moment, on a day that fits. */
function dueAfter(ms: number, fits: (day: DateTime) => boolean): number {
  const day = DateTime.fromMillis(ms, { zone: DENVER }).startOf('day');
  for (let ahead = 0; ; ahead++) {
    const due = day.plus({ days: ahead }).set({ hour: 6 });
    if (due.toMillis() > ms && fits(due)) return due.toMillis();
  }
}

/** Hours until somebody looks again: a look in time, a few days without one, an outage of weeks, or a clock that is put back. */
function hoursOn(random: Random): number {
  const chance = random.next();
  if (chance < 0.4) return random.integer(1, 30);
  if (chance < 0.75) return random.integer(24, 24 * 12);
  if (chance < 0.9) return random.integer(24 * 14, 24 * 60);
  return -random.integer(1, 48);
}

const RUNS = { ...countedJob(countedKind('run_alert')), takeDue: takeDueRuns };

describe(`Due runs of ten years (DUE_SEED=${SEED})`, () => {
  const world = provide(() => testWorld({ ...FOR_ALERTS, start: START }));
  const databases: Database[] = [];
  after(() => Promise.all(databases.map((database) => database.close())));

  /** What a process of its own has. */
  function scheduler(): JobStore {
    const { databaseUrl: url, databaseSchema: schema } = world.api.config;
    const database = new Database({ url, schema, patience: 10 });
    databases.push(database);
    return new JobStore(database);
  }

  it('are queued once each, and once after an outage, whatever the clock does', async () => {
    const fits = [
      { frequency: 'daily', on: () => true },
      { frequency: 'weekly', weekday: 3, on: ({ weekday }: DateTime) => weekday === 3 },
      { frequency: 'monthly', day: 28, on: ({ day }: DateTime) => day === 28 },
    ];
    const alerts: { id: string; on: (day: DateTime) => boolean; next: number; due: number[] }[] = [];
    for (const { on, ...cadence } of fits) {
      const { id } = await world.alerts.create({ filters: { states: ['CO'] }, cadence });
      alerts.push({ id, on, next: dueAfter(Date.parse(START), on), due: [] });
    }
    const schedulers = [scheduler(), scheduler()];
    const random = new Random(SEED);
    let [now, looks, caughtUp, putBack] = [Date.parse(START), 0, 0, 0];
    while (now < END) {
      const on = hoursOn(random) * HOUR_MS;
      putBack += Number(on < 0);
      now = Math.max(now + on, Date.parse(START));
      await world.moveTo(new Date(now).toISOString());
      await Promise.all(schedulers.map((jobs) => queueDueJobs(jobs, RUNS)));
      looks += 1;
      for (const alert of alerts) {
        if (alert.next > now) continue;
        alert.due.push(alert.next);
        caughtUp += Number(dueAfter(alert.next, alert.on) <= now);
        alert.next = dueAfter(now, alert.on);
      }
    }
    assert(looks > 200 && caughtUp > 50 && putBack > 10, `${looks} looks, ${caughtUp} times caught up, ${putBack} times put back`);
    for (const { id, due, next } of alerts) {
      const rows = await world.api.database.query<{ at: Date }>('select due_at as at from alert_due where alert_id = $1 order by due_at', [
        id,
      ]);
      assert.deepEqual(
        rows.map(({ at }) => at.toISOString()),
        due.map((at) => new Date(at).toISOString()),
      );
      const [alert] = await world.api.database.query<{ at: Date }>('select next_run_at as at from alert where id = $1', [id]);
      assert.equal(alert?.at.getTime(), next);
      assert(rows.every(({ at }) => DateTime.fromJSDate(at, { zone: DENVER }).hour === 6));
      const [jobs] = await world.api.database.query<{ n: number }>(
        `select count(distinct payload->>'dueAt')::int as n from job where kind = 'run_alert' and payload->>'alertId' = $1`,
        [id],
      );
      assert.equal(jobs?.n, due.length);
    }
  });
});
