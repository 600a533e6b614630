import assert from 'node:assert/strict';
import { echoFilters } from '../../src/core/filter/resolve.ts';

describe('resolved filters', () => {
  it('are echoed in one order, however they came', () => {
    assert.equal(
      JSON.stringify(echoFilters({ acreageMin: 1, states: [8], projectIds: [7] })),
      JSON.stringify(echoFilters({ projectIds: [7], states: [8], acreageMin: 1 })),
    );
  });
});
