/** Every route that charges, asked again under its Idempotency-Key: it costs nothing, and tells nothing that was not paid for. */
import assert from 'node:assert/strict';
import { OGC_ROOT } from '../../../src/http/roots.ts';
import { adminRunner } from '../../support/admin.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { postMcp } from '../../support/http.ts';
import { eventually } from '../../support/jobs.ts';
import type { Json } from '../../support/json.ts';
import { answerOf } from '../../support/service.ts';
import { provideWorld } from '../../support/world.ts';

/** Stands in every changed version, and in no other. */
const NEW = 'Rewritten';
const QUESTION = 'warehouses with loading docks';

interface Answer {
  status: number;
  body: Json;
}

/** A request that can be sent again. */
type Request = () => Promise<Answer>;

interface MeteredRoute {
  /** prepares a request for some records, of which the first will change */
  prepare: (key: string, ids: readonly number[]) => Request | Promise<Request>;
  /** whether the answer shows records in the version that is served, and not as the job delivered them */
  shows: 'page' | 'one' | 'job';
}

describe('A request that is repeated under its Idempotency-Key', () => {
  const world = provideWorld({ today: TODAY });

  const text = 'The warehouses have loading docks. The site has 4.2 acres.';
  const minutes = { kind: 'document', id: 900, state: 'CO', county: 'Boulder County', meetingDate: '2026-10-01', title: 'Minutes', text };
  const evidence = [{ field: 'acreage', quote: 'The site has 4.2 acres.', documentId: 900 }];
  const line = (id: number, more: object = {}) =>
    project(id, {
      latitude: 40.01,
      longitude: -105.2,
      acreage: 4.2,
      propertyType: 'industrial',
      summary: 'The warehouses have loading docks.',
      evidence,
      ...more,
    });
  const rewritten = (id: number, more: object = {}) => line(id, { projectName: `${NEW} ${id}`, status: 'approved', ...more });

  before(async () => {
    await world.api.index.load([minutes, ...Array.from({ length: 40 }, (_, i) => line(i + 1))]);
    await world.work();
  });

  const get =
    (path: string, parameters: object, headers: Record<string, string> = {}) =>
    (key: string): Request =>
    () =>
      world.api.get(path, { ...parameters }, { key, headers: { 'Idempotency-Key': 'again', ...headers } });
  /** OGC API - Features has a root of its own. */
  const ogc =
    (path: string, parameters: Record<string, string> = {}) =>
    (key: string): Request =>
    async () => {
      const url = new URL(`${OGC_ROOT}/collections/projects/items${path}?${new URLSearchParams(parameters)}`, world.api.url);
      return answerOf(await fetch(url, { headers: { Authorization: `Bearer ${key}`, 'Idempotency-Key': 'again' } }));
    };
  const GEOJSON = { Accept: 'application/geo+json' };
  const accept = (body: Json) => body?.data?.id ?? assert.fail(JSON.stringify(body));

  /** A job: its request answers what the job says, so that it is asked again when that has ended. */
  const job = (client: 'exports' | 'snapshots' | 'aiSearch', body: (ids: readonly number[]) => object): MeteredRoute => ({
    shows: 'job',
    prepare: (key, ids) => async () => {
      const answer = await world[client].submit(body(ids), key, { 'Idempotency-Key': 'again' });
      await world[client].settled(accept(answer.body), key);
      return answer;
    },
  });

  /** A tool of agents: its quote is its key. */
  const tool = (name: string, given: (ids: readonly number[]) => object, shows: MeteredRoute['shows']): MeteredRoute => ({
    shows,
    prepare: async (key, ids) => {
      const use = async (called: string, args: object): Promise<Answer> => {
        const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: called, arguments: args } };
        const response = await postMcp(world.api.url, key, call);
        const { result } = (await response.json()) as Json;
        if (result.isError) return { status: 404, body: result };
        const said = result.content[0].text as string;
        const content = JSON.parse(/<data>(.*)<\/data>$/s.exec(said)?.[1] ?? said);
        return { status: response.status, body: { ...content, meta: { creditsUsed: content.creditsUsed ?? 0, delivery: content } } };
      };
      const { body } = await use(name, given(ids));
      return () => use('accept_quote', body.call);
    },
  });

  const named = (ids: readonly number[]) => ({ projectIds: ids });
  const ROUTES: Record<string, MeteredRoute> = {
    'a page of a search': { shows: 'page', prepare: (key, ids) => get('/projects/search', named(ids))(key) },
    'a full page': { shows: 'page', prepare: (key, ids) => get('/projects/search', { ...named(ids), representation: 'full' })(key) },
    'a page as GeoJSON': { shows: 'page', prepare: (key, ids) => get('/projects/search', named(ids), GEOJSON)(key) },
    'results of a list': {
      shows: 'page',
      prepare: async (key, ids) => {
        const { body } = await world.send('POST', '/lists', { name: 'List', ...named(ids) }, key);
        return get(`/lists/${accept(body)}/results`, {})(key);
      },
    },
    'a page of sync': { shows: 'page', prepare: (key, ids) => get('/projects/sync', named(ids))(key) },
    'features of OGC': { shows: 'page', prepare: (key, ids) => ogc('', { projectIds: ids.join() })(key) },
    'a record': { shows: 'one', prepare: (key, ids) => get(`/projects/${ids[0]}`, {})(key) },
    'a record as GeoJSON': { shows: 'one', prepare: (key, ids) => get(`/projects/${ids[0]}`, {}, GEOJSON)(key) },
    'its evidence': { shows: 'one', prepare: (key, ids) => get(`/projects/${ids[0]}/evidence`, {})(key) },
    'a feature of OGC': { shows: 'one', prepare: (key, ids) => ogc(`/${ids[0]}`)(key) },
    'a document': { shows: 'job', prepare: (key) => get('/documents/900', {})(key) },
    'search_projects of agents': tool('search_projects', (ids) => ({ filters: named(ids) }), 'page'),
    'get_project of agents': tool('get_project', (ids) => ({ id: ids[0] }), 'one'),
    'get_evidence of agents': tool('get_evidence', (ids) => ({ id: ids[0] }), 'one'),
    'a run of an alert': {
      shows: 'job',
      prepare: async (key, ids) => {
        const { id } = await world.alerts.create({ filters: { ...named(ids), dateRange: 'all' } }, key);
        return () => world.alerts.run(id, key, 'again');
      },
    },
    'an export': job('exports', (ids) => ({ filters: named(ids) })),
    'a snapshot': job('snapshots', (ids) => ({ filters: named(ids) })),
    'an AI search': job('aiSearch', (ids) => ({ query: QUESTION, filters: named(ids), limit: 10 })),
  };

  interface Asked {
    name: string;
    route: MeteredRoute;
    key: string;
    teamId: number;
    ids: readonly number[];
    ask: Request;
    first: Answer;
  }

  /** Asks every route for the same records, each by a pool of its own. */
  async function askAll(ids: readonly number[], plan: 'api_only' | 'national' = 'api_only'): Promise<Asked[]> {
    const asked: Asked[] = [];
    for (const [name, route] of Object.entries(ROUTES)) {
      if (plan === 'national' && name.endsWith('of agents')) continue; // nothing is quoted, and so nothing repeated
      const key = await world.api.key(plan);
      const teamId = (await world.api.accounts.teams()).at(-1)?.id as number;
      const ask = await route.prepare(key, ids);
      const first = await ask();
      assert(first.status < 300, `${name}: ${JSON.stringify(first.body)}`);
      asked.push({ name, route, key, teamId, ids, ask, first });
    }
    return asked;
  }

  /** The records that an answer shows. */
  const shownOf = ({ body }: Answer): Json[] =>
    body.features?.map(({ properties }: Json) => properties) ??
    body.records ??
    (Array.isArray(body.data) ? body.data : [body.data ?? body.properties ?? body.project ?? body.evidence].filter(Boolean));
  const idsOf = (answer: Answer) => shownOf(answer).map(({ id }) => id);

  /** Asks every route again, and checks what holds whatever happened since. */
  async function repeatAll(asked: readonly Asked[], check: (one: Asked, again: Answer) => void): Promise<void> {
    for (const one of asked) {
      const before = await world.balance(one.key);
      const again = await one.ask();
      assert.equal(await world.balance(one.key), before, `${one.name} costs nothing`);
      if (again.status < 300) assert.equal(again.body.meta.creditsUsed, 0, `${one.name}: ${JSON.stringify(again.body)}`);
      check(one, again);
    }
  }
  const tellsNothingNew = ({ name }: Asked, again: Answer) =>
    assert(!JSON.stringify(again.body).includes(NEW), `${name} tells nothing new: ${JSON.stringify(again.body)}`);

  const load = (...lines: object[]) => world.api.index.load(lines, { mode: 'increment' });

  it('shows what it delivered; a record that changed since is left out and named, until its new version is paid for', async () => {
    const ids = [1, 2];
    const asked = await askAll(ids);
    await repeatAll(asked, ({ name, route, first }, again) => {
      if (route.shows !== 'job') assert.deepEqual(idsOf(again), idsOf(first), name);
      assert.equal(again.body.meta.delivery?.changedSince, undefined, name);
    });
    await load(rewritten(1));
    await repeatAll(asked, (one, again) => {
      tellsNothingNew(one, again);
      if (one.route.shows === 'job') return;
      assert.equal(again.status, 200, one.name);
      assert.deepEqual(again.body.meta.delivery.changedSince, [1], `${one.name}: ${JSON.stringify(again.body.meta)}`);
      assert.deepEqual(idsOf(again), one.route.shows === 'page' ? [2] : [], one.name);
      if (one.route.shows === 'page') assert.equal(again.body.meta.pageCount ?? 1, 1, one.name);
    });
    // Another process pays for the new version: then it may be shown, and is.
    const other = await world.api.another();
    try {
      for (const { key } of asked) assert.equal((await other.get('/projects/1', {}, { key })).body.meta.creditsUsed, 1);
    } finally {
      await other.stop();
    }
    await repeatAll(asked, ({ name, route, first }, again) => {
      if (route.shows === 'job') return;
      assert.deepEqual(idsOf(again).sort(), idsOf(first).sort(), name);
      if (!name.includes('evidence')) assert(JSON.stringify(again.body).includes(NEW), name);
    });
  });

  it('brings a record that changed since by sync, under its new stamp', async () => {
    const key = await world.api.key('api_only');
    const page = get('/projects/sync', { projectIds: [5, 6] })(key);
    await page();
    await load(rewritten(5));
    const again = await page();
    assert.deepEqual([idsOf(again), again.body.meta.sync.emitted, again.body.meta.delivery.changedSince], [[6], 1, [5]]);
    const next = await world.api.get('/projects/sync', { projectIds: [5, 6], cursor: again.body.meta.sync.cursor }, { key });
    assert.deepEqual([idsOf(next), next.body.meta.creditsUsed], [[5], 1]);
  });

  it('shows no record that was deleted since', async () => {
    const asked = await askAll([11, 12]);
    await load({ kind: 'project', id: 11, deleted: true });
    await repeatAll(asked, ({ name, route }, again) => {
      if (route.shows === 'page') assert.deepEqual(idsOf(again), [12], name);
      if (route.shows === 'one') assert(again.status === 404 || !idsOf(again).length, name);
    });
  });

  it('shows nothing of the record into which another was merged since', async () => {
    const asked = await askAll([15, 16]);
    await load(rewritten(17, { mergedFrom: [15, 17] }));
    await repeatAll(asked, (one, again) => {
      tellsNothingNew(one, again);
      if (one.route.shows === 'page') assert.deepEqual(idsOf(again), [16], one.name);
    });
  });

  it('shows nothing that the licence no longer covers, nor names it', async () => {
    const asked = await askAll([21, 22]);
    await load(rewritten(21));
    for (const { teamId } of asked) await world.api.accounts.setPlan(teamId, 'trial', { stateIds: [48], countyIds: [] });
    await world.moveTo(`${TODAY}T19:01:00Z`); // keys are looked up again
    await repeatAll(asked, (one, again) => {
      tellsNothingNew(one, again);
      if (one.route.shows !== 'job') assert.deepEqual([idsOf(again), again.body.meta?.delivery?.changedSince], [[], undefined], one.name);
    });
  });

  it('shows no person who asked meanwhile not to be found', async () => {
    const contacts = [{ name: 'Nora Vane', role: 'applicant', company: 'Vane LLC', email: 'nora@vane.example' }];
    await load(line(31, { contacts }), line(32, { contacts }));
    const asked = await askAll([31, 32]);
    const { code, err } = await adminRunner(world.api)('suppress', 'add', '--email', 'nora@vane.example');
    assert.equal(code, 0, err);
    await eventually('the person to be hidden', async () => {
      const { body } = await world.api.get('/projects/31', {}, { key: asked[0]?.key as string });
      return JSON.stringify(body).includes('Nora Vane') ? undefined : true;
    });
    await repeatAll(asked, ({ name }, again) => assert(!JSON.stringify(again.body).includes('Nora Vane'), name));
  });

  it('shows the records as they are now where records are free', async () => {
    const asked = await askAll([35, 36], 'national');
    await load(rewritten(35));
    await repeatAll(asked, ({ name, route }, again) => {
      if (route.shows === 'page') assert.deepEqual(idsOf(again).sort(), [35, 36], name);
      assert.equal(again.body.meta.delivery?.changedSince, undefined, name);
    });
  });
});
