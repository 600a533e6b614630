/** What a stored project shows in each representation, and to whom. */
import assert from 'node:assert/strict';
import { type FetchedProject, representRecord, servedMeetingDate, type ViewOptions } from '../../../src/core/domain/record/represent.ts';
import { STRANGER } from '../../support/noPeople.ts';

const STORED: FetchedProject = {
  id: 7,
  lastUpdated: '2026-11-19T08:00:00.000Z',
  contentRevision: 'v2',
  compact: { id: 7, state: 'CO', propertyType: 'residential', meetingDate: '2026-10-01' },
  standard: { summary: 'Eighty homes.', requestType: 'rezoning' },
  full: {},
} as FetchedProject;

const view = (more: Partial<ViewOptions> = {}): ViewOptions => ({
  ...{ publicUrl: 'http://landuse.test', meetingCap: '2026-11-20', today: '2026-11-20', matchedOn: () => [], people: STRANGER },
  ...{ representation: 'standard', companyDetails: true },
  ...more,
});

describe('represent', () => {
  it('shows the newest hearing up to the cap of a merged development, and the one date of another record whatever the cap', () => {
    const merged = { ...STORED, hearings: ['2026-09-01', '2026-10-15', '2027-01-10'] };
    assert.equal(servedMeetingDate(merged, '2026-11-20'), '2026-10-15');
    assert.equal(servedMeetingDate(merged, '2027-02-01'), '2027-01-10');
    assert.equal(servedMeetingDate(merged, '2026-08-01'), null);
    assert.equal(servedMeetingDate(STORED, '2026-08-01'), '2026-10-01');
  });

  it('shows one record alike every time, nothing of it in the next one, and leaves what is stored as it is', () => {
    const before = structuredClone(STORED);
    const first = structuredClone(representRecord(STORED, view()));
    assert.equal(representRecord({ ...STORED, standard: {} }, view()).requestType, null);
    assert.deepEqual(representRecord(STORED, view()), first);
    assert.deepEqual(STORED, before);
  });
});
