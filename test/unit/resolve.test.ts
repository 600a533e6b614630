/** Rules about several filters at once: the filters that they drop and add, and their warnings. */

import assert from 'node:assert/strict';
import { period } from '../../src/core/filter/dates.ts';
import { echoFilters, resolveFilters } from '../../src/core/filter/resolve.ts';
import type { FilterValues } from '../../src/core/filter/table.ts';
import { pluck } from '../support/lists.ts';

const codes = (sent: FilterValues) => resolveFilters(sent).warnings.map(({ code }) => code);
const ALL = { dateRange: 'all' } as const;

describe('resolved filters', () => {
  it('default to the last year if nothing bounds the meetings, and say so', () => {
    const { filters, appliedDefaults, appliedFilters, warnings } = resolveFilters({ acreageMin: 0 });
    assert.deepEqual(filters, { acreageMin: 0, dateRange: 'last_1_year' });
    assert.deepEqual(appliedDefaults, { dateRange: 'last_1_year' });
    assert.deepEqual(appliedFilters, { acreageMin: 0 }, 'a default was not sent');
    assert.deepEqual(pluck(warnings, 'code', 'params'), [['default_date_window_applied', { dateRange: 'last_1_year' }]]);
  });

  it('have no window where meetings are bounded or records are named', () => {
    const day = period.parse(['2026-03-01']);
    assert.ok('value' in day);
    const bounded: FilterValues[] = [ALL, { meetingDateFrom: day.value }, { meetingDateTo: day.value }, { projectIds: [7] }];
    for (const sent of bounded) {
      assert.deepEqual(resolveFilters(sent).filters, sent);
      assert.deepEqual(codes(sent), []);
    }
  });

  it('keep the narrowest places alone', () => {
    const { filters, warnings } = resolveFilters({ ...ALL, states: [8], counties: [8013], cities: [5574991] });
    assert.deepEqual(filters, { ...ALL, counties: [8013], cities: [5574991] });
    assert.deepEqual(warnings[0]?.params, { superseded: { states: [8] }, appliedScope: ['counties', 'cities'] });
    assert.deepEqual(resolveFilters({ ...ALL, states: [8] }).filters.states, [8]);
  });

  it('drop a level of uses of which a value lies under a broader one that was sent', () => {
    const { filters, warnings } = resolveFilters({
      ...ALL,
      propertyTypes: ['industrial'],
      assetClasses: ['hyperscale_data_center', 'billboard'],
    });
    assert.deepEqual(filters, { ...ALL, propertyTypes: ['industrial'] });
    assert.deepEqual(warnings[0]?.params, {
      superseded: { assetClasses: ['hyperscale_data_center', 'billboard'] },
      children: ['hyperscale_data_center'],
    });
    assert.deepEqual(codes({ ...ALL, propertyTypes: ['residential'], assetClasses: ['hyperscale_data_center'] }), []);
  });

  it('look at primary and secondary uses unless another mode was sent, which is a default only where uses are asked for', () => {
    const used = { ...ALL, propertyTypes: ['residential'] };
    assert.deepEqual(resolveFilters(used).appliedDefaults, { taxonomyMatchMode: 'primary_or_secondary' });
    assert.deepEqual(resolveFilters(used).roles, ['primary', 'secondary']);
    assert.deepEqual(resolveFilters({ ...used, taxonomyMatchMode: 'primary_only' }).roles, ['primary']);
    assert.deepEqual(resolveFilters({ ...used, taxonomyMatchMode: 'primary_only' }).appliedDefaults, {});
    assert.deepEqual(resolveFilters(ALL).appliedDefaults, {});
  });

  it('are echoed in one order, however they came', () => {
    assert.equal(
      JSON.stringify(echoFilters({ acreageMin: 1, states: [8], projectIds: [7] })),
      JSON.stringify(echoFilters({ projectIds: [7], states: [8], acreageMin: 1 })),
    );
  });
});
