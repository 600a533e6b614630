/** Saved lists over HTTP: kinds, projects, sharing, results through the one path that bills. */

import assert from 'node:assert/strict';
import { TODAY } from '../../support/fixtures.ts';
import { pluck } from '../../support/lists.ts';
import { projectLine } from '../../support/projectLine.ts';
import { assertRefused, bodyOf, provideService, type TestAnswer } from '../../support/service.ts';
import { points } from '../../support/shapes.ts';

const RING = points('-105.4 39.9, -105.1 39.9, -105.1 40.1, -105.4 40.1, -105.4 39.9');
const UNKNOWN = `lst_${'0'.repeat(22)}`;

describe('lists', () => {
  const api = provideService({ today: TODAY });
  let key: string;
  before(async () => {
    await api.index.load([
      ...Array.from({ length: 20 }, (_, i) => projectLine(100 + i)),
      projectLine(300, { mergedFrom: [300, 301] }),
      projectLine(400, { propertyType: 'govt_decisions' }),
      projectLine(500, { meetingDate: '2021-01-05' }),
      projectLine(600, { state: 'TX', county: 'Travis County' }),
    ]);
    key = await api.key('api_only');
  });

  type Send = { key?: string; idempotencyKey?: string };
  async function send(method: string, path: string, body?: unknown, { key: given = key, idempotencyKey }: Send = {}): Promise<TestAnswer> {
    const response = await fetch(`${api.url}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${given}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  }

  async function create(body: object, options?: Send) {
    return bodyOf(await send('POST', '/lists', body, options), 201).data;
  }
  const results = (id: string, parameters = {}, given = key) => api.get(`/lists/${id}/results`, parameters, { key: given });

  /** Two members of one team, on a plan that pays for records. */
  async function team() {
    const owner = await api.key('api_only');
    const [latest] = (await api.accounts.teams()).slice(-1);
    const teamId = latest?.id ?? 0;
    const mate = await api.accounts.createUser({ teamId, name: 'Mate', email: `mate-${teamId}@example.com`, role: 'member' });
    const [me] = await api.accounts.users(teamId);
    return { owner, ownerId: me?.id ?? 0, mate: (await api.keys.mint(mate.id)).secret, mateId: mate.id };
  }

  describe('of projects', () => {
    it('are created with what they hold, and read back', async () => {
      const made = await create({ name: 'Pipeline', description: 'Mine', projectIds: [100, 101, 100] });
      assert.match(made.id, /^lst_[0-9A-Za-z]{22}$/);
      const { id, createdAt, updatedAt, createdBy, share, ...rest } = made;
      assert.deepEqual(rest, {
        ...{
          name: 'Pipeline',
          description: 'Mine',
          kind: 'membership',
          alertId: null,
          filters: null,
          polygon: null,
          columns: null,
          searchUrl: null,
        },
        ...{ projectCount: 2, results: { billable: { records: 2, credits: 2 } } },
      });
      assert.deepEqual(share, { mode: 'private', userIds: [], optOutUserIds: [], members: [{ userId: createdBy, name: 'Owner' }] });
      assert.deepEqual([createdAt, updatedAt], Array(2).fill(`${TODAY}T19:00:00.000Z`));
      assert.deepEqual((await send('GET', `/lists/${id}`)).body.data, made);
    });

    it('are added to once each, and removed from', async () => {
      const { id } = await create({ name: 'Growing', projectIds: [100] });
      const { body } = await send('POST', `/lists/${id}/projects`, { projectIds: [100, 101, 301, 300, 999] });
      assert.deepEqual(body.data, { added: [101, 301], alreadyPresent: [100, 300], notFound: [999] });
      const again = await send('POST', `/lists/${id}/projects`, { projectIds: [101, 300] });
      assert.deepEqual(again.body.data, { added: [], alreadyPresent: [101, 300], notFound: [] });
      const remove = async (projectId: number) => (await send('DELETE', `/lists/${id}/projects/${projectId}`)).body.data;
      assert.deepEqual(await remove(301), { projectId: 301, removed: true });
      assert.deepEqual(await remove(301), { projectId: 301, removed: false });
      assert.equal((await send('GET', `/lists/${id}`)).body.data.projectCount, 2);
    });

    it('whose records were merged since are removed by any id of the record, and not added again', async () => {
      const line = (one: number, more = {}) => projectLine(one, { county: 'Larimer County', ...more });
      await api.index.load([line(700), line(701), line(702)], { mode: 'increment' });
      const [absorbed, both] = [
        await create({ name: 'Absorbed', projectIds: [701, 702] }),
        await create({ name: 'Both', projectIds: [700, 701] }),
      ];
      await api.index.load([line(700, { mergedFrom: [700, 701] })], { mode: 'increment' });
      const shown = async (id: string) => (await results(id)).body.data.map((one: { id: number }) => one.id).sort();
      const add = async (projectIds: number[]) => (await send('POST', `/lists/${absorbed.id}/projects`, { projectIds })).body.data;
      const remove = async (id: string, projectId: number) => (await send('DELETE', `/lists/${id}/projects/${projectId}`)).body.data;
      assert.deepEqual(await shown(absorbed.id), [700, 702]);
      for (const ids of [[701], [700], [700, 701]])
        assert.deepEqual(await add(ids), { added: [], alreadyPresent: ids, notFound: [] }, 'it is there by the id that it had');
      assert.deepEqual(await remove(absorbed.id, 700), { projectId: 700, removed: true });
      assert.deepEqual(await remove(absorbed.id, 700), { projectId: 700, removed: false });
      assert.deepEqual(await remove(both.id, 701), { projectId: 701, removed: true });
      assert.deepEqual([await shown(absorbed.id), await shown(both.id)], [[702], []]);
      assert.deepEqual(await add([701]), { added: [701], alreadyPresent: [], notFound: [] });
    });

    it('take a note of each project, which follows a merged record and is shown with the results', async () => {
      const line = (one: number, more = {}) => projectLine(one, { county: 'Larimer County', ...more });
      await api.index.load([line(710), line(711), line(712)], { mode: 'increment' });
      const { id } = await create({ name: 'Noted', projectIds: [711, 712] });
      const note = (projectId: number, text: string | null) => send('PATCH', `/lists/${id}/projects/${projectId}`, { note: text });
      const notes = async (more = 'representation=compact') => {
        const { body } = await send('GET', `/lists/${id}/results?${more}`);
        assert(body.data, JSON.stringify(body));
        return Object.fromEntries(body.data.map((one: { id: number; note: string | null }) => [one.id, one.note]));
      };
      assert.deepEqual(await notes(), { 711: undefined, 712: undefined });
      assert.deepEqual(bodyOf(await note(711, ' Same owner as Erie ')).data, { projectId: 711, note: 'Same owner as Erie' });
      await note(712, '"quoted" \u0000 ]]>'.replaceAll('\u0000', ''));
      assert.deepEqual(await notes(), { 711: 'Same owner as Erie', 712: '"quoted"  ]]>' });
      assert.deepEqual(await notes('include=contacts&contactOptions={"cachedOnly":true}'), await notes());
      await api.index.load([line(710, { mergedFrom: [711] })], { mode: 'increment' });
      assert.deepEqual(await notes(), { 710: 'Same owner as Erie', 712: '"quoted"  ]]>' });
      assert.deepEqual(bodyOf(await note(710, '  ')).data, { projectId: 710, note: null });
      assert.deepEqual(await notes(), { 710: null, 712: '"quoted"  ]]>' });
      assertRefused(await note(100, 'not in it'), 'resource_not_found', 'projectId');
      assertRefused(await note(712, 'x'.repeat(501)), 'invalid_request', 'note');
      const { id: ofFilters } = await create({ name: 'Criteria', filters: { states: ['CO'] } });
      assertRefused(await send('PATCH', `/lists/${ofFilters}/projects/712`, { note: 'x' }), 'invalid_request', 'id');
    });

    it('count the projects that are served, as their results do', async () => {
      const { id } = await create({ name: 'Partly gone', projectIds: [100, 101] });
      await api.database.query('insert into list_project (list_id, project_id) values ($1, 987654)', [id]);
      const results = (await send('GET', `/lists/${id}/results`)).body.meta.total;
      const listed = (await send('GET', '/lists')).body.data.find((one: { id: string }) => one.id === id);
      assert.deepEqual([results, (await send('GET', `/lists/${id}`)).body.data.projectCount, listed.projectCount], [2, 2, 2]);
    });

    it('are asked for by many at once without losing one', async () => {
      const { id } = await create({ name: 'Busy' });
      const ids = Array.from({ length: 20 }, (_, i) => 100 + i);
      const answers = await Promise.all(ids.map((one) => send('POST', `/lists/${id}/projects`, { projectIds: [one, 100] })));
      assert.equal(answers.flatMap(({ body }) => body.data.added).length, 20);
      assert.equal((await send('GET', `/lists/${id}`)).body.data.projectCount, 20);
    });

    it('hold at most 10,000, and none of what goes beyond', async () => {
      const { id } = await create({ name: 'Full' });
      await api.database.query('insert into list_project (list_id, project_id) select $1, generate_series(100001, 109999)', [id]);
      const body = bodyOf(await send('POST', `/lists/${id}/projects`, { projectIds: [100, 101] }), 400);
      assert.deepEqual([body.error.code, body.error.param, body.error.details.projectCount], ['invalid_request', 'projectIds', 9_999]);
      assert.deepEqual((await send('POST', `/lists/${id}/projects`, { projectIds: [100] })).body.data.added, [100]);
    });
  });

  describe('results', () => {
    it('charge what the list said they would, once', async () => {
      const owner = await api.key('api_only');
      const { id } = await create({ name: 'Priced', projectIds: [100, 101, 102, 400, 500] }, { key: owner });
      const before = await api.balance(owner);
      assert.equal((await api.get('/projects/100', {}, { key: owner })).body.meta.creditsUsed, 1);
      const { results: priced } = (await send('GET', `/lists/${id}`, undefined, { key: owner })).body.data;
      assert.deepEqual(priced, { billable: { records: 4, credits: 4 } });
      const page = await results(id, { representation: 'compact', sort: 'lastUpdated', order: 'asc', limit: 3 }, owner);
      assert.equal(page.status, 200, JSON.stringify(page.body));
      const { meta } = page.body;
      assert.deepEqual([meta.representation, meta.pageCount, meta.hasMore, meta.matchCount, meta.total], ['compact', 3, true, 5, 5]);
      assert.deepEqual(meta.appliedFilters, { listId: id });
      const rest = await results(id, { representation: 'compact', sort: 'lastUpdated', order: 'asc', limit: 3, offset: 3 }, owner);
      assert.equal(meta.creditsUsed + rest.body.meta.creditsUsed, priced.billable.credits);
      assert.equal(await api.balance(owner), before - 5);
      const all = (await results(id, {}, owner)).body;
      assert.equal(all.meta.creditsUsed, 0);
      assert.deepEqual(all.data.map((record: { id: number }) => record.id).sort(), [100, 101, 102, 400, 500]);
      assert.deepEqual((await send('GET', `/lists/${id}`, undefined, { key: owner })).body.data.results.billable, {
        records: 0,
        credits: 0,
      });
      await api.checkLedger();
    });

    it('are repeated under an Idempotency-Key without charge, and the key goes with the list', async () => {
      const [one, two] = [await create({ name: 'One', projectIds: [110, 111] }), await create({ name: 'Two', projectIds: [110, 111] })];
      const headers = { 'Idempotency-Key': 'results-1' };
      const ask = (id: string) => api.get(`/lists/${id}/results`, {}, { key, headers });
      const [first, second] = [await ask(one.id), await ask(one.id)];
      assert.deepEqual([first.body.meta.creditsUsed, second.body.meta.creditsUsed], [2, 0]);
      assert.deepEqual(pluck(second.body.data, 'id'), pluck(first.body.data, 'id'));
      assertRefused(await ask(two.id), 'idempotency_key_reuse', 'Idempotency-Key');
    });

    it('are refused with a quote that names the list where credits end', async () => {
      const poor = await api.key('api_only', undefined, { monthlyCredits: 1 });
      const { id } = await create({ name: 'Dear', projectIds: [100, 101, 102] }, { key: poor });
      const body = bodyOf(await results(id, {}, poor), 402);
      const { quote } = body.error.details;
      assert.deepEqual([quote.creditsRequired, quote.creditsRemaining, quote.countUrl], [3, 1, `http://landuse.test/v1/lists/${id}`]);
    });

    it('of criteria are the criteria and a link that searches them, free', async () => {
      const filters = { counties: ['Boulder County'], acreageMin: 0, sort: 'lastUpdated' };
      const { id, projectCount, searchUrl } = await create({ name: 'Standing', kind: 'filter', filters });
      assert.equal(projectCount, null);
      const { body } = await results(id);
      assert.deepEqual(body.data, { kind: 'filter', filters, polygon: null, searchUrl });
      assert.equal(body.meta.creditsUsed, 0);
      const found = await fetch(searchUrl.replace('http://landuse.test', api.url), { headers: { Authorization: `Bearer ${key}` } });
      assert.equal(found.status, 200);
      const area = await create({ name: 'Area', polygon: RING, filters: { status: 'approved' } });
      assert.deepEqual([area.kind, area.polygon, area.filters], ['polygon', RING, { status: 'approved' }]);
      const link = new URL(area.searchUrl).searchParams;
      assert.deepEqual([JSON.parse(link.get('polygon') ?? ''), link.get('status')], [RING, 'approved']);
    });

    it('on a county that was divided since link to a search of its parts', async () => {
      const { id } = await create({ name: 'Alaska', filters: { counties: [2063] } });
      await api.database.query(`update project_list set filters = '{"counties": [2261]}' where id = $1`, [id]);
      const { data } = bodyOf(await results(id), 200);
      assert.deepEqual([data.filters, new URL(data.searchUrl).searchParams.get('counties')], [{ counties: [2261] }, '[2063,2066]']);
    });
  });

  describe('are seen', () => {
    it('by their creator alone, by the team but those who opted out, or by those who are named', async () => {
      const { owner, ownerId, mate, mateId } = await team();
      const { id } = await create({ name: 'Shared', projectIds: [100] }, { key: owner });
      const seenBy = async (given: string) => (await send('GET', `/lists/${id}`, undefined, { key: given })).status;
      const share = async (body: object) => {
        const { status, body: answer } = await send('PATCH', `/lists/${id}`, { share: body }, { key: owner });
        assert.equal(status, 200, JSON.stringify(answer));
        return answer.data.share;
      };
      assert.deepEqual([await seenBy(owner), await seenBy(mate)], [200, 404]);
      const both = [
        { userId: mateId, name: 'Mate' },
        { userId: ownerId, name: 'Owner' },
      ];
      assert.deepEqual(await share({ mode: 'team' }), { mode: 'team', userIds: [], optOutUserIds: [], members: both });
      assert.equal(await seenBy(mate), 200);
      assert.deepEqual((await share({ optOutUserIds: [mateId] })).members, [both[1]]);
      assert.equal(await seenBy(mate), 404);
      assert.deepEqual((await share({ mode: 'custom', userIds: [mateId, mateId] })).userIds, [mateId]);
      assert.equal(await seenBy(mate), 200);
      assert.deepEqual(pluck((await send('GET', '/lists', undefined, { key: mate })).body.data, 'id'), [id]);
      assert.deepEqual((await share({ mode: 'private' })).userIds, []);
      assert.equal(await seenBy(mate), 404);
    });

    it('by a member who leaves one a last time, and with full rights until then', async () => {
      const { owner, mate, mateId } = await team();
      const { id } = await create({ name: 'Left', share: { mode: 'team' } }, { key: owner });
      const renamed = await send('PATCH', `/lists/${id}`, { name: 'Left soon', description: null }, { key: mate });
      assert.equal(renamed.body.data.name, 'Left soon');
      assert.deepEqual((await send('POST', `/lists/${id}/projects`, { projectIds: [100] }, { key: mate })).body.data.added, [100]);
      const left = await send('PATCH', `/lists/${id}`, { share: { optOutUserIds: [mateId] } }, { key: mate });
      assert.equal(left.body.data.share.members.length, 1);
      assertRefused(await send('PATCH', `/lists/${id}`, { name: 'Again' }, { key: mate }), 'resource_not_found', 'id');
      assert.deepEqual((await send('DELETE', `/lists/${id}`, undefined, { key: owner })).body.data, { id, deleted: true });
      assertRefused(await send('GET', `/lists/${id}`, undefined, { key: owner }), 'resource_not_found', 'id');
    });

    it('no more by an account that was closed', async () => {
      const { owner, mateId } = await team();
      const { share } = await create({ name: 'Closed', share: { mode: 'custom', userIds: [mateId] } }, { key: owner });
      assert.equal(share.members.length, 2);
      await api.accounts.closeUser(mateId);
      const [{ share: after }] = (await send('GET', '/lists', undefined, { key: owner })).body.data;
      assert.equal(after.members.length, 1);
    });

    it('a page at a time, newest first', async () => {
      const owner = await api.key('national');
      const made = [];
      for (const name of ['a', 'b', 'c']) made.push((await create({ name }, { key: owner })).id);
      const page = (query: string) => send('GET', `/lists?${query}`, undefined, { key: owner });
      const { data, meta } = (await page('limit=2&offset=1')).body;
      assert.equal(data.length, 2);
      assert.deepEqual([meta.limit, meta.offset, meta.pageCount, meta.hasMore, meta.total], [2, 1, 2, false, 3]);
      assert.deepEqual(new Set([...(await page('limit=1')).body.data, ...data].map(({ id }) => id)), new Set(made));
      assert.equal((await page('limit=500')).body.meta.warnings[0].code, 'limit_clamped_to_page_size');
      assert.deepEqual((await page(`offset=1${'0'.repeat(20)}`)).body.data, []);
      assertRefused(await page('limit=0'), 'invalid_request', 'limit');
      assertRefused(await page('offset=-1'), 'invalid_request', 'offset');
    });
  });

  it('are restored as they were within 30 days of their deletion, and are then erased', async () => {
    const owner = await api.key('national');
    const stranger = await api.key('national');
    const made = await create({ name: 'Undone', projectIds: [100, 101], columns: ['projectName', 'acreage'] }, { key: owner });
    const restore = (id: string, given = owner) => send('POST', `/lists/${id}/restore`, undefined, { key: given });
    const deleted = () => send('DELETE', `/lists/${made.id}`, undefined, { key: owner });
    assert.equal((await deleted()).status, 200);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/results'],
      ['PATCH', ''],
      ['POST', '/projects'],
      ['DELETE', ''],
    ] as const)
      assertRefused(
        await send(
          method,
          `/lists/${made.id}${path}`,
          method === 'PATCH' ? { name: 'x' } : path === '/projects' ? { projectIds: [102] } : undefined,
          {
            key: owner,
          },
        ),
        'resource_not_found',
        'id',
      );
    assert.deepEqual((await send('GET', '/lists', undefined, { key: owner })).body.data, []);
    const restorable = async (key: string) => (await send('GET', '/lists?deleted=true', undefined, { key })).body;
    const [listed] = (await restorable(owner)).data;
    assert.deepEqual({ ...listed, restorableUntil: undefined, results: made.results }, { ...made, restorableUntil: undefined });
    assert(new Date(listed.restorableUntil).getTime() - new Date(made.updatedAt).getTime() >= 30 * 86_400_000);
    assert.deepEqual([(await restorable(stranger)).data, (await restorable(owner)).meta.total], [[], 1]);
    assertRefused(await send('GET', '/lists?deleted=perhaps', undefined, { key: owner }), 'invalid_request', 'deleted');
    assertRefused(await send('POST', '/exports', { listId: made.id }, { key: owner }), 'resource_not_found', 'listId');
    assertRefused(await restore(made.id, stranger), 'resource_not_found', 'id');
    assert.deepEqual((await restore(made.id)).body.data, made);
    assert.deepEqual((await restore(made.id)).body.data, made, 'once more changes nothing');
    await deleted();
    const ago = (days: string) =>
      api.database.query(`update project_list set deleted_at = service_now() - interval '${days}' where id = $1`, [made.id]);
    await ago('29 days 23 hours');
    assert.equal((await restore(made.id)).status, 200);
    await deleted();
    await ago('30 days');
    assert.deepEqual((await restorable(owner)).data, []);
    assertRefused(await restore(made.id), 'resource_not_found', 'id');
    assertRefused(await restore(UNKNOWN), 'resource_not_found', 'id');
  });

  it('are not restored beyond the 1,000 that a team can have, of which deleted ones are none', async () => {
    const owner = await api.key('national');
    const { id, createdBy } = await create({ name: 'Late' }, { key: owner });
    await send('DELETE', `/lists/${id}`, undefined, { key: owner });
    await api.database.query(
      `insert into project_list (id, team_id, kind, name, created_by)
       select 'lst_' || lpad(n::text, 22, '0'), team_id, 'membership', 'x', id from app_user, generate_series(1, 999) n where id = $1`,
      [createdBy],
    );
    const last = await create({ name: 'The last' }, { key: owner });
    const { body } = await send('POST', `/lists/${id}/restore`, undefined, { key: owner });
    assert.deepEqual([body.error?.code, body.error?.details.maxLists], ['invalid_request', 1_000]);
    await send('DELETE', `/lists/${last.id}`, undefined, { key: owner });
    assert.equal((await send('POST', `/lists/${id}/restore`, undefined, { key: owner })).status, 200);
  });

  describe('of criteria with columns, which are saved views,', () => {
    it('are changed in part, and read back', async () => {
      const made = await create({
        name: 'View',
        filters: { states: 'CO', sort: 'lastUpdated' },
        columns: ['projectName', 'parties.developer', 'acreage'],
      });
      assert.deepEqual(made.columns, ['projectName', 'parties.developer', 'acreage']);
      const change = async (body: object) => (await send('PATCH', `/lists/${made.id}`, body)).body.data;
      const changed = await change({ columns: ['status', 'projectName'], filters: { states: 'TX' } });
      assert.deepEqual([changed.name, changed.columns, changed.filters], ['View', ['status', 'projectName'], { states: 'TX' }]);
      assert.match(changed.searchUrl, /states=TX/);
      assert.equal((await change({ columns: null })).columns, null);
      assert.deepEqual((await change({ name: 'Same' })).filters, { states: 'TX' });
      const area = await create({ name: 'Area', polygon: RING });
      const wider = RING.map(([lng = 0, lat = 0]) => [lng - 1, lat]);
      const { data } = (await send('PATCH', `/lists/${area.id}`, { polygon: wider })).body;
      assert.deepEqual(data.polygon, wider);
    });

    it('refuse unknown names, and say every problem at once', async () => {
      const made = await create({ name: 'View', filters: {} });
      const body = { filters: { stats: 'CO' }, columns: ['projectNam', 'status', 'status'] };
      for (const [method, path] of Object.entries({ POST: '/lists', PATCH: `/lists/${made.id}` })) {
        const answer = await send(method, path, method === 'POST' ? { name: 'x', ...body } : body);
        const problems = answer.body.error.details.problems.map((one: { param: string; didYouMean?: string }) => [
          one.param,
          one.didYouMean,
        ]);
        assert.deepEqual(new Map(problems).get('columns.0'), 'projectName', JSON.stringify(problems));
        assert.equal(new Map(problems).get('filters.stats'), 'filters.states');
        assert(new Map(problems).has('columns'), 'named twice');
      }
      const ofProjects = await create({ name: 'Projects' });
      assertRefused(await send('PATCH', `/lists/${ofProjects.id}`, { filters: {} }), 'invalid_request', 'filters');
      assertRefused(await send('PATCH', `/lists/${made.id}`, { polygon: RING }), 'invalid_request', 'polygon');
      const area = await create({ name: 'Area', polygon: RING });
      assertRefused(await send('PATCH', `/lists/${area.id}`, { filters: { polygon: RING } }), 'invalid_request', 'filters.polygon');
    });
  });

  describe('refuse, and save nothing', () => {
    const wrong: [string, object, string, string][] = [
      ['no name', {}, 'name', 'invalid_request'],
      ['a blank name', { name: '  ' }, 'name', 'invalid_request'],
      ...['a\nb', 'a\r\nBcc: b', 'a\u2028b', 'a\tb', 'a\u0000'].map((name): [string, object, string, string] => [
        `the name ${JSON.stringify(name)}`,
        { name },
        'name',
        'invalid_request',
      ]),
      ['a misspelt key', { name: 'x', projectsIds: [1] }, 'projectsIds', 'invalid_request'],
      ['the kind of an alert', { name: 'x', kind: 'alert' }, 'kind', 'invalid_request'],
      ['an unknown kind', { name: 'x', kind: 'heap' }, 'kind', 'invalid_request'],
      ['a kind of the prototype', { name: 'x', kind: 'constructor' }, 'kind', 'invalid_request'],
      ['filters missing', { name: 'x', kind: 'filter' }, 'filters', 'invalid_request'],
      ['projects in a filter list', { name: 'x', filters: {}, projectIds: [1] }, 'projectIds', 'invalid_request'],
      ['filters that are no object', { name: 'x', filters: [] }, 'filters', 'invalid_filter'],
      ['filters that are null', { name: 'x', filters: null }, 'filters', 'invalid_filter'],
      ['an unknown filter', { name: 'x', filters: { stat: 'CO' } }, 'filters.stat', 'invalid_filter'],
      ['an open polygon', { name: 'x', polygon: RING.slice(1) }, 'polygon', 'invalid_filter'],
      ['101 projects', { name: 'x', projectIds: Array.from({ length: 101 }, (_, i) => i + 1) }, 'projectIds', 'invalid_filter'],
      ['a project that is not there', { name: 'x', projectIds: [100, 999] }, 'projectIds', 'invalid_request'],
      [
        'someone who is not on the roster',
        { name: 'x', share: { mode: 'custom', userIds: [1_000_000] } },
        'share.userIds.0',
        'invalid_request',
      ],
      ['an unknown mode', { name: 'x', share: { mode: 'world' } }, 'share.mode', 'invalid_request'],
      ['people of a private list', { name: 'x', share: { mode: 'private', userIds: [1] } }, 'share.userIds', 'invalid_request'],
    ];
    for (const [what, body, param, code] of wrong)
      it(`${what}`, async () => {
        const before = await api.database.query('select id from project_list');
        assertRefused(await send('POST', '/lists', body), code, param);
        assert.deepEqual(await api.database.query('select id from project_list'), before);
      });

    it('places outside the licence, and sharing without a paid plan', async () => {
      const state = await api.key('state', { stateIds: [8], countyIds: [] });
      assertRefused(
        await send('POST', '/lists', { name: 'x', filters: { states: 'TX' } }, { key: state }),
        'geographic_access_denied',
        'filters.states',
      );
      assertRefused(await send('POST', '/lists', { name: 'x', projectIds: [600] }, { key: state }), 'invalid_request', 'projectIds');
      const trial = await api.key('trial', { stateIds: [8], countyIds: [] });
      assertRefused(
        await send('POST', '/lists', { name: 'x', share: { mode: 'team' } }, { key: trial }),
        'sharing_requires_paid_plan',
        'share.mode',
      );
    });

    it('changes of the projects of a filter list, and ids that nobody has', async () => {
      const { id } = await create({ name: 'Fixed', filters: {} });
      assertRefused(await send('POST', `/lists/${id}/projects`, { projectIds: [100] }), 'invalid_request', 'id');
      assertRefused(await send('DELETE', `/lists/${id}/projects/100`), 'invalid_request', 'id');
      for (const path of [UNKNOWN, 'lst_short', `${UNKNOWN}/results`])
        assertRefused(await send('GET', `/lists/${path}`), 'resource_not_found', 'id');
    });

    it('parameters that results do not take', async () => {
      const { id } = await create({ name: 'Plain', projectIds: [100] });
      assertRefused(await results(id, { states: 'CO' }), 'invalid_request', 'states');
      assertRefused(await results(id, { offset: 9_990, limit: 100 }), 'invalid_request', 'offset');
      assertRefused(await results(id, { include: 'contacts' }), 'enrichment_requires_async', 'include');
    });
  });

  it('are created once under an Idempotency-Key, however often it is sent', async () => {
    const body = { name: 'Once', projectIds: [100] };
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', '/lists', body, { idempotencyKey: 'create-1' })));
    const made = answers.filter(({ status }) => status === 201).map((answer) => answer.body.data.id);
    const again = await send('POST', '/lists', body, { idempotencyKey: 'create-1' });
    assert.equal(again.body.data.id, made[0]);
    assert.equal(new Set(made).size, 1);
    const reordered = await send('POST', '/lists', { projectIds: [100], name: 'Once' }, { idempotencyKey: 'create-1' });
    assert.equal(reordered.body.data?.id, made[0]);
    assertRefused(
      await send('POST', '/lists', { name: 'Other' }, { idempotencyKey: 'create-1' }),
      'idempotency_key_reuse',
      'Idempotency-Key',
    );
    const { owner, mate } = await team();
    await create({ name: 'Private' }, { key: owner, idempotencyKey: 'create-2' });
    const ofMate = await send('POST', '/lists', { name: 'Private' }, { key: mate, idempotencyKey: 'create-2' });
    assertRefused(ofMate, 'idempotency_key_reuse', 'Idempotency-Key');
  });
});
