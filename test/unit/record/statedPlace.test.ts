/** Where a record is, when a later line states a part of its place: the parts never contradict each other. */
import assert from 'node:assert/strict';
import { UnusableStatement } from '../../../ingest/read/lineProblems.ts';
import { normaliseProject, withIdentity } from '../../../ingest/read/normalise.ts';
import type { ProjectStatement } from '../../../src/core/domain/record/statement.ts';
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
});
