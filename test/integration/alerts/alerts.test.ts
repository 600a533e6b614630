/** Alerts: what they are, who sees them, what their runs deliver and charge. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused } from '../../support/service.ts';
import { FOR_ALERTS, provideWorld } from '../../support/world.ts';

const BOULDER = { counties: ['Boulder County'] };

describe('alerts', () => {
  const world = provideWorld(FOR_ALERTS, [
    ...Array.from({ length: 5 }, (_, i) => projectLine(100 + i)),
    projectLine(200, { county: 'Larimer County' }),
  ]);

  const increment = (lines: object[]) => world.api.index.load(lines, { mode: 'increment' });
  afterEach(() => world.api.checkLedger());

  it('are saved with their defaults, their list, and what they say', async () => {
    const { body } = await world.send('POST', '/alerts', { name: 'Boulder', filters: BOULDER, specificRequirement: 'near a park' });
    const { id, listId, createdBy, share, ...rest } = body.data;
    assert.match(id, /^alr_[0-9A-Za-z]{22}$/);
    assert.deepEqual(rest, {
      ...{ name: 'Boulder', status: 'active', filters: BOULDER, specificRequirement: 'near a park', problems: null },
      ...{ cadence: { frequency: 'daily', weekday: null, day: null, beforeHearings: false } },
      ...{ nextRunAt: '2026-11-19T13:00:00.000Z', lastRunAt: null },
      notify: {
        email: true,
        emailTo: [],
        recipients: [{ address: 'owner-1@example.com', state: 'active', since: '2026-11-18T19:00:00.000Z' }],
      },
      ...{ maxRecordsPerRun: 100, maxCredits: null, includeNewlyRead: true },
      ...{ createdAt: '2026-11-18T19:00:00.000Z', updatedAt: '2026-11-18T19:00:00.000Z' },
    });
    assert.equal(share.members[0].userId, createdBy);
    assert.deepEqual(pluck(body.meta.warnings, 'code'), ['default_date_window_applied']);
    const list = (await world.send('GET', `/lists/${listId}`)).body.data;
    assert.deepEqual([list.kind, list.alertId, list.name, list.projectCount], ['alert', id, 'Boulder', 0]);
    assertRefused(await world.send('PATCH', `/lists/${listId}`, { name: 'x' }), 'invalid_request', 'id');
    assertRefused(await world.send('DELETE', `/lists/${listId}`), 'invalid_request', 'id');
    assertRefused(await world.send('POST', `/lists/${listId}/projects`, { projectIds: [100] }), 'invalid_request', 'id');
  });

  it('previews of projectIds with other filters are refused where records cost, as a count refuses them', async () => {
    const filters = { ...BOULDER, projectIds: [100, 200] };
    const key = await world.api.key('api_only');
    const alone = await world.alerts.create({ filters: { projectIds: [100, 200] } }, key);
    const preview = (id: string, body: object | undefined, as: string) =>
      world.send(body ? 'POST' : 'GET', `/alerts/${id}/preview`, body, as);
    assert.equal((await preview(alone.id, undefined, key)).body.data.matchCount, 2);
    const both = await world.alerts.create({ filters }, key);
    assertRefused(await preview(both.id, undefined, key), 'invalid_request', `filters.${Object.keys(BOULDER)[0]}`);
    assertRefused(await preview(alone.id, { filters }, key), 'invalid_request', `filters.${Object.keys(BOULDER)[0]}`);
    const asked = await preview(alone.id, { specificRequirement: 'near a park' }, key);
    assertRefused(asked, 'invalid_request', 'specificRequirement');
    const national = await world.api.key('national');
    const free = await world.alerts.create({ filters }, national);
    const shown = await preview(free.id, undefined, national);
    assert.equal(shown.body.data?.matchCount, 1, JSON.stringify(shown.body));
  });

  describe('runs', () => {
    it('deliver what is new or changed, once, and charge it once', async () => {
      const key = await world.api.key('api_only');
      const { id, listId } = await world.alerts.create({ filters: BOULDER }, key);
      const before = await world.balance(key);
      const preview = (await world.send('GET', `/alerts/${id}/preview`, undefined, key)).body.data;
      assert.deepEqual([preview.matchCount, preview.wouldDeliver, preview.creditsRequired], [5, 5, 5]);
      const first = await world.alerts.run(id, key);
      assert.equal(first.status, 200, JSON.stringify(first.body));
      const { deliveryId, matchesUrl, ...rest } = first.body.data;
      assert.deepEqual(rest, {
        ...{
          alertId: id,
          trigger: 'manual',
          status: 'completed',
          records: 5,
          newRecords: 5,
          changedRecords: 0,
          newlyReadRecords: 0,
          moreMatched: 0,
        },
        ...{
          changedFields: [],
          creditsCharged: 5,
          startedAt: '2026-11-18T19:00:00.000Z',
          finishedAt: '2026-11-18T19:00:00.000Z',
          reason: null,
          unconfirmed: null,
        },
      });
      assert.deepEqual((await world.send('GET', `/alerts/${id}/deliveries/${deliveryId}`, undefined, key)).body.data, first.body.data);
      const other = (await world.send('POST', `/alerts/${id}/preview`, { filters: { counties: ['Larimer County'] } }, key)).body.data;
      assert.deepEqual([other.matchCount, other.creditsRequired], [1, 1]);
      assert.equal(matchesUrl, `http://landuse.test/v1/alerts/${id}/matches?deliveryId=${deliveryId}`);
      assert.deepEqual(first.body.meta.manualRuns, { limit: 3, used: 1, resetsAt: '2026-11-19T07:00:00.000Z' });
      assert.equal(await world.balance(key), before - 5);
      assert.deepEqual((await world.alerts.matches(id, { deliveryId }, key)).sort(), [100, 101, 102, 103, 104]);

      await increment([projectLine(100, { acreage: 7 }), projectLine(105), projectLine(201, { county: 'Larimer County' })]);
      const second = (await world.alerts.run(id, key)).body.data;
      assert.deepEqual([second.newRecords, second.changedRecords, second.creditsCharged], [1, 1, 2]);
      assert.deepEqual((await world.alerts.matches(id, { deliveryId: second.deliveryId }, key)).sort(), [100, 105]);
      const third = (await world.alerts.run(id, key)).body.data;
      assert.deepEqual([third.status, third.records, third.creditsCharged], ['completed', 0, 0]);
      const list = (await world.send('GET', `/lists/${listId}`, undefined, key)).body.data;
      assert.deepEqual([list.projectCount, list.results.billable.credits], [6, 0]);
    });

    it('that are full go on with the next, newest meeting first, and lose nothing to loads between them', async () => {
      const key = await world.api.key('api_only');
      await increment([1, 2, 3, 4, 5, 6, 7].map((n) => projectLine(300 + n, { county: 'Weld County', meetingDate: `2026-10-0${n}` })));
      const { id } = await world.alerts.create({ filters: { counties: ['Weld County'] }, maxRecordsPerRun: 3 }, key);
      const one = (await world.alerts.run(id, key)).body.data;
      assert.deepEqual([one.records, one.moreMatched], [3, 4]);
      assert.deepEqual(await world.alerts.matches(id, { deliveryId: one.deliveryId }, key), [307, 306, 305]);
      await increment([
        projectLine(308, { county: 'Weld County', meetingDate: '2026-01-01' }),
        projectLine(301, { county: 'Weld County', acreage: 3 }),
      ]);
      const two = (await world.alerts.run(id, key)).body.data;
      assert.deepEqual(await world.alerts.matches(id, { deliveryId: two.deliveryId }, key), [304, 303, 302]);
      assert.equal(two.moreMatched, 2);
      const three = (await world.alerts.run(id, key)).body.data;
      assert.deepEqual(await world.alerts.matches(id, { deliveryId: three.deliveryId }, key), [301, 308]);
      assert.equal((await world.send('GET', `/alerts/${id}/preview`, undefined, key)).body.data.matchCount, 0);
    });

    it('of a widened filter look back once, and deliver nothing again that is unchanged', async () => {
      const key = await world.api.key('api_only');
      const { id } = await world.alerts.create({ filters: { projectIds: [100] } }, key);
      assert.equal((await world.alerts.run(id, key)).body.data.records, 1);
      await world.send('PATCH', `/alerts/${id}`, { filters: { projectIds: [100, 101, 200] } }, key);
      const widened = (await world.alerts.run(id, key)).body.data;
      assert.deepEqual(await world.alerts.matches(id, { deliveryId: widened.deliveryId }, key), [200, 101]);
    });

    it('deliver what a new day lets in, of dates and of outcomes, though it has not changed', async () => {
      const key = await world.api.key('api_only');
      await increment([projectLine(401, { county: 'Chaffee County', meetingDate: '2026-11-19' })]);
      await increment([projectLine(402, { county: 'Park County', meetingDate: '2026-05-23', status: 'pending' })]);
      const { id } = await world.alerts.create({ filters: { counties: ['Chaffee County'] } }, key);
      const ofSilence = await world.alerts.create(
        { filters: { counties: ['Park County, CO'], outcomes: ['stalled'], dateRange: 'all' } },
        key,
      );
      for (const alert of [id, ofSilence.id]) assert.equal((await world.alerts.run(alert, key)).body.data.records, 0);
      await world.moveTo('2026-11-19T19:00:00.000Z');
      assert.equal((await world.alerts.run(ofSilence.id, key)).body.data.records, 1, 'silent for 180 days');
      const { deliveryId, records } = (await world.alerts.run(id, key)).body.data;
      assert.equal(records, 1);
      assert.deepEqual(await world.alerts.matches(id, { deliveryId }, key), [401]);
      assert.equal((await world.alerts.run(id, key)).body.data.records, 0);
    });

    it('repeat their answer under their key without charge or attempt; another alert may use it, too', async () => {
      const key = await world.api.key('api_only');
      const [a, b] = [await world.alerts.create({ filters: BOULDER }, key), await world.alerts.create({ filters: BOULDER }, key)];
      const first = await world.alerts.run(a.id, key, 'mine');
      const again = await world.alerts.run(a.id, key, 'mine');
      assert.deepEqual(again.body.data, first.body.data);
      assert.deepEqual([first.body.meta.creditsUsed, again.body.meta.creditsUsed, again.body.meta.manualRuns.used], [6, 0, 1]);
      const other = await world.alerts.run(b.id, key, 'mine');
      assert.notEqual(other.body.data.deliveryId, first.body.data.deliveryId);
      assert.equal(other.body.data.creditsCharged, 0);
      assertRefused(await world.send('POST', `/alerts/${a.id}/run`, undefined, key), 'invalid_request', 'Idempotency-Key');
      await world.send('DELETE', `/alerts/${a.id}`, undefined, key);
      assert.deepEqual((await world.alerts.run(a.id, key, 'mine')).body.data, first.body.data, 'of a deleted alert too');
      const unread = await world.send('GET', `/alerts/${b.id}/matches?representation=tiny`, undefined, key);
      assertRefused(unread, 'invalid_request', 'representation');
      assert.deepEqual(unread.body.error.details.supported, ['compact', 'standard', 'full']);
    });

    it('are three a day', async () => {
      const { id } = await world.alerts.create({ filters: BOULDER });
      for (const _ of [1, 2, 3]) assert.equal((await world.alerts.run(id)).status, 200);
      const { status, headers, body } = await world.alerts.run(id);
      assert.equal(status, 429);
      assert.deepEqual(
        [body.error.code, body.error.details],
        ['manual_runs_exhausted', { limit: 3, used: 3, resetsAt: '2026-11-20T07:00:00.000Z' }],
      );
      assert(Number(headers.get('retry-after')) > 0);
    });

    it('at once are one run, and the others name it', async () => {
      const key = await world.api.key('api_only');
      const { id } = await world.alerts.create({ filters: BOULDER }, key);
      const answers = await Promise.all([1, 2, 3, 4].map(() => world.alerts.run(id, key)));
      const done = answers.filter(({ body }) => body.data?.status === 'completed');
      const busy = answers.filter(({ body }) => body.data?.status === 'already_running');
      assert.equal(done.length + busy.length + answers.filter(({ status }) => status === 429).length, 4);
      assert(done.length >= 1 && done.length <= 3);
      assert.equal(
        done.reduce((sum, { body }) => sum + body.data.creditsCharged, 0),
        6,
      );
      for (const { body } of busy) assert(body.data.deliveryId.startsWith('del_'));
    });

    it('end while more pages of the team wait for its credits than there are connections', async () => {
      const key = await world.api.key('api_only');
      const { id } = await world.alerts.create({ filters: BOULDER }, key);
      const { database, get } = world.api;
      const page = (projectIds: string) => get('/projects/search', { projectIds }, { key });
      await page('200');
      const asked = await database.transaction(async (tx) => {
        const [held] = await tx.query<{ pid: number }>(
          'select pg_backend_pid() as pid from credit_pool where team_id = (select team_id from alert where id = $1) for update',
          [id],
        );
        const run = world.alerts.run(id, key);
        const waits = () => database.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [held?.pid]);
        while (!(await waits()).length) await sleep(10);
        const pages = Array.from({ length: 40 }, () => page('101'));
        await sleep(400);
        return { run, pages };
      });
      const { body: run } = await asked.run;
      assert.equal(run.data?.status, 'completed', JSON.stringify(run));
      for (const { status, body } of await Promise.all(asked.pages)) assert.equal(status, 200, JSON.stringify(body.error));
    });

    it('that cost more than the balance or maxCredits are refused whole, and spend no attempt', async () => {
      const poor = await world.api.key('api_only', undefined, { monthlyCredits: 2 });
      const { id } = await world.alerts.create({ filters: BOULDER }, poor);
      const refused = await world.alerts.run(id, poor);
      const { status, reason, creditsCharged, records } = refused.body.data;
      assert.deepEqual([status, reason, creditsCharged, records], ['refused', 'insufficient_credits', 0, 0]);
      assert.equal(refused.body.meta.manualRuns.used, 0);
      assert.equal(await world.balance(poor), 2);
      const mail = (await world.mails()).at(-1);
      assert.equal(mail?.event, `refused:${refused.body.data.deliveryId}`);
      assert.match(mail?.text ?? '', /v1\/account\/credits/);
      const capped = await world.alerts.create({ filters: BOULDER, maxCredits: 3 });
      assert.equal((await world.alerts.run(capped.id)).body.data.status, 'completed'); // owned already
      const rich = await world.api.key('api_only');
      const { id: dear } = await world.alerts.create({ filters: BOULDER, maxCredits: 3 }, rich);
      assert.equal((await world.alerts.run(dear, rich)).body.data.reason, 'budget_exceeded');
      assert.equal((await world.send('PATCH', `/alerts/${dear}`, { maxCredits: 6 }, rich)).status, 200);
      assert.equal((await world.alerts.run(dear, rich)).body.data.creditsCharged, 6);
    });

    it('of a trial deliver what its credits pay for', async () => {
      const trial = await world.api.key('trial', { stateIds: [8], countyIds: [] });
      const { id } = await world.alerts.create({ filters: BOULDER }, trial);
      const [team] = (await world.api.accounts.teams()).slice(-1);
      await world.api.database.query('select open_pool($1, $2, 50)', [team?.id, 'trial lifetime']);
      await world.api.database.query(`select enter_credits($1, 'adjustment', 'plan', -46, 0, '{}'::jsonb)`, [team?.id]);
      const { records, moreMatched, creditsCharged } = (await world.alerts.run(id, trial)).body.data;
      assert.deepEqual([records, moreMatched, creditsCharged], [4, 2, 4]);
    });
  });

  describe('matches', () => {
    it('are free, say what changed since, and can be dismissed until they change', async () => {
      const key = await world.api.key('api_only');
      await increment([projectLine(501, { county: 'Routt County' }), projectLine(502, { county: 'Routt County' })]);
      const { id } = await world.alerts.create({ filters: { counties: ['Routt County'] } }, key);
      await world.alerts.run(id, key);
      const before = await world.balance(key);
      const dismissed = await world.send('POST', `/alerts/${id}/dismissals/501`, undefined, key);
      assert.deepEqual(dismissed.body.data, { projectId: 501, dismissed: true });
      assert.deepEqual(await world.alerts.matches(id, {}, key), [502]);
      await increment([projectLine(501, { county: 'Routt County', acreage: 2 }), projectLine(502, { county: 'Routt County', acreage: 2 })]);
      const [record] = (await world.api.get(`/alerts/${id}/matches`, {}, { key })).body.data as Json;
      assert.deepEqual(
        [record.delivery.updatedSinceExport, record.whyThisMatched, record.matchEvidence, record.dismissed],
        [true, null, null, false],
      );
      assert(!('acreage' in record), 'what changed is not paid for yet: the compact fields alone');
      assert.equal(await world.balance(key), before);
      await world.alerts.run(id, key);
      assert.deepEqual((await world.alerts.matches(id, {}, key)).sort(), [501, 502]);
      await world.send('POST', `/alerts/${id}/dismissals/502`, undefined, key);
      const undone = await world.send('DELETE', `/alerts/${id}/dismissals/502`, undefined, key);
      assert.deepEqual(undone.body.data, { projectId: 502, dismissed: false });
      assertRefused(await world.send('POST', `/alerts/${id}/dismissals/999`, undefined, key), 'resource_not_found', 'projectId');
      assertRefused(await world.api.get(`/alerts/${id}/matches`, { deliveryId: 'del_x' }, { key }), 'resource_not_found', 'deliveryId');
    });
  });

  describe('are kept by', () => {
    it('their members alone, who have full rights, and who are mailed when they are added', async () => {
      const { owner, mate, mateId } = await world.team();
      const { id } = await world.alerts.create({ filters: BOULDER }, owner);
      assertRefused(await world.send('GET', `/alerts/${id}`, undefined, mate), 'resource_not_found', 'id');
      const shared = await world.send('PATCH', `/alerts/${id}`, { share: { mode: 'custom', userIds: [mateId] } }, owner);
      assert.deepEqual(shared.body.meta.addedMembers, [mateId]);
      const mail = (await world.mails()).at(-1);
      assert.deepEqual([mail?.topic, mail?.event.startsWith(`added:${id}`)], [`alert:${id}`, true]);
      assert.equal((await world.send('PATCH', `/alerts/${id}`, { name: 'Ours' }, mate)).body.data.name, 'Ours');
      assert.equal((await world.alerts.run(id, mate)).status, 200);
      assert.equal((await world.send('DELETE', `/alerts/${id}`, undefined, mate)).body.data.status, 'archived');
      assert.equal((await world.send('GET', `/alerts/${id}`, undefined, owner)).body.data.status, 'archived');
      assert.equal((await world.alerts.matches(id, {}, owner)).length, 6);
      assertRefused(await world.alerts.run(id, owner), 'invalid_request', 'id');
      assertRefused(await world.send('PATCH', `/alerts/${id}`, { name: 'x' }, owner), 'invalid_request', 'id');
      const { data, meta } = (await world.send('GET', '/alerts', undefined, owner)).body;
      assert.deepEqual([data, meta.activeAlerts, meta.maxActiveAlerts, meta.total], [[], 0, 25, 0]);
    });

    it('a team that has at most 25 active ones', async () => {
      const key = await world.api.key('national');
      const made = await Promise.all(Array.from({ length: 27 }, (_, i) => world.send('POST', '/alerts', { name: `${i}` }, key)));
      assert.equal(made.filter(({ status }) => status === 201).length, 25);
      const refused = made.find(({ status }) => status === 403);
      assert.deepEqual([refused?.body.error.code, refused?.body.error.details], ['alert_limit_reached', { maxActiveAlerts: 25 }]);
      const paused = await world.alerts.create({ status: 'paused' }, key);
      assert.equal(paused.nextRunAt, null);
      assertRefused(await world.send('PATCH', `/alerts/${paused.id}`, { status: 'active' }, key), 'alert_limit_reached', null);
    });
  });

  describe('refuse, and save nothing', () => {
    const wrong: [string, object, string, string][] = [
      ['an unknown key', { notify: { phone: '1' } }, 'notify.phone', 'invalid_request'],
      ['an unknown filter', { filters: { stats: 'CO' } }, 'filters.stats', 'invalid_filter'],
      ['filters that are null', { filters: null }, 'filters', 'invalid_filter'],
      ['an unknown key of the cadence', { cadence: { dayOfWeek: 3 } }, 'cadence.dayOfWeek', 'invalid_request'],
      ['an unknown frequency', { cadence: { frequency: 'hourly' } }, 'cadence.frequency', 'invalid_request'],
      ['a word for what is yes or no', { cadence: { beforeHearings: 'yes' } }, 'cadence.beforeHearings', 'invalid_request'],
      ['null for what is yes or no', { cadence: { beforeHearings: null } }, 'cadence.beforeHearings', 'invalid_request'],
      ['a day that months lack', { cadence: { frequency: 'monthly', day: 31 } }, 'cadence.day', 'invalid_request'],
      ['an address with a line break', { notify: { emailTo: ['a@b.example\nBcc: c@d.example'] } }, 'notify.emailTo.0', 'invalid_request'],
      ['no records', { maxRecordsPerRun: 0 }, 'maxRecordsPerRun', 'invalid_request'],
      ['one key by two names', { maxRecordsPerRun: 5, budget: { maxRecordsPerRun: 5 } }, 'budget.maxRecordsPerRun', 'invalid_request'],
      ['the status of a deleted one', { status: 'archived' }, 'status', 'invalid_request'],
    ];
    for (const [what, body, param, code] of wrong)
      it(what, async () => {
        const before = await world.api.database.query('select id from alert');
        assertRefused(await world.send('POST', '/alerts', { name: 'x', ...body }), code, param);
        assert.deepEqual(await world.api.database.query('select id from alert'), before);
      });

    it('a requirement without a word, also in a change and a preview', async () => {
      const { id } = await world.alerts.create({ filters: BOULDER });
      for (const specificRequirement of ['', ' \n', '!!! …'])
        for (const [method, path] of [
          ['POST', '/alerts'],
          ['PATCH', `/alerts/${id}`],
          ['POST', `/alerts/${id}/preview`],
        ] as const) {
          const named = path === '/alerts' ? { name: 'x', specificRequirement } : { specificRequirement };
          assertRefused(await world.send(method, path, named), 'invalid_request', 'specificRequirement');
        }
    });

    it('a requirement of more than 500 characters', async () => {
      assertRefused(
        await world.send('POST', '/alerts', { name: 'x', specificRequirement: 'x'.repeat(501) }),
        'invalid_request',
        'specificRequirement',
      );
    });

    it('a plan that is not nationwide without places, or with too many, or outside its licence', async () => {
      const county = await world.api.key('county', { stateIds: [], countyIds: [8013] });
      const post = (filters: object) => world.send('POST', '/alerts', { name: 'x', filters }, county);
      assertRefused(await post({}), 'alert_geography_required', 'filters');
      assertRefused(await post({ states: ['TX'] }), 'geographic_access_denied', 'filters.states');
      const state = await world.api.key('state', { stateIds: [8], countyIds: [] });
      const counties = (await world.api.get('/locations/states/8/counties', {}, { key: state })).body.data
        .map(({ id }: Json) => id)
        .slice(0, 51);
      const refused = await world.send('POST', '/alerts', { name: 'x', filters: { counties } }, state);
      assert.deepEqual(
        [refused.body.error.code, refused.body.error.details],
        ['alert_geography_too_broad', { maxStates: 1, maxLocalities: 50 }],
      );
    });
  });

  it('warn of a budget beyond the month, and run last_1_month as last_3_months', async () => {
    const { body } = await world.send('POST', '/alerts', { name: 'x', filters: { dateRange: 'last_1_month' }, maxCredits: 6_000 });
    assert.equal(body.data.filters.dateRange, 'last_1_month');
    assert.equal(body.meta.appliedFilters.dateRange, 'last_3_months');
    assert.deepEqual(pluck(body.meta.warnings, 'code'), ['budget_exceeds_monthly_allowance']);
  });

  it('mail an address outside the team once it has confirmed, counts and links alone', async () => {
    const key = await world.api.key('api_only');
    const { id } = await world.alerts.create(
      { filters: { projectIds: [100] }, notify: { email: false, emailTo: ['Partner@elsewhere.example'] } },
      key,
    );
    const [asked] = (await world.mails()).slice(-1);
    const link = /landuse\.test(\/confirm\/[\w-]{22})/.exec(asked?.text ?? '')?.[1];
    assert(link, JSON.stringify(asked));
    await world.alerts.run(id, key);
    assert.equal((await world.mails()).at(-1)?.event, asked?.event);
    const page = await (await fetch(`${world.api.url}${link}`)).text();
    assert.match(page, /<form method="post">/);
    await world.api.index.load([projectLine(100, { acreage: 11 })], { mode: 'increment' });
    await world.alerts.run(id, key);
    assert.equal((await world.mails()).at(-1)?.event, asked?.event, 'a GET confirms nothing');
    assert.equal((await fetch(`${world.api.url}${link}`, { method: 'POST' })).status, 200);
    await world.api.index.load([projectLine(100, { acreage: 12 })], { mode: 'increment' });
    await world.alerts.run(id, key);
    const mail = (await world.mails()).at(-1);
    assert.equal(mail?.recipient, 'partner@elsewhere.example');
    assert(!mail?.text.includes('Project 100'));
    assert.equal((await fetch(`${world.api.url}/confirm/${'x'.repeat(22)}`, { method: 'POST' })).status, 404);
  });

  describe('that are due', () => {
    it('run once each, whatever the number of workers, and catch up with one run', async () => {
      const { owner, mate, mateId } = await world.team();
      const share = { mode: 'custom', userIds: [mateId] };
      const a = await world.alerts.create({ name: 'A', filters: BOULDER, share, notify: { emailTo: ['outside@example.org'] } }, owner);
      const b = await world.alerts.create({ name: 'B', filters: { counties: ['Larimer County'] }, share }, owner);
      const quiet = await world.alerts.create({ name: 'Quiet', filters: { projectIds: [987] } }, owner);
      const pending = (await world.mails()).filter(({ recipient }) => recipient === 'outside@example.org');
      assert.equal(pending.length, 1);
      await world.moveTo('2026-11-23T15:00:00.000Z'); // three mornings later
      const workers = await Promise.all([world.work(), world.work()]);
      const runsOf = async (id: string) => (await world.send('GET', `/alerts/${id}/deliveries`, undefined, owner)).body.data as Json[];
      const ended = async (id: string) => {
        const all = await runsOf(id);
        return all.length && all.every(({ status }) => status !== 'running') ? all : undefined;
      };
      for (const { id } of [a, b, quiet]) {
        const all = await eventually(`the run of ${id}`, () => ended(id), 30_000);
        assert.deepEqual(pluck(all, 'trigger', 'status'), [['scheduled', 'completed']]);
      }
      const { nextRunAt, lastRunAt } = (await world.send('GET', `/alerts/${a.id}`, undefined, mate)).body.data;
      assert.deepEqual([nextRunAt, lastRunAt], ['2026-11-24T13:00:00.000Z', '2026-11-23T15:00:00.000Z']);
      const digests = await eventually('the digests', async () => {
        const all = (await world.mails()).filter(({ event, topic }) => event.startsWith('digest:') && topic.includes(a.id));
        return all.length ? all : undefined;
      });
      assert.deepEqual(pluck(digests, 'topic'), Array(2).fill(`alert:${[a.id, b.id].sort().join(',')}`));
      assert(!JSON.stringify(digests).includes('Quiet'));
      await Promise.all(workers.map((worker) => worker.stop(0)));
    });

    it('on a county that was divided since go by its parts, which a new alert has to name', async () => {
      const key = await world.api.key('api_only');
      const { id } = await world.alerts.create({ filters: BOULDER }, key);
      await world.api.database.query(`update alert set filters = '{"countyId": "2261,Boulder, CO"}' where id = $1`, [id]);
      await world.alerts.run(id, key);
      assert.equal((await world.send('GET', `/alerts/${id}`, undefined, key)).body.data.status, 'active');
      const { appliedFilters } = (await world.send('PATCH', `/alerts/${id}`, { name: 'Renamed' }, key)).body.meta;
      assert.deepEqual(appliedFilters.counties, [2063, 2066, 8013]);
      assertRefused(
        await world.send('PATCH', `/alerts/${id}`, { filters: { counties: [2261] } }, key),
        'invalid_filter',
        'filters.counties',
      );
    });

    it('with as many counties as the plan allows stay valid when one of them is divided', async () => {
      const counties = [8001, 8003, 8005, 8007, 8009, 8011, 8013, 8014, 8015];
      const key = await world.api.key('county', { stateIds: [], countyIds: [2261, 8017, ...counties] });
      const { id } = await world.alerts.create({ filters: { counties } }, key);
      for (const [more, status] of [
        [[2261], 'active'],
        [[2261, 8017], 'paused'],
      ] as const) {
        const stored = JSON.stringify({ counties: [...more, ...counties] });
        await world.api.database.query('update alert set filters = $2::jsonb where id = $1', [id, stored]);
        await world.alerts.run(id, key);
        assert.equal((await world.send('GET', `/alerts/${id}`, undefined, key)).body.data.status, status);
      }
    });

    it('and whose filters no longer parse are paused, and their members hear why', async () => {
      const key = await world.api.key('api_only');
      const { id } = await world.alerts.create({ filters: BOULDER }, key);
      await world.api.database.query(`update alert set filters = '{"ownerTypes": ["x"]}' where id = $1`, [id]);
      await world.alerts.run(id, key);
      const { status, problems, nextRunAt } = (await world.send('GET', `/alerts/${id}`, undefined, key)).body.data;
      assert.deepEqual([status, problems[0].param, nextRunAt], ['paused', 'filters.ownerTypes', null]);
      assert.equal((await world.mails()).at(-1)?.event.startsWith(`paused:${id}`), true);
      assertRefused(await world.send('PATCH', `/alerts/${id}`, { status: 'active' }, key), 'invalid_filter', 'filters.ownerTypes');
      assert.equal((await world.send('PATCH', `/alerts/${id}`, { status: 'active', filters: BOULDER }, key)).body.data.problems, null);
    });
  });
});
