import assert from 'node:assert/strict';
import { places } from '../support/index.ts';

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
