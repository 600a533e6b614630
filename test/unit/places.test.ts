import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { countiesOfCity } from '../../src/core/domain/places.ts';
import { planningRegions } from '../../src/core/domain/planningRegions.ts';
import { findSimilarPlaces } from '../../src/core/filter/placeList.ts';
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

const idOf = (found: readonly { id: number }[]) => (found.length === 1 ? found[0]?.id : found.map(({ id }) => id));

describe('names of places', () => {
  const inState = (abbreviation: string) => ({ stateIds: [places.findState(abbreviation)?.id ?? 0] });

  const COUNTIES: Record<number, readonly [state: string, ...names: string[]]> = {
    35013: ['NM', 'Doña Ana', 'Dona Ana', 'DOÑA ANA COUNTY', 'Don\u0303a Ana', 'County of Doña Ana'],
    51760: ['VA', 'Richmond city', 'RICHMOND CITY', 'City of Richmond'],
    51159: ['VA', 'Richmond County', 'County of Richmond'],
    51095: ['VA', 'James City'],
    51036: ['VA', 'Charles City'],
    32510: ['NV', 'Carson City', 'Carson City County'],
    51800: ['VA', 'Suffolk', 'Nansemond', 'Nansemond County', '51123'],
    13059: ['GA', 'Clarke', 'Athens-Clarke County'],
    21111: ['KY', 'Jefferson', 'Louisville/Jefferson County'],
    29189: ['MO', 'Saint Louis County', 'St Louis County'],
    29186: ['MO', 'Sainte Genevieve', 'Ste Genevieve'],
    48157: ['TX', 'Ft. Bend'],
    17037: ['IL', 'DeKalb', 'De Kalb'],
    17099: ['IL', 'La Salle', 'LaSalle'],
    19141: ['IA', "O'Brien", 'O’Brien', 'OBrien', 'O Brien', 'Oʻbrien'],
    36047: ['NY', 'Kings', 'Brooklyn'],
    46102: ['SD', 'Oglala Lakota', 'Shannon', 'Shannon County', '46113'],
    2158: ['AK', 'Kusilvak', 'Wade Hampton', '02270'],
    51019: ['VA', 'Bedford', 'Bedford city', '51515'],
    12086: ['FL', 'Miami-Dade', 'Dade', 'Dade County', '12025'],
    72021: ['PR', 'Bayamón', 'Bayamon Municipio'],
  };
  for (const [id, [state, ...names]] of Object.entries(COUNTIES))
    it(`mean one county: ${names.join(', ')}`, () => {
      for (const name of names) assert.equal(idOf(places.findCounties(name, inState(state))), Number(id), name);
    });

  const CITIES: Record<number, readonly [state: string, ...names: string[]]> = {
    5467024: ['NM', 'Española', 'Espanola'],
    5848189: ['HI', 'Kaneohe', 'Kāneʻohe', "Kane'ohe", 'Kāne‘ohe'],
    4407066: ['MO', 'St. Louis', 'St Louis', 'Saint Louis'],
    5009004: ['MI', 'Sault Sainte Marie', 'Sault Ste Marie'],
    4588165: ['SC', 'Mt Pleasant', 'Mount Pleasant'],
    4644585: ['TN', 'Nashville-Davidson', 'Nashville-Davidson metropolitan government (balance)'],
    4299276: ['KY', 'Louisville/Jefferson County', 'Louisville'],
    4297983: ['KY', 'Lexington-Fayette', 'Lexington', '4297999', 'Lexington-Fayette Urban County Government'],
    5509403: ['NV', 'North Las Vegas', 'N Las Vegas', 'N. Las Vegas'],
    4140963: ['DC', 'Washington', 'Washington DC', 'District of Columbia'],
    4180386: ['GA', 'Athens-Clarke County', 'Athens-Clarke', 'Unified Government of Athens-Clarke County'],
    4259418: ['IN', 'Indianapolis city (balance)'],
    5856195: ['HI', 'Urban Honolulu'],
    4638782: ['TN', 'Lynchburg, Moore County metropolitan government'],
    5119251: ['NY', 'Greece', 'Town of Greece'],
    5120478: ['NY', 'Hempstead', 'Village of Hempstead'],
    3605934000: ['NY', 'Town of Hempstead', 'Hempstead town'],
    4209144976: ['PA', 'Lower Merion', 'Lower Merion Township', 'Township of Lower Merion'],
    2612584240: ['MI', 'Waterford Township', 'Waterford Charter Township', 'Charter Township of Waterford'],
    2604933300: ['MI', 'Grand Blanc Township', 'Township of Grand Blanc'],
    4994320: ['MI', 'Grand Blanc', 'City of Grand Blanc'],
    900108980: ['CT', 'Brookfield', '0900108980'],
    5880054: ['AK', 'Utqiagvik', 'Barrow'],
    4795467: ['VI', 'Charlotte Amalie'],
    4043909: ['GU', 'Dededo'],
  };
  for (const [id, [state, ...names]] of Object.entries(CITIES))
    it(`mean one city: ${names.join(', ')}`, () => {
      for (const name of names) assert.equal(idOf(places.findCities(name, inState(state))), Number(id), name);
    });

  it('are no city that is no part of a county, where they are of a county', () => {
    for (const name of ['Norfolk County', 'County of Norfolk', 'Alexandria County'])
      assert.deepEqual(places.findCounties(name, inState('VA')), [], name);
  });

  it('mean the District, however it is written', () => {
    for (const text of [
      'Washington DC',
      'Washington D.C.',
      'Washington, DC',
      'Washington, D.C.',
      'D.C.',
      'D. C.',
      'DC',
      'Dist. of Columbia',
      'Washington D. C.',
    ])
      assert.equal(places.findState(text)?.id, 11, text);
    assert.equal(places.findState('Washington')?.id, 53);
    for (const [text, id] of Object.entries({ 'N. Carolina': 37, 'S Dakota': 46, 'U. S. Virgin Islands': 78 }))
      assert.equal(places.findState(text)?.id, id, text);
  });

  it('of a county that was divided are those of its parts', () => {
    assert.deepEqual(idOf(places.findCounties('Valdez-Cordova, AK')), [2063, 2066]);
    assert.deepEqual(places.formerIdsOf('county', 2063), [{ id: 2261, until: '2019-01-02' }]);
    assert.deepEqual(places.formerIdsOf('county', 46102), [{ id: 46113, until: '2015-05-01' }]);
  });

  it('are not given to two places of a county, but for a town and its village', () => {
    const twice = [...Map.groupBy(places.cities, ({ countyId, name }) => `${countyId} ${name}`).values()].filter(
      ({ length }) => length > 1,
    );
    for (const [a, b] of twice)
      assert.ok(Math.hypot((a?.latitude ?? 0) - (b?.latitude ?? 0), (a?.longitude ?? 0) - (b?.longitude ?? 0)) > 0.05, a?.name);
  });
});

describe('planning regions of Connecticut', () => {
  it('have every city and town of the state once', () => {
    const inRegions = planningRegions.flatMap(({ cityIds }) => cityIds);
    assert.equal(new Set(inRegions).size, inRegions.length);
    const missing = places.cities.filter(({ stateId, id }) => stateId === 9 && !inRegions.includes(id));
    assert.deepEqual(pluck(missing, 'name'), []);
  });
});

describe('the precision of a place', () => {
  it('is null for a town of which the centre is not known, which is near no other place', () => {
    const town = places.cities.find(({ isCentreUnknown, name }) => isCentreUnknown && name === 'Brookfield');
    assert.ok(town);
    assert.equal(places.precisionOf('city', town), null);
    assert.deepEqual(places.countiesNear([town], 100_000), [town.countyId]);
  });

  it('is an outline where the map has one', () => {
    const topology = createRequire(import.meta.url)('us-atlas/counties-10m.json') as {
      objects: { counties: { geometries: { id: string }[] } };
    };
    const drawn = new Set(topology.objects.counties.geometries.map(({ id }) => Number(id)));
    for (const county of places.counties)
      assert.equal(places.precisionOf('county', county) === 'outline', drawn.has(county.id), county.name);
  });
});

describe('hints for an unknown name of a place', () => {
  const hintFor = (level: 'county' | 'city', text: string, state: number) => findSimilarPlaces(level, text, places, [state]);

  it('are within two letters of a name that the place has or had, in the state that was sent', () => {
    assert.equal(hintFor('county', 'Bolder', 8).didYouMean, 'Boulder');
    assert.equal(hintFor('county', 'Shanon County', 46).didYouMean, 'Shannon County');
    assert.equal(hintFor('county', 'DoÃ±a Ana', 35).didYouMean, 'Doña Ana');
    assert.equal(hintFor('city', 'Denvr', 8).didYouMean, 'Denver');
    for (const text of ['Colorado River', 'Hantsons County', 'Nowhere County'])
      assert.equal(hintFor('county', text, 8).didYouMean, undefined, text);
  });

  it('are numbers for a number, and never a guess', () => {
    assert.deepEqual(hintFor('county', '46114', 46), { nearest: ['46115', '46111', '46117'] });
  });
});
