/** Find Contact Info end to end: submitted, looked up in the loaded directory, charged on delivery, read back. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { assertRefused, bodyOf } from '../../support/service.ts';
import { provideWorld, testWorld } from '../../support/world.ts';

const ANN = { name: 'Ann Lee', role: 'applicant', company: 'Fork LLC', title: 'VP', email: 'ann@fork.example', phone: '303-555-0101' };
const STAFF = {
  name: 'Sue Gov',
  role: 'case_planner',
  company: 'City',
  title: 'Planner',
  email: 'sue@city.example',
  phone: '303-555-0109',
};
const COMPANY = {
  companyName: 'Spoon LLC',
  companyWebsite: 'https://spoon.example',
  companyPhone: '303-555-0200',
  companyArchetype: 'developer',
};

const line = (projectId: number, name: string, more: Record<string, unknown> = {}) => ({
  ...{ kind: 'contact', projectId, name, role: 'engineer', company: 'Spoon LLC', title: 'PE' },
  ...{ email: `${name.split(' ')[0]?.toLowerCase()}${projectId}@spoon.example`, emailConfidence: 0.9 },
  isGovernmentStaff: false,
  ...more,
});

/** 1: named by the filing; 2: in the directory alone; 3: too uncertain; 4: staff alone; 5: a profile alone; 6: nobody; 8: staff by the filing alone. */
const lines = [
  project(1, { contacts: [ANN, { ...STAFF, isGovernmentStaff: true }] }),
  ...[2, 3, 4, 5, 6].map((id) => project(id)),
  ...Array.from({ length: 30 }, (_, i) => project(101 + i, { contacts: [{ ...ANN, email: `ann${i}@fork.example` }] })),
  project(900, { state: 'TX', county: 'Travis County', city: 'Austin' }),
  project(8, { contacts: [{ ...STAFF, isGovernmentStaff: true }] }),
  line(8, 'SUE GOV', { company: 'City', phone: '303-555-0108', phoneConfidence: 0.9 }),
  line(1, 'Ann Lee', { company: 'Fork LLC', email: 'other@fork.example', linkedin: 'https://li.example/ann', linkedinConfidence: 0.8 }),
  line(2, 'Bob Roe', { phone: '303-555-0102', phoneConfidence: 0.3, ...COMPANY }),
  line(2, 'Gus Gov', { isGovernmentStaff: true, email: 'gus@city.example' }),
  line(3, 'Low Con', { emailConfidence: 0.59, phone: '303-555-0103', phoneConfidence: 0.1 }),
  line(4, 'Gil Gov', { isGovernmentStaff: true, email: 'gil@city.example' }),
  line(5, 'Pat Pro', { email: null, linkedin: 'https://li.example/pat', linkedinConfidence: 0.7 }),
];

const LOCKED = { email: null, emailSource: null, phone: null, phoneSource: null, linkedin: null, linkedinSource: null };

describe('Find Contact Info', () => {
  const world = provideWorld({ today: TODAY });
  before(async () => {
    await world.api.index.load(lines);
    await world.work();
  });

  afterEach(() => world.api.checkLedger());
  const bought = async (key: string, ids: readonly number[]) => {
    const { status } = await world.read('/projects/search', { projectIds: ids.join() }, key);
    assert.equal(status, 200);
  };

  it('is accepted with a disposition of each id, delivers and charges what was found, and reads back free', async () => {
    const key = await world.api.key('national');
    assert.deepEqual((await world.record(1, key)).contacts[0], {
      name: 'Ann Lee',
      role: 'applicant',
      company: 'Fork LLC',
      title: 'VP',
      ...LOCKED,
    });
    const body = bodyOf(await world.enrichments.submit({ projectIds: [1, 2, 3, 4, 5, 6, 7777] }, key), 202);
    const { id } = body.data;
    assert.match(id, /^enr_[0-9A-Za-z]{22}$/);
    assert.deepEqual(
      [body.data.accepted, body.data.skipped],
      [[1, 2, 3, 4, 5, 6], { alreadyEnriched: [], notPurchased: [], notFound: [7777] }],
    );
    assert.deepEqual([body.data.enrichmentJobId, body.data.creditsReserved, body.data.creditsCharged], [id, 6, 0]);
    assert.equal(body.data.pollUrl, `http://landuse.test/v1/enrichments/${id}`);
    const done = await world.enrichments.settled(id, key);
    assert.deepEqual(
      [done.status, done.processed, done.found, done.pending, done.notAttempted, done.note, done.error],
      ['completed', 6, 3, 0, [], null, null],
    );
    // An email each of 1 and 2; a profile alone costs nothing.
    assert.deepEqual([done.creditsReserved, done.creditsCharged, done.creditsRefunded, await world.balance(key)], [6, 2, 4, 1_498]);
    const one = await world.record(1, key);
    assert.deepEqual(one.contacts, [
      {
        ...{ name: 'Ann Lee', role: 'applicant', company: 'Fork LLC', title: 'VP', email: 'ann@fork.example', emailSource: 'filing' },
        ...{ phone: '303-555-0101', phoneSource: 'filing', linkedin: 'https://li.example/ann', linkedinSource: 'directory' },
      },
      { name: 'Sue Gov', role: 'case_planner', company: 'City', title: 'Planner', ...LOCKED },
    ]);
    assert.deepEqual(one.contactSummary, { contactCount: 2, withEmail: 1, withPhone: 1, lowConfidenceWithheld: 0, unlocked: true });
    const two = await world.record(2, key);
    assert.deepEqual(two.contacts, [
      {
        name: 'Bob Roe',
        role: 'engineer',
        company: 'Spoon LLC',
        title: 'PE',
        ...LOCKED,
        email: 'bob2@spoon.example',
        emailSource: 'directory',
      },
    ]);
    assert.deepEqual(two.contactSummary, { contactCount: 1, withEmail: 1, withPhone: 0, lowConfidenceWithheld: 1, unlocked: true });
    assert.deepEqual(two.companyEnrichment, [
      { name: 'Spoon LLC', website: 'https://spoon.example', linkedin: null, archetype: 'developer', mainPhone: '303-555-0200' },
    ]);
    assert.equal((await world.record(5, key)).contacts[0].linkedin, 'https://li.example/pat');
    for (const nothing of [3, 4, 6]) {
      const { contacts, contactSummary } = await world.record(nothing, key);
      assert.deepEqual([contacts, contactSummary.unlocked], [null, false]);
    }
  });

  it('is read back on search, sync, reads, lists and in a CSV, by the pool alone', async () => {
    const [key, other] = await Promise.all([world.api.key('national'), world.api.key('national')]);
    await world.enrichments.completed({ projectIds: [1, 2] }, key);
    const asked = { include: 'contacts', contactOptions: { cachedOnly: true } };
    const made = async (who: string) => {
      const answer = await fetch(`${world.api.url}/v1/lists`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${who}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Two', projectIds: [1, 2] }),
      });
      return ((await answer.json()) as Json).data.id;
    };
    const [list, otherList] = await Promise.all([made(key), made(other)]);
    const seen = async (who: string) => {
      const answers = [
        await world.read('/projects/search', { projectIds: '1,2', ...asked }, who),
        await world.read('/projects/sync', { projectIds: '1,2', ...asked }, who),
        await world.read(`/lists/${who === key ? list : otherList}/results`, asked, who),
        await world.read('/projects/1', asked, who),
        await world.read('/projects/2', asked, who),
      ];
      for (const { status, body } of answers) assert.equal(status, 200, JSON.stringify(body));
      return answers.map(({ body }) => JSON.stringify(body));
    };
    const [search, sync, listed, one, two] = await seen(key);
    for (const text of [search, sync, listed])
      for (const channel of ['ann@fork.example', 'bob2@spoon.example']) assert(text?.includes(channel), channel);
    assert(one?.includes('ann@fork.example') && two?.includes('bob2@spoon.example'));
    for (const text of await seen(other)) assert(!/fork\.example|spoon\.example|555-01/.test(text), text);
    const exported = await world.exports.completed({ projectIds: [1, 2] }, key);
    const { text } = await world.download(String(exported.id), key);
    assert(text.includes('applicant: Ann Lee, VP, Fork LLC, ann@fork.example (filing)'), text);
  });

  it('charges nothing for somebody whom the filing names as government staff and the directory does not', async () => {
    const key = await world.api.key('national');
    const job = await world.enrichments.completed({ projectIds: [8] }, key);
    assert.deepEqual([job.status, job.processed, job.found, job.creditsCharged, job.creditsRefunded], ['completed', 1, 0, 0, 1]);
    const { contacts } = await world.record(8, key);
    assert.deepEqual(contacts, [{ name: 'Sue Gov', role: 'case_planner', company: 'City', title: 'Planner', ...LOCKED }]);
  });

  it('charges a project once: skipped for 90 days, then looked up again free', async () => {
    const key = await world.api.key('state', { stateIds: [8], countyIds: [] });
    assert.equal((await world.enrichments.completed({ projectIds: [1] }, key)).creditsCharged, 1);
    const again = await world.enrichments.completed({ projectIds: [1, 6] }, key);
    assert.deepEqual([again.accepted, again.skipped.alreadyEnriched, again.creditsReserved, again.creditsCharged], [[6], [1], 1, 0]);
    await world.api.database.query(`update contact_unlock set last_at = last_at - interval '91 days'`);
    const later = await world.enrichments.completed({ projectIds: [1] }, key);
    assert.deepEqual([later.accepted, later.found, later.creditsReserved, later.creditsCharged], [[1], 1, 0, 0]);
    assert.equal(await world.balance(key), 299);
  });

  it('is completed at once and free if nothing is accepted', async () => {
    const key = await world.api.key('state', { stateIds: [8], countyIds: [] });
    const { status, body } = await world.enrichments.submit({ projectIds: [900, 7777] }, key);
    assert.deepEqual([status, body.data.status, body.data.skipped.notFound], [202, 'completed', [900, 7777]]);
    assert.deepEqual([body.data.pending, body.data.creditsReserved, await world.balance(key)], [0, 0, 300]);
    assert(body.data.settledAt);
  });

  it('needs the record held on API Only, and counts attempts against the month', async () => {
    const key = await world.api.key('api_only');
    await bought(key, [1, 3, 6]);
    const before = await world.balance(key);
    const done = await world.enrichments.completed({ projectIds: [1, 2, 3, 6] }, key);
    assert.deepEqual([done.accepted, done.skipped.notPurchased, done.creditsReserved, done.creditsCharged], [[1, 3, 6], [2], 0, 0]);
    const { used, limit, remaining, resetsAt } = await world.allowance(key);
    assert.deepEqual([used, limit, remaining, resetsAt], [3, 500, 497, '2026-12-01T00:00:00.000Z']);
    assert.equal(await world.balance(key), before);
    // What found nothing may be tried again.
    assert.deepEqual((await world.enrichments.completed({ projectIds: [1, 6] }, key)).accepted, [6]);
  });

  it('refuses a job beyond the allowance whole', async () => {
    const key = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    const ids = Array.from({ length: 6 }, (_, i) => 101 + i);
    await bought(key, ids);
    const { status, body } = await world.enrichments.submit({ projectIds: ids }, key);
    assert.deepEqual([status, body.error.code], [402, 'enrichment_allowance_exceeded']);
    assert.deepEqual(body.error.details, { requested: 6, allowance: { used: 0, limit: 5, remaining: 5, resetsAt: null } });
    const done = await world.enrichments.completed({ projectIds: ids.slice(0, 5) }, key);
    assert.deepEqual([done.found, done.creditsCharged, (await world.allowance(key)).remaining], [5, 0, 0]);
    assert.equal((await world.enrichments.submit({ projectIds: [106] }, key)).body.error.code, 'enrichment_allowance_exceeded');
    assert.deepEqual((await world.enrichments.completed({ projectIds: [101, 2] }, key)).skipped, {
      alreadyEnriched: [101],
      notPurchased: [2],
      notFound: [],
    });
  });

  it('reserves the accepted set or refuses it with a quote', async () => {
    const key = await world.api.key('county', { stateIds: [], countyIds: [8013] }, { monthlyCredits: 3 });
    const ids = Array.from({ length: 5 }, (_, i) => 101 + i);
    const { status, body } = await world.enrichments.submit({ projectIds: ids }, key);
    assert.deepEqual([status, body.error.code], [402, 'insufficient_credits']);
    const { matchCount, creditRate, creditsRequired, creditsRemaining, affordableRecordCount } = body.error.details.quote;
    assert.deepEqual([matchCount, creditRate, creditsRequired, creditsRemaining, affordableRecordCount], [5, 1, 5, 3, 3]);
    assert.equal((await world.enrichments.completed({ projectIds: ids.slice(0, 3) }, key)).creditsCharged, 3);
    const { error } = (await world.enrichments.submit({ projectIds: [104] }, key)).body;
    assert.deepEqual([error.code, error.details], ['credits_exhausted', null]);
  });

  it('stops at the ceiling of the request: the rest is refunded, named and free to send again', async () => {
    const key = await world.api.key('api_only');
    const ids = Array.from({ length: 6 }, (_, i) => 110 + i);
    await bought(key, ids);
    const done = await world.enrichments.completed({ projectIds: ids, contactOptions: { maxProjects: 4 } }, key);
    assert.deepEqual([done.status, done.processed, done.found, done.notAttempted], ['completed', 4, 4, ids.slice(4)]);
    assert.match(done.note, /notAttempted again is free to try/);
    assert.equal((await world.allowance(key)).used, 4);
    assert.deepEqual((await world.enrichments.completed({ projectIds: done.notAttempted }, key)).found, 2);
    const national = await world.api.key('national');
    const half = await world.enrichments.completed({ projectIds: [1, 2], contactOptions: { maxProjects: 1 } }, national);
    assert.deepEqual([half.creditsReserved, half.creditsCharged, half.creditsRefunded, half.notAttempted], [2, 1, 1, [2]]);
  });

  it('withholds what is less certain than asked, and looks up companies alone', async () => {
    const key = await world.api.key('national');
    const sure = await world.enrichments.completed({ projectIds: [2], contactOptions: { minConfidence: 0.95 } }, key);
    assert.deepEqual([sure.found, sure.creditsCharged], [0, 0]);
    const company = await world.enrichments.completed({ projectIds: [2], contactOptions: { companyOnly: true } }, key);
    assert.deepEqual([company.found, company.creditsReserved, company.creditsCharged], [1, 0, 0]);
    const { companyEnrichment, contacts, contactSummary } = await world.record(2, key);
    assert.deepEqual([companyEnrichment[0].name, contacts, contactSummary.unlocked], ['Spoon LLC', null, false]);
    assert.deepEqual((await world.enrichments.completed({ projectIds: [2] }, key)).creditsCharged, 1);
  });

  it('repeats under its Idempotency-Key the job and its disposition, and consumes nothing more', async () => {
    const key = await world.api.key('api_only');
    await bought(key, [1, 120]);
    const headers = { 'Idempotency-Key': 'enrich-1' };
    const first = await world.enrichments.submit({ projectIds: [1, 120, 2] }, key, headers);
    const done = await world.enrichments.settled(first.body.data.id, key);
    const again = await world.enrichments.submit({ projectIds: [1, 120, 2] }, key, headers);
    assert.deepEqual([again.status, again.body.data], [202, done]);
    assert.equal((await world.allowance(key)).used, 2);
    assertRefused(await world.enrichments.submit({ projectIds: [1] }, key, headers), 'idempotency_key_reuse');
    const racing = await Promise.all(
      Array.from({ length: 6 }, () => world.enrichments.submit({ projectIds: [120, 1] }, key, { 'Idempotency-Key': 'enrich-2' })),
    );
    assert.deepEqual(new Set(racing.filter(({ status }) => status === 202).map(({ body }) => body.data.id)).size, 1);
  });

  it('charges a project once where two jobs look it up at once', async () => {
    const key = await world.api.key('national');
    const ids = [121, 122, 123];
    const jobs = await Promise.all([
      world.enrichments.completed({ projectIds: ids }, key),
      world.enrichments.completed({ projectIds: ids }, key),
    ]);
    assert.equal(jobs[0].creditsCharged + jobs[1].creditsCharged, 3);
    assert.equal(await world.balance(key), 1_497);
  });

  it('is accepted while a job of the team settles', async () => {
    const key = await world.api.key('national');
    const { id } = await world.enrichments.completed({ projectIds: [126] }, key);
    const accepted = await world.api.database.transaction(async (tx) => {
      // A settlement locks the pool first, and ends with the allowance.
      const [of] = await tx.query<{ team: number; pid: number }>(
        'select team_id as team, pg_backend_pid() as pid from credit_pool where team_id = (select team_id from enrichment where id = $1) for update',
        [id],
      );
      const answer = world.enrichments.submit({ projectIds: [127] }, key);
      const waiting = () => world.api.database.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [of?.pid]);
      while (!(await waiting()).length) await sleep(10);
      await tx.query('update contact_allowance set used = used where team_id = $1', [of?.team]);
      return { answer };
    });
    assert.equal((await accepted.answer).status, 202);
  });

  it('takes two ids of one record for one, by the id that was sent first', async () => {
    const key = await world.api.key('national');
    await world.api.index.load([{ ...project(141, { contacts: [] }), mergedFrom: [140, 141] }], { mode: 'increment' });
    const { body } = await world.enrichments.submit({ projectIds: [140, 141] }, key);
    assert.deepEqual([body.data.accepted, body.data.skipped.alreadyEnriched, body.data.creditsReserved], [[140], [], 1]);
  });

  it('follows a project into the record that it was merged into', async () => {
    const key = await world.api.key('national');
    await world.enrichments.completed({ projectIds: [124] }, key);
    const merged = { ...project(125, { contacts: [] }), mergedFrom: [124, 125] };
    await world.api.index.load([merged], { mode: 'increment' });
    const { body } = await world.enrichments.submit({ projectIds: [124, 125] }, key);
    assert.deepEqual([body.data.accepted, body.data.skipped.alreadyEnriched], [[], [124, 125]]);
    assert.equal((await world.record(125, key)).contactSummary.unlocked, true);
  });

  it('refuses what is wrong with a request in milliseconds, all of it at once, and holds nothing', async () => {
    const key = await world.api.key('national');
    const wrong: [unknown, string][] = [
      [{}, 'projectIds'],
      [{ projectIds: [] }, 'projectIds'],
      [{ projectIds: [0] }, 'projectIds.0'],
      [{ projectIds: ['1'] }, 'projectIds.0'],
      [{ projectIds: [1.5] }, 'projectIds.0'],
      [{ projectIds: 1 }, 'projectIds'],
      [{ projectIds: Array.from({ length: 101 }, (_, i) => i + 1) }, 'projectIds'],
      [{ projectIds: [1], projectids: [1] }, 'projectids'],
      [{ projectIds: [1], notify: { phone: true } }, 'notify.phone'],
      [{ projectIds: [1], notify: { email: 'yes' } }, 'notify.email'],
      [{ projectIds: [1], contactOptions: { minConfidence: 1.1 } }, 'contactOptions.minConfidence'],
      [{ projectIds: [1], contactOptions: { maxProjects: 0 } }, 'contactOptions.maxProjects'],
      [{ projectIds: [1], contactOptions: { cachedOnly: true } }, 'contactOptions.cachedOnly'],
      [{ projectIds: [1], contactOptions: [] }, 'contactOptions'],
      [[], 'body'],
      ['no JSON', 'body'],
    ];
    for (const [body, param] of wrong) {
      const { status, body: answer } = await world.enrichments.submit(body, key);
      const code = /^projectIds/.test(param) && Object.hasOwn(body as object, 'projectIds') ? 'invalid_filter' : 'invalid_request';
      assert.deepEqual([status, answer.error.code, answer.error.param], [400, code, param], JSON.stringify(answer));
    }
    const two = await world.enrichments.submit({ projectId: [1], notify: { phone: 1 } }, key);
    assert.deepEqual(two.body.error.details.problems.map(({ param, didYouMean }: Json) => [param, didYouMean]).sort(), [
      ['notify.phone', undefined],
      ['projectId', 'projectIds'],
      ['projectIds', undefined],
    ]);
    for (const headers of [{}, { 'Idempotency-Key': '' }, { 'Idempotency-Key': 'a b' }, { 'Idempotency-Key': 'x'.repeat(256) }]) {
      assertRefused(
        await world.enrichments.submit({ projectIds: [1] }, key, headers as Record<string, string>),
        'invalid_request',
        'Idempotency-Key',
      );
    }
    const foreign = await world.enrichments.submit({ projectIds: [6] }, await world.api.key('national'));
    for (const id of ['enr_x', `enr_${'0'.repeat(22)}`, foreign.body.data.id, 'exp_0000000000000000000000'])
      assert.deepEqual((await world.api.get(`/enrichments/${id}`, {}, { key })).body.error.code, 'resource_not_found');
    assert.equal(await world.balance(key), 1_500);
  });

  it('waits for what the pool holds: without it nothing is accepted, and contacts that are asked for are refused', async () => {
    const key = await world.api.key('api_only');
    await bought(key, [1]);
    await world.api.database.query('alter table contact_unlock rename to elsewhere');
    try {
      const { status, body } = await world.enrichments.submit({ projectIds: [1] }, key);
      assert.deepEqual([status, body.error.code], [503, 'enrichment_ledger_unavailable']);
      const asked = { include: 'contacts', contactOptions: { cachedOnly: true } };
      const before = await world.balance(key);
      const read = await world.api.get('/projects/2', asked, { key });
      assert.deepEqual([read.status, read.body.error.code, await world.balance(key)], [503, 'enrichment_ledger_unavailable', before]);
      assert.equal((await world.api.get('/projects/1', {}, { key })).status, 200);
    } finally {
      await world.api.database.query('alter table elsewhere rename to contact_unlock');
    }
  });
});

describe('Contact finding that is switched off', () => {
  const world = provideWorld({ today: TODAY }, lines);

  it('fails what waits, and gives credits and attempts back', async () => {
    const [national, apiOnly] = await Promise.all([world.api.key('national'), world.api.key('api_only')]);
    await world.api.get('/projects/search', { projectIds: '1,2' }, { key: apiOnly });
    const waiting = await Promise.all([national, apiOnly].map((key) => world.enrichments.submit({ projectIds: [1, 2] }, key)));
    assert.deepEqual([await world.balance(national), (await world.allowance(apiOnly)).used], [1_498, 2]);
    await world.work({ CONTACT_PROVIDER_URL: 'off' });
    for (const [i, key] of [national, apiOnly].entries()) {
      const job = await world.enrichments.settled(waiting[i]?.body.data.id, key);
      assert.deepEqual([job.status, job.error.code, job.creditsCharged, job.notAttempted], ['failed', 'enrichment_unavailable', 0, [1, 2]]);
    }
    assert.deepEqual([await world.balance(national), (await world.allowance(apiOnly)).used], [1_500, 0]);
    await world.api.checkLedger();
  });

  it('counts the look-ups of a job against the month in which it was accepted', async () => {
    const key = await world.api.key('api_only');
    await world.api.get('/projects/search', { projectIds: '1,2' }, { key });
    await world.enrichments.completed({ projectIds: [6] }, key); // not held
    const { body } = await world.enrichments.submit({ projectIds: [1, 2] }, key);
    await world.api.databaseClock({ at: '2026-12-02T12:00:00Z' });
    assert.deepEqual([(await world.allowance(key)).used, (await world.allowance(key)).remaining], [0, 500]);
    assert.equal((await world.enrichments.settled(body.data.id, key)).status, 'failed');
    assert.equal((await world.allowance(key)).used, 0);
    const rows = await world.api.database.query(
      'select period, used from contact_allowance a join team t on t.id = a.team_id where used > 0',
    );
    assert.deepEqual(rows, []);
  });

  it('answers 501 to every request for look-ups, and still reads back', async () => {
    await using off = await testWorld({ today: TODAY, env: { CONTACT_PROVIDER_URL: 'off' } });
    await off.api.index.load(lines);
    const key = await off.api.key('national');
    const asked = [
      await off.enrichments.submit({ projectIds: [1] }, key),
      await off.exports.submit({ filters: {}, include: 'contacts' }, key),
      await off.read('/projects/search', { format: 'csv', include: 'contacts' }, key),
    ];
    assert.deepEqual(
      asked.map(({ status, body }) => [status, body.error.code]),
      Array.from({ length: 3 }, () => [501, 'enrichment_unavailable']),
    );
    assert.equal((await off.read('/projects/1', { include: 'contacts', contactOptions: { cachedOnly: true } }, key)).status, 200);
  });
});
