import assert from 'node:assert/strict';
import { denyPlaces, isEntitledCounty, isEntitledState, type RequestedPlaces } from '../../src/core/domain/entitlement.ts';
import { type Licence, scopeOf } from '../../src/core/domain/principal.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { pluck } from '../support/lists.ts';

const places = loadPlaces();
const [CO, TX, WY] = [8, 48, 56];
const [BOULDER, LARIMER, DALLAS] = [8013, 8069, 48113];
const national = { licence: { nationwide: true } as Licence };
const colorado = { licence: { nationwide: false, stateIds: [CO], countyIds: [] } as Licence };
const boulder = { licence: { nationwide: false, stateIds: [], countyIds: [BOULDER] } as Licence };
const cityOf = (text: string) => places.findCities(text).map((c) => c.id);

function detailsOf(principal: { licence: Licence }, requested: RequestedPlaces): Record<string, unknown> | undefined {
  const denial = denyPlaces(principal, requested, places);
  assert.equal(denial?.code, denial && 'geographic_access_denied');
  return denial && (denial.details ?? {});
}

describe('entitlement', () => {
  it('lets a nationwide plan go anywhere', () => {
    assert.equal(detailsOf(national, { stateIds: [CO, TX], countyIds: [DALLAS] }), undefined);
    assert.equal(scopeOf(national), null);
    assert(isEntitledState(national, WY, places));
  });

  it('lets a State plan go to its state, its counties and cities', () => {
    assert.equal(detailsOf(colorado, { stateIds: [CO], countyIds: [BOULDER], cityIds: cityOf('Boulder, CO') }), undefined);
    assert.equal(detailsOf(colorado, {}), undefined);
    assert.deepEqual(scopeOf(colorado), { stateIds: [CO], countyIds: [] });
  });

  it('refuses another state and names both sides', () => {
    assert.deepEqual(detailsOf(colorado, { stateIds: [CO, TX] }), {
      deniedStates: [{ id: TX, name: 'Texas', abbreviation: 'TX' }],
      deniedStateIds: [TX],
      allowedStates: [{ id: CO, name: 'Colorado', abbreviation: 'CO' }],
      allowedStateIds: [CO],
    });
  });

  it('refuses a county and a city of another state', () => {
    assert.deepEqual(detailsOf(colorado, { countyIds: [DALLAS] })?.deniedStateIds, [TX]);
    assert.deepEqual(detailsOf(colorado, { cityIds: cityOf('Dallas, TX') })?.deniedStateIds, [TX]);
  });

  it('narrows the state of a County plan instead of refusing it', () => {
    assert.equal(detailsOf(boulder, { stateIds: [CO] }), undefined);
    assert.equal(detailsOf(boulder, { countyIds: [BOULDER], cityIds: cityOf('Longmont, CO') }), undefined);
    assert.deepEqual(scopeOf(boulder), { stateIds: [], countyIds: [BOULDER] });
    assert(isEntitledState(boulder, CO, places));
    assert(!isEntitledState(boulder, TX, places));
    assert(!isEntitledCounty(boulder, { id: LARIMER, stateId: CO }));
  });

  it('lets a County plan ask for a city that reaches into its county, and for no other', () => {
    const weld = { licence: { nationwide: false, stateIds: [], countyIds: [8123] } as Licence };
    assert.equal(detailsOf(weld, { cityIds: cityOf('Longmont, CO') }), undefined);
    assert.equal(detailsOf(weld, { countyIds: [8123], cityIds: cityOf('Greeley, CO') }), undefined);
    for (const [city, county] of [
      ['Denver, CO', 'Denver County'],
      ['Pueblo, CO', 'Pueblo County'],
      ['Boulder, CO', 'Boulder County'],
    ] as const) {
      const details = detailsOf(weld, { cityIds: [...cityOf('Longmont, CO'), ...cityOf(city)] });
      assert.deepEqual(pluck((details?.deniedCounties ?? []) as { name: string }[], 'name'), [county]);
    }
  });

  it('refuses a County plan another county of the same state', () => {
    const details = detailsOf(boulder, { countyIds: [LARIMER] });
    assert.deepEqual(details?.deniedCounties, [{ id: LARIMER, name: 'Larimer County', stateId: CO }]);
    assert.deepEqual(details?.deniedStateIds, []);
    assert.deepEqual(details?.allowedStateIds, [CO]);
    assert.deepEqual(details?.allowedCountyIds, [BOULDER]);
    assert.notEqual(detailsOf(boulder, { cityIds: cityOf('Fort Collins, CO') }), undefined);
  });
});
