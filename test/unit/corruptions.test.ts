/** Random corruptions of a good generation, each of one kind in one place: those above their threshold are named, with the place. */
import assert from 'node:assert/strict';
import { makeFindingCollectors } from '../../ingest/findings/collectors.ts';
import type { FindingCode, LoadFinding } from '../../ingest/findings/finding.ts';
import { findLosses } from '../../ingest/findings/losses.ts';
import { listPlacesOf, type PlaceTally, placeKey } from '../../ingest/findings/placeFigures.ts';
import { normaliseProject, withIdentity } from '../../ingest/read/normalise.ts';
import type { DocumentLine, ProjectLine } from '../../ingest/read/parseLine.ts';
import { loadPlaces } from '../../src/core/store/files/loadPlaces.ts';
import { THRESHOLDS } from '../support/index.ts';
import { lengthOf } from '../support/lengths.ts';
import { Random } from '../support/random.ts';

const TODAY = '2026-11-20';
const RECORDS = 150;
const NAMED_SHARE = 0.95;
const places = loadPlaces();

const COUNTIES = [
  { state: 'CO', county: 'Boulder County', city: 'Boulder', zipCode: '80302' },
  { state: 'CO', county: 'Denver County', city: 'Denver', zipCode: '80202' },
  { state: 'FL', county: 'Hillsborough County', city: 'Tampa', zipCode: '33602' },
  { state: 'IL', county: 'Cook County', city: 'Chicago', zipCode: '60602' },
  { state: 'NC', county: 'Mecklenburg County', city: 'Charlotte', zipCode: '28202' },
  { state: 'TX', county: 'Travis County', city: 'Austin', zipCode: '78701' },
];

/** The good records of a county. */
function makeRecords(at: number): ProjectLine[] {
  const place = COUNTIES[at] as (typeof COUNTIES)[number];
  const state = places.findState(place.state);
  const [city] = places.findCities(place.city, { stateIds: state ? [state.id] : [] });
  assert.ok(city, place.city);
  return Array.from({ length: RECORDS }, (_, i): ProjectLine => {
    const [yes, no] = [5 + (i % 3), i % 4];
    const votes = Array.from({ length: yes + no }, (__, n) => ({
      name: `Member ${n}`,
      vote: n < yes ? ('yes' as const) : ('no' as const),
    }));
    const meetingDate = `2026-0${1 + (i % 9)}-15`;
    return {
      kind: 'project',
      id: 1000 * (at + 1) + i,
      propertyType: 'residential',
      decisionBody: 'planning_commission',
      caseNumbers: [`Z-2026-${i}`],
      acreage: 1 + i,
      status: 'approved',
      meetingDate,
      firstMeetingDate: '2025-12-01',
      decisions: [{ decisionBody: 'planning_commission', meetingDate, votes }],
      voteTotals: { yes, no },
      ...place,
      latitude: city.latitude + (i % 10) / 2000,
      longitude: city.longitude + (i % 7) / 2000,
    };
  });
}

const GOOD = COUNTIES.map((_, at) => makeRecords(at));

/** Records and filled fields by place. */
function countByPlace(lines: readonly ProjectLine[]) {
  const byPlace = new Map<string, PlaceTally>();
  const total: PlaceTally = { records: 0, fields: {} };
  for (const line of lines) {
    const statement = withIdentity(normaliseProject(line, places), undefined);
    for (const place of listPlacesOf(statement)) {
      const key = placeKey(place);
      const tally = byPlace.get(key) ?? { records: 0, fields: {} };
      byPlace.set(key, tally);
      for (const one of [tally, ...(place.countyId === null && !place.decisionBody ? [total] : [])]) {
        one.records += 1;
        for (const field of ['acreage', 'voteTotals', 'caseNumbers'] as const)
          if (line[field]) one.fields[field] = (one.fields[field] ?? 0) + 1;
      }
    }
  }
  return { byPlace, total };
}

/** The findings of a full generation with these lines, where the good ones are served. */
function findIn(lines: readonly ProjectLine[], served: readonly ProjectLine[], documents: readonly DocumentLine[] = []): LoadFinding[] {
  const collectors = makeFindingCollectors({ places, today: TODAY });
  const [before, after] = [countByPlace(served), countByPlace(lines)];
  for (const line of lines) {
    const statement = withIdentity(normaliseProject(line, places), undefined);
    for (const collector of collectors) collector.addProject(statement, { line, text: JSON.stringify(line), served: undefined });
  }
  for (const document of documents) for (const collector of collectors) collector.addDocument(document);
  const byPlace = { now: after.byPlace, served: before.byPlace };
  const losses = findLosses(
    { total: { now: after.total, served: before.total }, byPlace, listLost: () => [] },
    { ...THRESHOLDS, places, mode: 'full' },
  );
  return [...losses, ...collectors.flatMap((collector) => collector.listFindings(byPlace))];
}

interface Corruption {
  code: FindingCode;
  /** changes some records of a county; `others` are those of another one */
  corrupt(some: readonly ProjectLine[], others: readonly ProjectLine[], random: Random): ProjectLine[];
  /** percent of the place and number of records from which on it is a finding */
  percent: number;
  minimum: number;
}

const KINDS: Record<string, Corruption> = {
  exchange: {
    code: 'places_exchanged',
    percent: 1,
    minimum: 1,
    corrupt: (some, others, random) => {
      const fields = random.pick([['city'], ['latitude', 'longitude'], ['state'], ['city', 'zipCode']] as const);
      const isSameState = some[0]?.state === others[0]?.state;
      const taken = isSameState && fields[0] === 'state' ? (['city'] as const) : fields;
      return some.map((line, i) => ({ ...line, ...Object.fromEntries(taken.map((field) => [field, others[i]?.[field]])) }));
    },
  },
  drop: { code: 'place_lost', percent: 30, minimum: 5, corrupt: () => [] },
  shift: {
    code: 'dates_contradict',
    percent: 0,
    minimum: 1,
    corrupt: (some, _, random) => {
      const years = random.pick([-60, 5, 30]);
      return some.map((line) => ({ ...line, meetingDate: `${Number(line.meetingDate?.slice(0, 4)) + years}-03-01` }));
    },
  },
  null: {
    code: 'field_lost',
    percent: 30,
    minimum: 5,
    corrupt: (some, _, random) => {
      const field = random.pick(['acreage', 'voteTotals', 'caseNumbers'] as const);
      return some.map((line) => ({ ...line, [field]: null }));
    },
  },
  repeat: {
    code: 'same_case',
    percent: 1,
    minimum: 1,
    corrupt: (some) => [...some, ...some.map((line) => ({ ...line, id: line.id + 500_000 }))],
  },
  misplace: {
    code: 'point_outside',
    percent: 0,
    minimum: 1,
    corrupt: (some, others, random) => {
      const [north, east] = [random.pick([-3, 3, 8]), random.pick([-4, 4, 9])];
      const isElsewhere = random.chance(0.5);
      return some.map((line, i) => ({
        ...line,
        latitude: isElsewhere ? (others[i]?.latitude ?? 0) : (line.latitude ?? 0) + north,
        longitude: isElsewhere ? (others[i]?.longitude ?? 0) : (line.longitude ?? 0) + east,
      }));
    },
  },
};

describe('A good generation', () => {
  it('has no findings', () => {
    assert.deepEqual(findIn(GOOD.flat(), GOOD.flat()), []);
  });

  it('that is corrupted at random has its fault named, with the place', () => {
    const random = new Random(54);
    const tried: Record<string, [named: number, above: number]> = {};
    for (let i = 0; i < lengthOf('CORRUPTIONS'); i += 1) {
      const kind = random.pick(Object.keys(KINDS));
      const { code, percent, minimum, corrupt } = KINDS[kind] as Corruption;
      const [at = 0, other = 0] = random.some([...COUNTIES.keys()], 2);
      const [own, others] = [GOOD[at] ?? [], GOOD[other] ?? []];
      const count = Math.max(1, Math.round((RECORDS * random.integer(1, 50)) / 100));
      if (count < minimum || 100 * count < percent * RECORDS) continue;
      const some = random.some(own, count);
      const lines = [...own.filter((line) => !some.includes(line)), ...corrupt(some, others, random)];
      const findings = findIn([...lines, ...others], [...own, ...others]);
      const isNamed = findings.some(
        (finding) => finding.code === code && [COUNTIES[at], COUNTIES[other]].some((one) => finding.place?.includes(one?.state ?? '?')),
      );
      const [named, above] = tried[kind] ?? [0, 0];
      tried[kind] = [named + Number(isNamed), above + 1];
    }
    assert.deepEqual(Object.keys(tried).sort(), Object.keys(KINDS).sort());
    for (const [kind, [named, above]] of Object.entries(tried)) assert.ok(named >= NAMED_SHARE * above, `${kind}: ${named} of ${above}`);
  });

  it('that is poisoned in six ways has every fault named, by findings that refuse it', () => {
    const [boulder = [], , tampa = [], chicago = [], charlotte = [], austin = []] = GOOD;
    const exchanged = chicago.map((line, i) => (i < 120 ? { ...line, city: 'Springfield' } : line));
    const [first] = tampa;
    assert.ok(first);
    const misplaced = boulder.map((line, i) => (i ? line : { ...line, latitude: first.latitude ?? 0, longitude: first.longitude ?? 0 }));
    const copies = Array.from({ length: 50 }, (_, i): ProjectLine => ({ ...first, id: 900_000 + i }));
    const miscounted = austin.map((line, i) => (i % 10 ? line : { ...line, voteTotals: { yes: 0, no: 9 } }));
    const pages = Array.from(
      { length: 20 },
      (_, i): DocumentLine => ({ kind: 'document', id: 1 + i, state: 'TX', county: 'Travis County', text: '404 Not Found' }),
    );
    const lines = [misplaced, tampa, copies, exchanged, miscounted].flat();
    const findings = findIn(lines, [boulder, tampa, chicago, charlotte, austin].flat(), pages);
    const named = (code: FindingCode, place: string) => findings.find((one) => one.code === code && one.place?.includes(place));
    assert.equal(named('places_exchanged', 'Cook County')?.count, 120);
    assert.deepEqual(named('point_outside', 'Boulder County')?.examples, [misplaced[0]?.id]);
    assert.equal(named('same_case', 'Hillsborough County')?.count, 51);
    assert.equal(named('votes_contradict', 'Travis County')?.count, 15);
    assert.equal(named('not_minutes', 'Travis County')?.count, 20);
    assert.ok(named('place_lost', 'NC'), JSON.stringify(findings.map(({ code, place }) => [code, place])));
    const refusing = findings.filter(({ severity }) => severity === 'refuse').map(({ code }) => code);
    for (const code of ['places_exchanged', 'same_case', 'votes_contradict', 'not_minutes', 'place_lost'])
      assert.ok(refusing.includes(code as FindingCode), code);
  });
});
