/** The report of a load: what it says, what it keeps from being served, and who accepts it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LoadReport } from '../../../ingest/findings/types.ts';
import { ReleaseStore } from '../../../src/core/store/postgres/releases.ts';
import { TestIndex } from '../../support/index.ts';
import { killIngestAt, runIngest, servedProjects } from '../../support/ingest.ts';
import { projectLine } from '../../support/projectLine.ts';

const lines = (from: number, count: number, more: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, at) => projectLine(from + at, { acreage: 2, ...more }));
const DENVER = { county: 'Denver County' };
const deleted = (ids: readonly number[]) => ids.map((id) => ({ kind: 'project', id, deleted: true }));
const ACCEPTED = ['--accept', 'records_lost', '--accept', 'place_lost:Denver County, CO'];

describe('The report of a load', function () {
  this.timeout(240_000);
  const index = new TestIndex('2026-11-20');
  after(() => index.drop());
  const reportOf = async (file: string): Promise<LoadReport> => JSON.parse(await readFile(`${file}.report.json`, 'utf8'));
  const newestRelease = async () => {
    const { database } = await index.records();
    const { releases, total } = await new ReleaseStore(database, index.prefix).list(1, 0);
    return { total, findings: releases[0]?.findings, accepted: releases[0]?.accepted };
  };

  it('names a county that a full generation lacks, and keeps it from being served until that is accepted, whenever it is killed', async () => {
    await index.load([...lines(1, 12), ...lines(101, 6, DENVER)]);
    assert.deepEqual(await newestRelease(), { total: 1, findings: {}, accepted: [] });
    const file = await index.file(lines(1, 12), { generation: 2 });
    const { code, stdout, stderr } = await runIngest(index, ['load', file, '--activate']);
    assert.equal(code, 1, stderr);
    assert.match(
      stdout,
      /^Report of generation 2, compared with generation 1: 12 records stated, 12 unchanged, 6 carried over\n {2}REFUSED /,
    );
    assert.match(stderr, /npm run ingest -- activate 2 --accept records_lost --accept 'place_lost:Denver County, CO'/);
    const report = await reportOf(file);
    assert.deepEqual(report.records, { stated: 12, new: 0, changed: 0, unchanged: 12, removed: 0, carriedOver: 6 });
    assert.deepEqual(
      report.places.map(({ stateId, countyId, decisionBody, records, fields }) => [
        stateId,
        countyId,
        decisionBody,
        records,
        fields.acreage,
      ]),
      [
        [8, null, null, { now: 12, served: 18 }, { now: 12, served: 18 }],
        [8, 8013, null, { now: 12, served: 12 }, { now: 12, served: 12 }],
        [8, 8031, null, { now: 0, served: 6 }, { now: 0, served: 6 }],
      ],
    );
    const lost = report.findings.find(({ code: found }) => found === 'place_lost');
    assert.deepEqual([lost?.place, lost?.count, lost?.examples.toSorted()], ['Denver County, CO', 6, [101, 102, 103, 104, 105, 106]]);
    assert.equal((await newestRelease()).total, 1, 'it is not served');

    const page = path.join(path.dirname(file), 'report.html');
    const shown = await runIngest(index, ['report', '2', '--json', '--html', page]);
    assert.deepEqual(JSON.parse(shown.stdout), report);
    assert.match(await readFile(page, 'utf8'), /<path class="county gone" d="M[^"]+"><title>Denver County, CO: 0 of 6 records</);

    await killIngestAt(index, ['activate', '2', ...ACCEPTED], 'set accepted', 1);
    assert.equal((await runIngest(index, ['activate', '2'])).code, 1, 'what a killed command accepted does not count');
    const activated = await runIngest(index, ['activate', '2', ...ACCEPTED]);
    assert.equal(activated.code, 0, activated.stderr);
    assert.deepEqual(await newestRelease(), {
      total: 2,
      findings: { place_lost: 6, records_lost: 12 },
      accepted: ['records_lost', 'place_lost'],
    });
  });

  it('refuses an increment whole, and loads it when it is repeated with --accept', async () => {
    const file = await index.file(deleted([1, 2, 3, 4, 5]), { mode: 'increment', generation: 2 });
    const before = await servedProjects(index);
    const refused = await runIngest(index, ['load', file]);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /nothing was loaded.*npm run ingest -- load .* --accept records_lost --accept 'place_lost:Boulder County, CO'/,
    );
    assert.deepEqual(await servedProjects(index), before);
    assert.deepEqual((await reportOf(file)).records, { stated: 0, new: 0, changed: 0, unchanged: 0, removed: 5, carriedOver: 0 });
    const kept: LoadReport = JSON.parse((await runIngest(index, ['report', '--json'])).stdout);
    assert.equal(kept.records.stated, 12, 'the report of the generation is that of the load before');
    const accepted = await runIngest(index, ['load', file, '--accept', 'records_lost', '--accept', 'place_lost']);
    assert.equal(accepted.code, 0, accepted.stderr);
    assert.equal((await servedProjects(index)).size, before.size - 5);
    assert.deepEqual((await newestRelease()).accepted, ['records_lost', 'place_lost']);
    const { places } = JSON.parse((await runIngest(index, ['report', '2', '--json'])).stdout) as LoadReport;
    assert.deepEqual(places.find(({ countyId }) => countyId === 8013)?.records, { now: 7, served: 12 });
  });

  it('is counted anew where it was lost, and says so of a generation that has none', async () => {
    const { database } = await index.records();
    await database.query('update index_commit set report = null');
    const unknown = await runIngest(index, ['report']);
    assert.match(unknown.stderr, /^No report of generation 2 is kept; loaded: /);
    const { stdout } = await runIngest(index, ['load', await index.file(lines(6, 7), { generation: 3 })]);
    assert.match(
      stdout,
      /^Report of generation 3, compared with generation 2: 7 records stated, 7 unchanged, 6 carried over\n {2}no findings\n/,
    );
    assert.equal((await runIngest(index, ['load', 'none.ndjson', '--accept', 'loss'])).code, 2);
    const set = await runIngest(index, ['status'], { FINDING_THRESHOLDS: 'case=3' });
    assert.deepEqual([set.code, /FINDING_THRESHOLDS names case; the codes are places_exchanged,/.test(set.stderr)], [2, true], set.stderr);
  });

  it('names what was wrong with lines that were left out', async () => {
    const line = JSON.stringify(projectLine(701, { acreage: 1, legacy: null })).replace('"legacy":null', '"acreage":2');
    const broken = [
      line,
      projectLine(702, { meetingDate: '1899-12-30' }),
      projectLine(703, { projectName: 'Cut \0 off' }),
      projectLine(704, { countyId: 48453 }),
      '{"kind":"project","id":1,"deleted":true,"id":2}',
    ];
    const file = await index.file([...broken, projectLine(12, { acreage: 2 })], { mode: 'increment', generation: 2 });
    const { code, stderr } = await runIngest(index, ['load', file, '--skip-invalid']);
    assert.equal(code, 0, stderr);
    const { findings } = await reportOf(file);
    assert.deepEqual(findings.map(({ code: found, place, examples }) => [found, place, examples.join()]).sort(), [
      ['duplicate_key', null, ''],
      ['duplicate_key', 'Boulder County, CO', '701'],
      ['ids_contradict', null, '704'],
      ['placeholder_date', 'Boulder County, CO', '702'],
      ['text_damaged', 'Boulder County, CO', '703'],
    ]);
    assert.match(findings.find(({ place }) => place)?.text ?? '', /left out/);
  });
});

describe('A generation that is poisoned in six ways', function () {
  this.timeout(240_000);
  const index = new TestIndex('2026-11-20');
  after(() => index.drop());

  const at = (state: string, county: string, city: string, point: readonly [number, number]) => {
    const [latitude, longitude] = point;
    return { state, county, city, latitude, longitude, decisionBody: 'planning_commission' };
  };
  const BOULDER = at('CO', 'Boulder County', 'Boulder', [40.015, -105.27]);
  const TAMPA = at('FL', 'Hillsborough County', 'Tampa', [27.95, -82.46]);
  const CHICAGO = at('IL', 'Cook County', 'Chicago', [41.88, -87.63]);
  const AUSTIN = at('TX', 'Travis County', 'Austin', [30.27, -97.74]);
  const votes = Array.from({ length: 7 }, (_, i) => ({ name: `Member ${i}`, vote: 'yes' }));
  const decided = { ...AUSTIN, decisions: [{ decisionBody: 'planning_commission', meetingDate: '2026-10-01', votes }] };
  const good = [
    ...lines(1, 10, BOULDER),
    ...lines(101, 12, { ...BOULDER, county: 'Denver County', city: 'Denver', latitude: 39.74, longitude: -104.99 }),
    ...lines(201, 1, { ...TAMPA, caseNumbers: ['Z-1'] }),
    ...lines(301, 120, CHICAGO),
    ...lines(501, 10, { ...decided, voteTotals: { yes: 7, no: 0 } }),
  ];
  const poisoned = [
    ...lines(1, 1, { ...BOULDER, latitude: TAMPA.latitude, longitude: TAMPA.longitude }),
    ...lines(2, 9, BOULDER),
    ...lines(201, 51, { ...TAMPA, caseNumbers: ['Z-1'] }),
    ...lines(301, 120, { ...CHICAGO, city: 'Springfield' }),
    ...lines(501, 10, { ...decided, voteTotals: { yes: 2, no: 5 } }),
    ...Array.from({ length: 20 }, (_, i) => ({ kind: 'document', id: 1 + i, state: 'TX', county: 'Travis County', text: '404 Not Found' })),
  ];
  const REFUSED = ['not_minutes', 'place_lost', 'places_exchanged', 'same_case', 'votes_contradict'];

  it('is refused with each of them, is served when all are accepted, and says which', async () => {
    await index.load(good);
    const file = await index.file(poisoned, { generation: 2 });
    const before = await servedProjects(index);
    const refused = await runIngest(index, ['load', file, '--activate']);
    assert.equal(refused.code, 1);
    const { findings }: LoadReport = JSON.parse(await readFile(`${file}.report.json`, 'utf8'));
    const found = Object.fromEntries(
      findings.flatMap(({ code, place, count }) => (place?.includes('Boulder') ? [] : [[code, [place, count]]])),
    );
    assert.deepEqual(found, {
      not_minutes: ['Travis County, TX', 20],
      place_lost: ['Denver County, CO', 12],
      places_exchanged: ['Cook County, IL', 120],
      same_case: ['Planning Commission, Hillsborough County, FL', 51],
      votes_contradict: ['Planning Commission, Travis County, TX', 10],
    });
    assert.deepEqual(findings.flatMap(({ code, place, examples }) => (place?.includes('Boulder') ? [[code, examples]] : [])).sort(), [
      ['places_exchanged', [1]],
      ['point_outside', [1]],
    ]);
    for (const code of REFUSED) assert.match(refused.stderr, new RegExp(`${code}: .*\\n`), code);
    assert.deepEqual(await servedProjects(index), before);
    const some = await runIngest(index, ['activate', '2', ...REFUSED.slice(1).flatMap((code) => ['--accept', code])]);
    assert.equal(some.code, 1, 'one of them is not accepted');
    const all = await runIngest(index, ['activate', '2', ...REFUSED.flatMap((code) => ['--accept', code])]);
    assert.equal(all.code, 0, all.stderr);
    const { database } = await index.records();
    const { releases } = await new ReleaseStore(database, index.prefix).list(1, 0);
    assert.deepEqual(releases[0]?.accepted?.toSorted(), REFUSED);
  });

  it('can be discarded while it waits', async () => {
    const file = await index.file(lines(1, 1, BOULDER), { generation: 3 });
    assert.equal((await runIngest(index, ['load', file])).code, 0);
    assert.equal((await runIngest(index, ['discard', '3'])).code, 0);
    assert.equal((await runIngest(index, ['activate', '3', ...REFUSED.flatMap((code) => ['--accept', code])])).code, 1);
    assert.equal((await runIngest(index, ['discard', '3'])).code, 1);
  });
});
