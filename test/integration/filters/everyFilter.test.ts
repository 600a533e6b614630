/** Each row of the table of filters, on real Elasticsearch: it selects one fixture and refuses another. */

import assert from 'node:assert/strict';
import type { AnyFilter } from '../../../src/core/filter/entry.ts';
import { boundOf } from '../../../src/core/filter/size.ts';
import { FILTER_NAMES, FILTERS, type FilterName } from '../../../src/core/filter/table.ts';
import { ascending, type Fixture, project, searcher, TODAY, use, used } from '../../support/fixtures.ts';
import { provide } from '../../support/provide.ts';
import { restrictionLine, SOURCES } from '../../support/restrictionLine.ts';
import { testService } from '../../support/service.ts';

/** What the two records are like, and what is sent. The refused one is loaded first unless `selectedFirst`. */
interface Pair {
  selects: Record<string, unknown>;
  refuses: Record<string, unknown>;
  send: unknown;
  also?: Record<string, unknown>;
  selectedFirst?: true;
}

/** Placeholder for `lastUpdated` of the selected record. */
const ITS_CHANGE = Symbol('lastUpdated');

const uses = (...landUses: ReturnType<typeof use>[]) => ({ landUses, propertyType: undefined });
const boulder = { latitude: 40.015, longitude: -105.27 };
const denver = { latitude: 39.739, longitude: -104.985 };
const texas = { state: 'TX', county: 'Travis County', city: 'Austin' };
const needsGovernment = { includeGovernmentDecisions: true };

const BY_HAND: Partial<Record<FilterName, Pair>> = {
  states: { send: 'CO', selects: {}, refuses: texas },
  counties: { send: 'Boulder County', selects: {}, refuses: texas },
  cities: { send: 'Austin, TX', selects: texas, refuses: { ...texas, city: 'Lakeway' } },
  bbox: { send: { north: 40.1, south: 39.9, east: -105.1, west: -105.4 }, selects: boulder, refuses: denver },
  circle: { send: { lat: 40, lng: -105.27, radiusMeters: 5000 }, selects: boulder, refuses: denver },
  polygon: {
    send: '[[-105.4,39.9],[-105.1,39.9],[-105.1,40.1],[-105.4,39.9]]',
    selects: { latitude: 39.95, longitude: -105.15 },
    refuses: { latitude: 40.05, longitude: -105.35 },
  },
  areas: {
    send: [{ name: 'Boulder', circle: { lat: 40, lng: -105.27, radiusMeters: 5000 } }, { bbox: { north: 1, south: 0, east: 1, west: 0 } }],
    selects: boulder,
    refuses: denver,
  },
  propertyTypes: { send: 'Commercial', selects: uses(use('commercial')), refuses: uses(use('residential')) },
  propertySubtypes: { send: 'Residential - Multifamily', selects: uses(use('multifamily')), refuses: uses(use('townhome')) },
  assetClasses: { send: 'billboard', selects: uses(use('billboard')), refuses: uses(use('on_premises_sign')) },
  excludePropertySubtypes: { send: 'signage', selects: uses(use('office')), refuses: uses(use('signage')) },
  excludeAssetClasses: { send: 'billboard', selects: uses(use('on_premises_sign')), refuses: uses(use('billboard')) },
  taxonomyMatchMode: {
    send: 'primary_only',
    also: { propertyTypes: 'commercial' },
    selects: uses(use('commercial')),
    refuses: uses(use('residential'), use('commercial', 'secondary')),
  },
  underRestriction: { send: true, selects: uses(use('data_center')), refuses: uses(use('signage')) },
  includeGovernmentDecisions: { send: false, selects: {}, refuses: uses(use('moratorium')) },
  governmentDecisionSubtypes: {
    send: 'comprehensive_planning',
    also: needsGovernment,
    selects: uses(use('comprehensive_planning')),
    refuses: uses(use('budget_finance')),
  },
  governmentDecisionAssetClasses: {
    send: 'moratorium',
    also: needsGovernment,
    selects: uses(use('moratorium')),
    refuses: uses(use('zoning_text_amendment')),
  },
  statusCombos: {
    send: 'City Council|Approved',
    selects: { decisionBody: 'city_council', status: 'approved' },
    refuses: { decisionBody: 'city_council', status: 'denied' },
  },
  caseNumbers: { send: 'rz2024 017', selects: { caseNumbers: ['RZ-2024.017'] }, refuses: { caseNumbers: ['RZ-2024-17'] } },
  parcelNumbers: { send: '012345', selects: { parcelNumbers: ['01-23 45'] }, refuses: { parcelNumbers: ['12345'] } },
  existingZonings: { send: 'r-3', selects: { existingZoning: 'R-3, O-2' }, refuses: { existingZoning: 'O-2, R-3' } },
  proposedZonings: { send: 'I-1 (cd)', selects: { proposedZoning: 'I-1(CD) and R-20' }, refuses: { proposedZoning: 'I-1' } },
  staffRecommendations: { send: 'none', selects: { staffRecommendation: 'See the report' }, refuses: { staffRecommendation: null } },
  voteResults: { send: 'Tie', selects: { voteTotals: { yes: 3, no: 3 } }, refuses: { voteTotals: { yes: 3 } } },
  voteAgainstMin: { send: 2, selects: { voteTotals: { no: 2 } }, refuses: { voteTotals: { no: 1 } } },
  voteAgainstMax: { send: 0, selects: { voteTotals: { no: 0 } }, refuses: { voteTotals: { yes: 4 } } },
  hearingCountMin: { send: 2, selects: { appearanceCount: 2 }, refuses: { appearanceCount: 1 } },
  hearingCountMax: { send: 1, selects: { appearanceCount: 1 }, refuses: {} },
  daysInProcessMin: { send: 31, selects: { firstMeetingDate: '2026-01-01' }, refuses: { appearanceCount: 1 } },
  daysInProcessMax: { send: 0, selects: { appearanceCount: 1 }, refuses: {} },
  firstMeetingDateFrom: { send: '2026-03', selects: { firstMeetingDate: '2026-03-01' }, refuses: { firstMeetingDate: '2026-02-28' } },
  firstMeetingDateTo: { send: '2026-03', selects: { firstMeetingDate: '2026-03-31' }, refuses: {} },
  nextMeetingDateFrom: { send: '2026-12', selects: { nextMeetingDate: '2026-12-01' }, refuses: { nextMeetingDate: '2026-11-30' } },
  nextMeetingDateTo: { send: '2026-12', selects: { nextMeetingDate: '2026-12-31' }, refuses: { nextMeetingDate: '2027-01-01' } },
  outcomes: {
    send: 'stalled',
    selects: { status: 'pending', meetingDate: '2026-05-24' },
    refuses: { status: 'pending', meetingDate: '2026-05-25' },
  },
  meetingDateFrom: { send: '2026-03', selects: { meetingDate: '2026-03-01' }, refuses: { meetingDate: '2026-02-28' } },
  meetingDateTo: { send: '2026-03', selects: { meetingDate: '2026-03-31' }, refuses: { meetingDate: '2026-04-01' } },
  lastUpdatedFrom: { send: ITS_CHANGE, selects: {}, refuses: {} },
  lastUpdatedTo: { send: ITS_CHANGE, selects: {}, refuses: {}, selectedFirst: true },
  dateRange: { send: 'last_6_months', selects: { meetingDate: '2026-05-20' }, refuses: { meetingDate: '2026-05-19' } },
  q: { send: 'data center', selects: { summary: 'A Data-Center campus' }, refuses: { summary: 'data and a center' } },
  projectName: { send: 'cedar fork', selects: { displayName: 'Cedar Fork II' }, refuses: { summary: 'Cedar Fork II' } },
  developerName: {
    send: 'fork homes',
    selects: { parties: [{ role: 'architect', name: 'Cedar Fork Homes, LLC' }] },
    refuses: { projectName: 'Fork Homes' },
  },
};

/** Pairs that follow from the row itself: bounds, tokens and flags over one attribute. */
function derived(name: FilterName): Pair | undefined {
  const { kind, reads: [attribute] = [] }: AnyFilter = FILTERS[name];
  const bound = boundOf(name);
  if (bound) {
    const [inside, outside] = bound.end === 'gte' ? [10, 9] : [10, 11];
    return { send: 10, selects: { [bound.measurement]: inside }, refuses: { [bound.measurement]: outside } };
  }
  if (!attribute) return undefined;
  const { type, enum: values, items } = kind.schema as { type: string; enum?: string[]; items?: { enum?: string[] } };
  if (type === 'boolean') return { send: true, selects: { [attribute]: true }, refuses: { [attribute]: false } };
  if (values?.includes('inside')) return { send: 'inside', selects: { [attribute]: true }, refuses: { [attribute]: false } };
  const [first, second] = items?.enum ?? [];
  return first && second ? { send: first, selects: { [attribute]: first }, refuses: { [attribute]: second } } : undefined;
}

const RESTRICTION = restrictionLine(1, { county: null, jurisdiction: 'Colorado', jurisdictionType: 'state' });

const pairOf = (name: FilterName): Pair | undefined => BY_HAND[name] ?? derived(name);

const idsOf = (name: FilterName) => {
  const first = 1 + 2 * FILTER_NAMES.indexOf(name);
  return { selected: first, refused: first + 1 };
};

const fixture = (id: number, { landUses, ...more }: Record<string, unknown>): Fixture =>
  Array.isArray(landUses) ? used(id, ...landUses) : project(id, more);

describe('every filter', () => {
  const paired = FILTER_NAMES.filter((name) => pairOf(name));
  const api = provide(() => testService({ today: TODAY }));
  const search = searcher(() => api);

  before(async () => {
    const early: Fixture[] = [];
    const late: Fixture[] = [];
    for (const name of paired) {
      const { selects, refuses, selectedFirst } = pairOf(name) as Pair;
      const { selected, refused } = idsOf(name);
      (selectedFirst ? early : late).push(fixture(selected, selects));
      (selectedFirst ? late : early).push(fixture(refused, refuses));
    }
    await api.index.load([...early, RESTRICTION], SOURCES);
    await api.index.load(late, { mode: 'increment' });
  });

  it('has a pair of fixtures here', () => {
    const without = FILTER_NAMES.filter((name) => !pairOf(name) && name !== 'projectIds');
    assert.deepEqual(without, [], 'add a pair to this file for each of them');
  });

  for (const name of paired)
    it(`${name} selects what it means and refuses what it does not`, async () => {
      const { send, also } = pairOf(name) as Pair;
      const { selected, refused } = idsOf(name);
      const both = { projectIds: [selected, refused].join(',') };
      const unfiltered = await search({ ...both, includeGovernmentDecisions: true });
      assert.deepEqual(ascending(unfiltered.ids), [selected, refused], 'both are there without the filter');
      const its = unfiltered.records.find((record) => record.id === selected)?.lastUpdated;
      const value = send === ITS_CHANGE ? its : name === 'cities' ? JSON.stringify([send]) : send;
      const page = await search({ ...both, ...also, [name]: value });
      assert.deepEqual(page.ids, [selected]);
      assert.ok(name in page.meta.appliedFilters);
    });

  it('projectIds selects those ids and refuses others, also when they are merged into another record', async () => {
    const { selected, refused } = idsOf('status');
    assert.deepEqual((await search({ projectIds: [selected, 999_999_999] })).ids, [selected]);
    await api.index.load([project(selected, { mergedFrom: [refused, 888_001] })], { mode: 'increment' });
    assert.deepEqual((await search({ ids: String(refused) })).ids, [selected]);
    assert.deepEqual((await search({ ids: '888001' })).ids, [selected]);
    assert.deepEqual((await search({ ids: `${selected},${refused}` })).ids, [selected]);
    const late = await search({ ids: refused, meetingDateFrom: '2027' });
    assert.deepEqual(late.ids, [], 'ANDed with other filters');
  });
});
