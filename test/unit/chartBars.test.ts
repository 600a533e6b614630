/** What the page selects when a bar of a chart is clicked. */
import assert from 'node:assert/strict';
import { drillChange } from '../../src/web/app/shared/facets.ts';

const MONTHS = { dimension: 'meetingDate', interval: 'month' } as const;
const daysOf = (key: string, filters: Record<string, string> = {}) => {
  const change = drillChange(MONTHS, key, filters);
  return [change?.meetingDateFrom, change?.meetingDateTo];
};

describe('a bar of a chart', () => {
  it('selects its month', () => {
    assert.deepEqual(daysOf('2026-02-01'), ['2026-02-01', '2026-02-28']);
  });

  it('selects no day outside the window of the filters', () => {
    const filters = { meetingDateFrom: '2026-03-15', meetingDateTo: '2026-05-10' };
    assert.deepEqual(daysOf('2026-03-01', filters), ['2026-03-15', '2026-03-31']);
    assert.deepEqual(daysOf('2026-04-01', filters), ['2026-04-01', '2026-04-30']);
    assert.deepEqual(daysOf('2026-05-01', filters), ['2026-05-01', '2026-05-10']);
  });
});
