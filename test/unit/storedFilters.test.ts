/** Stored filters on a county that was divided since: they go by its parts, in which a request has to choose. */
import assert from 'node:assert/strict';
import { LIST_VALUES_MAX } from '../../src/core/filter/raw.ts';
import { mendStored, readStored } from '../../src/core/filter/stored.ts';
import { places } from '../support/index.ts';
import { pluck } from '../support/lists.ts';

const PARTS = [2063, 2066];

describe('stored filters', () => {
  it('go by the parts of a county that was divided, in every form of list', () => {
    for (const [name, value, counties] of [
      ['counties', [2261], PARTS],
      ['countyId', 2261, PARTS],
      ['county', '02261', PARTS],
      ['counties', '2261,Boulder, CO', [...PARTS, 8013]],
      ['counties', ['Boulder, CO', '2261', 2063], [8013, ...PARTS]],
      ['countyIds', '["Valdez-Cordova Census Area"]', PARTS],
      ['counties', 'Valdez-Cordova, AK', PARTS],
    ] as const) {
      const { filters, problems } = readStored([[name, [value]]], {}, places);
      assert.deepEqual([filters, problems], [{ counties }, []], JSON.stringify(value));
    }
    assert.deepEqual(readStored([['counties', ['2261', '8013']]], {}, places).filters, { counties: [...PARTS, 8013] });
  });

  it('stay within the most values of a list when a county of it is divided, which a request may not exceed', () => {
    const others = places.counties.filter(({ id }) => !PARTS.includes(id)).slice(0, LIST_VALUES_MAX - 1);
    const counties = [2261, ...others.map(({ id }) => id)];
    assert.equal(counties.length, LIST_VALUES_MAX);
    const { filters, problems } = readStored([['counties', [counties]]], {}, places);
    assert.deepEqual([filters.counties, problems], [[...PARTS, ...counties.slice(1)], []]);
    const more = places.counties.slice(-LIST_VALUES_MAX - 1).map(({ id }) => id);
    assert.deepEqual(pluck(readStored([['counties', [more]]], {}, places).problems, 'code', 'message'), [
      ['too_many_values', 'counties has 501 distinct values; at most 500 are allowed'],
    ]);
  });

  it('stay as they are otherwise, also those that no longer parse', () => {
    const filters = { states: ['AK'], counties: ['Shannon County', 46113, 8013], cities: 2261, q: '2261' };
    assert.deepEqual(mendStored(filters, places), filters);
    for (const counties of [[], '', null, {}, 'Nowhere', 'Orange County']) assert.deepEqual(mendStored({ counties }, places), { counties });
  });
});
