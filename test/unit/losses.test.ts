/** What a generation loses: which places and fields are named, and what accepts them. */
import assert from 'node:assert/strict';
import { type Acceptance, listAcceptedCodes, listRefusals, parseAcceptance, writeAcceptOptions } from '../../ingest/findings/acceptance.ts';
import { findLosses } from '../../ingest/findings/losses.ts';
import { listPlacesOf, placeKey } from '../../ingest/findings/placeFigures.ts';
import { FigureTally } from '../../ingest/write/figures.ts';
import type { StoredProject } from '../../src/core/domain/record/storedProject.ts';
import { places, THRESHOLDS } from '../support/index.ts';
import { pluck } from '../support/lists.ts';

const [BOULDER, DENVER, COLORADO] = [8013, 8031, 8];

interface Stated {
  count: number;
  countyId?: number | null;
  body?: string;
  fields?: object;
}

let nextId = 1;
/** Records as they are stored. */
const records = ({ count, countyId = BOULDER, body, fields = { acreage: 1 } }: Stated): StoredProject[] =>
  Array.from({ length: count }, () => {
    const place = { stateId: COLORADO, ...(countyId === null ? {} : { countyId }), ...(body ? { decisionBody: body } : {}) };
    const [id, compact] = [nextId++, {}];
    return { id, key: String(id), compact, standard: { ...place, ...fields }, full: {} } as unknown as StoredProject;
  });

const tallyOf = (all: readonly StoredProject[]) => {
  const tally = new FigureTally();
  for (const record of all) tally.add(record);
  return tally;
};

/** What is found when the first records are served and the second take their place. */
function find(served: readonly StoredProject[], now: readonly StoredProject[], mode: 'full' | 'increment' = 'full') {
  const [before, after] = [tallyOf(served), tallyOf(now)];
  const left = new Map(now.map((record) => [record.id, record]));
  for (const record of served) after.noteLost(record, left.get(record.id));
  const compared = {
    total: { now: after.figures, served: before.figures },
    byPlace: { now: after.places, served: before.places },
    listLost: after.listLost,
  };
  return findLosses(compared, { ...THRESHOLDS, places, mode });
}

const named = (findings: ReturnType<typeof find>) => findings.map(({ code, place, field, count }) => [code, place, field, count]);

describe('losses of a generation', () => {
  it('count a record in its state, in its county and with its body', () => {
    assert.deepEqual(listPlacesOf({ stateId: COLORADO, countyId: BOULDER, decisionBody: 'city_council' }).map(placeKey), [
      '8||',
      '8|8013|',
      '8|8013|city_council',
    ]);
    assert.deepEqual(listPlacesOf({ stateId: COLORADO, decisionBody: 'city_council' }).map(placeKey), ['8||', '8||city_council']);
    assert.deepEqual(listPlacesOf({}), []);
  });

  it('name a county that is gone, with examples, and neither its bodies nor its state', () => {
    const [gone, left] = [records({ count: 30, body: 'city_council' }), records({ count: 800, countyId: DENVER })];
    const findings = find([...gone, ...left], left);
    assert.deepEqual(named(findings), [['place_lost', 'Boulder County, CO', null, 30]]);
    assert.deepEqual(findings[0]?.examples, pluck(gone.slice(0, 20), 'id'));
    assert.match(findings[0]?.text ?? '', /^Boulder County, CO: 0 of 30 records are stated\. Complete the file/);
    const most = find([...gone, ...left.slice(0, 10)], left.slice(0, 10));
    assert.deepEqual(named(most).slice(2), [['place_lost', 'Boulder County, CO', null, 30]], 'the state lost 30 of 40 only by its county');
  });

  it('name a state that is gone once', () => {
    const all = [
      ...records({ count: 30, body: 'city_council' }),
      ...records({ count: 10, countyId: DENVER }),
      ...records({ count: 6, countyId: null }),
    ];
    assert.deepEqual(named(find(all, [])), [
      ['records_lost', null, null, 46],
      ['records_lost', null, null, 76],
      ['place_lost', 'CO', null, 46],
    ]);
  });

  it('name a body that lost most of its records, where its county did not', () => {
    const [council, board] = [records({ count: 20, body: 'city_council' }), records({ count: 80, body: 'planning_commission' })];
    const findings = find([...council, ...board], [...council.slice(0, 12), ...board]);
    assert.deepEqual(named(findings), [['place_lost', 'City Council, Boulder County, CO', null, 8]]);
  });

  it('name a field that a county does not state any more, and none where less than 30 % or five values went', () => {
    const all = records({ count: 20, fields: { acreage: 1, summary: 'Homes' } });
    const without = (count: number) =>
      all.map((record, at) => (at < count ? { ...record, standard: { ...record.standard, summary: null } } : record)) as StoredProject[];
    const lostOf = (findings: ReturnType<typeof find>) => named(findings).filter(([code]) => code === 'field_lost');
    const others = records({ count: 300, countyId: DENVER, fields: { acreage: 1, summary: 'Homes' } });
    const findings = find([...all, ...others], [...without(6), ...others]);
    assert.deepEqual(lostOf(findings), [['field_lost', 'Boulder County, CO', 'summary', 6]]);
    assert.deepEqual(findings[0]?.examples, pluck(all.slice(0, 6), 'id'));
    assert.deepEqual(find([...all, ...others], [...without(5), ...others]), [], '25 %');
    assert.deepEqual(lostOf(find(all.slice(0, 4), without(4).slice(0, 4))), [], 'four values');
  });

  it('refuse a tenth fewer records of a full file, and of an increment from five on', () => {
    const all = records({ count: 20 });
    const codes = (count: number, mode: 'full' | 'increment') => find(all, all.slice(0, count), mode).map(({ code }) => code);
    assert.deepEqual(codes(18, 'full'), ['records_lost', 'records_lost']);
    assert.deepEqual(codes(19, 'full'), []);
    assert.deepEqual(codes(16, 'increment'), []);
    assert.deepEqual(codes(15, 'increment'), ['records_lost', 'records_lost']);
  });

  it('are accepted by code, or by code and place, and named so', () => {
    const findings = find([...records({ count: 30 }), ...records({ count: 30, countyId: DENVER })], records({ count: 4, countyId: 8001 }));
    const left = (...texts: string[]) => listRefusals(findings, texts.map(parseAcceptance) as Acceptance[]).map(({ place }) => place);
    assert.deepEqual(left('records_lost'), ['Boulder County, CO', 'Denver County, CO']);
    assert.deepEqual(left('records_lost', 'place_lost:boulder county, CO'), ['Denver County, CO']);
    assert.deepEqual(left('records_lost', 'place_lost'), []);
    for (const text of ['loss', 'point_outside', 'place_lost:', 'place_lost: ']) assert.equal(parseAcceptance(text), undefined, text);
    assert.equal(
      writeAcceptOptions(findings),
      "--accept records_lost --accept 'place_lost:Boulder County, CO' --accept 'place_lost:Denver County, CO'",
    );
    assert.deepEqual(listAcceptedCodes(findings), ['records_lost', 'place_lost']);
  });
});
