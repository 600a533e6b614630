import assert from 'node:assert/strict';
import { beginsMisspelt, PLACE_KINDS, type PlaceKind, PlaceSearch } from '../../src/core/domain/placeSearch.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';

const places = loadPlaces();
const search = new PlaceSearch(places);
const labels = (typed: string, limit = 5, kinds: readonly PlaceKind[] = PLACE_KINDS) =>
  search.find(typed, kinds, limit).map(({ place }) => ('abbreviation' in place ? place.name : places.labelOf(place)));

describe('places by typing', () => {
  it('puts whole names before beginnings, later words and misspellings, the larger place first', () => {
    assert.deepEqual(labels('bould', 3), ['Boulder, CO', 'Boulder County, CO', 'Boulder City, NV']);
    assert.deepEqual(labels('Washington', 2), ['Washington', 'Washington, DC']);
    assert.deepEqual(labels('harris', 1), ['Harris County, TX']);
    assert.deepEqual(labels('los ang', 3), ['Los Angeles, CA', 'Los Angeles County, CA', 'East Los Angeles, CA']);
    assert.deepEqual(labels('co', 2), ['Colorado', 'Connecticut']);
  });

  it('reads a state behind the name, whole or begun', () => {
    assert.deepEqual(labels('springfield il'), ['Springfield, IL']);
    assert.deepEqual(labels('columbus mt', 1), ['Columbus, MT']);
    assert.deepEqual(labels('boulder, c', 2), ['Boulder, CO', 'Boulder County, CO']);
    assert.deepEqual(labels('Boulder County, CO'), ['Boulder County, CO']);
    assert.deepEqual(labels('portland, maine', 1), ['Portland, ME']);
    assert.deepEqual(labels('portland oregon', 1), ['Portland, OR']);
  });

  it('takes one letter that is wrong, missing or too many, or two that are exchanged, of four or more', () => {
    for (const typed of ['boxlder', 'boulderr', 'bouldr', 'buolder', 'Bolder, CO']) assert.equal(labels(typed, 1)[0], 'Boulder, CO', typed);
    assert.equal(labels('sprngfield', 1)[0], 'Springfield, MO');
    assert(labels('huston').includes('Houston, TX'), 'beside the places that fit');
    assert.deepEqual(labels('xou'), []);
    assert.deepEqual(labels('boxxder'), []);
    assert.equal(beginsMisspelt('denver', 'dnv'), true);
    assert.equal(beginsMisspelt('denver', 'evn'), false);
  });

  it('folds abbreviations, accents and case, and takes an abbreviation for the beginning of a longer word', () => {
    assert.equal(labels('St. Lou', 1)[0], 'St. Louis, MO');
    assert.equal(labels('SAINT PAUL', 1)[0], 'Saint Paul, MN');
    assert(labels('st', 20).includes('Stockton, CA'));
    assert(labels('st', 20).includes('Saint Paul, MN'));
    assert.equal(labels('fort col', 1)[0], labels('ft col', 1)[0]);
  });

  it('finds every place of the catalogue first or among its namesakes by its label', () => {
    for (const city of places.cities.filter((_, i) => i % 101 === 0)) {
      const found = search.find(places.labelOf(city), ['city'], 20).map(({ place }) => place.id);
      assert(found.includes(city.id), places.labelOf(city));
    }
    for (const county of places.counties.filter((_, i) => i % 23 === 0))
      assert(
        search.find(places.labelOf(county), ['county'], 3).some(({ place }) => place.id === county.id),
        places.labelOf(county),
      );
  });

  it('narrows to kinds, and answers nothing to what has no letter', () => {
    assert.deepEqual(labels('boulder', 1, ['county']), ['Boulder County, CO']);
    assert.deepEqual([labels('!!'), labels(', '), labels(', CO')], [[], [], []]);
  });
});
