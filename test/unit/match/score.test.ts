/** How rows and records are compared. */
import assert from 'node:assert/strict';
import { readStreetAddresses } from '../../../src/core/domain/streetAddress.ts';
import { isDigitSwap, listDigitSwaps } from '../../../src/features/match/digitSwaps.ts';
import { scoreCandidates } from '../../../src/features/match/score.ts';
import type { Comparable, NamedRow } from '../../../src/features/match/types.ts';

const [COLORADO, BOULDER, OTHER_COUNTY, CITY, OTHER_CITY] = [8, 8013, 8001, 1, 2];

type Texts = { address?: string };

const row = ({ address, ...more }: Partial<NamedRow> & Texts = {}): NamedRow => ({
  parcelNumber: undefined,
  caseNumber: undefined,
  addresses: address ? readStreetAddresses(address) : [],
  zipCodes: [],
  point: undefined,
  places: { stateIds: [COLORADO], countyIds: [BOULDER], cityIds: [CITY] },
  ...more,
});

let ids = 0;
const record = ({ address, ...more }: Partial<Comparable> & Texts = {}): Comparable => {
  ids += 1;
  return {
    id: ids,
    memberIds: [ids],
    parcelNumbers: [],
    caseNumbers: [],
    addresses: address ? readStreetAddresses(address) : [],
    zipCodes: [],
    point: undefined,
    stateId: COLORADO,
    countyId: BOULDER,
    cityId: CITY,
    meetingDate: '2026-01-01',
    ...more,
  };
};

const scoreOf = (sent: NamedRow, stated: Comparable) => scoreCandidates(sent, [stated])[0]?.score ?? 0;
const NAMED = 0.8;

describe('scores of matched rows', () => {
  it('name a record by parcel, case, address or point, and say by which', () => {
    const point = { latitude: 40, longitude: -105 };
    const rows: [Partial<NamedRow> & Texts, Partial<Comparable> & Texts, string][] = [
      [{ parcelNumber: '146330201001' }, { parcelNumbers: ['146330201001'] }, 'parcel_number'],
      [{ caseNumber: 'RZ2026017' }, { caseNumbers: ['RZ2026017'] }, 'case_number'],
      [{ address: '12 Elm St' }, { address: '12 Elm Street' }, 'address'],
      [{ point }, { point: { latitude: 40.00005, longitude: -105 } }, 'point'],
    ];
    for (const [sent, stated, reason] of rows) {
      const [found] = scoreCandidates(row(sent), [record(stated)]);
      assert(found && found.score > 0.95, `${reason} ${found?.score}`);
      assert.deepEqual(found.reasons, [reason]);
    }
  });

  it('forgive a missing suffix, a wrong letter and swapped digits of a house, at a price', () => {
    const stated = record({ address: '1240 Magnolia Ave' });
    const whole = scoreOf(row({ address: '1240 Magnolia Ave' }), stated);
    for (const typed of ['1240 Magnolia', '1240 Magnoila Ave', '1240 Magnola Avenue', '1420 Magnolia Ave']) {
      const score = scoreOf(row({ address: typed }), stated);
      assert(score >= NAMED && score < whole, `${typed} ${score}`);
    }
  });

  it('tell streets apart by kind, direction, number and city', () => {
    const sent = row({ address: '100 N Main St' });
    for (const address of ['100 N Main Ave', '100 S Main St', '104 N Main St', '100 N Maine Ct'])
      assert(scoreOf(sent, record({ address })) < NAMED, address);
    assert(scoreOf(sent, record({ address: '100 N Main St', cityId: OTHER_CITY })) < NAMED);
    assert(
      scoreOf(row({ parcelNumber: '12345678' }), record({ parcelNumbers: ['12345678'], countyId: OTHER_COUNTY, cityId: OTHER_CITY })) <
        NAMED,
    );
  });

  it('are sure of no other part of a building, road of its number, or street without a number', () => {
    const pairs: [string, string][] = [
      ['12 Elm St', '12 1/2 Elm St'],
      ['12 Elm St', '12A Elm St'],
      ['12A Washington St', '12B Washington St'],
      ['22 A Washington St', '22 Washington St'],
      ['0246 Elm St', '246 Elm St'],
      ['123 S 400 E', '123 S 400 W'],
      ['1200 N West St', '1200 NW St'],
      ['7200 US Hwy 19 N', '7200 US Hwy 19 S'],
      ['7200 State Road 7', '7200 County Road 7'],
      ['W3456 County Road M', 'W3456 County Road K'],
      ['85-485 Elm Rd', '85-080 Elm Rd'],
      ['85 Elm Rd', '85-080 Elm Rd'],
      ['12 Avenue A', '12 Avenue B'],
      ['Elm Street', 'Elm Street'],
      ['State Road 7', 'State Road 7'],
    ];
    for (const [sent, stated] of pairs) {
      const score = scoreOf(row({ address: sent }), record({ address: stated }));
      assert(score < NAMED, `${sent}, ${stated}: ${score}`);
    }
  });

  it('are certain of a road by its kind and number, and of no other one', () => {
    const spellings = [
      ['7200 US Hwy 19 N', '7200 U.S. 19 North', '7200 US-19 N', '7200 U S Route 19 N', '7200 N US 19', '7200 US 19 Hwy N'],
      ['12 State Road 44', '12 SR-44', '12 S.R. 44', '12 SR44', '12 FL-44', '12 STH 44', '12 State Hwy 44'],
      ['12 County Road 54', '12 CR54', '12 C.R. 54', '12 Cnty Rd 54', '12 Co Hwy 54'],
      ['12 FM 1960', '12 FM1960 Rd', '12 Farm to Market Road 1960', '12 F.M. 1960', '12 Farm-to-Market 1960'],
      ['12 RM 620', '12 Ranch Road 620', '12 RR 620', '12 Ranch to Market Rd 620'],
      ['12 Interstate 35', '12 IH-35', '12 I-35', '12 IH35'],
      ['12 NC Hwy 54', '12 NC 54', '12 NC 54 Hwy', '12 N.C. Highway 54'],
      ['12 NC Hwy 86'],
      ['12 County Road MM', '12 CTH MM', '12 County Hwy MM', '12 Cty Rd MM'],
      ['12 County Road M', '12 County M'],
      ['12 Old Highway 99'],
      ['12 Highway 99', '12 99 Hwy'],
      ['12 US Hwy 19 Alt', '12 US Alt 19'],
      ['12 State Road A1A', '12 A1A', '12 SR A1A'],
      ['12 Elm St Extension', '12 Elm St Ext'],
      ['12 Elm St', '12 Elm St, Units A & B', '12 Elm St Suites 100 and 200'],
    ];
    for (const [at, [sent = '', ...same]] of spellings.entries()) {
      for (const text of same) assert(scoreOf(row({ address: sent }), record({ address: text })) >= 0.95, `${sent}, ${text}`);
      for (const [other = ''] of spellings.toSpliced(at, 1))
        assert(scoreOf(row({ address: sent }), record({ address: other })) < NAMED, `${sent}, ${other}`);
    }
  });

  it('are certain of an address in its ZIP code, and sure of it where a city is named that the post office serves', () => {
    const stated = record({ address: '12 Elm St', zipCodes: ['80302'], cityId: OTHER_CITY });
    const sent = { address: '12 Elm Street', zipCodes: ['80302'] };
    const nowhere = { stateIds: [], countyIds: [], cityIds: [] };
    assert(scoreOf(row({ ...sent, places: nowhere }), stated) >= 0.95);
    assert(scoreOf(row({ ...sent, places: nowhere, zipCodes: [] }), stated) < NAMED);
    assert(scoreOf(row(sent), stated) >= NAMED);
    const inCity = scoreOf(row({ ...sent, zipCodes: ['80301'] }), { ...stated, cityId: CITY });
    assert(inCity >= NAMED && inCity < 0.95, 'of two streets with one name, the ZIP code tells which');
  });

  it('are certain of an address with a mistyped suffix, but not of another suffix', () => {
    const stated = (suffix: string) => record({ address: `12 Elm ${suffix}` });
    const mistyped = {
      St: 'Stret Steet Streeet Sreet Streer Strete',
      Ave: 'Avenu Avneue Aveneu Avanue Avenuee Aevnue',
      Blvd: 'Bolevard Boulevrad Boulavard Boulvard Bulevard Bvld',
      Rd: 'Raod Roadd Roaad Rooad',
      Dr: 'Dirve Drvie Drve Driive',
      Ln: 'Laen Lnae Lanne',
      Ct: 'Cuort Coutr Courtt Cout',
      Way: 'Wya Wayy',
      Pkwy: 'Parkwya Prakway Pakway',
      Ter: 'Terace Terrase Terrrace',
      Cir: 'Cirlce Cricle Circel',
      Hwy: 'Higway Hihgway',
      Gdns: 'Gardnes Gardenss',
      Hts: 'Hieghts Heigths',
      Ridge: 'Rigde Rdige',
    };
    for (const [suffix, texts] of Object.entries(mistyped))
      for (const text of texts.split(' ')) {
        const sent = row({ address: `12 Elm ${text}` });
        assert(scoreOf(sent, stated(suffix)) >= 0.95, `${text} for ${suffix}`);
        assert(scoreOf(sent, stated(suffix === 'Ct' ? 'Sq' : 'Ct')) < NAMED, text);
      }
  });

  it('take a case number with swapped digits only with something else', () => {
    const stated = record({ caseNumbers: ['RZ2026017'], address: '12 Elm St' });
    assert(scoreOf(row({ caseNumber: 'RZ2026071' }), stated) < NAMED);
    assert(scoreOf(row({ caseNumber: 'RZ2026071', address: '12 Elm' }), stated) >= NAMED);
  });

  it('give way to what the rest of the row says', () => {
    const meant = record({ caseNumbers: ['101060682'], address: '1300 S Linn White Dr' });
    const other = record({ caseNumbers: ['101060628'], address: '6035 N Austin Ave' });
    const found = scoreCandidates(row({ caseNumber: '101060628', address: '1300 Linn White Drive' }), [other, meant]);
    assert.equal(found[0]?.record.id, meant.id);
    assert((found[0]?.score ?? 0) >= NAMED && (found[1]?.score ?? 1) < NAMED, JSON.stringify(found.map(({ score }) => score)));
  });

  it('name neither of two that are equally likely, and all of one site', () => {
    const anywhere = row({ address: '100 Main St', places: { stateIds: [COLORADO], countyIds: [], cityIds: [] } });
    const two = [record({ address: '100 Main St' }), record({ address: '100 Main St', cityId: OTHER_CITY, countyId: OTHER_COUNTY })];
    assert(scoreCandidates(anywhere, two).every(({ score }) => score < NAMED));
    const [older, newer] = [record({ address: '12 Elm St' }), record({ address: '12 Elm', meetingDate: '2026-05-01' })];
    const site = scoreCandidates(row({ address: '12 Elm' }), [older, newer]);
    assert(site.every(({ score }) => score >= NAMED));
    const same = [record({ address: '12 Elm St' }), record({ address: '12 Elm St', meetingDate: '2026-05-01' })];
    assert.deepEqual(
      scoreCandidates(row({ address: '12 Elm St' }), same).map((one) => one.record.meetingDate),
      ['2026-05-01', '2026-01-01'],
    );
  });

  it('lose with the distance of a point', () => {
    const at = (latitude: number) =>
      scoreOf(row({ point: { latitude: 40, longitude: -105 } }), record({ point: { latitude, longitude: -105 } }));
    assert(at(40.0001) > at(40.0002) && at(40.0002) > at(40.0004));
    assert.equal(at(40.0004), 0);
  });

  it('take milliseconds where a thousand records of one site have many numbers or addresses', () => {
    const own = (count: number, i: number) => Array.from({ length: count }, (_, at) => `${i}-${at}`);
    const sent = { parcelNumber: 'SHARED', address: '12 Elm Business & 14 Oak Park & 16 Pine Park' };
    const sites: [string, (i: number) => Partial<Comparable> & Texts][] = [
      ['parcels', (i) => ({ parcelNumbers: [...own(100, i), 'SHARED'] })],
      ['addresses', (i) => ({ address: `${i * 8 + 100} Oak Park & ${i * 8 + 9_000} Pine Park & 12 Elm Business` })],
    ];
    for (const [what, stated] of sites) {
      const found = Array.from({ length: 1_000 }, (_, i) => record(stated(i)));
      const before = process.threadCpuUsage();
      assert.equal(scoreCandidates(row(sent), found).length, 1_000);
      const spent = process.threadCpuUsage(before).user / 1_000;
      assert(spent < 250, `${what}: ${spent} ms`);
    }
  });
});

describe('swapped digits', () => {
  it('are every swap of two neighbours that differ, and are known again', () => {
    assert.deepEqual(listDigitSwaps('1123'), ['1213', '1132']);
    assert.deepEqual(listDigitSwaps('A12-B'), ['A21-B']);
    assert.deepEqual(listDigitSwaps('77'), []);
    for (const text of ['1123', 'RZ2026017', '940'])
      for (const swapped of listDigitSwaps(text)) assert(isDigitSwap(text, swapped) && isDigitSwap(swapped, text));
    for (const [a, b] of [
      ['12', '12'],
      ['12', '13'],
      ['AB', 'BA'],
      ['123', '321'],
      ['1', ''],
    ] as const)
      assert(!isDigitSwap(a, b), `${a} ${b}`);
  });
});
