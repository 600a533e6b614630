import assert from 'node:assert/strict';
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
