/** Agents on plans that pay for records: whatever a tool is asked, nothing is spent before a quote is accepted, and never more than it says. */
import assert from 'node:assert/strict';
import { project, TODAY } from '../../support/fixtures.ts';
import { postMcp } from '../../support/http.ts';
import type { Json } from '../../support/json.ts';
import { provideWorld } from '../../support/world.ts';

const GOVERNMENT = [101, 102, 103];

const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Arguments of search_projects that were run without a quote, or might be: what they match was never delivered to anybody. */
const SEARCHES: Record<string, object> = {
  'ids under both of their names': { filters: { projectIds: [9_999_999], ids: upTo(1, 29), dateRange: 'all' }, limit: 20 },
  'the same the other way round': { filters: { ids: [9_999_999], projectIds: upTo(1, 29) }, limit: 20 },
  'ids as text': { filters: { ids: '1,2,3', projectIds: '4' } },
  'ids as a JSON text': { filters: { projectIds: '[1,2,3]' } },
  'an id that is no list': { filters: { ids: 5 } },
  'ids several times': { filters: { ids: [1, 1, 1, 2, '2'] } },
  'government items by their ids': { filters: { ids: GOVERNMENT, includeGovernmentDecisions: true } },
  'government items by an alias of the flag': { filters: { projectIds: GOVERNMENT, includeCivic: 'true', dateRange: 'all' } },
  'government items by two flags': { filters: { ids: GOVERNMENT, showAllRecords: true, includeGovernmentDecisions: true } },
  'government items among others': { filters: { includeGovernmentDecisions: true, states: ['CO'] }, limit: 50 },
  'what is new': { filters: { deliveryMode: 'new', states: 'CO' }, limit: 5 },
  'new ones by ids': { filters: { deliveryMode: 'new', ids: upTo(1, 9), acreageMin: 2 } },
  'another order': { filters: { sort: 'acreage', order: 'asc', dateRange: 'all' }, limit: 7 },
  'a page further on': { filters: { state: 'CO' }, cursor: '7', limit: 7 },
  'a limit, an offset and a page among the filters': { filters: { limit: 100, offset: 3, page: 4, acreageMin: 1 }, limit: 5 },
  'another representation': { filters: { representation: 'full' }, limit: 2 },
  'a file': { filters: { format: 'csv' }, limit: 3 },
  'filters under several names': {
    filters: { type: 'residential', propertyTypes: ['residential'], updatedSince: '2020', dateRange: 'all' },
  },
  'nothing at all': {},
};

/** Those that are refused. */
const REFUSED: Record<string, object> = {
  'names in another case': { filters: { ProjectIds: [1], IDS: [2] } },
  'a bound of its own': { filters: { maxCredits: 1000 } },
  'the header as a filter': { filters: { 'X-Service-Max-Credits': 1000 } },
  'cached contacts, which these records do not show': { filters: { include: 'contacts', contactOptions: { cachedOnly: true } } },
  'a key as a filter': { filters: { 'Idempotency-Key': 'mine' } },
};

describe('agents on plans that pay for records', () => {
  const minutes = { kind: 'document', id: 900, state: 'CO', county: 'Boulder County', city: 'Boulder', title: 'Minutes', text: 'words' };
  const world = provideWorld({ today: TODAY }, [
    { ...minutes, meetingDate: '2026-10-01', url: 'http://landuse.test/900' },
    ...upTo(1, 60).map((id) => project(id, { acreage: id, parcelNumbers: [`${id}`] })),
    project(61, { mergedFrom: [62] }),
    ...GOVERNMENT.map((id) => project(id, { propertyType: 'govt_decisions' })),
  ]);

  const balanceOf = (key: string) => world.balance(key);

  async function use(key: string, name: string, given: object, headers: Record<string, string> = {}): Promise<Json> {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const { result } = (await (await postMcp(world.api.url, key, call, headers)).json()) as Json;
    const { text } = result.content[0];
    assert.doesNotMatch(text, /internal_error/, `${name} ${JSON.stringify(given)}`);
    if (result.isError) return { failed: true, text };
    return JSON.parse(/<data>(.*)<\/data>$/s.exec(text)?.[1] ?? text);
  }

  /** Calls a tool, which may not spend; accepts what it quotes, which may spend that and no more. */
  async function spentBy(key: string, tool: string, given: object): Promise<{ quoted: number; spent: number; answer: Json }> {
    const before = await balanceOf(key);
    const answer = await use(key, tool, given);
    const about = `${tool} ${JSON.stringify(given)}: ${JSON.stringify(answer)}`;
    assert.equal(await balanceOf(key), before, `nothing is spent without a quote: ${about}`);
    if (!answer.quote) return { quoted: 0, spent: 0, answer };
    const served = await use(key, 'accept_quote', answer.call);
    const spent = before - (await balanceOf(key));
    assert(spent <= answer.quote.credits, `${spent} of ${answer.quote.credits}: ${about}`);
    return { quoted: answer.quote.credits, spent, answer: served };
  }

  it('see every record that is new and that they paid for, page after page', async () => {
    const key = await world.api.key('api_only');
    const seen = new Set<number>();
    for (let page = 0; page < 3; page++) {
      const { spent, answer } = await spentBy(key, 'search_projects', { filters: { deliveryMode: 'new', dateRange: 'all' }, limit: 50 });
      assert.deepEqual([spent, answer.nextCursor], [answer.records.length, undefined]);
      for (const { id } of answer.records) seen.add(id);
      assert.equal(seen.size, 20 * (page + 1), 'none is delivered without being shown, and none twice');
    }
  });

  it('pay for the precedents of a brief once its quote is accepted', async () => {
    const key = await world.api.key('api_only');
    const free = await spentBy(key, 'site_brief', { county: 'Boulder County, CO', maxPrecedents: 0 });
    assert.deepEqual([free.quoted, free.spent], [0, 0]);
    assert.match(free.answer.statements[0].text, /projects are on record in Boulder County, CO/);
    const { quoted, spent, answer } = await spentBy(key, 'site_brief', {
      city: 'Boulder, CO',
      use: '{"type": "residential"}',
      maxPrecedents: '4',
    });
    assert.deepEqual([quoted, spent], [4, 4]);
    assert.equal(answer.statements.filter(({ projectId, section }: Json) => section === 'precedents' && projectId).length, 4);
  });

  for (const plan of ['api_only', 'trial'] as const)
    it(`spend nothing on any search before they accept its price, on the plan ${plan}`, async () => {
      for (const [what, given] of Object.entries(SEARCHES)) {
        const key = await world.api.key(plan, plan === 'trial' ? { stateIds: [8], countyIds: [] } : undefined);
        const { quoted, spent, answer } = await spentBy(key, 'search_projects', given);
        assert(!answer.failed, `${what}: ${answer.text}`);
        assert(quoted > 0, `${what} has its price`);
        assert.equal(spent, answer.records.length, what);
      }
      const key = await world.api.key('api_only');
      for (const [what, given] of Object.entries(REFUSED))
        assert.equal((await spentBy(key, 'search_projects', given)).answer.failed, true, what);
    });

  it('spend nothing on files, records, minutes and contacts before they accept their price', async () => {
    const calls: [tool: string, given: object, price: number][] = [
      ['create_export', { filters: { projectIds: [9_999_999], ids: upTo(1, 29), dateRange: 'all' } }, 29],
      ['create_export', { filters: { ids: GOVERNMENT, includeCivic: true } }, 3],
      ['create_export', { filters: { ids: '1,2', deliveryMode: 'new', sort: 'acreage' } }, 2],
      ['create_export', {}, 61],
      ['get_project', { id: 62 }, 1],
      ['get_project', { id: 101 }, 1],
      ['get_document', { id: 900 }, 1],
    ];
    for (const [tool, given, price] of calls) {
      const { quoted, spent } = await spentBy(await world.api.key('api_only'), tool, given);
      assert.deepEqual([quoted, spent], [price, price], `${tool} ${JSON.stringify(given)}`);
    }
    const contacts = await spentBy(await world.api.key('national'), 'find_contacts', { projectIds: [3, 3, 4] });
    assert.deepEqual([contacts.quoted, contacts.spent], [2, 2]);
    for (const free of ['count_projects', 'aggregate_projects', 'get_alerts', 'get_credits'])
      assert.equal((await spentBy(await world.api.key('api_only'), free, {})).quoted, 0);
  });

  it('are bounded by the quote alone: headers of the message say nothing', async () => {
    const key = await world.api.key('api_only');
    const before = await balanceOf(key);
    const headers = { 'X-Service-Max-Credits': '1000', 'Idempotency-Key': 'mine' };
    assert((await use(key, 'search_projects', { limit: 4 }, headers)).quote);
    assert.equal(await balanceOf(key), before);
  });

  it('get a page that the pool holds at once, however many others match', async () => {
    const key = await world.api.key('api_only');
    const { answer } = await spentBy(key, 'search_projects', { limit: 5 });
    assert.equal(answer.records.length, 5);
    const again = await use(key, 'search_projects', { limit: 5 });
    assert.deepEqual([again.quote, again.records.length], [undefined, 5]);
    assert.equal((await use(key, 'search_projects', { limit: 6 })).quote.credits, 1);
    assert.match((await use(key, 'create_export', { filters: { ids: again.records.map(({ id }: Json) => id) } })).id, /^exp_/);
  });

  it('pay once for a quote that is accepted several times at once, and for two quotes of one call', async () => {
    const key = await world.api.key('api_only');
    const before = await balanceOf(key);
    const [one, two] = [await use(key, 'search_projects', { limit: 6 }), await use(key, 'search_projects', { limit: 6 })];
    assert.notEqual(one.quote.quoteId, two.quote.quoteId);
    await Promise.all([one, one, one, two, two].map(({ call }) => use(key, 'accept_quote', call)));
    assert.equal(await balanceOf(key), before - 6);
  });

  it('cannot use a quote for another tool, other arguments, another team or more credits', async () => {
    const key = await world.api.key('api_only');
    const { call } = await use(key, 'search_projects', { filters: { ids: [31] } });
    const dearer = call.quoteId.replace(/^(quote_[0-9a-z]+_)1_/, '$1100_');
    assert.notEqual(dearer, call.quoteId);
    const [mine, others] = [await balanceOf(key), await world.api.key('api_only')];
    for (const [whose, wrong] of [
      [key, { ...call, tool: 'create_export' }],
      [key, { ...call, tool: 'get_project', arguments: { id: 31 } }],
      [key, { ...call, arguments: { filters: { ids: [31, 32] } } }],
      [key, { ...call, arguments: { filters: { projectIds: [31] } } }],
      [key, { ...call, arguments: { ...call.arguments, cursor: '0' } }],
      [key, { ...call, quoteId: dearer }],
      [key, { ...call, tool: 'accept_quote', arguments: call }],
      [others, call],
    ] as const)
      assert.equal((await use(whose, 'accept_quote', wrong)).failed, true, JSON.stringify(wrong));
    assert.deepEqual([await balanceOf(key), await balanceOf(others)], [mine, 5_000]);
  });

  it('are refused where records changed, and the call costs more than its quote by now', async () => {
    const key = await world.api.key('api_only');
    await spentBy(key, 'search_projects', { filters: { ids: [41, 42] } });
    const page = await use(key, 'search_projects', { filters: { ids: [41, 42, 43] } });
    const file = await use(key, 'create_export', { filters: { ids: [41, 42, 43] } });
    assert.deepEqual([page.quote.credits, file.quote.credits], [1, 1]);
    const renamed = [41, 42].map((id) => project(id, { projectName: `Renamed ${id}` }));
    await world.api.index.load(renamed, { mode: 'increment' });
    const before = await balanceOf(key);
    for (const { call } of [page, file])
      assert.match((await use(key, 'accept_quote', call)).text, /costs 3 credits by now, more than the quote/);
    assert.equal(await balanceOf(key), before);
  });

  it('of a trial that can pay for a part of a page are quoted that part', async () => {
    const key = await world.api.key('trial', { stateIds: [8], countyIds: [] });
    await spentBy(key, 'search_projects', { limit: 48 });
    const offer = await use(key, 'search_projects', { limit: 10, cursor: '48' });
    assert.equal(offer.quote.credits, 2);
    assert.deepEqual([(await use(key, 'accept_quote', offer.call)).records.length, await balanceOf(key)], [2, 0]);
    assert.match((await use(key, 'search_projects', { limit: 10, cursor: '50' })).text, /^credits_exhausted/);
  });
});
