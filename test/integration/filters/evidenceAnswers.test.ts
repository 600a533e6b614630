/** Every answer that filters says which of its filters rest on evidence of earlier generations, and for how many records. */
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { project, TODAY } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { provide } from '../../support/provide.ts';
import type { TestAnswer } from '../../support/service.ts';
import { testWorld } from '../../support/world.ts';

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Of 30 records 12 had an acreage, and have none now. */
const BLANK = 12;
const ALL = 30;
const FILTERS = { acreageMin: 20, dateRange: 'all' };
const NAMED = { filters: ['acreageMin'], records: BLANK };

const told = ({ body }: Pick<TestAnswer, 'body'>): Json =>
  body.meta.warnings.find(({ code }: Json) => code === 'filter_evidence_unconfirmed')?.params;

describe('filter_evidence_unconfirmed', () => {
  const world = provide(() => testWorld({ today: TODAY }));
  let key: string;
  let metered: string;
  const send = async (method: string, path: string, body?: unknown, by = key): Promise<TestAnswer> => {
    const headers = { Authorization: `Bearer ${by}`, 'Content-Type': 'application/json', 'Idempotency-Key': Math.random().toString(36) };
    const answer = await fetch(`${world.api.url}/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
  };

  before(async () => {
    const line = (id: number, more: object) =>
      project(id, { meetingDate: '2026-10-01', summary: `Solar farm ${id} with a battery`, ...more });
    const known = { acreage: 50, status: 'approved' };
    await world.api.index.load(ids(1, ALL).map((id) => line(id, known)));
    const silent = (id: number) => (id <= BLANK ? {} : id <= BLANK + 6 ? { acreage: 50 } : known);
    await world.api.index.load(
      ids(1, ALL).map((id) => line(id, silent(id))),
      { generation: 2 },
    );
    [key, metered] = await Promise.all([world.api.key('national'), world.api.key('api_only')]);
    await world.work();
  });

  it('is on pages, counts and maps, with how many of theirs are affected', async () => {
    const page = await world.api.get('/projects/search', { ...FILTERS, limit: 25 }, { key });
    assert.deepEqual(told(page)?.filters, page.body.data.some(({ acreage }: Json) => acreage === null) ? ['acreageMin'] : undefined);
    assert.equal(told(page)?.records ?? 0, page.body.data.filter(({ acreage }: Json) => acreage === null).length);
    for (const by of [key, metered])
      for (const path of ['/projects/count', '/projects/map']) {
        assert.deepEqual(told(await world.api.get(path, FILTERS, { key: by })), NAMED, path);
        assert.equal(told(await world.api.get(path, { ...FILTERS, states: 'TX' }, { key: by })), undefined, path);
      }
    const both = await world.api.get('/projects/count', { ...FILTERS, status: 'approved' }, { key });
    assert.deepEqual(told(both), { filters: ['status', 'acreageMin'], records: BLANK + 6 });
  });

  it('is on coverage and on hearings, of what they count', async () => {
    const past = { from: '2026-10-01', to: '2026-10-31' };
    for (const by of [key, metered]) assert.deepEqual(told(await world.api.get('/coverage', FILTERS, { key: by }))?.filters, NAMED.filters);
    assert.deepEqual(told(await world.api.get('/hearings', { ...FILTERS, ...past }, { key })), NAMED);
    assert.equal(told(await world.api.get('/hearings', { ...FILTERS, ...past }, { key: metered })), undefined, 'it holds none of them');
    assert.equal(told(await world.api.get('/hearings', FILTERS, { key })), undefined, 'none is heard in these days');
  });

  it('is on an export when it is accepted, again under its Idempotency-Key, and of the file once it is ready', async () => {
    const headers = { 'Idempotency-Key': 'evidence-1' };
    const [first, again] = [
      await world.exports.submit({ filters: FILTERS }, key, headers),
      await world.exports.submit({ filters: FILTERS }, key, headers),
    ];
    assert.deepEqual([first.status, told(first), told(again)], [202, NAMED, NAMED]);
    const csv = await world.api.get('/projects/search', { ...FILTERS, format: 'csv' }, { key });
    assert.deepEqual([csv.status, told(csv)], [202, NAMED]);
    for (const { id } of [first.body.data, csv.body.data]) {
      await world.exports.settled(id, key);
      assert.deepEqual(told(await world.aiSearch.poll(id, key).then(() => world.api.get(`/exports/${id}`, {}, { key }))), NAMED);
      const rows: Record<string, string>[] = parse((await world.download(id, key)).text, { columns: true });
      assert.deepEqual([rows.length, rows.filter(({ acreage }) => acreage === '').length], [ALL, BLANK]);
    }
    const none = await world.exports.submit({ filters: { dateRange: 'all' } }, key);
    await world.exports.settled(none.body.data.id, key);
    assert.deepEqual([told(none), told(await world.api.get(`/exports/${none.body.data.id}`, {}, { key }))], [undefined, undefined]);
  });

  it('is on an alert when it is saved and previewed, and on its runs of what they delivered', async () => {
    const made = await send('POST', '/alerts', { name: 'Large', filters: { ...FILTERS, states: ['CO'] }, maxRecordsPerRun: 20 });
    assert.deepEqual([made.status, told(made)], [201, NAMED], JSON.stringify(made.body));
    const path = `/alerts/${made.body.data.id}`;
    assert.deepEqual(told(await send('PATCH', path, { name: 'Larger' })), NAMED);
    const preview = await send('GET', `${path}/preview`);
    const run = await send('POST', `${path}/run`, {});
    assert.equal(run.body.data.records, 20);
    const matches = await send('GET', `${path}/matches?limit=100`);
    const blank = matches.body.data.filter(({ acreage }: Json) => acreage === null).length;
    assert(blank > 0 && blank < 20);
    const expected = { filters: ['acreageMin'], records: blank };
    assert.deepEqual([told(preview), told(run), run.body.data.unconfirmed], [expected, expected, expected]);
    const { deliveryId } = run.body.data;
    assert.deepEqual(told(await send('GET', `${path}/deliveries/${deliveryId}`)), expected);
    assert.deepEqual((await send('GET', `${path}/deliveries`)).body.data[0].unconfirmed, expected);
  });

  it('is on the results of lists of filters', async () => {
    const made = await send('POST', '/lists', { name: 'Large', filters: FILTERS });
    assert.deepEqual(told(await send('GET', `/lists/${made.body.data.id}/results`)), NAMED);
  });

  it('is on an AI search of what it delivered', async () => {
    const { id } = await world.aiSearch.completed({ query: 'solar farm with a battery', filters: FILTERS, limit: 100 }, key);
    const poll = await world.api.get(`/projects/ai-search/jobs/${id}`, {}, { key });
    const { results } = poll.body.data as Json;
    assert.deepEqual([results.length, told(poll)], [ALL, NAMED]);
    const read = await world.aiSearch.completed({ query: 'solar farm with a battery, at least 20 acres', limit: 100 }, key);
    assert.deepEqual([read.results.length, told(await world.aiSearch.poll(read.id, key))], [ALL, NAMED], 'also as the question asks it');
  });

  it('is on analytics, without the number where that would tell what they hide', async () => {
    const ask = (filters: object, by = key) => send('POST', '/analytics/aggregate', { filters }, by);
    assert.deepEqual(told(await ask(FILTERS)), NAMED);
    const ranked = await send('POST', '/analytics/rankings', { filters: FILTERS, dimension: 'state', metric: { op: 'count' } });
    assert.deepEqual(told(ranked), NAMED);
    const unnumbered = { filters: ['acreageMin'] };
    assert.deepEqual(told(await ask(FILTERS, metered)), unnumbered, 'who pays is not told how many contribute to a statistic');
    for (const [few, projectIds] of Object.entries({ 'of few affected': ids(BLANK - 3, ALL), 'of few others': ids(1, BLANK + 4) }))
      assert.deepEqual(told(await ask({ ...FILTERS, projectIds })), unnumbered, few);
    assert.equal(told(await ask({ ...FILTERS, projectIds: ids(1, 4) })), undefined, 'nothing is told of four records');
    assert.deepEqual(told(await ask({ status: ['approved'], dateRange: 'all' })), { filters: ['status'] }, 'a group without a status');
  });
});
