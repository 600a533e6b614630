/** Where a record is, when a later line states a part of its place: the parts never contradict each other. */
import assert from 'node:assert/strict';
import { UnusableStatement } from '../../../ingest/read/lineProblems.ts';
import { normaliseProject, withIdentity } from '../../../ingest/read/normalise.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
import { findPlaceContradiction } from '../../../src/core/domain/statedPlace.ts';
import { loadPlaces } from '../../../src/core/store/files/loadPlaces.ts';

const places = loadPlaces();
const statementOf = (line: object, previous?: ProjectStatement) =>
  withIdentity(normaliseProject({ id: 1, ...line } as ProjectStatement, places), previous);

describe('the place of a record', () => {
  const boulder = statementOf({ state: 'CO', county: 'Boulder County', city: 'Boulder', propertyType: 'residential' });
  const placeOf = ({ state, stateId, countyId, city, cityId }: ProjectStatement) => ({ state, stateId, countyId, city, cityId });

  it('stays as it was where a line states nothing of it', () => {
    assert.deepEqual(placeOf(statementOf({ acreage: 3 }, boulder)), placeOf(boulder));
  });

  it('is replaced as a whole where a line names another one', () => {
    const { city, cityId } = statementOf({ state: 'CO', city: 'Longmont' }, boulder);
    assert.equal(city, 'Longmont');
    assert.notEqual(cityId, boulder.cityId);
  });

  it('is in the state of the city or county whose id is stated', () => {
    const [austin] = places.findCities('Austin', { stateIds: [48], countyIds: [] });
    const moved = placeOf(statementOf({ cityId: austin?.id }, boulder));
    assert.deepEqual([moved.state, moved.stateId, moved.countyId ?? null, moved.city], ['TX', 48, null, 'Austin']);
    assert.equal(statementOf({ countyId: 48453 }, boulder).stateId, 48);
  });

  it('is refused where a county or city is named without its state', () => {
    for (const line of [{ city: 'Longmont' }, { county: 'Weld County' }])
      assert.throws(() => statementOf(line, boulder), UnusableStatement);
  });

  it('has the county of its city where it states none, or one that is not known, if the city lies in one', () => {
    const countyOf = (line: object) => statementOf({ propertyType: 'residential', ...line }).countyId;
    assert.equal(countyOf({ state: 'CO', city: 'Boulder' }), 8013);
    assert.equal(countyOf({ state: 'CO', county: 'Bolder Cnty.', city: 'Boulder' }), 8013);
    assert.equal(countyOf({ state: 'GA', city: 'Athens-Clarke County' }), 13059);
    assert.equal(countyOf({ state: 'CT', county: 'Capitol Planning Region', city: 'West Hartford' }), 9003);
    assert.equal(countyOf({ state: 'AK', county: 'Valdez-Cordova Census Area', city: 'Valdez' }), 2063);
    assert.equal(countyOf({ state: 'VA', county: 'Richmond', city: 'Richmond' }), 51760);
    assert.equal(countyOf({ state: 'CO', city: 'Aurora' }), null, 'in three');
    assert.equal(countyOf({ state: 'VA', county: 'Richmond' }), null);
  });

  it('keeps the county that is stated, and has its city also where that lies beside it', () => {
    const { county, countyId, city, cityId } = statementOf({
      state: 'MO',
      county: 'Saint Louis County',
      city: 'Saint Louis',
      propertyType: 'residential',
    });
    assert.deepEqual([county, countyId, city, cityId], ['St. Louis County', 29189, 'St. Louis', 4407066]);
    const far = statementOf({ state: 'CO', county: 'Weld County', city: 'Pueblo', propertyType: 'residential' });
    assert.deepEqual([far.countyId, far.city, far.cityId], [8123, 'Pueblo', null]);
  });

  it('is found to contradict itself where the city does not lie in the county', () => {
    const found = (line: object) => {
      const { county, cities } = findPlaceContradiction(places, statementOf({ propertyType: 'residential', ...line })) ?? {};
      return county && [county.id, cities?.map(({ id }) => id)];
    };
    assert.deepEqual(found({ state: 'MO', county: 'St. Louis County', city: 'St. Louis' }), [29189, [4407066]]);
    assert.deepEqual(found({ state: 'CO', county: 'Weld County', city: 'Pueblo' }), [8123, [5435464]]);
    for (const fine of [
      { state: 'CO', county: 'Boulder County', city: 'Longmont' },
      { state: 'CO', county: 'Weld County', city: 'Longmont' },
      { state: 'CO', county: 'Weld County' },
      { state: 'CO', county: 'Weld County', city: 'Nowhereville' },
    ])
      assert.equal(found(fine), undefined);
  });
});
