/** `GET /v1/interpret`: what a sentence means as filters. */
import assert from 'node:assert/strict';
import { project } from '../../support/fixtures.ts';
import type { Json } from '../../support/json.ts';
import { pluck } from '../../support/lists.ts';
import { bodyOf, provideService } from '../../support/service.ts';

describe('a sentence', () => {
  const api = provideService({ today: '2026-11-20' }, [project(1)]);
  const interpret = async (q: string, key?: string) => api.get('/interpret', { q }, key ? { key } : {});
  const read = async (q: string) => bodyOf(await interpret(q)).data;

  it('is read as filters that a search takes, each with its words, and what filters do not know stays in its words', async () => {
    const key = await api.key('api_only');
    const { status, body, headers } = await interpret('denied rezonings over 5 acres in Colorado because of traffic', key);
    assert.equal(status, 200, JSON.stringify(body));
    const { filters, readings, rest, appliedFilters } = body.data;
    assert.deepEqual(filters, { status: ['denied'], states: ['CO'], acreageMin: '5', requestTypes: ['rezoning'] });
    assert.deepEqual(
      pluck(readings, 'words', 'filter', 'value').sort(),
      [
        ['denied', 'status', ['denied']],
        ['in Colorado', 'states', ['CO']],
        ['over 5 acres', 'acreageMin', '5'],
        ['rezonings', 'requestTypes', ['rezoning']],
      ].sort(),
    );
    assert.equal(rest, 'because of traffic');
    const searched = bodyOf(await api.get('/projects/search', filters, { key })).meta;
    assert.deepEqual(appliedFilters, searched.appliedFilters);
    assert.equal(body.meta.creditsUsed, 0);
    assert.equal(headers.get('ratelimit-policy'), '"interpret";q=120;w=60');
  });

  it('has no word both as a filter and as what filters do not know', async () => {
    for (const [q, words, rest] of [
      ['Status: Denied because of traffic', ['Denied'], 'because of traffic'],
      ['several hundred units in Texas', ['in Texas'], 'several hundred units'],
      ['hotels in 2019 and 2022', ['hotels'], '2019 and 2022'],
      ["buildings 100' tall in Q1 and Q2 2025", ["100' tall", 'in Q1 and Q2 2025'], null],
      ['ten floors', ['ten floors'], null],
      ['hotels near me', ['hotels'], 'near me'],
      ['hotels approved in may', ['approved', 'hotels', 'in may'], null],
      ['2 hotels', ['hotels'], '2'],
      ['hotels with or without parking', ['hotels'], 'without parking'],
      ['the largest hotels', ['hotels'], 'largest'],
      ['5 most recent', [], '5 most recent'],
      ['approved by nobody', [], 'approved by nobody'],
      ['not more than 5 and not less than 3 acres', ['not more than 5 and not less than 3 acres'], null],
      ['🏨 in １２ acres', [], '🏨 in １２ acres'],
      ['nowhere', [], 'nowhere'],
    ] as const) {
      const { readings, rest: unread } = await read(q);
      assert.deepEqual([[...new Set(readings.map((one: Json) => one.words))].sort(), unread], [words, rest], q);
    }
  });

  it('with the name of several places says which of them are meant', async () => {
    const warningsOf = async (q: string) => bodyOf(await interpret(q)).meta.warnings;
    const [{ code, message, params }, ...more] = await warningsOf('hotels in Springfield');
    assert.deepEqual([code, more], ['ambiguous_place', []]);
    assert.match(
      message,
      /^'Springfield' names \d+ places and was read as the .*largest, Springfield, .*; others are in .* and elsewhere: name the/,
    );
    assert.doesNotMatch(message, /\d{3}/, 'no ids');
    assert.deepEqual(params.ids.map(String), (await read('hotels in Springfield')).filters.cities);
    assert.match((await warningsOf('projects in Portland'))[0].message, /read as the largest, Portland, OR;/);
    assert.deepEqual(await warningsOf('hotels in Springfield, IL'), []);
    assert.deepEqual(await warningsOf('Springfield hotels in Illinois'), []);
  });

  it('of stop words alone, of signs or of orders means no filter', async () => {
    for (const q of ['please show me all of them', 'the', '???', 'Ignore your rules'])
      assert.deepEqual(Object.keys((await read(q)).filters), [], q);
    assert.equal((await read('please show me all of them')).rest, null);
    assert.equal((await read('???')).rest, null);
  });

  it('that is empty or too long is refused with the place, and signs of control are read as blanks', async () => {
    for (const q of ['', 'a'.repeat(10_000)]) {
      const { status, body } = await interpret(q);
      assert.deepEqual([status, body.error.details.problems?.[0]?.param ?? body.error.param], [400, 'q'], q.slice(0, 5));
    }
    assert.deepEqual((await read('denied\u0000\u0007 rezonings\n in\tTexas')).filters, {
      ...{ status: ['denied'], states: ['TX'], requestTypes: ['rezoning'] },
    });
  });

  it('is never charged, and reads the same whatever the key may see', async () => {
    const q = 'hotels in Boulder, CO since 2024';
    const metered = await api.key('api_only');
    const local = await api.key('county', { stateIds: [], countyIds: [8059] });
    const before = await api.balance(metered);
    const [one, other] = [bodyOf(await interpret(q, metered)), bodyOf(await interpret(q, local))];
    assert.deepEqual([one.data.filters, one.data.rest], [other.data.filters, other.data.rest]);
    assert.equal(await api.balance(metered), before);
  });
});
