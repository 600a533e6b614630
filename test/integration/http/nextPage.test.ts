/** `Link: rel="next"` (RFC 8288): every page that another may follow names it, and no other page does. */
import assert from 'node:assert/strict';
import { makeNextPageUrl } from '../../../src/http/nextPage.ts';
import { project, TODAY } from '../../support/fixtures.ts';
import { answerOf, provideService, type TestAnswer } from '../../support/service.ts';

const PUBLIC_URL = 'https://landuse.test';
const RECORDS = 7;

describe('the link to the next page', () => {
  const api = provideService(
    { today: TODAY, env: { PUBLIC_URL } },
    Array.from({ length: RECORDS }, (_, i) => project(i + 1, { projectName: `Oak, ${i}` })),
  );

  const linkOf = ({ headers }: TestAnswer) => /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

  /** Follows the links; the ids of each page, and the addresses. */
  async function walk(path: string, key: string) {
    const pages: unknown[][] = [];
    const links: string[] = [];
    for (let next: string | undefined = `${PUBLIC_URL}/v1${path}`; next; ) {
      assert(next.startsWith(`${PUBLIC_URL}/v1/`) && pages.length < 10, next);
      const answer: TestAnswer = await answerOf(
        await fetch(next.replace(PUBLIC_URL, api.url), { headers: { Authorization: `Bearer ${key}` } }),
      );
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const records = answer.body.data as unknown as { id: unknown }[];
      pages.push(records.map(({ id }) => id));
      next = linkOf(answer);
      if (next) links.push(next);
    }
    return { pages, links };
  }

  it('leads through a search, with the parameters of the first request', async () => {
    const key = await api.key();
    const { pages, links } = await walk('/projects/search?q=oak&dateRange=all&limit=3&representation=compact', key);
    assert.deepEqual(pages, [[7, 6, 5], [4, 3, 2], [1]]);
    assert.equal(links[0], `${PUBLIC_URL}/v1/projects/search?q=oak&dateRange=all&limit=3&representation=compact&offset=3`);
    const byPage = await walk('/projects/search?dateRange=all&limit=3&page=2', key);
    assert.deepEqual(byPage.pages, [[4, 3, 2], [1]]);
    assert.doesNotMatch(byPage.links.join(), /page=/);
  });

  it('leads through a walk by its cursor, and through a collection', async () => {
    const key = await api.key();
    const { pages, links } = await walk('/projects/sync?dateRange=all&limit=3', key);
    assert.equal(pages.map(({ length }) => length).join(), '3,3,1');
    assert(links.every((link) => new URL(link).searchParams.get('cursor')));
    for (const name of ['a', 'b', 'c']) {
      const made = await api.post('/lists', { name, projectIds: [1, 2, 3] }, { key });
      assert.equal(made.status, 201);
    }
    const lists = await walk('/lists?limit=2', key);
    assert.equal(lists.pages.map(({ length }) => length).join(), '2,1');
    const [list] = lists.pages[0] as string[];
    assert.deepEqual((await walk(`/lists/${list}/results?limit=2`, key)).pages, [[3, 2], [1]]);
  });

  it('repeats the request where what was delivered leaves the set', async () => {
    const { pages, links } = await walk('/projects/search?dateRange=all&limit=3&deliveryMode=new', await api.key('api_only'));
    assert.deepEqual(pages, [[7, 6, 5], [4, 3, 2], [1]]);
    assert.equal(new Set(links).size, 1);
  });

  it('is absent if no further page can be had: on a trial without credits, in a refusal, at the end of a search', async () => {
    const trial = await api.key('trial', { stateIds: [8], countyIds: [] });
    const lines = Array.from({ length: 60 }, (_, i) => project(100 + i));
    await api.index.load(lines, { mode: 'increment' });
    const page = await api.get('/projects/search', { dateRange: 'all', limit: 55 }, { key: trial });
    assert.equal(page.body.meta.trialTruncation.delivered, 50);
    assert.equal(page.body.meta.hasMore, true);
    assert.equal(linkOf(page), undefined);
    assert.equal((await api.get('/projects/search', { dateRange: 'all', limit: 55, offset: 50 }, { key: trial })).status, 402);
    assert.equal(linkOf(await api.get('/projects/search', { dateRange: 'all', offset: 9_950 })), undefined);
    assert.equal(linkOf(await api.get('/projects/search', { limit: 0 })), undefined);
  });

  it('stands beside the link that explains a deprecated name', async () => {
    const deprecated = await api.get('/projects/search', { dateRange: 'all', limit: 3, includeCivic: true });
    assert.match(deprecated.headers.get('link') ?? '', /rel="deprecation"/);
    assert(linkOf(deprecated));
  });

  it('is left out where an address would be longer than programs read', () => {
    const meta = { hasMore: true, offset: 0, pageCount: 10 };
    assert.equal(makeNextPageUrl('https://a/b', 'q=x&page=1', meta), 'https://a/b?q=x&offset=10');
    assert.equal(makeNextPageUrl('https://a/b', `q=${'x'.repeat(6_000)}`, meta), undefined);
    const unpaid = { pageCount: 1, delivery: { mode: 'new', ledgerApplied: false } };
    for (const last of [{ pageCount: 0 }, unpaid]) assert.equal(makeNextPageUrl('https://a/b', '', { ...meta, ...last }), undefined);
  });
});
