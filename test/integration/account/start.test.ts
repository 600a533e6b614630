/** `GET /v1/start`: what a page or a program needs at its start. */
import assert from 'node:assert/strict';
import { provideService } from '../../support/service.ts';

describe('the start', () => {
  const api = provideService({ env: { RATE_LIMIT_TRIAL: '3', RATE_LIMIT_PAID: '1000' } });
  const read = async (key: string) => api.get('/start', {}, { key });

  it('tells all that a page needs at its start, free', async () => {
    const key = await api.key('county', { stateIds: [], countyIds: [8013, 8059] });
    const { status, body, headers } = await read(key);
    assert.equal(status, 200, JSON.stringify(body));
    const { account, credits, limits, release, features } = body.data;
    const { data: known, meta } = (await api.get('/account/credits', {}, { key })).body;
    assert.deepEqual(account.plan, known.plan);
    assert.deepEqual(account.licence, { nationwide: false, stateIds: [], countyIds: [8013, 8059] });
    assert.deepEqual([typeof account.teamName, typeof account.userName, account.role], ['string', 'string', 'owner']);
    assert.deepEqual(credits, {
      ...{ remaining: known.balance, resetsAt: meta.credits.resetsAt },
      ...{ creditRate: known.creditRate, contactCreditRate: known.contactCreditRate },
    });
    assert.deepEqual(limits, { requestsPerMinute: 1000, startsPerMinute: 60 });
    assert.equal(release, null, 'this index was filled without a load');
    assert(features.includes('search'));
    assert.equal(body.meta.creditsUsed, 0);
    assert.equal(headers.get('cache-control'), 'private, no-store');
    const national = (await read(await api.key())).body.data;
    assert.deepEqual(national.account.licence, { nationwide: true, stateIds: null, countyIds: null });
  });

  it('names the release that searches read', async () => {
    const lineage = 'abcdefgh';
    const publish = (generation: number, commit: number, at: string) =>
      api.database.query(
        `with l as (
           insert into index_lineage (id, index_prefix) values ($1, $2) on conflict (id) do nothing
         ) insert into index_commit (lineage_id, commit, kind, generation, set_load, newest_stamp, served_at) values ($1, $3, 'load', $4, $3, 1, $5)`,
        [lineage, api.config.indexPrefix, commit, generation, at],
      );
    await publish(1, 10, '2026-11-01T00:00:00Z');
    const key = await api.key();
    assert.deepEqual((await read(key)).body.data.release, { generation: 1, activatedAt: '2026-11-01T00:00:00.000Z' });
    await publish(2, 20, '2026-11-02T00:00:00Z');
    assert.equal((await read(key)).body.data.release.generation, 2);
    const served = { served: { generation: 1, load: 10, commit: 10 }, previous: null, synced: null };
    await api.database.query('update index_lineage set published = $2 where id = $1', [lineage, JSON.stringify(served)]);
    assert.equal((await read(key)).body.data.release.generation, 1, 'after a rollback');
    await api.database.query('delete from index_commit where lineage_id = $1', [lineage]);
    await api.database.query('delete from index_lineage where id = $1', [lineage]);
  });

  it('names the words by their version, in a file that is kept for ever', async () => {
    const { version, url } = (await read(await api.key())).body.data.vocabularies;
    const { pathname } = new URL(url);
    const response = await fetch(`${api.url}${pathname}`);
    assert.equal(response.status, 200, 'without a key');
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const words = (await response.json()) as { version: string; taxonomy: unknown; statuses: unknown; states: unknown[] };
    assert.equal(words.version, version);
    const taxonomy = (await api.get('/taxonomy')).body.data;
    assert.deepEqual(words.taxonomy, taxonomy);
    assert.deepEqual(words.statuses, (await api.get('/reference/statuses')).body.data);
    assert.equal(words.states.length, 56);
    assert.equal((await fetch(`${api.url}/vocabularies/0.json`)).status, 401);
  });

  it('is counted apart from the other requests of a key, 60 a minute', async () => {
    const key = await api.key('trial', { stateIds: [8], countyIds: [] });
    const other = () => api.get('/locations/states', {}, { key });
    const starts = [];
    for (let i = 0; i < 61; i++) starts.push(await read(key));
    assert.deepEqual([...new Set(starts.slice(0, 60).map(({ status }) => status))], [200]);
    const refused = starts.at(-1);
    assert.deepEqual([refused?.status, refused?.body.error.code, refused?.body.error.details.limit], [429, 'rate_limit_exceeded', 60]);
    assert.equal(starts[0]?.headers.get('ratelimit-policy'), '"start";q=60;w=60');
    assert.deepEqual(
      [(await other()).status, (await other()).status, (await other()).status, (await other()).status],
      [200, 200, 200, 429],
    );
    const unusable = await read('svc_live_nonsense');
    assert.equal(unusable.status, 401);
    assert.match(unusable.headers.get('ratelimit-policy') ?? '', /^"(unusable|anonymous)"/);
  });
});
