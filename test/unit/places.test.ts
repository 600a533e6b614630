import assert from 'node:assert/strict';
import { countiesOfCity } from '../../src/core/domain/places.ts';
import { places } from '../support/index.ts';
import { pluck } from '../support/lists.ts';

describe('cities of the catalogue', () => {
  it('are found by their names, within their states', () => {
    for (const { id, name, stateId } of places.cities) {
      const found = places.findCities(name, { stateIds: [stateId] }).map((city) => city.id);
      assert.ok(found.includes(id), `${name} in ${places.state(stateId)?.name}`);
    }
  });

  it('are found without what kind of place they are, and as they are typed', () => {
    for (const [text, name] of [
      ['City of Denver', 'Denver'],
      ['Village of Campton Hills', 'Village of Campton Hills'],
      ['Campton Hills', 'Village of Campton Hills'],
      ['Town of Pines, IN', 'Town of Pines'],
      ['Kapaa, HI', 'Kapa‘a'],
      ["Kapa'a, HI", 'Kapa‘a'],
    ] as const)
      assert.ok(
        places.findCities(text).some((city) => city.name === name),
        text,
      );
  });
});

const countyNames = (city: string) => {
  const [found] = places.findCities(city);
  return found ? countiesOfCity(found).map((id) => places.county(id)?.name.replace(' County', '')) : [];
};

describe('cities in more than one county', () => {
  it('are found in each of them, which are of one state', () => {
    for (const [city, county] of [
      ['Aurora, CO', 'Arapahoe'],
      ['Aurora, CO', 'Douglas'],
      ['Longmont, CO', 'Weld'],
      ['Thornton, CO', 'Weld'],
      ['Houston, TX', 'Fort Bend'],
      ['Houston, TX', 'Montgomery'],
      ['Dallas, TX', 'Collin'],
      ['Atlanta, GA', 'DeKalb'],
      ['Chicago, IL', 'DuPage'],
      ['Kansas City, MO', 'Platte'],
      ...['New York', 'Kings', 'Queens', 'Bronx', 'Richmond'].map((borough) => ['New York City, NY', borough] as const),
    ] as const) {
      assert.ok(countyNames(city).includes(county), `${city}: ${countyNames(city)}`);
      const [state] = places.findCities(city).map(({ stateId }) => stateId);
      const [id] = places.findCounties(county, { stateIds: [state ?? 0] }).map((found) => found.id);
      const found = places.findCities(city.split(',')[0] ?? '', { stateIds: [state ?? 0], countyIds: [id ?? 0] });
      assert.deepEqual(found, places.findCities(city), `${city} in ${county}`);
      assert.ok(places.citiesOf(id ?? 0).some((listed) => listed === found[0]));
    }
    for (const city of places.cities)
      for (const id of countiesOfCity(city)) assert.equal(places.county(id)?.stateId, city.stateId, `${city.name}: ${id}`);
  });

  it('are not found in a county that they cannot reach, nor in one that is a city of its own', () => {
    for (const city of ['Denver, CO', 'Pueblo, CO', 'Boulder, CO', 'San Francisco, CA', 'Richmond, VA'])
      assert.equal(countyNames(city).length, 1, `${city}: ${countyNames(city)}`);
    assert.deepEqual(places.findCities('Aurora', { stateIds: [8], countyIds: [8031] }), [], 'Denver County is Denver');
  });

  it('give way to a city of the same name whose centre lies in the county', () => {
    const byName = Map.groupBy(places.cities, ({ name }) => name);
    const homonyms = places.cities.flatMap(({ name, furtherCountyIds }) =>
      (byName.get(name) ?? []).filter(({ countyId }) => furtherCountyIds.includes(countyId)),
    );
    assert.ok(homonyms.length > 0);
    for (const { name, countyId } of homonyms)
      for (const found of places.findCities(name, { countyIds: [countyId] })) assert.equal(found.countyId, countyId, name);
  });
});

describe('states of the catalogue', () => {
  it('are found by id, abbreviation and name, in any case', () => {
    for (const { id, name, abbreviation } of places.states)
      for (const text of [String(id), name, name.toUpperCase(), abbreviation, abbreviation.toLowerCase(), ` ${abbreviation} `])
        assert.equal(places.findState(text)?.id, id, text);
  });

  it('narrow a city or county that names one', () => {
    for (const [text, stateId] of Object.entries({ 'Billings, MT': 30, 'Springfield, IL': 17 }))
      assert.deepEqual(new Set(places.findCities(text).map((city) => city.stateId)), new Set([stateId]), text);
    assert.deepEqual(pluck(places.findCounties('Yellowstone, MT'), 'name'), ['Yellowstone County']);
  });
});
