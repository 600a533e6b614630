/** Alerts that run on the day before a hearing: once, with or without news, and not at all without a hearing. */

import assert from 'node:assert/strict';
import { auditLedger } from '../../../src/core/ledger/audit.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const BEFORE = { frequency: 'monthly', day: 28, beforeHearings: true };
const line = (id: number, county: string, nextMeetingDate?: string, more = {}) =>
  projectLine(id, { county, ...(nextMeetingDate ? { nextMeetingDate } : {}), ...more });

describe('alerts that run before hearings', () => {
  const world = provideWorld(FOR_ALERTS, [
    line(1, 'Boulder County', '2026-11-24'),
    line(2, 'Boulder County', '2026-11-24'),
    line(3, 'Boulder County', '2026-11-27'),
    line(4, 'Boulder County', '2026-11-24', { propertyType: 'commercial' }),
    line(5, 'Larimer County', '2026-11-30'),
    line(6, 'Weld County', '2026-11-21'),
    line(7, 'Weld County', '2026-11-23'),
    line(8, 'Weld County', '2026-11-24'),
    line(9, 'Weld County', '2026-11-25', { rawText: 'The applicant proposed a retention pond behind the homes.' }),
  ]);

  const homesIn = (county: string) => ({ counties: [`${county}, CO`], propertyTypes: ['residential'] });
  const deliveriesOf = async (id: string, key: string): Promise<Json[]> =>
    (await world.send('GET', `/alerts/${id}/deliveries`, undefined, key)).body.data;
  const mailsOf = async (id: string) =>
    (await world.mails()).filter(({ event, topic }) => event.startsWith('digest:') && topic.includes(id));
  const nextRun = async (id: string, key: string) => (await world.send('GET', `/alerts/${id}`, undefined, key)).body.data.nextRunAt;
  /** Moves the clock, and lets as many workers end all that is due. */
  async function passTo(moment: string, workerCount = 1): Promise<void> {
    await world.moveTo(moment);
    const workers = await Promise.all(Array.from({ length: workerCount }, () => world.work()));
    await eventually('the end of what is due', async () => {
      const [left] = await world.api.database.query<{ n: number }>(
        `select (select count(*) from alert where next_run_at <= service_now()) + (select count(*) from alert_due where not ended) as n`,
      );
      return Number(left?.n) === 0 || undefined;
    });
    await Promise.all(workers.map((worker) => worker.stop(0)));
  }

  it('run at 06:00 of that day alone, once each by two workers, and mail how many are heard, also without news', async () => {
    const key = await world.api.key('api_only');
    const { id, cadence, nextRunAt } = await world.alerts.create({ filters: homesIn('Boulder County'), cadence: BEFORE }, key);
    const quiet = await world.alerts.create({ name: 'Quiet', filters: homesIn('Larimer County'), cadence: BEFORE }, key);
    const usual = await world.alerts.create({ filters: homesIn('Boulder County'), cadence: { frequency: 'monthly', day: 28 } }, key);
    assert.deepEqual(cadence, { frequency: 'monthly', weekday: null, day: 28, beforeHearings: true });
    assert.deepEqual([nextRunAt, usual.nextRunAt], ['2026-11-19T13:00:00.000Z', '2026-11-28T13:00:00.000Z']);
    const before = await world.balance(key);
    await passTo('2026-11-22T13:00:01.000Z', 2);
    assert.deepEqual(
      [await deliveriesOf(id, key), await mailsOf(id), await world.balance(key)],
      [[], [], before],
      'none is heard tomorrow',
    );
    assert.equal(await nextRun(id, key), '2026-11-23T13:00:00.000Z');
    await passTo('2026-11-23T13:00:01.000Z', 2);
    const [first, ...others] = await deliveriesOf(id, key);
    assert.deepEqual([first.trigger, first.status, first.newRecords, first.creditsCharged, others], ['scheduled', 'completed', 3, 3, []]);
    const [mail, ...more] = await mailsOf(id);
    assert.match(mail?.text ?? '', /2 matching projects are heard tomorrow \(2026-11-24\)/);
    assert.match(mail?.text ?? '', /"subject": ?"Alert: 3 records, 2 to be heard"/);
    assert.deepEqual([more, await deliveriesOf(quiet.id, key), await deliveriesOf(usual.id, key)], [[], [], []]);
    await passTo('2026-11-25T13:00:01.000Z');
    assert.equal((await deliveriesOf(id, key)).length, 1);
    await passTo('2026-11-26T13:00:01.000Z');
    const [second] = await deliveriesOf(id, key);
    assert.deepEqual([second.records, second.creditsCharged, second.startedAt.slice(0, 10)], [0, 0, '2026-11-26']);
    assert.match((await mailsOf(id)).at(-1)?.text ?? '', /0 new records, 0 changed.*1 matching project is heard tomorrow \(2026-11-27\)/);
    assert.equal((await world.alerts.run(id, key)).body.meta.manualRuns.used, 1, 'not counted as by hand');
    await passTo('2026-11-28T13:00:01.000Z');
    assert.deepEqual([(await deliveriesOf(id, key)).length, (await deliveriesOf(usual.id, key)).length], [4, 1], 'its own day');
    assert.equal((await mailsOf(id)).length, 2);
    const heard = await world.api.database.query('select alert_id from alert_due where alert_id = $1 and heard is not null', [usual.id]);
    assert.deepEqual([heard, (await auditLedger(world.api.database)).differences], [[], []]);
  });

  it('catch up with one run after an outage, for hearings that have not passed', async () => {
    await world.moveTo('2026-11-18T19:00:00.000Z');
    const key = await world.api.key('api_only');
    const { id } = await world.alerts.create({ filters: homesIn('Weld County'), cadence: BEFORE }, key);
    await passTo('2026-11-23T16:00:00.000Z', 2);
    const all = await deliveriesOf(id, key);
    assert.deepEqual(pluck(all, 'status', 'records'), [['completed', 4]]);
    const [mail] = await mailsOf(id);
    assert.match(mail?.text ?? '', /2 matching projects are heard today \(2026-11-23\) or tomorrow \(2026-11-24\)/);
    await passTo('2026-11-24T13:00:01.000Z');
    assert.match((await mailsOf(id)).at(-1)?.text ?? '', /1 matching project is heard tomorrow \(2026-11-25\)/);
  });

  it('go by what the pool holds where filters name records, and by what was delivered where there is a requirement', async () => {
    await world.moveTo('2026-11-18T19:00:00.000Z');
    const key = await world.api.key('api_only');
    const held = { filters: { projectIds: [8], states: ['CO'] }, cadence: BEFORE };
    const named = await world.alerts.create(held, key);
    const wanted = await world.alerts.create(
      { ...held, filters: homesIn('Weld County'), specificRequirement: 'with a retention pond' },
      key,
    );
    await passTo('2026-11-23T13:00:01.000Z');
    assert.deepEqual([await deliveriesOf(named.id, key), await deliveriesOf(wanted.id, key)], [[], []]);
    await world.api.index.load([line(8, 'Weld County', '2026-11-25')], { mode: 'increment' });
    await world.alerts.run(named.id, key);
    assert.equal((await world.alerts.run(wanted.id, key)).body.data.records, 1);
    await passTo('2026-11-24T13:00:01.000Z');
    assert.deepEqual([(await deliveriesOf(named.id, key)).length, (await deliveriesOf(wanted.id, key)).length], [2, 2]);
    const { text = '' } = (await mailsOf(named.id)).find(({ text: said }) => said.includes('tomorrow')) ?? {};
    assert.deepEqual(
      text.match(/\d+ matching projects? \w+ heard \w+ \([\d-]+\)/g),
      Array(2).fill('1 matching project is heard tomorrow (2026-11-25)'),
    );
  });

  it('tell nothing of the hearing of an unpaid record where the run could not be paid', async () => {
    await world.moveTo('2026-11-18T19:00:00.000Z');
    const alertOf = (key: string, county: string, more = {}) =>
      world.alerts.create({ filters: { ...homesIn(county), states: ['CO'] }, cadence: BEFORE, ...more }, key);
    const poor = await world.api.key('api_only', undefined, { monthlyCredits: 1 });
    await world.api.get('/projects/5', {}, { key: poor });
    const rich = await world.api.key('api_only');
    const unpaid = await alertOf(poor, 'Boulder County');
    const held = await alertOf(poor, 'Larimer County');
    const bounded = await alertOf(rich, 'Boulder County', { maxCredits: 1 });
    await passTo('2026-11-23T13:00:01.000Z');
    assert.deepEqual([await deliveriesOf(unpaid.id, poor), await deliveriesOf(bounded.id, rich)], [[], []]);
    await passTo('2026-11-29T13:00:01.000Z');
    const days = (await deliveriesOf(held.id, poor)).map(({ startedAt }) => startedAt.slice(0, 10));
    assert.deepEqual(days, ['2026-11-29'], 'before the hearing of the held record');
  });

  it('begin and stop by a change, and are off where nothing was said', async () => {
    await world.moveTo('2026-11-18T19:00:00.000Z');
    const key = await world.api.key('api_only');
    const { id } = await world.alerts.create({ filters: homesIn('Weld County'), cadence: { frequency: 'weekly', weekday: 5 } }, key);
    const change = async (body: object) => {
      const { data } = (await world.send('PATCH', `/alerts/${id}`, body, key)).body;
      return [data.cadence.weekday, data.cadence.beforeHearings, data.nextRunAt];
    };
    assert.equal((await world.send('GET', `/alerts/${id}`, undefined, key)).body.data.cadence.beforeHearings, false);
    assert.deepEqual(await change({ cadence: { beforeHearings: true } }), [5, true, '2026-11-19T13:00:00.000Z']);
    await world.moveTo('2026-11-19T19:00:00.000Z');
    assert.deepEqual(await change({ name: 'Renamed' }), [5, true, '2026-11-19T13:00:00.000Z'], 'what is due stays due');
    assert.deepEqual(await change({ cadence: { weekday: 6 } }), [6, true, '2026-11-20T13:00:00.000Z']);
    assert.deepEqual(await change({ cadence: { beforeHearings: false } }), [6, false, '2026-11-21T13:00:00.000Z']);
  });
});
