/** Every 402 with a quote: where it has a `countUrl`, that count prices exactly what was refused. */
import assert from 'node:assert/strict';
import type { PlanId } from '../../../src/core/domain/plans.ts';
import { OGC_ROOT } from '../../../src/http/roots.ts';
import { engineer, project, TODAY } from '../../support/fixtures.ts';
import { answerOf, type TestAnswer } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

const RECORDS = 30;
const ALL = { states: 'CO', dateRange: 'all' };
const CREDITS = 3;
/** They match some of the ids. */
const NARROW = { q: 'Project 1|Project 2|Project 3|Project 4|Project 5' };

type Ask = (key: string) => Promise<TestAnswer>;

describe('A quote', () => {
  const ids = Array.from({ length: RECORDS }, (_, i) => i + 1);

  const world = provideWorld({ today: TODAY }, [
    ...ids.map((id) => project(id, { latitude: 40, longitude: -105 - id / 1000 })),
    project(99),
    ...ids.slice(0, 9).map(engineer),
  ]);

  const get =
    (path: string, parameters: object): Ask =>
    (key) =>
      world.api.get(path, { ...parameters }, { key });
  const post =
    (path: string, body: object): Ask =>
    (key) =>
      world.send('POST', path, body, key, 'once');
  const ogc =
    (parameters: Record<string, string>): Ask =>
    async (key) => {
      const url = new URL(`${OGC_ROOT}/collections/projects/items?${new URLSearchParams(parameters)}`, world.api.url);
      return answerOf(await fetch(url, { headers: { Authorization: `Bearer ${key}` } }));
    };
  const ofList =
    (ask: (id: string) => Ask, holds: object = { projectIds: ids }): Ask =>
    async (key) => {
      const { body } = await world.send('POST', '/lists', { name: 'List', ...holds }, key);
      return ask(body.data.id)(key);
    };
  const laterPage: Ask = async (key) => {
    const { body } = await world.api.get('/projects/sync', { ...ALL, limit: 2 }, { key });
    return world.api.get('/projects/sync', { ...ALL, cursor: body.meta.sync.cursor, limit: 2 }, { key });
  };

  const lookUps: Ask = async (key) => {
    const bought = { projectIds: ids.slice(0, 10) };
    await world.api.get('/projects/search', bought, { key });
    return post('/enrichments', bought)(key);
  };

  /** Every request that is refused with a quote, and whether a count prices it. */
  const REFUSED: Record<string, [ask: Ask, isCounted: boolean, plan?: PlanId]> = {
    'a page with all matches': [get('/projects/search', { ...ALL, limit: 100 }), true],
    'a page of several': [get('/projects/search', { ...ALL, limit: 20 }), false],
    'a page further on': [get('/projects/search', { ...ALL, limit: 20, offset: 20 }), false],
    'a page of what is new': [get('/projects/search', { ...ALL, limit: 100, deliveryMode: 'new' }), true],
    'a page by ids': [get('/projects/search', { projectIds: ids, limit: 100 }), true],
    'a page by ids and filters': [get('/projects/search', { projectIds: ids, ...NARROW }), false],
    'a CSV': [get('/projects/search', { ...ALL, format: 'csv' }), true],
    'results of a list': [ofList((id) => get(`/lists/${id}/results`, { limit: 100 })), true],
    'some results of a list': [ofList((id) => get(`/lists/${id}/results`, { limit: 20 })), false],
    'a walk of one page': [get('/projects/sync', { ...ALL, limit: 100 }), true],
    'a walk of several pages': [get('/projects/sync', { ...ALL, limit: 20 }), false],
    'a walk that goes on': [laterPage, false],
    'a walk by ids and filters': [get('/projects/sync', { projectIds: ids, ...NARROW }), false],
    'a page of features': [ogc({ states: 'CO', limit: '20' }), false],
    'all features, which are some of the records': [ogc({ states: 'CO', limit: '100' }), false],
    'an export': [post('/exports', { filters: ALL }), true],
    'an export with contacts': [post('/exports', { filters: ALL, include: 'contacts' }), true],
    'an export by ids and filters': [post('/exports', { filters: { projectIds: ids, ...NARROW } }), false],
    'an export of a list': [ofList((id) => post('/exports', { listId: id })), true],
    'an export of a list with contacts': [ofList((id) => post('/exports', { listId: id, include: 'contacts' })), false],
    'an export of what is new in a list': [ofList((id) => post('/exports', { listId: id, filters: { deliveryMode: 'new' } })), false],
    'an export of a part of a list': [ofList((id) => post('/exports', { listId: id, filters: NARROW })), false],
    'an export of a list of criteria': [ofList((id) => post('/exports', { listId: id }), { filters: ALL }), true],
    'an export of a part of a list of criteria': [
      ofList((id) => post('/exports', { listId: id, filters: NARROW }), { filters: ALL }),
      false,
    ],
    'a snapshot': [post('/snapshots', { filters: ALL }), true],
    'a snapshot by ids and filters': [post('/snapshots', { filters: { projectIds: ids, ...NARROW } }), false],
    'an AI search': [post('/projects/ai-search/jobs', { query: 'denied projects', filters: ALL, limit: 10 }), false],
    'an AI search with contacts': [post('/projects/ai-search/jobs', { query: 'denied projects', limit: 10, include: 'contacts' }), false],
    'look-ups of contacts': [lookUps, false, 'national'],
  };

  for (const [what, [ask, isCounted, plan = 'api_only']] of Object.entries(REFUSED))
    it(`of ${what} names ${isCounted ? 'a count that has the same price' : 'no count, since none has its price'}`, async () => {
      const key = await world.api.key(plan, undefined, { monthlyCredits: CREDITS });
      const { status, body } = await ask(key);
      assert.deepEqual([status, body.error?.code], [402, 'insufficient_credits'], JSON.stringify(body));
      const { quote } = body.error.details;
      assert.equal(quote.countUrl !== null, isCounted, JSON.stringify(quote));
      if (!isCounted) return;
      const { pathname, search } = new URL(quote.countUrl);
      const counted = await world.api.get(`${pathname.slice('/v1'.length)}${search}`, {}, { key });
      assert.equal(counted.status, 200, JSON.stringify(counted.body));
      const { creditsRequired, contacts, results } = counted.body.data;
      assert.equal(
        (creditsRequired ?? results?.billable.credits) + (contacts?.creditsRequired ?? 0),
        quote.creditsRequired,
        JSON.stringify(counted.body),
      );
    });
});
