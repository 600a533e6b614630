/** Alerts with a requirement in plain words: what is confirmed with quotes is delivered and charged, and nothing else. */

import assert from 'node:assert/strict';
import { builtinScreener } from '../../../src/features/aiSearch/builtinScreener.ts';
import { ScreenerUnavailable } from '../../../src/features/aiSearch/screener.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';
import { bodyOf } from '../../support/service.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const POND = 'with a retention pond';
const SAYS = 'The applicant proposed a retention pond behind the homes.';
const DENIES = 'The site plan was approved. A retention wall was discussed, and a fishing pond nearby.';

describe('Alerts with a requirement', () => {
  /** what the screener cannot do just now */
  let broken: 'understand' | 'confirm' | null = null;
  /** records that it was asked about */
  let judged: number[] = [];
  const world = provideWorld(
    {
      ...FOR_ALERTS,
      screener: {
        ...builtinScreener,
        understand: async (...asked) => {
          if (broken === 'understand') throw new ScreenerUnavailable('no answer');
          return builtinScreener.understand(...asked);
        },
        confirm: async (judgements, signal) => {
          if (broken === 'confirm') throw new ScreenerUnavailable('no answer');
          judged.push(...judgements.map(({ candidate }) => Number(candidate.projectId)));
          return builtinScreener.confirm(judgements, signal);
        },
      },
    },
    [projectLine(1, { county: 'Larimer County' })],
  );
  beforeEach(() => {
    broken = null;
    judged = [];
  });

  const load = (lines: object[]) => world.api.index.load(lines, { mode: 'increment' });
  afterEach(() => world.api.checkLedger());
  const preview = async (id: string, key: string) => (await world.send('GET', `/alerts/${id}/preview`, undefined, key)).body;
  const ran = async (id: string, key: string) => {
    return bodyOf(await world.alerts.run(id, key)).data;
  };
  /** records of a county of a test's own, the later the number the newer the meeting */
  const records = (county: string, first: number, texts: readonly string[]) =>
    texts.map((rawText, i) => projectLine(first + i, { county, rawText, meetingDate: `2026-09-${String(1 + i).padStart(2, '0')}` }));
  const alertOf = async (county: string, more: object = {}) => {
    const key = await world.api.key('api_only');
    const { id } = await world.alerts.create({ filters: { counties: [`${county}, CO`] }, specificRequirement: POND, ...more }, key);
    return { id, key };
  };

  it('deliver and charge what is confirmed alone, with quotes that stand in it', async () => {
    await load(records('Larimer County', 100, [SAYS, DENIES, `Minutes. ${SAYS}`]));
    const key = await world.api.key('api_only');
    const saved = await world.send(
      'POST',
      '/alerts',
      { name: 'Ponds', filters: { counties: ['Larimer County'] }, specificRequirement: POND },
      key,
    );
    assert.deepEqual(pluck(saved.body.meta.warnings, 'code'), ['default_date_window_applied']);
    const { id } = saved.body.data;
    const expected = (await preview(id, key)).data;
    assert.deepEqual([expected.matchCount, expected.matchCountIsExact, expected.wouldDeliver, expected.creditsRequired], [2, true, 2, 2]);
    const run = await ran(id, key);
    assert.deepEqual([run.status, run.reason, run.newRecords, run.moreMatched, run.creditsCharged], ['completed', null, 2, 0, 2]);
    assert.deepEqual(await world.alerts.matches(id, { deliveryId: run.deliveryId }, key), [102, 100]);
    const { body } = await world.api.get(`/alerts/${id}/matches`, { representation: 'full' }, { key });
    for (const match of body.data as unknown as Json[]) {
      assert.match(match.whyThisMatched, /retention pond/);
      assert.equal(match.matchEvidence.length, 1);
      const [{ criterion, quote, source, documentId }] = match.matchEvidence;
      assert.deepEqual([criterion, source, documentId], ['retention pond', 'rawText', null]);
      assert(quote.includes('retention pond') && match.rawText.includes(quote), quote);
    }
  });

  it('judge a refused record again only once it changes, and keep why a record matched', async () => {
    await load(records('Weld County', 200, [SAYS, DENIES]));
    const { id, key } = await alertOf('Weld County');
    assert.equal((await ran(id, key)).records, 1);
    assert.deepEqual(judged.sort(), [200, 201]);
    judged = [];
    const second = await ran(id, key);
    assert.deepEqual([second.records, second.creditsCharged, judged], [0, 0, []]);
    await load(records('Weld County', 200, [DENIES, SAYS]));
    assert.deepEqual((await preview(id, key)).data.matchCount, 1);
    const third = await ran(id, key);
    assert.deepEqual([third.newRecords, third.changedRecords, third.creditsCharged], [1, 0, 1]);
    assert.deepEqual(await world.alerts.matches(id, { deliveryId: third.deliveryId }, key), [201]);
    // What was delivered stays with its proof, although the record says otherwise by now.
    const { data } = (await world.api.get(`/alerts/${id}/matches`, {}, { key })).body;
    const earlier = (data as unknown as Json[]).find((match) => match.id === 200);
    assert.deepEqual([earlier.delivery.updatedSinceExport, earlier.matchEvidence[0].quote], [true, SAYS]);
  });

  it('that are full go on with the next run, and judge nothing twice that was refused', async () => {
    const older = Array.from({ length: 20 }, () => DENIES);
    await load(records('Boulder County', 300, [...older, SAYS, DENIES, SAYS, DENIES, SAYS]));
    const { id, key } = await alertOf('Boulder County', { maxRecordsPerRun: 2 });
    const one = await ran(id, key);
    assert.deepEqual([one.records, one.creditsCharged], [2, 2]);
    assert.deepEqual(await world.alerts.matches(id, { deliveryId: one.deliveryId }, key), [324, 322]);
    assert.equal(one.moreMatched, 16);
    judged = [];
    const two = await ran(id, key);
    assert.deepEqual([two.records, two.moreMatched], [1, 0]);
    assert.deepEqual(await world.alerts.matches(id, { deliveryId: two.deliveryId }, key), [320]);
    assert.deepEqual(judged.sort(), [...Array.from({ length: 15 }, (_, i) => 300 + i), 320]);
    assert.deepEqual(await world.api.database.query('select project_id from alert_refused where alert_id = $1', [id]), []);
  });

  it('look everywhere once for another requirement, and for none', async () => {
    await load(records('Adams County', 400, [SAYS, DENIES]));
    const { id, key } = await alertOf('Adams County');
    await ran(id, key);
    const wall = { specificRequirement: 'with a fishing pond' };
    assert.equal((await world.send('POST', `/alerts/${id}/preview`, wall, key)).body.data.matchCount, 1);
    assert.equal((await preview(id, key)).data.matchCount, 0);
    await world.send('PATCH', `/alerts/${id}`, wall, key);
    const changed = await ran(id, key);
    assert.deepEqual(await world.alerts.matches(id, { deliveryId: changed.deliveryId }, key), [401]);
    await load(records('Adams County', 402, [DENIES.replace('fishing', 'frozen')]));
    assert.equal((await ran(id, key)).records, 0);
    await world.send('PATCH', `/alerts/${id}`, { specificRequirement: null }, key);
    const open = (await world.alerts.run(id, key)).body;
    assert.equal(open.error?.code, 'manual_runs_exhausted');
    assert.equal((await preview(id, key)).data.matchCount, 1);
  });

  it('hold to filters that were read from the requirement, within those of the alert', async () => {
    await load([
      ...records('Douglas County', 500, [SAYS]),
      projectLine(501, { county: 'Douglas County', rawText: SAYS, propertyType: 'industrial' }),
      projectLine(502, { county: 'El Paso County', rawText: SAYS, propertyType: 'industrial' }),
    ]);
    const { id, key } = await alertOf('Douglas County', { specificRequirement: `industrial projects ${POND}` });
    await ran(id, key);
    assert.deepEqual(await world.alerts.matches(id, {}, key), [501]);
  });

  it('preview a bound where there is too much to judge at once', async () => {
    await load(
      records(
        'Pueblo County',
        600,
        Array.from({ length: 60 }, (_, i) => (i % 2 ? DENIES : SAYS)),
      ).map((line, i) => ({ ...line, meetingDate: `2026-0${1 + (i % 9)}-15` })),
    );
    const { id, key } = await alertOf('Pueblo County', { maxRecordsPerRun: 40 });
    const bound = (await preview(id, key)).data;
    assert.deepEqual([bound.matchCount, bound.matchCountIsExact, bound.wouldDeliver, bound.creditsRequired], [60, false, 40, 40]);
    assert.equal((await ran(id, key)).records, 30);
    assert.deepEqual([(await preview(id, key)).data.matchCount, (await preview(id, key)).data.matchCountIsExact], [0, true]);
  });

  it('judge of more than one run can those that say somewhere what is asked', async () => {
    const many = Array.from({ length: 1_001 }, (_, i) => projectLine(2_000 + i, { county: 'Moffat County' }));
    await load([...many, projectLine(1_999, { county: 'Moffat County', rawText: SAYS, meetingDate: '2026-01-02' })]);
    const { id, key } = await alertOf('Moffat County', { maxRecordsPerRun: 1 });
    assert.deepEqual([(await preview(id, key)).data.matchCount, judged], [1, [1_999]]);
    const run = await ran(id, key);
    assert.deepEqual([run.records, run.moreMatched, await world.alerts.matches(id, {}, key)], [1, 0, [1_999]]);
    assert.deepEqual(judged, [1_999, 1_999]);
    await load([{ ...many[7], rawText: SAYS }]);
    await ran(id, key);
    assert.deepEqual(await world.alerts.matches(id, {}, key), [2_007, 1_999]);
  });

  it('run by their filters alone while the screener does not answer, and say so', async () => {
    for (const [part, county, first] of [
      ['understand', 'Mesa County', 700],
      ['confirm', 'Routt County', 710],
    ] as const) {
      await load(records(county, first, [SAYS, DENIES]));
      const { id, key } = await alertOf(county);
      broken = part;
      const { data: expected, meta } = await preview(id, key);
      assert.deepEqual(
        [expected.matchCount, expected.matchCountIsExact, meta.warnings.at(-1).code],
        [2, true, 'alert_nl_enrichment_failed'],
      );
      const run = await ran(id, key);
      assert.deepEqual([run.status, run.reason, run.records, run.creditsCharged], ['completed', 'alert_nl_enrichment_failed', 2, 2]);
      const { data } = (await world.api.get(`/alerts/${id}/matches`, {}, { key })).body;
      for (const match of data as unknown as Json[]) assert.deepEqual([match.whyThisMatched, match.matchEvidence], [null, null]);
      const { body } = await world.send('PATCH', `/alerts/${id}`, { name: 'Ponds' }, key);
      const codes = body.meta.warnings.map(({ code }: Json) => code);
      assert.deepEqual(codes, ['default_date_window_applied', ...(part === 'understand' ? ['alert_nl_enrichment_failed'] : [])]);
      assert.equal((await preview(id, key)).data.matchCount, 0);
      broken = null;
      assert.equal((await ran(id, key)).reason, null);
    }
  });

  it('are confirmed in scheduled runs too, and among what a new day lets into the date window', async () => {
    const later = records('Eagle County', 802, [SAYS, DENIES]).map((line) => ({ ...line, meetingDate: '2026-11-20' }));
    await load([...records('Eagle County', 800, [SAYS, DENIES]), ...later]);
    const { id, key } = await alertOf('Eagle County');
    await using _worker = await world.work();
    for (const [day, delivered] of Object.entries({ '2026-11-19': 800, '2026-11-20': 802 })) {
      await world.moveTo(`${day}T13:00:01.000Z`);
      const delivery = await eventually(`the run of ${day}`, async () => {
        const [latest] = (await world.send('GET', `/alerts/${id}/deliveries`, undefined, key)).body.data;
        return latest?.status === 'completed' && latest.startedAt.startsWith(day) ? latest : undefined;
      });
      assert.deepEqual([delivery.trigger, delivery.records, delivery.creditsCharged], ['scheduled', 1, 1]);
      assert.deepEqual(await world.alerts.matches(id, { deliveryId: delivery.deliveryId }, key), [delivered]);
    }
  });
});
