import assert from 'node:assert/strict';
import { type AskedPlace, combineBindings, findBinding, findEnded } from '../../src/core/domain/restriction/check.ts';
import type { StoredRestriction } from '../../src/core/domain/restriction/schemas.ts';
import { computeStatus } from '../../src/core/domain/restriction/status.ts';
import { Random } from '../support/random.ts';

const DATA_CENTER = { type: 'industrial', subtype: 'data_center', assetClass: null };
const BOULDER = { stateId: 8, countyId: 8013, cityId: null, isArea: false };

const makeRestriction = (more: Partial<StoredRestriction> = {}): StoredRestriction => ({
  id: 1,
  kind: 'moratorium',
  title: 'Moratorium on data centers, Boulder County, CO',
  place: {
    stateId: 8,
    state: 'CO',
    countyId: 8013,
    county: 'Boulder County',
    cityId: null,
    city: null,
    jurisdiction: 'Boulder County',
    jurisdictionType: 'county',
  },
  uses: [DATA_CENTER],
  usesText: 'data centers',
  adoptedOn: '2026-01-10',
  adoptedOnPrecision: 'day',
  effectiveFrom: null,
  effectiveTo: '2026-07-10',
  endBasis: 'computed',
  endEvent: null,
  extensions: [],
  exempts: null,
  threshold: null,
  authority: null,
  sourceDocumentUrl: null,
  documentId: null,
  evidence: [],
  lastUpdated: '2026-02-01T00:00:00.000Z',
  statedStatus: 'in_force',
  statedOn: '2026-04-30',
  point: null,
  ...more,
});

const ask = (more: Partial<StoredRestriction>, on: string, place: Partial<AskedPlace> = {}, uses = [DATA_CENTER]) =>
  findBinding(makeRestriction(more), { place: { ...BOULDER, ...place }, uses, on });

describe('the status of a restriction on a day', () => {
  const cases: [string, Partial<StoredRestriction>, string, string][] = [
    ['is proposed before it begins', {}, '2026-01-09', 'proposed'],
    ['is in force from its first day', {}, '2026-01-10', 'in_force'],
    ['is in force to its last day', {}, '2026-07-10', 'in_force'],
    ['is expired from the day after', {}, '2026-07-11', 'expired'],
    ['is extended from the day of the extension', { extensions: [{ on: '2026-06-30', to: '2027-01-10' }] }, '2026-12-31', 'extended'],
    ['is in force before it was extended', { extensions: [{ on: '2026-06-30', to: '2027-01-10' }] }, '2026-06-29', 'in_force'],
    ['is expired where the extension came later', { extensions: [{ on: '2026-08-30', to: '2027-01-10' }] }, '2026-08-01', 'expired'],
    ['never begins while it is proposed', { statedStatus: 'proposed' }, '2026-03-01', 'proposed'],
    ['is rejected whatever its dates say', { statedStatus: 'rejected' }, '2026-03-01', 'rejected'],
    [
      'is replaced from the day on which its source says so',
      { statedStatus: 'replaced', effectiveTo: '2027-01-10' },
      '2026-05-01',
      'replaced',
    ],
    ['is that of its dates before its source says that it was replaced', { statedStatus: 'replaced' }, '2026-02-01', 'in_force'],
    ['counts the effective day, not the adoption', { effectiveFrom: '2026-02-01' }, '2026-01-20', 'proposed'],
    [
      'begins with the first day of the month that is known',
      { adoptedOn: '2026-01-01', adoptedOnPrecision: 'month' },
      '2026-01-05',
      'in_force',
    ],
  ];
  for (const [title, more, day, expected] of cases) it(`${title}`, () => assert.equal(computeStatus(makeRestriction(more), day), expected));
});

describe('whether a restriction binds', () => {
  const inCity = { jurisdictionType: 'city', jurisdiction: 'Erie', cityId: 5, city: 'Erie' } as const;
  const cityRestriction = { place: { ...makeRestriction().place, ...inCity } };
  const cases: [string, ReturnType<typeof ask>, string, RegExp?][] = [
    ['is yes in its county, for its use, within its dates', ask({}, '2026-03-01'), 'yes'],
    ['is no after its end', ask({}, '2026-08-01'), 'no'],
    ['is no in another county', ask({}, '2026-03-01', { countyId: 8014 }), 'no'],
    ['is no in another state', ask({}, '2026-03-01', { stateId: 6, countyId: null }), 'no'],
    ['is no for another use', ask({}, '2026-03-01', {}, [{ type: 'residential', subtype: null as never, assetClass: null }]), 'no'],
    ['is yes for a class below its use', ask({}, '2026-03-01', {}, [{ ...DATA_CENTER, assetClass: 'edge_data_center' as never }]), 'yes'],
    ['is unclear for a broader use', ask({}, '2026-03-01', {}, [{ ...DATA_CENTER, subtype: null as never }]), 'unclear', /part of the use/],
    ['is unclear inside a city of the county', ask({}, '2026-03-01', { cityId: 5 }), 'unclear', /need not bind inside a city/],
    [
      'is unclear for each county that its city reaches into',
      ask({ ...cityRestriction, furtherCountyIds: [8014] }, '2026-03-01', { countyId: 8014, isArea: true }),
      'unclear',
      /only a part/,
    ],
    [
      'is unclear at a point of each such county',
      ask({ ...cityRestriction, furtherCountyIds: [8014] }, '2026-03-01', { countyId: 8014, mayBeInCity: true }),
      'unclear',
      /boundary of Erie/,
    ],
    [
      'is unclear for a city that reaches into the county',
      ask({}, '2026-03-01', { cityId: 5, countyId: 8014, furtherCountyIds: [8013], isArea: true }),
      'unclear',
      /need not bind inside a city/,
    ],
    ['is yes in its city', ask(cityRestriction, '2026-03-01', { cityId: 5 }), 'yes'],
    ['is no in another city', ask(cityRestriction, '2026-03-01', { cityId: 6 }), 'no'],
    ['is unclear where the city is not known', ask(cityRestriction, '2026-03-01'), 'unclear', /boundary of Erie/],
    ['is unclear for a county of which it binds a part', ask(cityRestriction, '2026-03-01', { isArea: true }), 'unclear', /only a part/],
    ['is unclear where an event may have ended it', ask({ endEvent: 'until rules are adopted' }, '2026-05-01'), 'unclear', /an event/],
    ['is unclear where it exempts something', ask({ exempts: 'Filed applications are exempt.' }, '2026-03-01'), 'unclear', /exempts/],
    ['is unclear where it applies from a size', ask({ threshold: 'above 20 MW' }, '2026-03-01'), 'unclear', /from a size/],
    ['is unclear without a known end', ask({ effectiveTo: null, endBasis: 'unknown' }, '2026-05-01'), 'unclear', /end is not known/],
    ['is yes without a known end while its source says so', ask({ effectiveTo: null, endBasis: 'unknown' }, '2026-03-01'), 'yes'],
    [
      'is unclear in its end alone where its source says that it has begun',
      ask({ adoptedOn: null, effectiveTo: null }, '2026-05-01'),
      'unclear',
      /^its end is not known$/,
    ],
    ['is yes before it expired by its own term', ask({ statedStatus: 'expired', effectiveTo: '2026-04-01' }, '2026-03-01'), 'yes'],
    [
      'is unclear before it expired on an unknown day',
      ask({ statedStatus: 'expired', effectiveTo: null }, '2026-03-01'),
      'unclear',
      /^it has expired since/,
    ],
    [
      'is yes before the day on which it was replaced, where that is stated',
      ask({ statedStatus: 'replaced', effectiveTo: '2026-04-01', endBasis: 'stated' }, '2026-03-01'),
      'yes',
    ],
    ['is yes where it has no end', ask({ effectiveTo: null, endBasis: 'none' }, '2026-03-01'), 'yes'],
    [
      'is unclear in the month of which the day is not known',
      ask({ adoptedOn: '2026-03-01', adoptedOnPrecision: 'month' }, '2026-03-15'),
      'unclear',
      /between 2026-03-01 and 2026-03-31/,
    ],
    [
      'is unclear in a year of which the day is not known, until its source says that it is in force',
      ask({ adoptedOn: '2026-01-01', adoptedOnPrecision: 'year' }, '2026-04-29'),
      'unclear',
      /between 2026-01-01 and 2026-04-30/,
    ],
    ['is yes from the day on which its source says so', ask({ adoptedOn: '2026-01-01', adoptedOnPrecision: 'year' }, '2026-05-01'), 'yes'],
    ['is no before the year in which it began', ask({ adoptedOn: '2026-01-01', adoptedOnPrecision: 'year' }, '2025-12-31'), 'no'],
    ['is unclear without a beginning', ask({ adoptedOn: null }, '2026-03-01'), 'unclear', /began/],
    [
      'is unclear before the day on which it is said to be replaced',
      ask({ statedStatus: 'replaced' }, '2026-03-01'),
      'unclear',
      /replaced since/,
    ],
    ['is no once it is said to be replaced', ask({ statedStatus: 'replaced' }, '2026-05-01'), 'no'],
  ];
  for (const [title, { binds, reason }, expected, words] of cases)
    it(title, () => {
      assert.equal(binds, expected);
      if (words) assert.match(reason ?? '', words);
      else assert.equal(reason, null);
    });

  it('is answered by the surest of several restrictions', () => {
    assert.deepEqual(
      [combineBindings(['no', 'unclear', 'yes']), combineBindings(['no', 'unclear']), combineBindings([])],
      ['yes', 'unclear', 'no'],
    );
  });

  it('is told of for a year after its end, for its place and its use', () => {
    const ended = (on: string, more: Partial<StoredRestriction> = {}, place: Partial<AskedPlace> = {}) =>
      findEnded([makeRestriction(more)], { place: { ...BOULDER, ...place }, uses: [DATA_CENTER], on }).length;
    assert.deepEqual(
      ['2026-07-10', '2026-07-11', '2027-07-10', '2027-07-11'].map((on) => ended(on)),
      [0, 1, 1, 0],
    );
    assert.equal(ended('2026-08-01', {}, { countyId: 8014 }), 0);
    assert.equal(ended('2026-08-01', { uses: [{ type: 'residential', subtype: null, assetClass: null }] }), 0);
    assert.equal(ended('2026-08-01', { statedStatus: 'rejected' }), 0);
    assert.equal(ended('2026-08-01', { extensions: [{ on: '2026-07-01', to: '2026-12-01' }] }), 0, 'extended');
  });

  it('is yes only on days between its beginning and its end, for random dates', () => {
    const random = new Random(58);
    const day = () => `2026-${String(random.integer(1, 12)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`;
    for (let i = 0; i < 500; i++) {
      const [begin, end, on] = [day(), day(), day()];
      const expected = on >= begin && on <= end ? 'yes' : 'no';
      assert.equal(ask({ adoptedOn: begin, effectiveTo: end }, on).binds, expected, `${begin} ${end} ${on}`);
    }
  });
});
