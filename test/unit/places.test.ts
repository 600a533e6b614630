import assert from 'node:assert/strict';
import { furtherCounties, type PlacedCity, type Point } from '../../scripts/locations/furtherCounties.ts';
import { countiesOfCity } from '../../src/core/domain/places.ts';
import { places } from '../support/index.ts';

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

describe('the table of further counties', () => {
  const square = (id: number, west: number) => ({
    id,
    stateId: 8,
    lines: [
      [
        [west, 39],
        [west, 40],
        [west + 1, 40],
        [west + 1, 39],
        [west, 39],
      ] satisfies Point[],
    ],
  });
  const at = (lng: number, more: Partial<PlacedCity> = {}): PlacedCity => ({
    ...{ id: 1, stateId: 8, countyId: 8001, landSqkm: Math.PI * 100, centres: [{ point: [lng, 39.5], countyId: 8001 }] },
    ...more,
  });
  const KM = 1 / (111.32 * Math.cos((39.5 * Math.PI) / 180));
  const outlines = [square(8001, -105), square(8003, -104)];

  it('has the counties within 1.8 radii of the city, and 300 m, of its centre', () => {
    assert.deepEqual(furtherCounties(at(-104 - 18.2 * KM), outlines), [8003]);
    assert.deepEqual(furtherCounties(at(-104 - 18.4 * KM), outlines), []);
    assert.deepEqual(furtherCounties(at(-104.1, { landSqkm: 0 }), outlines), [], 'of unknown size');
    const elsewhere = at(-104.9, { centres: [...at(-104.9).centres, { point: [-103.5, 39.5], countyId: 8003 }] });
    assert.deepEqual(furtherCounties(elsewhere, outlines), [8003], 'where the other table has its centre');
  });

  it('keeps to the state, and counties that are one city to themselves', () => {
    assert.deepEqual(furtherCounties(at(-104.01), [{ ...square(8003, -104), stateId: 20 }]), []);
    assert.deepEqual(furtherCounties(at(-104.01), [square(8031, -104)]), []);
    assert.deepEqual(furtherCounties(at(-104.01, { countyId: 8031 }), outlines), []);
  });
});

describe('states of the catalogue', () => {
  it('are found by id, abbreviation and name, in any case', () => {
    for (const { id, name, abbreviation } of places.states)
      for (const text of [String(id), name, name.toUpperCase(), abbreviation, abbreviation.toLowerCase(), ` ${abbreviation} `])
        assert.equal(places.findState(text)?.id, id, text);
  });

  it('narrow a city or county that names one', () => {
    for (const [text, stateId] of [
      ['Billings, MT', 30],
      ['Springfield, IL', 17],
    ] as const)
      assert.deepEqual(new Set(places.findCities(text).map((city) => city.stateId)), new Set([stateId]), text);
    assert.deepEqual(
      places.findCounties('Yellowstone, MT').map(({ name }) => name),
      ['Yellowstone County'],
    );
  });
});
