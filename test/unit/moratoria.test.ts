/** The adapter of the inventory of moratoria, with made-up rows in its form. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'csv-stringify/sync';
import { moratoria } from '../../ingest/sources/adapters/moratoria.ts';
import type { SourceItem, SourceRestriction } from '../../ingest/sources/types.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { newFolder } from '../support/folder.ts';

const ROW = {
  state_abbrev: 'MI',
  jurisdiction: 'Oak Township',
  jurisdiction_type: 'Township',
  date_enacted: '2026-02-03',
  duration: '180 days',
  legal_basis: 'Ordinance No. 2026-001',
  trigger: 'A proposal',
  current_status: 'Active as of 2026-04-29',
  affected_projects: 'None.',
  outcome: 'Pending',
  enacted_status: 'active',
  moratorium_id: 'mi-oak',
  latitude: '42.2',
  longitude: '-83.7',
  date_enacted_iso: '2026-02-03',
  duration_days: '180',
  duration_kind: 'fixed_days',
  sectors: '["data_center"]',
};

describe('the inventory of moratoria', () => {
  const folder = newFolder('moratoria');
  let number = 0;

  const read = async (...rows: Partial<typeof ROW>[]): Promise<SourceItem[]> => {
    const place = path.join(folder, String(number++));
    mkdirSync(place);
    const text = stringify(
      rows.map((row) => ({ ...ROW, ...row })),
      { header: true },
    );
    writeFileSync(path.join(place, 'moratorium_inventory.csv.gz'), gzipSync(text));
    const items: SourceItem[] = [];
    for await (const item of moratoria.read({ folder: place, places: loadPlaces() })) items.push(item);
    return items;
  };
  const readOne = async (row: Partial<typeof ROW> = {}) => {
    const items = await read(row);
    return (items.find(({ kind }) => kind === 'restriction') as SourceRestriction).restriction;
  };

  it('gives a restriction with its dates, and a document that says whose words it holds', async () => {
    const items = await read({});
    const [document, found] = items;
    assert(document?.kind === 'document' && found?.kind === 'restriction');
    assert.match(document.document.text ?? '', /these are its words, not those of the instrument/);
    const { restriction } = found;
    assert.equal(restriction.evidenceFrom, 'inventory');
    const { adoptedOn, adoptedOnPrecision, effectiveTo, endBasis, status, city, uses } = restriction;
    assert.deepEqual(
      [adoptedOn, adoptedOnPrecision, effectiveTo, endBasis, status],
      ['2026-02-03', 'day', '2026-08-02', 'computed', 'in_force'],
    );
    assert.deepEqual([city, uses], ['Oak Township', [{ type: 'industrial', subtype: 'data_center', assetClass: null }]]);
    for (const { quote } of restriction.evidence ?? []) assert(document.document.text?.includes(quote), quote);
  });

  const cases: [string, Partial<typeof ROW>, Record<string, unknown>][] = [
    [
      'takes no date from what nobody has confirmed',
      { date_enacted: '2026-02-03 [VERIFY]' },
      { adoptedOn: undefined, effectiveTo: null, endBasis: 'unknown' },
    ],
    [
      'computes no end from a length that nobody has confirmed',
      { duration: '180 days [VERIFY: reported]' },
      { effectiveTo: null, endBasis: 'unknown' },
    ],
    [
      'began in the year in which it is filed, where nobody has confirmed the day',
      { date_enacted: '2026-02-03 [VERIFY]', moratorium_id: 'mi-oak-2026' },
      { adoptedOn: '2026-01-01', adoptedOnPrecision: 'year', effectiveTo: null },
    ],
    [
      'is filed in no year of its own where it was replaced before it',
      {
        date_enacted: 'Not retrievable. Replacement prohibition adopted 2024-01-08.',
        date_enacted_iso: '',
        duration: 'Expired by replacement ordinance',
        enacted_status: 'replaced',
        moratorium_id: 'mi-oak-2026',
      },
      { adoptedOn: undefined, effectiveTo: '2024-01-08', endBasis: 'stated', status: 'replaced' },
    ],
    [
      'was adopted in no year while it is proposed',
      { date_enacted: 'Not enacted; hearing on 2026-05-01', date_enacted_iso: '', moratorium_id: 'mi-oak-2026' },
      { adoptedOn: undefined, status: 'proposed' },
    ],
    [
      'ends on a day that is written out, and completed in brackets',
      { duration: '90 days, "running through July 2[, 2026]"; 90 days would end before', duration_days: '90' },
      { effectiveTo: '2026-07-02', endBasis: 'stated' },
    ],
    [
      'ends on the day through which it is said to be active, where nobody has confirmed its length',
      { duration: '12 months [VERIFY]', current_status: 'Active through 2026-12-01 based on reporting' },
      { effectiveTo: '2026-12-01', endBasis: 'stated' },
    ],
    [
      'ends no earlier because it may be extended',
      { duration: 'Two years; proposed expiration 2027-11-03 unless extended', duration_days: '730' },
      { effectiveTo: '2027-11-03', endBasis: 'stated', endEvent: null },
    ],
    [
      'restricts what its title names, where the inventory tells no uses apart',
      { sectors: '["general"]', legal_basis: 'Resolution 4, Zoning Moratorium on Data Centers' },
      { uses: [{ type: 'industrial', subtype: 'data_center', assetClass: null }], usesText: 'data centers' },
    ],
    [
      'keeps a month as a month',
      { date_enacted: 'February 2026', date_enacted_iso: '2026-02' },
      { adoptedOn: '2026-02-01', adoptedOnPrecision: 'month', effectiveTo: null },
    ],
    [
      'computes months and years by the calendar',
      { duration: '9 months, unless repealed', duration_days: '270', date_enacted: '2025-05-31', date_enacted_iso: '2025-05-31' },
      { effectiveTo: '2026-02-28', endBasis: 'computed' },
    ],
    [
      'begins on the effective day of its length',
      { duration: '1 year from 2026-03-04 effective date', duration_days: '365' },
      { effectiveFrom: '2026-03-04', effectiveTo: '2027-03-04' },
    ],
    [
      'is extended by a vote that its length tells of',
      { duration: '90 days; on 2026-03-04 the board voted to extend it to 2026-06-11', duration_days: '90' },
      { extensions: [{ on: '2026-03-04', to: '2026-06-11' }] },
    ],
    ['keeps the name of a charter township', { jurisdiction: 'Big Rapids Charter Township' }, { city: 'Big Rapids Charter Township' }],
    [
      'does not begin before it was enacted, on the effective day of another instrument',
      {
        date_enacted: '2026-02-03; a related prohibition effective 2022-08-04',
        duration: 'Indefinite',
        duration_days: '',
        duration_kind: 'indefinite',
      },
      { adoptedOn: '2026-02-03', effectiveFrom: null, effectiveTo: null },
    ],
    [
      'begins on the effective day',
      { current_status: 'Active; effective 2026-02-11' },
      { effectiveFrom: '2026-02-11', effectiveTo: '2026-08-10' },
    ],
    [
      'ends by an event',
      { duration: 'Until regulations are adopted', duration_days: '', duration_kind: 'until_event' },
      { endBasis: 'event', endEvent: 'Until regulations are adopted' },
    ],
    [
      'has an end and an event',
      { duration: '18 months or until regulations are adopted, whichever comes first', duration_days: '540' },
      { endBasis: 'computed', endEvent: '18 months or until regulations are adopted, whichever comes first' },
    ],
    ['ends on a stated day', { duration: '6 months, through 2026-08-03' }, { effectiveTo: '2026-08-03', endBasis: 'stated' }],
    [
      'is rejected where the text says so, whatever the column says',
      { current_status: 'Rejected by the council on 2026-03-01' },
      { status: 'rejected' },
    ],
    [
      'is proposed where it was not enacted',
      { date_enacted: 'Not enacted; hearing on 2026-05-01', date_enacted_iso: '' },
      { status: 'proposed' },
    ],
    [
      'exempts what its words exempt',
      { affected_projects: 'Applies to new sites. Permits filed before are exempt.' },
      { exempts: 'Permits filed before are exempt.' },
    ],
    [
      'applies from a size',
      { affected_projects: 'Applies to data centers above 20 MW.' },
      { threshold: 'Applies to data centers above 20 MW.' },
    ],
    [
      'applies from a size that is written behind',
      { affected_projects: 'Hyperscale data centers of 5,000 square feet or larger' },
      { threshold: 'Hyperscale data centers of 5,000 square feet or larger' },
    ],
    [
      'exempts something where it is no full ban',
      { current_status: 'Active restriction, not a full ban' },
      { exempts: 'Active restriction, not a full ban' },
    ],
    [
      'exempts what stands behind an abbreviation, too',
      { affected_projects: 'It exempts what N.C.G.S. 160D-107 names. No site is known.' },
      { exempts: 'It exempts what N.C.G.S. 160D-107 names.' },
    ],
    [
      'is in force where an agenda calls what was enacted proposed',
      { date_enacted: '2026-02-03 (agenda item "Proposed Moratorium on Data Centers")' },
      { status: 'in_force' },
    ],
    [
      'is rejected where it was withdrawn before it was enacted',
      { date_enacted: 'Not enacted; withdrawn', date_enacted_iso: '', enacted_status: 'rescinded' },
      { status: 'rejected' },
    ],
    [
      'ends on the day on which another took its place, and does not begin then',
      { duration: '180 days; replaced by Resolution 5 (effective 2026-03-17) before the full term', enacted_status: 'replaced' },
      { effectiveFrom: null, effectiveTo: '2026-03-17', endBasis: 'stated', status: 'replaced' },
    ],
    [
      'goes on where a permanent ban took its place',
      { current_status: 'Replaced by permanent data center ban approved 2026-04-20', enacted_status: 'replaced' },
      { status: 'extended', extensions: [{ on: '2026-04-20', to: null }] },
    ],
    [
      'goes on after its extension where a ban was codified meanwhile',
      {
        date_enacted: '2026-02-03; extended 2026-03-04',
        duration: 'Initial 45 days; expires 2027-01-21 unless changed',
        duration_days: '45',
        current_status: 'Active; an ordinance prohibits it [VERIFY ballot]',
        outcome: 'Moratorium extended; permanent citywide prohibition codified by ordinance on 2026-04-20',
        enacted_status: 'replaced',
      },
      {
        effectiveTo: '2026-03-20',
        extensions: [
          { on: '2026-03-04', to: '2027-01-21' },
          { on: '2026-04-20', to: null },
        ],
      },
    ],
    [
      'may end early where its clock stops',
      { duration: 'Up to 12 months; clock stops early if the review is complete', duration_days: '365' },
      { endBasis: 'computed', endEvent: 'Up to 12 months; clock stops early if the review is complete' },
    ],
    [
      'is extended to the end of a year',
      { date_enacted: '2026-02-03 initial; extended 2026-04-01', duration: 'Through end of 2026', duration_kind: 'until_date' },
      { extensions: [{ on: '2026-04-01', to: '2026-12-31' }] },
    ],
    [
      'ends with a year',
      { duration: 'Through end of 2026', duration_kind: 'until_date' },
      { effectiveTo: '2026-12-31', endBasis: 'stated' },
    ],
    [
      'ends on the stated day, not by the calendar',
      { duration: '12 months, ending 2027-02-27', duration_days: '365' },
      { effectiveTo: '2027-02-27', endBasis: 'stated' },
    ],
    [
      'takes a parish as a county',
      { jurisdiction_type: 'Parish', jurisdiction: 'Oak Parish' },
      { jurisdictionType: 'county', county: 'Oak Parish' },
    ],
    [
      'reads the county behind the name',
      { jurisdiction_type: 'Town', jurisdiction: 'Town of Oak (Elm County) - proposed' },
      { jurisdiction: 'Town of Oak', city: 'Oak', county: 'Elm County' },
    ],
    [
      'takes mining of cryptocurrency for data centers, and exempts those that mine none',
      { sectors: '["cryptocurrency_mining"]' },
      {
        uses: [{ type: 'industrial', subtype: 'data_center', assetClass: null }],
        usesText: 'cryptocurrency mining',
        exempts: 'Data centers that mine no cryptocurrency',
      },
    ],
  ];
  for (const [title, row, expected] of cases)
    it(title, async () => {
      const restriction = (await readOne(row)) as unknown as Record<string, unknown>;
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, restriction[name]])), expected);
    });

  it('quotes nothing that nobody has confirmed', async () => {
    const { evidence } = await readOne({ legal_basis: 'Resolution 4 [VERIFY: number]', current_status: 'Active [CITE: clerk]' });
    assert.deepEqual(
      evidence?.map(({ field }) => field),
      ['adoptedOn', 'effectiveTo'],
    );
  });

  it('rejects a row about many places', async () => {
    const [item] = await read({ jurisdiction_type: 'Aggregate meta-row' });
    assert(item?.kind === 'reject');
    assert.equal(item.reason, 'many_places');
  });
});
